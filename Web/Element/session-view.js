// @ts-check
// The inside of <crop-view>: one session of the core, its input, its drawing, its accessible
// elements. What a page sees of it is crop-view.js.

import { Accessible } from './accessible.js';
import { nameGroup } from './group-name.js';
import { isAnimated } from './animation.js';
import { attributeCommands, attributeProblem, OBSERVED } from './attributes.js';
import { checkRecipe, Core } from './core.js';
import { sharedSheet } from './crop-view-style.js';
import { CropError, errorEvent } from './errors.js';
import { FrameLoop, OBSERVABLE_CHANGES } from './frame-loop.js';
import { Input } from './input.js';
import { Change, StateIndex } from './interface.js';
import { headerOf, headOf, upright } from './jpeg-header.js';
import { download, measure, Picture } from './picture.js';
import { BaseElement, darkness, stillness } from './platform.js';
import { recipeProblem } from './recipe-problem.js';
import { shownRecipe } from './shown-recipe.js';
import { Stage } from './stage.js';
import { Status } from './status.js';
import { isWordKey, wordsFor } from './words.js';

/** @typedef {import('./interface.js').CommandName} CommandName */
/** @typedef {import('./core.js').Recipe} Recipe */

/**
 * The file that a shown picture is a preview of.
 * @typedef {object} Original
 * @property {number} [width] upright pixels @property {number} [height]
 * @property {Blob} [file] where it is here
 * @property {(count: number) => Promise<Uint8Array>} [head] its first bytes, where it is elsewhere
 * @property {boolean} [isServed] a server makes the results; it can cut progressive JPEGs too
 */

/** An element that shows a picture and lets the core decide what hands do to it. */
export class SessionView extends BaseElement {
  /** @type {Core | null} */ core = null;
  /** @type {Picture | null} */ picture = null;
  #loop = new FrameLoop(this);
  #loading = 0;
  /** @type {Promise<void> | null} */ #loaded = null;
  /** The tag of the language that is spoken. */
  #language = 'en';
  /** @type {Partial<Record<import('./words.js').WordKey, string>>} */ #phrases = {};
  /** Whether `file` says what it says of the picture's own file. */
  #isFileKnown = false;
  /** @type {Recipe | null} set before there was a picture to show it on */
  #wanted = null;

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
    this.stage = new Stage();
    this.keyboard = make('keyboard');
    const live = make('live');
    live.setAttribute('role', 'status');
    this.surface.append(this.stage.photo, this.stage.canvas);
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
      takesWheel: () => this.getAttribute('scroll') === 'zoom',
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
    void this.#speak();
    this.nameItself();
    this.themes.observe(document.documentElement, { attributes: true });
    darkness().addEventListener('change', this.restyle);
    stillness().addEventListener('change', this.#prefer);
    addEventListener('scroll', this.#scrolled, { capture: true, passive: true });
    // What was drawn before the element moved here may have been for another size or theme.
    this.stage.forget();
    this.#loop.schedule(Change.scene | Change.elements);
  }

  disconnectedCallback() {
    this.input.cancelAll();
    this.resizes.disconnect();
    this.themes.disconnect();
    darkness().removeEventListener('change', this.restyle);
    stillness().removeEventListener('change', this.#prefer);
    removeEventListener('scroll', this.#scrolled, { capture: true });
    this.#loop.stop();
  }

  /**
   * Shows a picture; the selection starts anew. One that can't be shown leaves none.
   *
   * @param {string | Blob} source an address, or the picture itself
   * @param {Original} [original] when `source` is a preview of another file
   * @returns {Promise<void>} rejects (after an `error` event) when it can't be shown
   */
  load(source, original = {}) {
    const loaded = this.#load(source, original);
    // Who waits for it hears of a failure; the `error` event tells the others.
    loaded.catch(() => {});
    this.#loaded = loaded;
    return loaded;
  }

  /**
   * Waits for the picture that is on its way.
   * @returns {Promise<void>} resolves when it is shown; rejects when it can't be, or there is none
   */
  async decode() {
    let loaded;
    do {
      loaded = this.#loaded;
      if (!loaded) throw new CropError('no-picture', 'there is no picture to wait for');
      await loaded;
    } while (loaded !== this.#loaded);
  }

  /** Whether nothing is being loaded: there is no picture, it is shown, or it failed. */
  get complete() {
    return this.status.state !== 'loading';
  }

  /** @param {string | Blob} source @param {Original} original */
  async #load(source, original) {
    const turn = ++this.#loading;
    this.status.show('loading');
    try {
      const [core, blob] = await Promise.all([
        this.core ?? Core.make(),
        typeof source === 'string' ? download(source) : source,
        this.#speak(),
      ]);
      const file = original.file ?? blob;
      const [shown, pixels] = await Promise.all([upright(blob), upright(file)]);
      const [seen, animated] = await Promise.all([measure(shown), isAnimated(file)]);
      const picture = new Picture(shown, original.width || seen.width,
        original.height || seen.height, { file, pixels });
      picture.isAnimated = animated;
      if (turn !== this.#loading) return;
      if (!this.core) this.#checkRatio(core);
      this.core = core;
      this.picture?.close();
      this.picture = picture;
      this.stage.forget();
      this.#open(core, picture);
      const known = this.#readJPEG(core, picture, original);
      // Bytes that are here are read at once, those of a server when they come.
      if (!original.head) await known;
      await picture.prepare(this.stage.previewSide);
      if (turn !== this.#loading) return picture.close();
      this.stage.forget();
      this.#loop.schedule(Change.scene);
      this.status.show('ready');
      this.nameItself();
      this.status.mark('animated', animated);
      this.tell('load');
    } catch (error) {
      if (turn !== this.#loading) return;
      if (this.picture) this.unload();
      this.status.show('error', this.accessible.words.phrase('failed'));
      this.fail(error);
      throw error;
    }
  }

  /**
   * Tells those who listen, inside and outside of the tree that the element stands in.
   * @param {string} type @param {{ cancelable?: boolean, detail?: unknown }} [options]
   * @returns {boolean} false where somebody has called it off
   */
  tell(type, options) {
    return this.dispatchEvent(
      new CustomEvent(type, { bubbles: true, composed: true, ...options }));
  }

  /**
   * Tells of something that went wrong.
   * @param {unknown} error
   */
  fail(error) {
    this.dispatchEvent(errorEvent(error));
  }

  /**
   * Tells of an attribute that is not understood.
   * @param {string} problem
   */
  failAttribute(problem) {
    // Whoever sets the attribute in markup has not been able to listen yet.
    queueMicrotask(() => this.fail(new CropError('bad-attribute', problem)));
    console.warn(`crop-view: ${problem}`);
  }

  /**
   * Shows a finer picture of the same photo; the selection stays as it is.
   * @param {Blob} blob @returns {Promise<void>} rejects when it can't be shown
   */
  async refine(blob) {
    const { picture } = this;
    if (!picture) return;
    const isFiner = await picture.refine(blob, this.stage.previewSide);
    if (isFiner && picture === this.picture) this.restyle();
  }

  /** Forgets the picture. */
  unload() {
    this.#loading += 1;
    this.#loaded = null;
    this.status.show('empty');
    this.status.mark('animated', false);
    this.picture?.close();
    this.picture = null;
    this.#wanted = null;
    this.accessible.clear();
    this.stage.forget();
    this.#loop.clear();
  }

  /**
   * Tells the core whether and how the picture is stored in a JPEG, from the first bytes.
   * @param {Core} core @param {Picture} picture @param {Original} original
   */
  async #readJPEG(core, picture, { head, isServed }) {
    const { file } = picture;
    this.#isFileKnown = false;
    const found = await headerOf(head ?? headOf(file)).catch(() => undefined);
    if (picture !== this.picture) return;
    picture.isJPEG = Boolean(found);
    picture.orientation = found?.orientation ?? 1;
    // What can't be read says nothing about the file.
    this.#isFileKnown = found !== undefined;
    picture.header = found && (found.canCopy || isServed) ? found : null;
    const isRefused = core.setJPEG(picture.header) & Change.refused;
    if (isRefused) picture.isJPEG = false;
    this.#loop.noteState();
    this.apply(Change.scene);
  }

  /**
   * Tells of a ratio that was set before the core was there to read it.
   * @param {Core} core
   */
  #checkRatio(core) {
    const problem = attributeProblem('aspect-ratio', this.getAttribute('aspect-ratio'), core);
    if (problem) this.failAttribute(problem);
  }

  /** @param {Core} core @param {Picture} picture */
  #open(core, picture) {
    let bits = 0;
    if (this.clientWidth && this.clientHeight) {
      bits |= core.call('resize', this.clientWidth, this.clientHeight);
    }
    // Before the picture, so that what the attributes say is what it starts with and resets to; an
    // attribute that is not there says so too, and nothing is left of the last picture's choices.
    for (const name of OBSERVED) {
      for (const [command, a, b] of attributeCommands(name, this.getAttribute(name), core)) {
        bits |= core.command(command, a, b) & Change.gestureEnded;
      }
    }
    bits |= core.call('open', picture.width, picture.height);
    const wanted = this.#wanted ?? this.firstRecipe();
    this.#wanted = null;
    const shown = wanted ? core.setRecipe(wanted) : 0;
    this.#prefer();
    this.apply(bits | (shown & ~Change.refused) | OBSERVABLE_CHANGES | Change.cursor | Change.elements);
    if (wanted && shown & Change.refused) {
      const problem = recipeProblem(wanted, picture);
      console.warn(`crop-view: ${problem}`);
      this.fail(new CropError('no-fit', problem));
    }
  }

  #prefer = () => {
    this.command('reducedMotion', stillness().matches ? 1 : 0);
    this.command('rightToLeft', getComputedStyle(this).direction === 'rtl' ? 1 : 0);
  };

  #scrolled = () => this.input.moved();

  /** Reads the colours again; called by itself when the theme changes. */
  restyle = () => {
    this.stage.forget();
    this.#loop.schedule(Change.scene);
  };

  /** Takes the words of the language of the place where it stands; without them it speaks English. */
  async #speak() {
    const place = /** @type {HTMLElement | null} */ (this.closest('[lang]'));
    const language = place?.lang || document.documentElement.lang || 'en';
    if (language === this.#language) return;
    this.#language = language;
    await this.#relabel();
  }

  async #relabel() {
    const [language, phrases] = [this.#language, this.#phrases];
    const words = await wordsFor(language, phrases).catch(() => null);
    if (!words || language !== this.#language || phrases !== this.#phrases) return;
    this.accessible.speak(words);
    this.nameItself();
    this.stage.words = words;
    this.restyle();
    this.#loop.schedule(Change.elements);
  }

  /**
   * Phrases in place of the element's own, by their keys; the README lists them.
   * @throws {RangeError} for a key that there is not; nothing changes then
   */
  get phrases() {
    return { ...this.#phrases };
  }

  set phrases(phrases) {
    for (const key of Object.keys(phrases)) {
      if (!isWordKey(key)) throw new RangeError(`there is no phrase ${key}`);
    }
    this.#phrases = { ...phrases };
    void this.#relabel();
  }

  /** @param {import('./words.js').WordKey} key */
  phrase(key) {
    return this.accessible.words.phrase(key);
  }

  /**
   * Says to assistive technology what this is: a group by the name that the page gives it, by `aria-label`,
   * `aria-labelledby` or a label. Called where a name may be another, as nothing tells of labels.
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
    if (this.core) this.apply(this.core.call('resize', width, height));
    // Setting a canvas' size empties it; waiting for the next frame would show that.
    this.#loop.redraw();
  }

  /**
   * Does what an answer of the core asks for.
   * @param {number} bits of Change
   */
  apply(bits) {
    this.#loop.apply(bits);
  }

  /** What the element itself does about another recipe; not under a hand, where each frame counts. */
  recipeSettled() {}

  /**
   * What a picture begins with; null for what its style has.
   * @returns {Recipe | null}
   */
  firstRecipe() {
    return null;
  }

  /** Enter was pressed. */
  requestCrop() {
    this.tell('croprequest', { cancelable: true });
  }

  /**
   * Runs a command of the core.
   * @param {CommandName} name @param {number} [a] @param {number} [b]
   * @returns {boolean} false when it does nothing in this build or was refused
   */
  command(name, a = 0, b = 0) {
    if (!this.core?.commands.has(name)) return false;
    const bits = this.core.command(name, a, b);
    this.apply(bits | Change.cursor);
    // Settings such as what is armed change without anything to draw.
    this.#loop.noteState();
    return (bits & Change.refused) === 0;
  }

  /** Whether the picture or the selection follows a hand right now. */
  get isHeld() {
    return this.#loop.isHeld;
  }

  /** Everything the session says about itself, or null without a picture. */
  get state() {
    return this.core && this.picture ? this.core.state() : null;
  }

  /**
   * How the file would come about that is written now; null while nothing is selected, and until the
   * picture's own file is known.
   * @returns {'lossless' | 'encoded' | null}
   */
  get writing() {
    const { core } = this;
    if (!core || !this.picture || !this.#isFileKnown) return null;
    const at = core.stateAddress();
    if (!core.numbers[at + StateIndex.valid]) return null;
    return core.numbers[at + StateIndex.isLossless] ? 'lossless' : 'encoded';
  }

  /**
   * The recipe, or null while nothing valid is selected.
   * @returns {import('./shown-recipe.js').ShownRecipe | null}
   */
  get recipe() {
    const { core, picture } = this;
    const recipe = core && picture && core.recipe();
    const drawing = recipe && core.drawing();
    return recipe && drawing ? shownRecipe(recipe, drawing, picture) : null;
  }

  /**
   * Shows a recipe, now or when the picture is there; null clears the selection. What has an unknown
   * key or a value of the wrong type is refused, now too.
   * @param {Recipe | null} recipe
   * @throws {RangeError} if it is no recipe or does not fit; nothing changes then
   */
  set recipe(recipe) {
    const isNone = recipe === null || recipe === undefined;
    if (!isNone) checkRecipe(recipe);
    if (!this.core || !this.picture) {
      this.#wanted = recipe;
    } else if (!isNone) {
      const bits = this.core.setRecipe(recipe);
      if (bits & Change.refused) throw new RangeError(recipeProblem(recipe, this.picture));
      this.apply(bits);
    } else {
      this.command('clear');
    }
  }
}
