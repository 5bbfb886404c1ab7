// @ts-check
// The bridge to cropcore.wasm. Each instance has one session.

import { Command, Lossless, Messages, Shape } from './interface.js';
import { compile } from './modules.js';

/** @typedef {import('./interface.js').CommandName} CommandName */
/** @typedef {import('./interface.js').Drawing} Drawing */

/** Names by code, as used in attributes, events and options. */
export const SHAPES = Object.freeze(Object.keys(Shape));
export const LOSSLESS = Object.freeze(/** @type {(keyof typeof Lossless)[]} */ (Object.keys(Lossless)));

/** @type {ReadonlySet<CommandName>} */
export const COMMANDS = new Set(/** @type {CommandName[]} */ (Object.keys(Command)));

/** @typedef {import('./recipe.js').Corner} Corner */
/** @typedef {import('./recipe.js').Corners} Corners */
/** @typedef {import('./recipe.js').Recipe} Recipe */

/** @typedef {Recipe & { rect: NonNullable<Recipe['rect']> }} RectRecipe a recipe with a rectangle */

/** One session of the core. */
export class Core extends Messages {
  /** @param {WebAssembly.Exports} exports */
  constructor(exports) {
    super(exports);
    /** The state at the last comparison. */
    this.seen = '';
    this.constants = this.readConstants();
  }

  static async make() {
    return Core.of(await compile());
  }

  /** @param {WebAssembly.Module} module */
  static async of(module) {
    return new Core((await WebAssembly.instantiate(module, {})).exports);
  }

  /**
   * Runs a command immediately.
   * @param {CommandName} name @param {number} [a] @param {number} [b]
   * @returns {number} change bits
   */
  command(name, a = 0, b = 0) {
    return this.run({ command: [Command[name], a, b], time: performance.now() / 1000 });
  }

  /**
   * Puts the result on a canvas, or removes it.
   * @param {import('./canvas.js').Canvas | null} canvas
   * @param {boolean} movesRatio whether the canvas takes the selection's ratio, or returns it
   * @returns {number} change bits
   */
  putOnCanvas(canvas, movesRatio) {
    return this.setCanvas({ canvas, movesRatio, time: performance.now() / 1000 });
  }

  /**
   * The median color of RGBA pixels.
   * @param {Uint8ClampedArray} pixels
   */
  medianOf(pixels) {
    this.#takePixels(pixels);
    return this.medianColor({ count: pixels.length / 4 });
  }

  /**
   * Blurs an opaque image in place.
   * @param {ImageData} image @param {number} sigma the standard deviation in pixels
   */
  blur({ data, width, height }, sigma) {
    const at = this.#takePixels(data);
    this.blurPixels({ width, height, sigma });
    data.set(new Uint8ClampedArray(this.memory.buffer, at, data.length));
  }

  /**
   * @param {Uint8ClampedArray} pixels copied into the module's memory @returns {number} their address in bytes
   */
  #takePixels(pixels) {
    const at = this.pixels({ count: pixels.length }) >>> 0;
    new Uint8ClampedArray(this.memory.buffer, at, pixels.length).set(pixels);
    return at;
  }

  /** Whether any number of the state has changed since the last call. The recipe is not included. */
  stateChanged() {
    const { seen } = this;
    this.seen = JSON.stringify(this.state());
    return seen !== this.seen;
  }

  /** @returns {Recipe | null} null without a valid selection */
  recipe() {
    const recipe = this.currentRecipe();
    if (!recipe) return null;
    const { rect, quad, ...rest } = recipe;
    return quad ? { version: 2, quad, ...rest } : { version: 1, rect: rect ?? undefined, ...rest };
  }
}
