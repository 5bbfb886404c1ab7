// @ts-check
// The implementation of <crop-view>: a session of the core, its input, drawing and accessible elements. The public
// interface is in crop-view.js.

import { Accessible } from './accessible.js';
import { nameGroup } from './group-name.js';
import { attributeCommands, lateProblems, OBSERVED } from './attributes.js';
import { canvasOptions, parsedCanvas } from './canvas.js';
import { COMMANDS, Core } from './core.js';
import { sharedSheet } from './crop-view-style.js';
import { ElementLanguage } from './element-language.js';
import { coded, CropError, errorEvent } from './errors.js';
import { FrameLoop, OBSERVABLE_CHANGES } from './frame-loop.js';
import { withArea } from './initial-recipe.js';
import { showGuides } from './guides.js';
import { Input } from './input.js';
import { Change } from './interface.js';
import { headerOf, headOf } from './jpeg-header.js';
import { Picture } from './picture.js';
import { BaseElement, darkMode, reducedMotion } from './platform.js';
import { recipeProblem } from './recipe-problem.js';
import { checkRecipe } from './recipe.js';
import { shownRecipe } from './shown-recipe.js';
import { fileOf } from './source.js';
import { Stage } from './stage.js';
import { Status } from './status.js';

/** @typedef {import('./interface.js').CommandName} CommandName */
/** @typedef {import('./core.js').Recipe} Recipe */
/** @typedef {import('./picture.js').Original} Original */

/** An element that shows an image and forwards user input to the core. */
export class SessionView extends BaseElement {
  /** @type {Core | null} */ core = null;
  /** @type {Picture | null} */ picture = null;
  #loop = new FrameLoop(this);
  #loading = 0;
  /** @type {Promise<void> | null} */ #loaded = null;
  /** Whether the header of the image's file was read. */
  isFileKnown = false;
  /** @type {Recipe | null} a recipe that was set before an image was loaded */
  #wanted = null;
  /** @type {import('./canvas.js').CanvasOptions | null} options that were set before an image was loaded */
  #wantedCanvas = null;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true });
    root.adoptedStyleSheets = [sharedSheet()];
    this.internals = this.attachInternals();
    this.status = new Status(this.internals);
    const make = (/** @type {string} */ className) => {
      const node = document.createElement('div');
      node.className = className;
      node.setAttribute('part', className);
      return node;
    };
    this.surface = make('surface');
    this.stage = new Stage(() => this.restyle());
    this.keyboard = make('keyboard');
    const live = make('live');
    live.setAttribute('role', 'status');
    this.surface.append(this.stage.photo, this.stage.light, this.stage.canvas);
    root.append(this.surface, this.keyboard, this.status.root, live, this.stage.tokens);
    this.accessible = new Accessible(this.keyboard, live, {
      focused: () => this.nameItself(),
      focus: (key) => this.command('focus', key),
      adjust: (key, up) => {
        this.command(up ? 'increment' : 'decrement', key);
        this.#loop.schedule(Change.elements);
      },
    });
    this.input = new Input(this.surface, this.keyboard, {
      core: () => this.core,
      apply: (bits) => this.apply(bits),
      moved: (bits, time) => this.#loop.moved(bits, time),
      pressed: () => this.accessible.takeFocus(),
      takesWheel: () => this.getAttribute('wheel') === 'zoom',
    });
    this.resizes = new ResizeObserver((entries) => this.#resized(entries[entries.length - 1]));
    this.themes = new MutationObserver(() => this.restyle());
  }

  connectedCallback() {
    try {
      this.resizes.observe(this, { box: 'device-pixel-content-box' });
    } catch {
      this.resizes.observe(this);
    }
    void this.#language.follow();
    this.nameItself();
    this.themes.observe(document.documentElement, { attributes: true });
    darkMode().addEventListener('change', this.restyle);
    reducedMotion().addEventListener('change', this.#prefer);
    addEventListener('scroll', this.#scrolled, { capture: true, passive: true });
    // The old drawing may have been for another size or theme.
    this.stage.forget();
    this.#loop.schedule(Change.scene | Change.elements);
  }

  disconnectedCallback() {
    this.input.cancelAll();
    this.resizes.disconnect();
    this.themes.disconnect();
    darkMode().removeEventListener('change', this.restyle);
    reducedMotion().removeEventListener('change', this.#prefer);
    removeEventListener('scroll', this.#scrolled, { capture: true });
    this.#loop.stop();
  }

  /**
   * Shows an image and resets the selection. On failure, the element has no image.
   *
   * @param {import('./source.js').PhotoSource} source a URL, or the image itself
   * @param {Original} [original] if `source` is a preview of another file
   * @returns {Promise<void>} rejects (after an `error` event) if it can't be shown
   */
  load(source, original = {}) {
    const loaded = this.#load(source, original);
    // The returned promise reports a failure to the caller; the `error` event reports it to others.
    loaded.catch(() => {});
    this.#loaded = loaded;
    return loaded;
  }

  /**
   * Waits for the loading image.
   * @returns {Promise<void>} resolves when it is shown; rejects on failure, or if there is none
   */
  async decode() {
    let loaded;
    do {
      loaded = this.#loaded;
      if (!loaded) throw new CropError('no-picture', 'there is no picture to wait for');
      await loaded;
    } while (loaded !== this.#loaded);
  }

  /** Whether nothing is loading: there is no image, it is shown, or it failed. */
  get complete() {
    return this.status.state !== 'loading';
  }

  /** @param {import('./source.js').PhotoSource} source @param {Original} original */
  async #load(source, original) {
    const turn = ++this.#loading;
    this.#showState('loading');
    try {
      const [core, blob] = await Promise.all([
        this.core ?? Core.make(), fileOf(source), this.#language.follow(),
      ]);
      const picture = await Picture.of(blob, original);
      if (turn !== this.#loading) return;
      // Attributes that only the core can parse.
      if (!this.core) for (const problem of lateProblems(this, core)) this.failAttribute(problem);
      this.core = core;
      this.picture?.close();
      this.picture = picture;
      this.stage.forget();
      this.#open(core, picture);
      const known = this.#readJPEG(core, picture, original);
      // Local bytes are read immediately, those of a server when they arrive.
      if (!original.head) await known;
      await picture.prepare(this.stage.previewSide);
      if (turn !== this.#loading) return picture.close();
      this.stage.forget();
      this.#loop.schedule(Change.scene);
      this.#showState('ready');
      this.nameItself();
      this.status.mark('animated', picture.isAnimated);
      this.dispatch('load');
    } catch (cause) {
      if (turn !== this.#loading) return;
      const error = coded(cause);
      if (this.picture) this.unload();
      this.#showState('error', this.phrase(error.code === 'no-module' ? 'notLoaded' : 'failed'));
      this.fail(error);
      throw error;
    }
  }

  /** @param {import('./status.js').LoadState} state @param {string} [text] */
  #showState(state, text) {
    const hadFocus = this.status.hasFocus;
    this.status.show(state, text);
    if (hadFocus) this.anchor.focus({ preventScroll: true });
    this.validate();
  }

  /**
   * Dispatches an event, inside and outside of the element's shadow tree.
   * @param {string} type @param {{ cancelable?: boolean, detail?: unknown }} [options]
   * @returns {boolean} false if a handler cancelled it
   */
  dispatch(type, options) {
    return this.dispatchEvent(
      new CustomEvent(type, { bubbles: true, composed: true, ...options }));
  }

  /**
   * Reports an error.
   * @param {unknown} error
   */
  fail(error) {
    this.dispatchEvent(errorEvent(coded(error)));
  }

  /**
   * Reports an invalid attribute.
   * @param {string} problem
   */
  failAttribute(problem) {
    // A page with the attribute in its markup could not add a listener yet.
    queueMicrotask(() => this.fail(new CropError('bad-attribute', problem)));
    console.warn(`crop-view: ${problem}`);
  }

  /**
   * Shows a higher resolution of the same photo; the selection stays the same.
   * @param {Blob} blob @returns {Promise<void>} rejects if it can't be shown
   */
  async refine(blob) {
    const { picture } = this;
    if (!picture) return;
    const isFiner = await picture.refine(blob, this.stage.previewSide);
    if (isFiner && picture === this.picture) this.restyle();
  }

  /** Removes the image. */
  unload() {
    this.#loading += 1;
    this.#loaded = null;
    this.status.mark('animated', false);
    this.picture?.close();
    this.picture = null;
    this.#wanted = this.#wantedCanvas = null;
    this.accessible.clear();
    this.#showState('empty');
    this.stage.forget();
    this.#loop.clear();
  }

  /**
   * Sets the image's JPEG in the core, read from the first bytes.
   * @param {Core} core @param {Picture} picture @param {Original} original
   */
  async #readJPEG(core, picture, { head, isServed }) {
    const { file } = picture;
    this.isFileKnown = false;
    const found = await headerOf(head ?? headOf(file)).catch(() => undefined);
    if (picture !== this.picture) return;
    picture.isJPEG = Boolean(found);
    picture.orientation = found?.orientation ?? 1;
    // An unreadable header says nothing about the file.
    this.isFileKnown = found !== undefined;
    picture.header = found && (found.canCopy || isServed) ? found : null;
    const bits = core.setJPEG({ jpeg: picture.header });
    if (bits & Change.refused) picture.isJPEG = false;
    this.#loop.noteState();
    // The initial frame moves to the JPEG's blocks, now that they are known.
    this.apply(Change.scene | (bits & ~Change.refused));
  }

  /** @param {Core} core @param {Picture} picture */
  #open(core, picture) {
    let bits = 0;
    if (this.clientWidth && this.clientHeight) {
      bits |= core.resize({ width: this.clientWidth, height: this.clientHeight });
    }
    // Attributes come before the image, so that it starts with their values and resets to them. A missing
    // attribute applies its default, so that nothing is left of the last image's settings.
    for (const name of OBSERVED) {
      for (const [command, a, b] of attributeCommands(name, this.getAttribute(name), core)) {
        bits |= core.command(command, a, b) & Change.gestureEnded;
      }
    }
    bits |= core.putOnCanvas(this.firstCanvas(core), false) & Change.gestureEnded;
    bits |= core.open(picture);
    void showGuides(this);
    const [wanted, canvas] = [this.#wanted, this.#wantedCanvas];
    this.#wanted = this.#wantedCanvas = null;
    const first = wanted ?? this.firstRecipe();
    const shown = first ? core.setRecipe(wanted ?? withArea(first, core)) : 0;
    if (canvas) bits |= core.putOnCanvas(parsedCanvas(core, canvas), false) & ~Change.refused;
    this.#prefer();
    this.#applyFirst(first, shown, bits | OBSERVABLE_CHANGES | Change.cursor | Change.elements);
  }

  /** Shows the initial recipe again. */
  restart() {
    this.command('reset');
    const { core } = this;
    const first = core && this.picture && this.firstRecipe();
    if (first) this.#applyFirst(first, core.setRecipe(withArea(first, core)), 0);
  }

  /**
   * @param {Recipe | null} recipe the initial one @param {number} shown bits of Change after it was set
   * @param {number} bits other changes
   */
  #applyFirst(recipe, shown, bits) {
    this.apply(bits | (shown & ~Change.refused));
    if (!recipe || !this.core || !this.picture || !(shown & Change.refused)) return;
    const problem = recipeProblem(recipe, this.picture, this.core);
    console.warn(`crop-view: ${problem}`);
    this.fail(new CropError('no-fit', problem));
  }

  #prefer = () => {
    this.command('reducedMotion', reducedMotion().matches ? 1 : 0);
    this.command('rightToLeft', getComputedStyle(this).direction === 'rtl' ? 1 : 0);
  };

  #scrolled = () => this.input.moved();

  /** Reads the colors again; called automatically if the theme changes. */
  restyle = () => {
    this.stage.forget();
    this.#loop.schedule(Change.scene);
  };

  #language = new ElementLanguage(this, (words) => {
    this.accessible.speak(words);
    this.nameItself();
    this.stage.words = words;
    this.restyle();
    this.#loop.schedule(Change.elements);
    this.validate();
  });

  /**
   * Phrases that replace the element's own, by key; the README lists them.
   * @throws {RangeError} for an unknown key; then nothing changes
   */
  get phrases() {
    return this.#language.phrases;
  }

  set phrases(phrases) {
    this.#language.phrases = phrases;
  }

  /** @param {import('./words.js').WordKey} key */
  phrase(key) {
    return this.accessible.words.phrase(key);
  }

  /**
   * Sets the accessible role and name: a group with the name from `aria-label`, `aria-labelledby` or a label. It
   * is called whenever the name may have changed, since there is no event for labels.
   */
  nameItself() {
    const labels = [...this.internals.labels].map((label) => label.textContent?.trim()).filter(Boolean);
    nameGroup(this, this.internals, this.keyboard, labels.join(' ') || this.phrase('cropArea'));
  }

  /** @param {ResizeObserverEntry} entry */
  #resized(entry) {
    this.input.moved();
    const { clientWidth: width, clientHeight: height } = this;
    if (!width || !height) return;
    this.stage.resize(width, height, entry.devicePixelContentBoxSize?.[0]);
    if (this.core) this.apply(this.core.resize({ width, height }));
    // Resizing a canvas clears it, which would be visible until the next frame.
    this.#loop.redraw();
  }

  /**
   * Applies the changes that the core returned.
   * @param {number} bits of Change
   */
  apply(bits) {
    this.#loop.apply(bits);
  }

  /** Called when a recipe is settled, after gestures; subclasses override it. */
  recipeSettled() {}

  /** Called when the element's validity, its words or its anchor may have changed; subclasses override it. */
  validate() {}

  /** The part that has the focus first, at which browsers show why a form can't be sent. */
  get anchor() {
    return this.accessible.main ?? this.status.root;
  }

  /**
   * The initial recipe of an image; null for the style's default.
   * @returns {Recipe | null}
   */
  firstRecipe() {
    return null;
  }

  /**
   * The initial canvas of an image; null for none.
   * @param {Core} _core
   * @returns {import('./canvas.js').Canvas | null}
   */
  firstCanvas(_core) {
    return null;
  }

  /**
   * The canvas around the result, with all its options; null without a canvas or an image. Changing it is an undo
   * step.
   * @returns {import('./canvas.js').CanvasOptions | null}
   */
  get canvasOptions() {
    const canvas = this.picture && this.core?.canvas();
    return canvas ? canvasOptions(canvas.canvas) : null;
  }

  /**
   * Sets it, now or when an image is loaded.
   * @throws {RangeError} for invalid options
   */
  set canvasOptions(options) {
    if (this.core && this.picture) this.lay(options ?? null);
    else this.#wantedCanvas = options ?? null;
  }

  /**
   * Puts the result on a canvas, or removes the canvas.
   * @param {import('./canvas.js').CanvasOptions | null} options
   * @param {boolean} [movesRatio] with a canvas, frees the selection of its ratio, and selects the complete image
   * if the canvas would not be visible; without one, gives the selection the canvas's ratio
   * @throws {RangeError} for invalid options, and without an image
   */
  lay(options, movesRatio = false) {
    const { core } = this;
    if (!core || !this.picture) throw new RangeError('there is no picture to lay on a canvas');
    const bits = core.putOnCanvas(options && parsedCanvas(core, options), movesRatio);
    if (bits & Change.refused) throw new RangeError('invalid canvas size');
    this.apply(bits | Change.cursor);
    this.#loop.noteState();
  }

  /** Called when the user presses Enter. */
  requestCrop() {
    this.dispatch('croprequest', { cancelable: true });
  }

  /**
   * Runs a command of the core.
   * @param {CommandName} name @param {number} [a] @param {number} [b]
   * @returns {boolean} false if it does not exist or was rejected
   */
  command(name, a = 0, b = 0) {
    if (!this.core || !COMMANDS.has(name)) return false;
    const bits = this.core.command(name, a, b);
    this.apply(bits | Change.cursor);
    // Some settings, such as a pending drag mode, change without anything to draw.
    this.#loop.noteState();
    return (bits & Change.refused) === 0;
  }

  /** Whether the user is moving the image or the selection right now. */
  get isHeld() {
    return this.#loop.isHeld;
  }

  /** The session's state; null without an image. */
  get state() {
    return this.core && this.picture ? this.core.state() : null;
  }

  /**
   * The recipe; null without a valid selection.
   * @returns {import('./shown-recipe.js').ShownRecipe | null}
   */
  get recipe() {
    const { core, picture } = this;
    const recipe = core && picture && core.recipe();
    return recipe ? shownRecipe(recipe, picture, core) : null;
  }

  /**
   * Shows a recipe, now or when the image is loaded; null clears the selection. An unknown key or a value of the
   * wrong type is an error, in either case.
   * @param {Recipe | null} recipe
   * @throws {RangeError} if it is not a recipe or does not fit; then nothing changes
   */
  set recipe(recipe) {
    const isNone = recipe === null || recipe === undefined;
    if (!isNone) checkRecipe(recipe);
    if (!this.core || !this.picture) {
      this.#wanted = recipe;
    } else if (!isNone) {
      const bits = this.core.setRecipe(recipe);
      if (bits & Change.refused) throw new RangeError(recipeProblem(recipe, this.picture, this.core));
      this.apply(bits);
    } else {
      this.command('clear');
    }
  }
}
