// @ts-check
// The bridges to cropjpeg.wasm, for lossless crops of JPEGs, and to cropextra.wasm, for gain maps, four corners and
// borders.

import { CropError } from './errors.js';
import { instance } from './files.js';
import { ExtraMessages, JPEGCode, JPEGMessages } from './interface.js';

/** @typedef {import('./interface.js').JPEGHeader} JPEGHeader */
/** @typedef {import('./interface.js').JPEGPart} JPEGPart */

/**
 * The pixels to straighten.
 * @typedef {object} Straightening
 * @property {number} width in pixels of a part of the image @property {number} height
 * @property {Uint8ClampedArray} pixels of the part: red, green, blue, alpha
 * @property {import('./interface.js').Corners} corners in the part
 * @property {number} outputWidth in pixels of the result @property {number} outputHeight
 */

/**
 * @typedef {object} Job
 * @property {Blob} file the JPEG
 * @property {JPEGPart} [part] the part to copy
 * @property {boolean} [isCheck] whether to only check the part for damage
 * @property {Blob} [encoded] instead of a part: a JPEG drawn from the file, which gets its metadata
 * @property {number} metadata of Metadata
 * @property {number} [dpi] the pixels per inch that the result states; default: those of the file
 * @property {boolean} [isScaled] whether the pixels of `encoded` were scaled
 */

/**
 * A crop of a JPEG with a gain map.
 * @typedef {object} MappedCrop
 * @property {Blob} file the JPEG with the map
 * @property {Blob} crop a JPEG
 * @property {JPEGPart} [part] the part of the file that was copied without decoding
 * @property {{ width: number, height: number, recipe: import('./core.js').Recipe }} [drawn] instead of a part: the
 * crop's size, and the recipe by which it was drawn, upright and in sRGB
 */

/** @param {ArrayBuffer[]} pieces */
const jpegOf = (pieces) => new Blob(pieces, { type: 'image/jpeg' });

/** An instance of the module for JPEGs. */
export class JPEG extends JPEGMessages {
  /** @param {WebAssembly.Exports} exports @param {ArrayBuffer[]} pieces */
  constructor(exports, pieces) {
    super(exports);
    this.pieces = pieces;
  }

  /** @param {WebAssembly.Module} module @param {Uint8Array[]} sources */
  static async of(module, ...sources) {
    const { exports, pieces } = await instance(module, sources);
    return new JPEG(exports, pieces);
  }

  /** The written file. */
  get written() {
    return jpegOf(this.pieces);
  }
}

/** An instance of the module for gain maps, four corners and borders. */
export class Extra extends ExtraMessages {
  /** @param {WebAssembly.Exports} exports @param {ArrayBuffer[]} pieces */
  constructor(exports, pieces) {
    super(exports);
    this.pieces = pieces;
  }

  /** @param {WebAssembly.Module} module @param {Uint8Array[]} sources */
  static async of(module, ...sources) {
    const { exports, pieces } = await instance(module, sources);
    return new Extra(exports, pieces);
  }

  /** The written file. */
  get written() {
    return jpegOf(this.pieces);
  }

  /**
   * @param {Straightening} work
   * @returns {Uint8ClampedArray} the pixels of the result, in separate memory
   * @throws {CropError} for corners that can't be straightened, or an image that is too large for the module
   */
  straighten(work) {
    try {
      const source = this.openCorners(work);
      if (source === null) throw new CropError('too-large', "these corners can't be straightened");
      this.#write(source, work.pixels);
      const result = this.straightenCorners({ hasAlpha: !isOpaque(work.pixels) }) ?? 0;
      return new Uint8ClampedArray(this.memory.buffer, result >>> 0, 4 * work.outputWidth * work.outputHeight).slice();
    } finally {
      this.closeCorners();
    }
  }

  /**
   * @param {{ width: number, height: number }} size of an image
   * @param {(top: number, count: number) => Uint8ClampedArray} rowsOf reads some of its rows
   * @returns {import('./interface.js').Corners | null} the corners of a sheet; null if none was found
   */
  sheetIn({ width, height }, rowsOf) {
    const address = this.openSheet({ width, height });
    if (address === null) return null;
    const most = this.sheetRows();
    for (let top = 0; top < height; top += most) {
      const count = Math.min(most, height - top);
      this.#write(address, rowsOf(top, count));
      this.addSheetRows({ count });
    }
    return this.findSheet();
  }

  /**
   * The area inside the uniform border of an image.
   * @param {{ width: number, height: number, data: Uint8ClampedArray }} image @param {number} [tolerance] 0 to 255; default: the standard one
   * @returns {import('./interface.js').PixelBox | null} the complete image if it has no border; null if it has a
   * single color
   */
  borderOf({ width, height, data }, tolerance) {
    const address = this.borderPixels({ width, height });
    if (address === null) return null;
    this.#write(address, data);
    return this.insideBorder({ tolerance });
  }

  /** @param {number} address @param {Uint8ClampedArray} pixels */
  #write(address, pixels) {
    new Uint8ClampedArray(this.memory.buffer, address >>> 0, pixels.length).set(pixels);
  }
}

/**
 * Makes a JPEG file from another one.
 * @param {WebAssembly.Module} module @param {Job} job
 * @returns {Promise<{ code: number, blob: Blob | null }>} a code of JPEGCode, and the new file on success
 */
export async function makeJPEG(module, { file, part, isCheck, encoded, metadata, dpi, isScaled }) {
  const jpeg = await JPEG.of(module, ...await Promise.all((encoded ? [file, encoded] : [file]).map(bytesOf)));
  let code = jpeg.open();
  if (code === JPEGCode.done) {
    code = !part ? jpeg.copyMetadata({ metadata, dpi, isScaled })
      : isCheck ? jpeg.check({ part }) : jpeg.crop({ part, metadata, dpi });
  }
  return { code, blob: code === JPEGCode.done && !isCheck ? jpeg.written : null };
}

/**
 * Adds the map. Returns the crop without it if the map can't be cropped.
 * @param {WebAssembly.Module} module @param {MappedCrop} work
 * @returns {Promise<{ blob: Blob }>}
 */
export async function addGainMap(module, { file, crop, part, drawn }) {
  const extra = await Extra.of(module, ...await Promise.all([file, crop].map(bytesOf)));
  const byteCount = crop.size;
  try {
    const isDone = part ? extra.addMapToCopied({ byteCount, part }) : drawn ? extra.addMapToDrawn({ byteCount, ...drawn }) : false;
    return { blob: isDone ? extra.written : crop };
  } catch (error) {
    // The module stops if memory runs out, for example.
    if (error instanceof WebAssembly.RuntimeError) return { blob: crop };
    throw error;
  }
}

/** @param {Blob} blob */
const bytesOf = async (blob) => new Uint8Array(await blob.arrayBuffer());

/** @param {Uint8ClampedArray} pixels */
function isOpaque(pixels) {
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 255) return false;
  return true;
}
