// @ts-check
// <crop-view>: the element as a page sees it. Its attributes, properties, methods and events; all of them
// are listed in custom-elements.json.

import {
  attributeCommands, attributeProblem, COVERS, OBSERVED, ratioText, STYLES,
} from './attributes.js';
import { checkRecipe, LOSSLESS } from './core.js';
import { CropError } from './errors.js';
import { FormField } from './form-field.js';
import { StateIndex } from './interface.js';
import { SessionView } from './session-view.js';
import { takeable } from './shown-recipe.js';
import { checkOptions } from './cut-options.js';
import { croppedBlob, croppedCanvas } from './cut.js';

/** @typedef {import('./core.js').Recipe} Recipe */
/** @typedef {import('./cut.js').CutOptions} CutOptions */

/** Attributes that are no commands. */
const OTHERS = ['src', 'name', 'required', 'value', 'value-type', 'scroll', 'aria-label'];

/** File endings by media type. */
const ENDINGS = new Map([['image/jpeg', 'jpg'], ['image/png', 'png'], ['image/webp', 'webp']]);

export class CropView extends SessionView {
  static get formAssociated() { return true; }
  static get observedAttributes() { return [...OTHERS, ...OBSERVED]; }
  #field = new FormField(this, this.internals);
  #isDisabled = false;

  connectedCallback() {
    super.connectedCallback();
    this.#field.update();
  }

  /** @param {string} name @param {string | null} before @param {string | null} value */
  attributeChangedCallback(name, before, value) {
    // The same ratio again holds again, whatever a recipe has made of it.
    if (before === value && name !== 'aspect-ratio') return;
    if (name === 'src') {
      // A failure is told by the `error` event.
      if (value) this.load(value).catch(() => {});
      else this.unload();
      return;
    }
    if (name === 'aria-label') return this.nameItself();
    const problem = attributeProblem(name, value, this.core);
    if (problem) this.failAttribute(problem);
    if (OTHERS.includes(name)) return this.#field.update();
    if (problem) return;
    if (!this.core) return;
    for (const [command, a, b] of attributeCommands(name, value, this.core)) {
      this.command(command, a, b);
    }
  }

  // Attributes as properties

  get src() { return this.getAttribute('src') ?? ''; }
  set src(address) { this.#reflect('src', address); }
  /** `marquee`, `viewfinder` or `studio`. */
  get cropStyle() { return this.#known('crop-style', STYLES, 'studio'); }
  set cropStyle(style) { this.#reflect('crop-style', style); }
  /** `fill` or `fit`: how the viewfinder's picture covers its frame. */
  get cover() { return this.#known('cover', COVERS, 'fill'); }
  set cover(cover) { this.#reflect('cover', cover); }
  /** `free`, `original`, `square`, `W:H` or a number: what holds, which a recipe may have changed. */
  get aspectRatio() {
    const asked = this.getAttribute('aspect-ratio') || 'free';
    const { core, state } = this;
    return core && state ? ratioText(core, asked, state) : asked;
  }

  set aspectRatio(ratio) { this.#reflect('aspect-ratio', ratio); }
  /** `rectangle`, `ellipse` or `rounded:PIXELS`. */
  get shape() { return this.getAttribute('shape') ?? 'rectangle'; }
  set shape(shape) { this.#reflect('shape', shape); }
  /** `WIDTHxHEIGHT`, in pixels of the picture; empty for none. */
  get minSize() { return this.getAttribute('min-size') ?? ''; }
  set minSize(size) { this.#reflect('min-size', size); }
  /** `WIDTHxHEIGHT`, in pixels of the picture; empty for none. */
  get maxSize() { return this.getAttribute('max-size') ?? ''; }
  set maxSize(size) { this.#reflect('max-size', size); }
  /** CSS pixels round the frame; empty for the usual. */
  get margin() { return this.getAttribute('margin') ?? ''; }
  set margin(margin) { this.#reflect('margin', margin); }
  /** Where the viewfinder's frame begins, as a part of the height; empty for the middle. */
  get viewfinderTop() { return this.getAttribute('viewfinder-top') ?? ''; }
  set viewfinderTop(share) { this.#reflect('viewfinder-top', share); }
  /** `exact`, `snap` or `never`: whether a JPEG is cut without decoding it. */
  get lossless() { return this.#known('lossless', LOSSLESS, 'exact'); }
  set lossless(mode) { this.#reflect('lossless', mode); }
  /** `page` or `zoom`: whose a wheel is. */
  get scrolling() { return this.#known('scroll', ['page', 'zoom'], 'page'); }
  set scrolling(owner) { this.#reflect('scroll', owner); }
  /** Of the form's field. */
  get name() { return this.getAttribute('name') ?? ''; }
  set name(name) { this.#reflect('name', name); }
  get required() { return this.hasAttribute('required'); }
  set required(isRequired) { this.toggleAttribute('required', Boolean(isRequired)); }
  get disabled() { return this.hasAttribute('disabled'); }
  set disabled(isDisabled) { this.toggleAttribute('disabled', Boolean(isDisabled)); }
  /** `recipe` or `file`: what a form sends. */
  get valueType() { return this.#known('value-type', ['recipe', 'file'], 'recipe'); }
  set valueType(type) { this.#reflect('value-type', type); }
  /** The recipe as JSON that a picture begins with and a form resets to; the attribute `value`. */
  get defaultValue() { return this.getAttribute('value') ?? ''; }
  set defaultValue(text) { this.#reflect('value', text); }

  /** @param {string} name @param {unknown} value */
  #reflect(name, value) {
    if (value === null || value === undefined || value === '') this.removeAttribute(name);
    else this.setAttribute(name, String(value));
  }

  /**
   * @template {string} Name
   * @param {string} attribute @param {readonly Name[]} names @param {Name} usual
   * @returns {Name} the attribute's value; `usual` for one that is none of the names
   */
  #known(attribute, names, usual) {
    return names.find((name) => name === this.getAttribute(attribute)) ?? usual;
  }

  // The form's field

  /**
   * The recipe as JSON; empty while nothing valid is selected.
   * @returns {string}
   */
  get value() {
    const { recipe } = this;
    return recipe ? JSON.stringify(recipe) : '';
  }

  set value(text) {
    this.recipe = text ? takeable(readRecipe(text)) : null;
  }

  get type() { return 'crop-view'; }
  get form() { return this.internals.form; }
  get labels() { return this.internals.labels; }
  get willValidate() { return this.internals.willValidate; }
  get validity() { return this.internals.validity; }
  get validationMessage() { return this.internals.validationMessage; }
  checkValidity() { return this.internals.checkValidity(); }
  reportValidity() { return this.internals.reportValidity(); }

  /** Whether it, or the fieldset it stands in, is disabled. */
  get isDisabled() { return this.#isDisabled; }

  /**
   * Makes the file that `value-type="file"` stands for. A form that is sent by a press does so by
   * itself; a page that reads the form by script waits for this first.
   */
  prepareFormValue() { return this.#field.prepare(); }

  recipeSettled() { this.#field.update(); }

  /** @param {HTMLFormElement | null} form */
  formAssociatedCallback(form) { this.#field.listen(form); }

  /** @param {boolean} isDisabled */
  formDisabledCallback(isDisabled) {
    this.#isDisabled = isDisabled;
    this.input.cancelAll();
    this.keyboard.inert = isDisabled;
    this.surface.classList.toggle('disabled', isDisabled);
    this.status.mark('disabled', isDisabled);
  }

  formResetCallback() {
    if (this.defaultValue && this.picture) this.value = this.defaultValue;
    else this.reset();
  }

  /** @param {string | File | FormData | null} state of an earlier visit */
  formStateRestoreCallback(state) {
    if (typeof state !== 'string' || !state) return;
    try {
      this.value = state;
    } catch (error) {
      this.fail(error);
    }
  }

  /** The picture's first recipe, where the page says one. */
  firstRecipe() {
    if (!this.defaultValue) return null;
    try {
      return readRecipe(this.defaultValue);
    } catch (error) {
      const problem = `value="${this.defaultValue}" is not understood: ${messageOf(error)}`;
      console.warn(`crop-view: ${problem}`);
      this.fail(new CropError('bad-attribute', problem, { cause: error }));
      return null;
    }
  }

  requestCrop() {
    const isWanted = this.tell('croprequest', { cancelable: true });
    // As Enter in a field does.
    if (isWanted) this.form?.requestSubmit();
  }

  /**
   * What a file made of the picture is called.
   * @param {string} type media type
   */
  fileName(type) {
    const path = this.src && !this.src.startsWith('data:') && !this.src.startsWith('blob:')
      ? new URL(this.src, document.baseURI).pathname : '';
    const last = path.slice(path.lastIndexOf('/') + 1);
    const stem = last.replace(/\.[^.]*$/, '') || 'photo';
    return `${stem}-cropped.${ENDINGS.get(type) ?? 'png'}`;
  }

  // What is shown and selected

  /** Commands that do something in this build; empty until a picture was loaded. */
  get commands() {
    return this.core?.commands ?? new Set();
  }

  /** Numbers of the core, such as the largest tilt; null until a picture was loaded. */
  get constants() {
    return this.core?.constants ?? null;
  }

  /** Upright pixels of the original, or null without a picture. */
  get pictureSize() {
    return this.picture && { width: this.picture.width, height: this.picture.height };
  }

  /** Whether the picture moves: a result made here is its first frame. */
  get animated() {
    return this.picture?.isAnimated ?? false;
  }

  /** The pixels of the result, or null while nothing valid is selected. */
  get resultSize() {
    const drawing = this.valid ? this.core?.drawing() : null;
    return drawing ? { width: drawing.width, height: drawing.height } : null;
  }

  /** Where the selection is on the screen, or null. */
  get selectionBox() {
    return this.accessible.nodes.get(1)?.getBoundingClientRect() ?? null;
  }

  /** Whether something is selected that can be cut. */
  get valid() {
    const { core } = this;
    return core !== null && this.picture !== null
      && core.numbers[core.stateAddress() + StateIndex.valid] !== 0;
  }

  get canUndo() { return this.state?.canUndo ?? false; }
  get canRedo() { return this.state?.canRedo ?? false; }
  get canReset() { return this.state?.canReset ?? false; }
  undo() { return this.command('undo'); }
  redo() { return this.command('redo'); }
  reset() { return this.command('reset'); }
  clear() { return this.command('clear'); }
  selectAll() { return this.command('selectAll'); }

  /**
   * A quarter turn.
   * @param {1 | -1} direction clockwise or back
   * @throws {RangeError} for anything else
   */
  turn(direction) {
    if (direction !== 1 && direction !== -1) throw new RangeError('turn takes 1 or -1');
    return this.command('turn', direction);
  }

  /**
   * @param {'horizontal' | 'vertical'} axis
   * @throws {RangeError} for anything else
   */
  mirror(axis) {
    if (axis !== 'horizontal' && axis !== 'vertical') {
      throw new RangeError("mirror takes 'horizontal' or 'vertical'");
    }
    return this.command('mirror', axis === 'vertical' ? 1 : 0);
  }

  /**
   * Degrees clockwise, at most the core's `largestTilt` either way.
   * @throws {RangeError} for anything else
   */
  get tilt() { return this.state?.tilt ?? 0; }
  set tilt(degrees) {
    const most = this.constants?.largestTilt ?? Infinity;
    if (!(Math.abs(degrees) <= most)) throw new RangeError(`tilt takes -${most} to ${most}`);
    this.command('tilt', degrees);
  }

  /**
   * @param {number} factor more than 1 zooms in
   * @throws {RangeError} unless it is a number more than 0
   */
  zoomBy(factor) {
    if (!(factor > 0 && Number.isFinite(factor))) throw new RangeError('zoomBy takes more than 0');
    return this.command('zoomBy', factor);
  }

  // Results

  /**
   * The result as a file, made in the browser at the full size of what was loaded.
   * @param {CutOptions} [options]
   * @returns {Promise<Blob | null>} null while nothing valid is selected, and if `beforecrop` was
   *   called off
   */
  async croppedBlob(options = {}) {
    return (await this.cropped(options))?.blob ?? null;
  }

  /**
   * The same, and whether it was cut without loss.
   * @param {CutOptions} [options]
   * @returns {Promise<{ blob: Blob, isLossless: boolean } | null>}
   */
  async cropped(options = {}) {
    checkOptions(options);
    const { core, picture } = this;
    if (!core || !picture || !this.#mayCrop(options)) return null;
    return croppedBlob(core, picture, options);
  }

  /**
   * The result as a canvas.
   * @param {Pick<CutOptions, 'maxSide'>} [options]
   * @returns {Promise<HTMLCanvasElement | null>} null as with `croppedBlob`
   */
  async croppedCanvas(options = {}) {
    checkOptions(options, ['maxSide']);
    const { core, picture } = this;
    if (!core || !picture || !this.#mayCrop(options)) return null;
    return croppedCanvas(core, picture, options);
  }

  /** @param {CutOptions} options */
  #mayCrop(options) {
    return this.valid
      && this.tell('beforecrop', { cancelable: true, detail: { recipe: this.recipe, options } });
  }
}

/** @param {unknown} error */
const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** @param {string} text @returns {Recipe} */
function readRecipe(text) {
  let recipe;
  try {
    recipe = JSON.parse(text);
  } catch {
    throw new RangeError('this is not a recipe: it is not JSON');
  }
  checkRecipe(recipe);
  return recipe;
}
