// @ts-check
// The bridge to cropjpeg.wasm. Each instance has one open file.

/**
 * The header of a JPEG: the size in stored pixels, the grid's cells, and EXIF's orientation.
 * @typedef {object} JPEGHeader
 * @property {number} width @property {number} height
 * @property {number} cellWidth @property {number} cellHeight
 * @property {number} orientation 1 to 8
 * @property {boolean} canCopy whether its bits can be copied; false for progressive JPEGs
 * @property {number} orientationAt the position of EXIF's orientation entry in the file, if browsers ignore it;
 * otherwise 0
 */

/** The part to copy in stored pixels, the result's orientation, and how many columns or rows at an edge are
 * re-encoded.
 * @typedef {object} JPEGPart
 * @property {number} x @property {number} y @property {number} width @property {number} height
 * @property {number} orientation @property {number} requantized
 */

/** Result codes. */
export const JPEGCode = Object.freeze({
  done: 0, notJPEG: 1, truncated: 2, corrupt: 3, unsupported: 4, notLossless: 5, failed: 6,
});

/**
 * @typedef {object} Instance
 * @property {Record<string, (...numbers: number[]) => number>} exports the module's functions
 * @property {WebAssembly.Memory} memory
 * @property {ArrayBuffer[]} pieces the written chunks
 */

/**
 * An instance of a module that reads and writes files in chunks.
 * @param {WebAssembly.Module} module @param {Uint8Array[]} sources the files that it reads
 * @returns {Promise<Instance>}
 */
export async function instance(module, sources) {
  /** @type {ArrayBuffer[]} */ const pieces = [];
  const { exports } = await WebAssembly.instantiate(module, {
    page: {
      read: (/** @type {number} */ source, /** @type {number} */ offset,
        /** @type {number} */ address, /** @type {number} */ count) => {
        const part = sources[source]?.subarray(offset, offset + count);
        if (!part) return 0;
        new Uint8Array(memory.buffer).set(part, address);
        return part.length;
      },
      write: (/** @type {number} */ address, /** @type {number} */ count) => {
        pieces.push(memory.buffer.slice(address, address + count));
      },
    },
  });
  const memory = /** @type {WebAssembly.Memory} */ (exports.memory);
  const functions = /** @type {Instance['exports']} */ (/** @type {unknown} */ (exports));
  return { exports: functions, memory, pieces };
}

export class JPEGModule {
  /**
   * @param {WebAssembly.Module} module
   * @param {Uint8Array[]} sources the file, and a JPEG that was drawn from it
   */
  static async of(module, ...sources) {
    return new JPEGModule(await instance(module, sources));
  }

  /** @param {Instance} instance */
  constructor({ exports, pieces }) {
    this.exports = exports;
    this.pieces = pieces;
  }

  /** Reads the header. */
  open() {
    return this.exports.cj_open();
  }

  /** @returns {JPEGHeader} of the open file */
  header() {
    const [width, height, cellWidth, cellHeight, orientation, canCopy, orientationAt] =
      [0, 1, 2, 3, 4, 5, 6].map((index) => this.exports.cj_header(index));
    return {
      width, height, cellWidth, cellHeight, orientation, canCopy: canCopy !== 0, orientationAt,
    };
  }

  /** @param {JPEGPart} part @param {number} metadata 0 keeps all, 1 removes the location, 2 removes all */
  crop({ x, y, width, height, orientation }, metadata) {
    return this.exports.cj_crop(x, y, width, height, orientation, metadata);
  }

  /**
   * Reads the data that a decoder needs for a part as strictly as `crop` does, and writes nothing.
   * @param {JPEGPart} part
   */
  check(part) {
    return this.crop({ ...part, orientation: 0 }, 2);
  }

  /**
   * Copies the metadata of the first source to the second.
   * @param {number} metadata as with `crop`
   */
  copyMetadata(metadata) {
    return this.exports.cj_copy_metadata(metadata);
  }
}
