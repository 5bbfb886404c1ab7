// @ts-check
// The inside of <crop-view>: one session of the core, its input, its drawing, its accessible
// elements. What a page sees of it is crop-view.js.

import { Accessible } from './accessible.js';
import { attributeCommands, OBSERVED } from './attributes.js';
import { Change, Core, CURSORS } from './core.js';
import { sheet } from './crop-view-style.js';
import { Input } from './input.js';
import { download, measure, Picture } from './picture.js';
import { Stage } from './stage.js';
import { words } from './words.js';

/** @typedef {import('./core.js').CommandName} CommandName */

const still = matchMedia('(prefers-reduced-motion: reduce)');
const dark = matchMedia('(prefers-color-scheme: dark)');

/** An element that shows a picture and lets the core decide what hands do to it. */
export class SessionView extends HTMLElement {
  /** @type {Core | null} */ core = null;
  /** @type {Picture | null} */ picture = null;
  #loading = 0;
  #frame = 0;
  #dirty = 0;
  #ticking = false;
  #sharpening = 0;

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
  }

  disconnectedCallback() {
    this.resizes.disconnect();
    this.themes.disconnect();
    dark.removeEventListener('change', this.restyle);
    still.removeEventListener('change', this.#prefer);
    removeEventListener('scroll', this.#scrolled, { capture: true });
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  /**
   * Shows a picture; the selection starts anew.
   *
   * @param {string | Blob} source an address, or the picture itself
   * @param {{width?: number, height?: number}} [original] upright pixels of the original when
   *   `source` is a smaller preview of it
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
      const picture = new Picture(blob, original.width || seen.width, original.height || seen.height);
      if (turn !== this.#loading) return;
      this.core = core;
      this.picture?.close();
      this.picture = picture;
      this.stage.forget();
      this.#open(core, picture);
      await picture.prepare(this.stage.previewSide);
      if (turn !== this.#loading) return picture.close();
      this.stage.forget();
      this.#schedule(Change.scene);
      this.dispatchEvent(new Event('load'));
    } catch (error) {
      if (turn !== this.#loading) return;
      this.dispatchEvent(new CustomEvent('error', { detail: { error } }));
      throw error;
    }
  }

  /** Forgets the picture. */
  unload() {
    this.#loading += 1;
    this.picture?.close();
    this.picture = null;
    this.#ticking = false;
    this.keyboard.replaceChildren();
    this.accessible.nodes.clear();
    this.#schedule(Change.scene);
  }

  /** @param {Core} core @param {Picture} picture */
  #open(core, picture) {
    let bits = 0;
    if (this.clientWidth && this.clientHeight) {
      bits |= core.call('resize', this.clientWidth, this.clientHeight);
    }
    bits |= core.call('open', picture.width, picture.height);
    for (const name of OBSERVED) {
      const value = this.getAttribute(name);
      if (value === null) continue;
      for (const [command, a, b] of attributeCommands(name, value)) {
        if (core.commands.has(command)) bits |= core.command(command, a, b);
      }
    }
    this.#prefer();
    this.apply(bits | Change.scene | Change.recipe | Change.history | Change.cursor
      | Change.elements);
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
    this.#sharpen();
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
    if (bits & Change.cursor || bits & Change.scene) {
      const { cursor, needsTouch } = core.state();
      if (bits & Change.cursor) this.surface.style.cursor = CURSORS[cursor] ?? 'default';
      this.surface.classList.toggle('touch', needsTouch);
    }
    if (bits & Change.ticks) this.#ticking = true;
    if (bits & Change.scene) this.#sharpen();
    this.#schedule(bits & (Change.scene | Change.elements | Change.ticks));
    if (bits & Change.gestureEnd) this.#gesture('gestureend', false);
    if (bits & Change.recipe) {
      const { recipe } = this;
      const valid = recipe !== null;
      this.dispatchEvent(new CustomEvent('recipechange', { detail: { recipe, valid } }));
    }
    if (bits & (Change.recipe | Change.history | Change.scene)) {
      this.dispatchEvent(new Event('statechange'));
    }
    if (bits & Change.cropWanted) this.dispatchEvent(new Event('croprequest'));
  }

  /** Decodes a finer preview some time after a zoom has made the present one too coarse. */
  #sharpen() {
    const picture = this.picture;
    if (!picture?.bitmap || this.#sharpening || !this.core) return;
    const side = this.stage.previewSide * Math.max(1, this.core.state().zoom);
    if (picture.suffices(side)) return;
    this.#sharpening = window.setTimeout(async () => {
      const isFiner = await picture.prepare(side).catch(() => false);
      this.#sharpening = 0;
      if (isFiner && picture === this.picture) this.restyle();
    }, 200);
  }

  /** @param {string} type @param {boolean} isActive */
  #gesture(type, isActive) {
    this.keyboard.classList.toggle('busy', isActive);
    if (!isActive) this.#schedule(Change.elements);
    this.dispatchEvent(new Event(type));
  }

  /** @param {number} bits */
  #schedule(bits) {
    this.#dirty |= bits;
    if (!this.#dirty || this.#frame || !this.isConnected) return;
    this.#frame = requestAnimationFrame((time) => {
      this.#frame = 0;
      if (this.#ticking && this.core && this.picture) {
        this.#ticking = false;
        this.apply(this.core.call('tick', time / 1000));
      }
      this.#draw();
      // Elements stay where they are during a drag: moving them would lay out the page each time.
      if (this.#dirty & Change.elements && !this.keyboard.classList.contains('busy')) {
        this.#dirty &= ~Change.elements;
        if (this.core && this.picture) this.accessible.update(this.core.read('elements'));
      }
      this.#dirty &= Change.elements;
      if (this.#ticking) this.#schedule(Change.ticks);
    });
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
    this.apply(bits);
    // Settings such as what is armed change without anything to draw.
    if (!(bits & (Change.recipe | Change.history | Change.scene))) {
      this.dispatchEvent(new Event('statechange'));
    }
    return (bits & Change.refused) === 0;
  }

  /** Everything the session says about itself, or null without a picture. */
  get state() {
    return this.core && this.picture ? this.core.state() : null;
  }

  /** The recipe, or null while nothing valid is selected. */
  get recipe() {
    return this.core && this.picture ? this.core.recipe() : null;
  }
}
