// @ts-check
// The bridge to cropquad.wasm, which straightens four corners: pixels in, pixels out.

import { CropError } from './errors.js';

/**
 * The pixels to straighten.
 * @typedef {object} Straightening
 * @property {number} width in pixels of a part of the image @property {number} height
 * @property {Uint8ClampedArray} pixels of the part: red, green, blue, alpha
 * @property {import('./interface.js').Corners} corners in the part
 * @property {number} outputWidth in pixels of the result @property {number} outputHeight
 */

export class QuadModule {
  /** @param {WebAssembly.Exports} exports */
  constructor(exports) {
    this.exports = /** @type {Record<string, (...numbers: number[]) => number>} */ (
      /** @type {unknown} */ (exports));
    this.memory = /** @type {WebAssembly.Memory} */ (exports.memory);
  }

  /** @param {WebAssembly.Module} module */
  static async of(module) {
    return new QuadModule((await WebAssembly.instantiate(module, {})).exports);
  }

  /**
   * @param {Straightening} work
   * @returns {Uint8ClampedArray} the pixels of the result, in separate memory
   * @throws {CropError} for corners that can't be straightened, or an image that is too large for the module
   */
  straighten({ width, height, pixels, corners, outputWidth, outputHeight }) {
    try {
      const numbers = this.exports.cq_numbers();
      new Float64Array(this.memory.buffer, numbers, 12).set([width, height, outputWidth, outputHeight,
        ...corners.flatMap(({ x, y }) => [x, y])]);
      const source = this.exports.cq_open() >>> 0;
      if (source === 0) throw new CropError('too-large', "these corners can't be straightened");
      new Uint8ClampedArray(this.memory.buffer, source, pixels.length).set(pixels);
      const result = this.exports.cq_straighten(isOpaque(pixels) ? 0 : 1) >>> 0;
      return new Uint8ClampedArray(this.memory.buffer, result, 4 * outputWidth * outputHeight).slice();
    } finally {
      this.exports.cq_close();
    }
  }
}

/** @param {Uint8ClampedArray} pixels */
function isOpaque(pixels) {
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 255) return false;
  return true;
}
