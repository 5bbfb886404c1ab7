// @ts-check
// Opens images in the browser: the upright size from the header, a preview to draw, and the full-size pixels on
// demand.

import { isAnimated } from './animation.js';
import { CropError } from './errors.js';
import { holdsGainMap, readerOf } from './gain-map.js';
import { upright } from './jpeg-header.js';

/** The longest side of a preview in pixels. Larger bitmaps need more memory without showing more. */
const LONGEST_PREVIEW = 4096;

/**
 * The file of which the shown image is a preview.
 * @typedef {object} Original
 * @property {number} [width] upright pixels @property {number} [height]
 * @property {Blob} [file] if it is available
 * @property {(count: number) => Promise<Uint8Array>} [head] reads its first bytes, if it is elsewhere
 * @property {boolean} [isServed] whether a server makes the results; it can also copy progressive JPEGs
 */

/** An image in the element. Sizes are in upright pixels of the original. */
export class Picture {
  /**
   * @param {Blob} blob for the browser to decode; may be a reduced preview of the original
   * @param {number} width @param {number} height of the original
   * @param {{ file: Blob, pixels: Blob }} [original] the file, if it is available, and a version that the browser
   * can decode; default: `blob`
   */
  constructor(blob, width, height, original = { file: blob, pixels: blob }) {
    this.blob = blob;
    this.file = original.file;
    this.pixels = original.pixels;
    /** Whether the file is a JPEG, according to its first bytes. */
    this.isJPEG = false;
    /** @type {import('./interface.js').JPEGHeader | null} the header of a JPEG that can be cropped by blocks */
    this.header = null;
    /** The EXIF orientation, 1 to 8; 1 until a JPEG's first bytes are read. */
    this.orientation = 1;
    /** Whether it is an animation; results only have its first frame. */
    this.isAnimated = false;
    /** Whether the decoded image has a gain map for HDR screens. */
    this.isHDR = false;
    this.width = width;
    this.height = height;
    /** @type {ImageBitmap | null} */
    this.bitmap = null;
    this.isClosed = false;
    /** How many other versions were requested, and which of them is shown. */
    this.versions = { asked: 0, shown: 0 };
    this.translucent = false;
  }

  /**
   * @param {Blob} blob @param {Original} original of which it may be a preview
   * @returns {Promise<Picture>} rejects if the browser can't show it
   */
  static async of(blob, original) {
    const file = original.file ?? blob;
    const [shown, pixels] = await Promise.all([upright(blob), upright(file)]);
    const [seen, animated, hdr] = await Promise.all([
      measure(shown), isAnimated(file), holdsGainMap(readerOf(shown)),
    ]);
    const picture = new Picture(shown, original.width || seen.width, original.height || seen.height, { file, pixels });
    picture.isAnimated = animated;
    picture.isHDR = hdr;
    return picture;
  }

  /**
   * The longest side of the preview to make.
   * @param {number} side device pixels
   */
  previewSide(side) {
    const longest = Math.max(this.width, this.height);
    return Math.min(longest, LONGEST_PREVIEW, Math.max(256, Math.ceil(side)));
  }

  /**
   * Whether the current preview is fine enough.
   * @param {number} side device pixels
   */
  suffices(side) {
    const { bitmap } = this;
    return bitmap !== null && Math.max(bitmap.width, bitmap.height) >= this.previewSide(side);
  }

  /**
   * Decodes a preview with about the given longest side, unless the current one suffices, now or when it is
   * decoded.
   * @param {number} side device pixels
   * @returns {Promise<boolean>} whether the preview changed
   */
  async prepare(side) {
    if (this.isClosed || this.suffices(side)) return false;
    const { blob } = this;
    const scale = this.previewSide(side) / Math.max(this.width, this.height);
    const bitmap = await createImageBitmap(blob, {
      imageOrientation: 'from-image',
      resizeWidth: Math.max(1, Math.round(this.width * scale)),
      resizeHeight: Math.max(1, Math.round(this.height * scale)),
      resizeQuality: 'high',
    }).catch((cause) => {
      throw undecodable(cause);
    });
    if (this.isClosed || blob !== this.blob || this.suffices(side)) {
      bitmap.close();
      return false;
    }
    if (!this.bitmap) this.translucent = blob.type !== 'image/jpeg' && isTranslucent(bitmap);
    this.bitmap?.close();
    this.bitmap = bitmap;
    return true;
  }

  /**
   * Uses the pixels of another version of the same photo, unless one that was requested later is shown already.
   * @param {Blob} blob @param {number} side device pixels
   * @returns {Promise<boolean>} whether it was decoded in time to be shown
   */
  async refine(blob, side) {
    const turn = ++this.versions.asked;
    const finer = new Picture(blob, this.width, this.height);
    const [isHDR] = await Promise.all([holdsGainMap(readerOf(blob)), finer.prepare(side)]);
    const { bitmap } = finer;
    if (!bitmap || !this.bitmap || turn < this.versions.shown) {
      finer.close();
      return false;
    }
    this.versions.shown = turn;
    this.bitmap.close();
    [this.blob, this.bitmap, this.translucent] = [blob, bitmap, finer.translucent];
    this.isHDR = isHDR;
    return true;
  }

  /** Decodes all pixels, upright. The caller closes the bitmap. */
  async decode() {
    const from = (/** @type {Blob} */ blob) =>
      createImageBitmap(blob, { imageOrientation: 'from-image' });
    return from(this.pixels).catch(() => from(this.blob)).catch((cause) => {
      throw undecodable(cause);
    });
  }

  close() {
    this.isClosed = true;
    this.bitmap?.close();
    this.bitmap = null;
  }
}

/**
 * Reads the upright size of an image from its header.
 * @param {Blob} blob
 * @returns {Promise<{width: number, height: number}>} rejects if the browser can't show it
 */
export async function measure(blob) {
  const url = URL.createObjectURL(blob);
  try {
    const image = new Image();
    image.src = url;
    await new Promise((resolve, reject) => {
      image.onload = resolve;
      image.onerror = () => reject(
        new CropError('unsupported-format', 'the browser cannot show this picture'));
    });
    if (!image.naturalWidth || !image.naturalHeight) {
      throw new CropError('unsupported-format', 'the picture has no size');
    }
    return { width: image.naturalWidth, height: image.naturalHeight };
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** @param {unknown} cause */
function undecodable(cause) {
  return new CropError('no-decoding', 'the browser cannot decode this picture', { cause });
}

/** @param {ImageBitmap} bitmap */
function isTranslucent(bitmap) {
  const canvas = document.createElement('canvas');
  canvas.width = Math.min(64, bitmap.width);
  canvas.height = Math.min(64, bitmap.height);
  const ctx = canvas.getContext('2d', { willReadFrequently: true });
  if (!ctx) return false;
  ctx.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const { data } = ctx.getImageData(0, 0, canvas.width, canvas.height);
  for (let at = 3; at < data.length; at += 4) if (data[at] < 255) return true;
  return false;
}
