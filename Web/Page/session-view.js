// @ts-check
// The inside of <crop-view>: one session of the core, its input, its drawing, its accessible
// elements. What a page sees of it is crop-view.js.

import { Accessible } from './accessible.js';
import { attributeCommands, OBSERVED } from './attributes.js';
import { Change, Core, CURSORS, isRecipe, StateIndex } from './core.js';
import { sheet } from './crop-view-style.js';
import { Input } from './input.js';
import { download, measure, Picture } from './picture.js';
import { Stage } from './stage.js';
import { words } from './words.js';

/** @typedef {import('./core.js').CommandName} CommandName */
/** @typedef {import('./core.js').Recipe} Recipe */

/**
 * The file that a shown picture is a preview of.
 * @typedef {object} Original
 * @property {number} [width] upright pixels @property {number} [height]
 * @property {Blob} [file] where it is here
 * @property {(count: number) => Promise<Uint8Array>} [head] its first bytes, where it is elsewhere
 * @property {boolean} [isServed] a server makes the results; it can cut progressive JPEGs too
 */

/** What pages are told of by events of the element. */
const NEWS = Change.recipe | Change.history | Change.scene;

/** Screens show no more than 240 frames a second, in milliseconds. */
const SHORTEST_FRAME = 4;

const still = matchMedia('(prefers-reduced-motion: reduce)');
const dark = matchMedia('(prefers-color-scheme: dark)');

/** An element that shows a picture and lets the core decide what hands do to it. */
export class SessionView extends HTMLElement {
  /** @type {Core | null} */ core = null;
  /** @type {Picture | null} */ picture = null;
  #loading = 0;
  #frame = 0;
  #dirty = 0;
  /** What happened and was not told yet, as bits of Change. */
  #untold = 0;
  /** A gesture is under way: pages are told once a frame, not with every move. */
  #isHeld = false;
  #ticking = false;
  /** When what was drawn last happened, in milliseconds. */
  #drawnAt = 0;
  /** It is drawn before control goes back to the browser; no frame need be asked for. */
  #isDrawing = false;
  #sharpening = 0;
  #cursor = 0;
  /** Whether `file` says what it says of the picture's own file. */
  #isFileKnown = false;
  /** @type {Recipe | null} set before there was a picture to show it on */
  #wanted = null;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true });
    root.adoptedStyleSheets = [sheet];
    const make = (/** @type {string} */ className) => {
      const node = document.createElement('div');
      node.className = className;
      return node;
    };
    this.surface = make('surface');
    this.stage = new Stage(this);
    this.keyboard = make('keyboard');
    this.keyboard.setAttribute('role', 'group');
    this.keyboard.setAttribute('aria-label', words('cropArea'));
    const live = make('live');
    live.setAttribute('role', 'status');
    this.surface.append(this.stage.photo, this.stage.canvas);
    root.append(this.surface, this.keyboard, live);
    this.accessible = new Accessible(this.keyboard, live, {
      focus: (key) => this.command('focus', key),
      adjust: (key, up) => {
        this.command(up ? 'increment' : 'decrement', key);
        this.#schedule(Change.elements);
      },
    });
    this.input = new Input(this.surface, this.keyboard, {
      core: () => this.core,
      apply: (bits) => this.apply(bits),
      moved: (bits, time) => this.#moved(bits, time),
      pressed: () => this.accessible.takeFocus(),
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
    this.themes.observe(document.documentElement, { attributes: true });
    dark.addEventListener('change', this.restyle);
    still.addEventListener('change', this.#prefer);
    addEventListener('scroll', this.#scrolled, { capture: true, passive: true });
    // What was drawn before the element moved here may have been for another size or theme.
    this.stage.forget();
    this.#schedule(Change.scene | Change.elements);
  }

  disconnectedCallback() {
    this.input.cancelAll();
    this.resizes.disconnect();
    this.themes.disconnect();
    dark.removeEventListener('change', this.restyle);
    still.removeEventListener('change', this.#prefer);
    removeEventListener('scroll', this.#scrolled, { capture: true });
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  /**
   * Shows a picture; the selection starts anew. One that can't be shown leaves none.
   *
   * @param {string | Blob} source an address, or the picture itself
   * @param {Original} [original] when `source` is a preview of another file
   * @returns {Promise<void>} rejects (after an `error` event) when it can't be shown
   */
  async load(source, original = {}) {
    const turn = ++this.#loading;
    try {
      const [core, blob] = await Promise.all([
        this.core ?? Core.make(),
        typeof source === 'string' ? download(source) : source,
      ]);
      const seen = await measure(blob);
      const picture = new Picture(blob, original.width || seen.width,
        original.height || seen.height, original.file ?? blob);
      if (turn !== this.#loading) return;
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
      this.#schedule(Change.scene);
      this.dispatchEvent(new Event('load'));
    } catch (error) {
      if (turn !== this.#loading) return;
      if (this.picture) this.unload();
      this.dispatchEvent(new CustomEvent('error', { detail: { error } }));
      throw error;
    }
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
    this.picture?.close();
    this.picture = null;
    this.#ticking = false;
    this.#wanted = null;
    this.keyboard.replaceChildren();
    this.accessible.nodes.clear();
    this.stage.forget();
    this.#schedule(Change.scene);
    if (this.core) this.#untold |= Change.recipe | Change.history;
    this.#tell(true);
  }

  /**
   * Tells the core whether and how the picture is stored in a JPEG, from the first bytes.
   * @param {Core} core @param {Picture} picture @param {Original} original
   */
  async #readJPEG(core, picture, { head, isServed }) {
    const { file } = picture;
    const first = head ?? (async (count) => new Uint8Array(await file.slice(0, count).arrayBuffer()));
    this.#isFileKnown = false;
    for (let count = 1 << 17; ; count *= 8) {
      const bytes = await first(count).catch(() => null);
      if (picture !== this.picture) return;
      const code = bytes ? core.openJPEG(bytes, !isServed) : 1;
      if (code === 2 && bytes && bytes.length >= count) continue;
      picture.isJPEG = code === 0;
      // What can't be read says nothing about the file.
      this.#isFileKnown = bytes !== null;
      this.apply(Change.scene);
      this.dispatchEvent(new Event('statechange'));
      return;
    }
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
      for (const [command, a, b] of attributeCommands(name, this.getAttribute(name))) {
        bits |= core.command(command, a, b) & Change.gestureEnd;
      }
    }
    bits |= core.call('open', picture.width, picture.height);
    const wanted = this.#wanted;
    this.#wanted = null;
    const shown = wanted ? core.setRecipe(wanted) : 0;
    this.#prefer();
    this.apply(bits | (shown & ~Change.refused) | NEWS | Change.cursor | Change.elements);
    if (shown & Change.refused) {
      const error = new RangeError('the recipe does not fit the picture');
      this.dispatchEvent(new CustomEvent('error', { detail: { error } }));
    }
  }

  #prefer = () => {
    this.command('reducedMotion', still.matches ? 1 : 0);
    this.command('rightToLeft', getComputedStyle(this).direction === 'rtl' ? 1 : 0);
  };

  #scrolled = () => this.input.moved();

  /** Reads the colours again; called by itself when the theme changes. */
  restyle = () => {
    this.stage.forget();
    this.#schedule(Change.scene);
  };

  /** @param {ResizeObserverEntry} entry */
  #resized(entry) {
    this.input.moved();
    const { clientWidth: width, clientHeight: height } = this;
    if (!width || !height) return;
    this.stage.resize(width, height, entry.devicePixelContentBoxSize?.[0]);
    if (this.core) this.apply(this.core.call('resize', width, height));
    // Setting a canvas' size empties it; waiting for the next frame would show that.
    this.#dirty |= Change.scene;
    this.#draw();
    this.#schedule(Change.scene);
  }

  /**
   * Does what an answer of the core asks for.
   * @param {number} bits of Change
   */
  apply(bits) {
    const { core } = this;
    if (!core) return;
    if (bits & Change.gestureStart) this.#gesture('gesturestart', true);
    if (bits & Change.announcement) this.accessible.announce(core.read('announcement'));
    if (bits & Change.ticks) this.#ticking = true;
    this.#untold |= bits & NEWS;
    this.#schedule(bits & (Change.scene | Change.elements | Change.ticks | Change.cursor));
    if (bits & Change.gestureEnd) this.#isHeld = false;
    if (!this.#isHeld) this.#tell(true);
    if (bits & Change.gestureEnd) this.#gesture('gestureend', false);
    if (bits & Change.cropWanted) this.dispatchEvent(new Event('croprequest'));
  }

  /**
   * The same after a move of the only pointer. Browsers hand over all moves of a frame at once, just
   * before they draw it: these are drawn there and then, which spares asking for a frame each time.
   * @param {number} bits of Change @param {number} time of the move, in milliseconds
   */
  #moved(bits, time) {
    this.#isDrawing = this.#isHeld && !this.#frame && !this.#ticking && this.isConnected
      && time - this.#drawnAt > SHORTEST_FRAME;
    this.apply(bits);
    if (!this.#isDrawing) return;
    this.#isDrawing = false;
    this.#drawnAt = time;
    this.#show();
  }

  /**
   * Tells pages what has happened since they were told last.
   * @param {boolean} isStateNew more than the recipe may have changed
   */
  #tell(isStateNew) {
    const news = this.#untold;
    this.#untold = 0;
    if (news & Change.recipe) {
      const { recipe } = this;
      const valid = recipe !== null;
      this.dispatchEvent(new CustomEvent('recipechange', { detail: { recipe, valid } }));
    }
    if (news && isStateNew) this.dispatchEvent(new Event('statechange'));
  }

  /** Lets the surface follow the state: its cursor, whom a finger belongs to, how fine it is. */
  #follow() {
    const { core, picture } = this;
    if (!core) return;
    const at = core.stateAddress();
    const cursor = core.numbers[at + StateIndex.cursor];
    if (cursor !== this.#cursor) {
      this.#cursor = cursor;
      this.surface.style.cursor = CURSORS[cursor] ?? 'default';
    }
    const needsTouch = picture !== null && core.numbers[at + StateIndex.needsTouch] !== 0;
    this.surface.classList.toggle('touch', needsTouch);
    this.#sharpen(core.numbers[at + StateIndex.zoom]);
  }

  /**
   * Decodes a finer preview some time after a zoom has made the present one too coarse.
   * @param {number} zoom
   */
  #sharpen(zoom) {
    const picture = this.picture;
    if (!picture?.bitmap || this.#sharpening) return;
    const side = this.stage.previewSide * Math.max(1, zoom);
    if (picture.suffices(side)) return;
    this.#sharpening = window.setTimeout(async () => {
      const isFiner = await picture.prepare(side).catch(() => false);
      this.#sharpening = 0;
      if (isFiner && picture === this.picture) this.restyle();
    }, 200);
  }

  /** @param {string} type @param {boolean} isActive */
  #gesture(type, isActive) {
    this.#isHeld = isActive;
    this.keyboard.classList.toggle('busy', isActive);
    if (!isActive) this.#schedule(Change.elements);
    this.dispatchEvent(new Event(type));
  }

  /** @param {number} bits */
  #schedule(bits) {
    this.#dirty |= bits;
    if (!this.#dirty || this.#frame || this.#isDrawing || !this.isConnected) return;
    this.#frame = requestAnimationFrame(this.#onFrame);
  }

  /** @param {number} time milliseconds */
  #onFrame = (time) => {
    const { core } = this;
    this.#drawnAt = time;
    if (this.#ticking && core && this.picture) {
      this.#ticking = false;
      this.apply(core.exports.ck_tick(time / 1000));
    }
    this.#show();
  };

  /** Brings everything up to date that may wait for a frame. */
  #show() {
    const { core } = this;
    // Under a hand most frames bring another recipe and nothing else.
    const isStateNew = !this.#isHeld || core === null || core.stateChanged();
    if (this.#untold) this.#tell(isStateNew);
    if (isStateNew && this.#dirty & (Change.scene | Change.cursor)) this.#follow();
    this.#draw();
    // Elements stay where they are during a drag: moving them would lay out the page each time.
    if (this.#dirty & Change.elements && !this.#isHeld) {
      this.#dirty &= ~Change.elements;
      if (core && this.picture) this.accessible.update(core.read('elements'));
    }
    this.#dirty &= Change.elements;
    this.#frame = 0;
    if (this.#ticking) this.#schedule(Change.ticks);
  }

  #draw() {
    if (!(this.#dirty & Change.scene)) return;
    this.#dirty &= ~Change.scene;
    this.stage.draw(this.core, this.picture);
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
    if (!(bits & NEWS)) this.dispatchEvent(new Event('statechange'));
    return (bits & Change.refused) === 0;
  }

  /** Whether the picture or the selection follows a hand right now. */
  get isHeld() {
    return this.#isHeld;
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
   * @returns {Recipe | null}
   */
  get recipe() {
    return this.core && this.picture ? this.core.recipe() : null;
  }

  /**
   * Shows a recipe, now or when the picture is there; null clears the selection. What has an unknown
   * key or a value of the wrong type is refused, now too.
   * @throws {RangeError} if it is no recipe or does not fit; nothing changes then
   */
  set recipe(recipe) {
    const isNone = recipe === null || recipe === undefined;
    if (!isNone && !isRecipe(recipe)) throw new RangeError('this is not a recipe');
    if (!this.core || !this.picture) {
      this.#wanted = recipe;
    } else if (!isNone) {
      const bits = this.core.setRecipe(recipe);
      if (bits & Change.refused) throw new RangeError('the recipe does not fit the picture');
      this.apply(bits);
    } else {
      this.command('clear');
    }
  }
}
