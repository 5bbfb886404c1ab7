// @ts-check
// The bridge to cropjpeg.wasm. An instance holds one file, for as long as something is made of it.

/** What is known of a JPEG: stored pixels, the grid's cells, EXIF's orientation.
 * @typedef {object} JPEGHeader
 * @property {number} width @property {number} height
 * @property {number} cellWidth @property {number} cellHeight
 * @property {number} orientation 1 to 8
 * @property {boolean} canCopy its bits can be copied; those of progressive pictures can't
 * @property {number} orientationAt where EXIF's entry for the orientation stands in the file, where
 *   browsers pass over it; else 0
 */

/** What to copy: stored pixels, and the result's orientation.
 * @typedef {object} JPEGPart
 * @property {number} x @property {number} y @property {number} width @property {number} height
 * @property {number} orientation
 */

/** What an answer says. */
export const JPEGCode = Object.freeze({
  done: 0, notJPEG: 1, truncated: 2, corrupt: 3, unsupported: 4, notLossless: 5, failed: 6,
});

export class JPEGModule {
  /** @type {ArrayBuffer[]} what was written */ pieces = [];

  /**
   * @param {WebAssembly.Module} module
   * @param {Uint8Array[]} sources the file, and one that was drawn from it
   */
  static async of(module, ...sources) {
    const made = new JPEGModule();
    const { exports } = await WebAssembly.instantiate(module, {
      page: {
        read: (/** @type {number} */ source, /** @type {number} */ offset,
          /** @type {number} */ address, /** @type {number} */ count) => {
          const part = sources[source]?.subarray(offset, offset + count);
          if (!part) return 0;
          new Uint8Array(made.memory.buffer).set(part, address);
          return part.length;
        },
        write: (/** @type {number} */ address, /** @type {number} */ count) => {
          made.pieces.push(made.memory.buffer.slice(address, address + count));
        },
      },
    });
    made.exports = /** @type {Record<string, (...numbers: number[]) => number>} */ (
      /** @type {unknown} */ (exports));
    made.memory = /** @type {WebAssembly.Memory} */ (exports.memory);
    return made;
  }

  /** Made by `of`. */
  constructor() {
    /** @type {Record<string, (...numbers: number[]) => number>} */
    this.exports = {};
    /** @type {WebAssembly.Memory} */
    this.memory = new WebAssembly.Memory({ initial: 0 });
  }

  /** Reads the header. */
  open() {
    return this.exports.cj_open();
  }

  /** @returns {JPEGHeader} of the file that is open */
  header() {
    const [width, height, cellWidth, cellHeight, orientation, canCopy, orientationAt] =
      [0, 1, 2, 3, 4, 5, 6].map((index) => this.exports.cj_header(index));
    return {
      width, height, cellWidth, cellHeight, orientation, canCopy: canCopy !== 0, orientationAt,
    };
  }

  /** @param {JPEGPart} part @param {number} metadata 0 keeps all, 1 leaves the place out, 2 all */
  crop({ x, y, width, height, orientation }, metadata) {
    return this.exports.cj_crop(x, y, width, height, orientation, metadata);
  }

  /**
   * Reads what a decoder needs of a part strictly, as `crop` does, and makes nothing of it.
   * @param {JPEGPart} part
   */
  check(part) {
    return this.crop({ ...part, orientation: 0 }, 2);
  }

  /**
   * Gives the second source the first one's metadata.
   * @param {number} metadata as with `crop`
   */
  copyMetadata(metadata) {
    return this.exports.cj_copy_metadata(metadata);
  }
}
