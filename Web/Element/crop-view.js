// @ts-check
// <crop-view>: the public element. Its attributes, properties, methods and events are listed in
// custom-elements.json.

import {
  attributeCommands, attributeProblem, COVERS, FILE, fileOptions, OBSERVED, ratioText, STYLES,
} from './attributes.js';
import { CANVAS_OPTIONS, parsedCanvas, PLACES } from './canvas.js';
import { copied } from './clipboard.js';
import { COMMANDS, LOSSLESS } from './core.js';
import { checkOptions, ENDINGS } from './cut-options.js';
import { croppedBlob, croppedCanvas } from './cut.js';
import { coded, CropError } from './errors.js';
import { FormField } from './form-field.js';
import { showGuides } from './guides.js';
import { readRecipe } from './initial-recipe.js';
import { canvasLayout, Element } from './interface.js';
import { SessionView } from './session-view.js';
import { acceptedRecipe } from './shown-recipe.js';

/** @typedef {import('./core.js').Recipe} Recipe */
/** @typedef {import('./cut.js').CutOptions} CutOptions */

/** Attributes that are not commands. */
const OTHERS = ['src', 'guides', 'name', 'required', 'value', 'value-type', 'wheel', 'aria-label', ...Object.keys(FILE)];

/** Attributes for the canvas around the result, and their options. */
const CANVAS = Object.freeze(/** @type {const} */ ({
  canvas: 'canvas', 'canvas-margin': 'margin', 'canvas-place': 'place', 'canvas-fill': 'fill' }));

export class CropView extends SessionView {
  static get formAssociated() { return true; }
  static get observedAttributes() { return [...OTHERS, ...Object.keys(CANVAS), ...OBSERVED]; }
  #field = new FormField(this, this.internals);
  #isDisabled = false;

  connectedCallback() {
    super.connectedCallback();
    this.#field.update();
  }

  /** @param {string} name @param {string | null} before @param {string | null} value */
  attributeChangedCallback(name, before, value) {
    // Setting the same ratio again restores it, even if a recipe has changed it.
    if (before === value && name !== 'aspect-ratio') return;
    if (name === 'src') {
      // Failures are reported by the `error` event.
      if (value) this.load(value).catch(() => {});
      else this.unload();
      return;
    }
    if (name === 'aria-label') return this.nameItself();
    if (name === 'guides') return void showGuides(this, true);
    if (Object.hasOwn(CANVAS, name)) return this.#canvasChanged();
    const problem = attributeProblem(name, value, this.core);
    if (problem) this.failAttribute(problem);
    if (OTHERS.includes(name)) return this.#field.update();
    if (problem) return;
    if (!this.core) return;
    for (const [command, a, b] of attributeCommands(name, value, this.core)) {
      this.command(command, a, b);
    }
    // A limit may concern a selection that stays as it is.
    this.#field.update();
  }

  // Attributes as properties

  get src() { return this.getAttribute('src') ?? ''; }
  set src(address) { this.#reflect('src', address); }
  /** `marquee`, `viewfinder`, `studio` or `quad`. */
  get cropStyle() { return this.#known('crop-style', STYLES, 'studio'); }
  set cropStyle(style) { this.#reflect('crop-style', style); }
  /** `fill` or `fit`: how the viewfinder's photo covers its frame. */
  get cover() { return this.#known('cover', COVERS, 'fill'); }
  set cover(cover) { this.#reflect('cover', cover); }
  /** `free`, `original`, `square`, `W:H` or a number: the current ratio, which a recipe may have changed. */
  get aspectRatio() {
    const asked = this.getAttribute('aspect-ratio') || 'free';
    const { core, state } = this;
    return core && state ? ratioText(core, asked, state) : asked;
  }

  set aspectRatio(ratio) { this.#reflect('aspect-ratio', ratio); }
  /** `rectangle`, `ellipse` or `rounded:PIXELS`. */
  get shape() { return this.getAttribute('shape') ?? 'rectangle'; }
  set shape(shape) { this.#reflect('shape', shape); }
  /** `WIDTHxHEIGHT` in pixels of the image; empty for none. */
  get minSize() { return this.getAttribute('min-size') ?? ''; }
  set minSize(size) { this.#reflect('min-size', size); }
  /** `WIDTHxHEIGHT` in pixels of the image; empty for none. */
  get maxSize() { return this.getAttribute('max-size') ?? ''; }
  set maxSize(size) { this.#reflect('max-size', size); }
  /** The space around the frame in CSS pixels; empty for the default. */
  get margin() { return this.getAttribute('margin') ?? ''; }
  set margin(margin) { this.#reflect('margin', margin); }
  /** The top of the viewfinder's frame, as a fraction of the height; empty for centered. */
  get viewfinderTop() { return this.getAttribute('viewfinder-top') ?? ''; }
  set viewfinderTop(share) { this.#reflect('viewfinder-top', share); }
  /** `W:H` or `WIDTHxHEIGHT` of the result's initial canvas; empty for none. */
  get canvas() { return this.getAttribute('canvas') ?? ''; }
  set canvas(canvas) { this.#reflect('canvas', canvas); }
  /** The space around the crop on its canvas, in pixels of the result or as a percentage such as `5%`. */
  get canvasMargin() { return this.getAttribute('canvas-margin') ?? ''; }
  set canvasMargin(margin) { this.#reflect('canvas-margin', margin); }
  /** `center`, `north`, `northeast` …: the position of the crop on its canvas. */
  get canvasPlace() { return this.#known('canvas-place', PLACES, 'center'); }
  set canvasPlace(place) { this.#reflect('canvas-place', place); }
  /** A CSS color, `transparent`, `edge` or `blur`; empty for white. */
  get canvasFill() { return this.getAttribute('canvas-fill') ?? ''; }
  set canvasFill(fill) { this.#reflect('canvas-fill', fill); }
  /** Names of guides, separated by spaces; empty for none. */
  get guides() { return this.getAttribute('guides') ?? ''; }
  set guides(names) { this.#reflect('guides', names); }
  /** `exact`, `snap` or `never`: whether a JPEG is cropped without decoding it. */
  get lossless() { return this.#known('lossless', LOSSLESS, 'exact'); }
  set lossless(mode) { this.#reflect('lossless', mode); }
  /** `page` or `zoom`: whether the mouse wheel scrolls the page or zooms. */
  get wheel() { return this.#known('wheel', ['page', 'zoom'], 'page'); }
  set wheel(effect) { this.#reflect('wheel', effect); }
  /** The name of the form field. */
  get name() { return this.getAttribute('name') ?? ''; }
  set name(name) { this.#reflect('name', name); }
  get required() { return this.hasAttribute('required'); }
  set required(isRequired) { this.toggleAttribute('required', Boolean(isRequired)); }
  get disabled() { return this.hasAttribute('disabled'); }
  set disabled(isDisabled) { this.toggleAttribute('disabled', Boolean(isDisabled)); }
  /** `recipe` or `file`: the form value to submit. */
  get valueType() { return this.#known('value-type', ['recipe', 'file'], 'recipe'); }
  set valueType(type) { this.#reflect('value-type', type); }
  /** The longest side of results in pixels; empty for no limit. */
  get maxSide() { return this.getAttribute('max-side') ?? ''; }
  set maxSide(side) { this.#reflect('max-side', side); }
  /** The size of files in bytes, for which the best quality is chosen; empty for no limit. */
  get maxBytes() { return this.getAttribute('max-bytes') ?? ''; }
  set maxBytes(bytes) { this.#reflect('max-bytes', bytes); }
  /** The media type of files; empty for the image's own. */
  get type() { return this.#known('type', ['', ...ENDINGS.keys()], ''); }
  set type(type) { this.#reflect('type', type); }
  /** The quality of files, 0 to 1; empty for the default. */
  get quality() { return this.getAttribute('quality') ?? ''; }
  set quality(quality) { this.#reflect('quality', quality); }
  /** The initial recipe as JSON, to which a form resets; the attribute `value`. */
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
   * @returns {Name} the attribute's value; `usual` if it is not one of the names
   */
  #known(attribute, names, usual) {
    return names.find((name) => name === this.getAttribute(attribute)) ?? usual;
  }

  #isCanvasNew = false;

  /** Combines attributes that are set together into one canvas. */
  #canvasChanged() {
    if (this.#isCanvasNew) return;
    this.#isCanvasNew = true;
    queueMicrotask(() => {
      this.#isCanvasNew = false;
      const { core, picture } = this;
      if (!core || !picture) return;
      this.apply(core.putOnCanvas(this.firstCanvas(core), false));
    });
  }

  /** @param {import('./core.js').Core} core */
  firstCanvas(core) {
    const options = Object.entries(CANVAS).flatMap(([name, option]) => {
      const value = this.getAttribute(name)?.trim();
      return value ? [[option, value]] : [];
    });
    try {
      return parsedCanvas(core, Object.fromEntries(options));
    } catch (error) {
      this.failAttribute(`canvas: ${messageOf(error)}`);
      return null;
    }
  }

  // The form field

  /**
   * The recipe as JSON; empty without a valid selection.
   * @returns {string}
   */
  get value() {
    const { recipe } = this;
    return recipe ? JSON.stringify(recipe) : '';
  }

  set value(text) {
    this.recipe = text ? acceptedRecipe(readRecipe(text)) : null;
  }

  get form() { return this.internals.form; }
  get labels() { return this.internals.labels; }
  get willValidate() { return this.internals.willValidate; }
  get validity() { return this.internals.validity; }
  get validationMessage() { return this.internals.validationMessage; }
  checkValidity() { return this.internals.checkValidity(); }
  reportValidity() { return this.internals.reportValidity(); }
  /** @param {string} message the page's own error; empty for none */
  setCustomValidity(message) { this.#field.setCustomValidity(String(message)); }

  /** Whether the element or its fieldset is disabled. */
  get isDisabled() { return this.#isDisabled; }

  /**
   * Makes the file for `value-type="file"`. When a user submits the form, this happens automatically; a script
   * that reads the form must wait for this first.
   */
  prepareFormValue() { return this.#field.prepare(); }

  recipeSettled() { this.#field.update(); }

  validate() { this.#field.validate(); }

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

  formResetCallback() { this.restart(); }

  /** @param {string | File | FormData | null} state from an earlier visit */
  formStateRestoreCallback(state) {
    if (typeof state !== 'string' || !state) return;
    try {
      this.value = state;
    } catch (error) {
      this.fail(new CropError('no-fit', messageOf(error), { cause: error }));
    }
  }

  /** The initial recipe from the attribute; null if it is not set, or invalid. */
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
    const isWanted = this.dispatch('croprequest', { cancelable: true });
    // Enter submits the form, as in a text field.
    if (isWanted) this.form?.requestSubmit();
  }

  /**
   * The name for a file made from the image.
   * @param {string} type media type
   */
  fileName(type) {
    const blob = this.picture?.blob;
    const path = this.src && !this.src.startsWith('data:') && !this.src.startsWith('blob:')
      ? new URL(this.src, document.baseURI).pathname : '';
    const last = blob instanceof File ? blob.name : path.slice(path.lastIndexOf('/') + 1);
    const stem = last.replace(/\.[^.]*$/, '') || 'photo';
    return `${stem}-cropped.${ENDINGS.get(type) ?? 'png'}`;
  }

  // The image and the selection

  /** The commands that this build supports; empty until an image is loaded. */
  get commands() {
    return this.core ? COMMANDS : new Set();
  }

  /** Constants of the core, such as the largest tilt; null until an image is loaded. */
  get constants() {
    return this.core?.constants ?? null;
  }

  /** The size of the original in upright pixels; null without an image. */
  get pictureSize() {
    return this.picture && { width: this.picture.width, height: this.picture.height };
  }

  /** Whether the image is an animation; a result made here only has its first frame. */
  get animated() {
    return this.picture?.isAnimated ?? false;
  }

  /** The selection's rectangle on the screen; null without a selection. */
  get selectionBox() {
    return this.accessible.nodes.get(Element.selection)?.getBoundingClientRect() ?? null;
  }

  /** Whether there is a selection that can be cropped. */
  get valid() {
    return this.state?.valid ?? false;
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
   * Turns the image by a quarter.
   * @param {1 | -1} direction 1 is clockwise
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
   * The tilt in degrees clockwise, at most the core's `largestTilt` in both directions.
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
   * @throws {RangeError} unless it is a number greater than 0
   */
  zoomBy(factor) {
    if (!(factor > 0 && Number.isFinite(factor))) throw new RangeError('zoomBy takes more than 0');
    return this.command('zoomBy', factor);
  }

  // Results

  /**
   * The size of the result in pixels, including its canvas; null without a valid selection, and if the canvas is
   * too small.
   */
  get resultSize() {
    const { core } = this;
    const { maxSide } = fileOptions(this);
    const drawing = this.picture && core?.state().valid ? core.drawing({ maxSide }) : null;
    if (!core || !drawing) return null;
    const canvas = core.canvas();
    const around = canvas && maxSide ? canvasLayout(core, { canvas: canvas.canvas, crop: drawing }) : canvas?.layout;
    if (canvas && !around) return null;
    const { width, height } = around ?? drawing;
    return { width, height };
  }

  /**
   * Whether a file would be lossless now, unless it had too many bytes; null without a selection, and until the image's
   * file is loaded.
   * @returns {'lossless' | 'encoded' | null}
   */
  get writing() {
    const { core } = this;
    if (!core || !this.picture || !this.isFileKnown) return null;
    const { valid, isLossless } = core.state();
    if (!valid) return null;
    const { type, maxSide } = fileOptions(this);
    const isCopied = isLossless && (type ?? 'image/jpeg') === 'image/jpeg' && core.drawing({ maxSide })?.fits;
    return isCopied ? 'lossless' : 'encoded';
  }

  /**
   * The result as a file, made in the browser from the full size of the loaded image.
   * @param {CutOptions} [options] default: those of the attributes
   * @returns {Promise<Blob | null>} null without a valid selection, or if `beforecrop` was cancelled
   */
  async croppedBlob(options = {}) {
    return (await this.cropped(options))?.blob ?? null;
  }

  /**
   * The result as a file, and whether it is lossless.
   * @param {CutOptions} [options] default: those of the attributes
   * @returns {Promise<{ blob: Blob, isLossless: boolean, requantized: number } | null>}
   */
  async cropped(options = {}) {
    checkOptions(options);
    return this.#make({ ...fileOptions(this), ...given(options) }, croppedBlob);
  }

  /**
   * Copies the result to the clipboard, as a PNG. Call it when the user clicks or presses a key.
   * @param {import('./cut.js').DrawOptions} [options] default: `max-side`
   * @returns {Promise<boolean>} false as `croppedBlob` returns null; rejects if the browser does not allow it
   */
  async copy(options = {}) {
    // A limit of bytes is for files.
    return copied(this.croppedBlob({ ...options, type: 'image/png', maxBytes: Infinity }));
  }

  /**
   * The result as a canvas.
   * @param {import('./cut.js').DrawOptions} [options] default: `max-side`
   * @returns {Promise<HTMLCanvasElement | null>} null as with `croppedBlob`
   */
  async croppedCanvas(options = {}) {
    checkOptions(options, ['maxSide', 'background', ...CANVAS_OPTIONS]);
    const { maxSide } = fileOptions(this);
    return this.#make({ ...given({ maxSide }), ...given(options) }, croppedCanvas);
  }

  /**
   * @template Result
   * @param {CutOptions} options
   * @param {(core: import('./core.js').Core, picture: import('./picture.js').Picture, options: CutOptions) =>
   *   Promise<Result>} make
   */
  async #make(options, make) {
    const { core, picture } = this;
    const isWanted = core && picture && this.valid
      && this.dispatch('beforecrop', { cancelable: true, detail: { recipe: this.recipe, options } });
    if (!isWanted) return null;
    try {
      return await make(core, picture, options);
    } catch (error) {
      // Values that the core has refused, and the caller's reason to abort, are not errors of the work.
      throw error instanceof RangeError || options.signal?.aborted ? error : coded(error);
    }
  }
}

/**
 * Options without those that are undefined, which are not set.
 * @param {CutOptions} options
 * @returns {CutOptions}
 */
const given = (options) => Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

/** @param {unknown} error */
const messageOf = (error) => (error instanceof Error ? error.message : String(error));
