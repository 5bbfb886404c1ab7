// @ts-check
// Opening pictures in the browser: the upright size from the header, a preview to draw,
// and the full-size pixels when a result is wanted.

import { CropError } from './errors.js';

/** The longest side of a preview, in pixels. Larger bitmaps cost memory and show nothing more. */
const LONGEST_PREVIEW = 4096;

/** A picture the element shows. Sizes are upright pixels of the original. */
export class Picture {
  /**
   * @param {Blob} blob what the browser decodes; may be a reduced preview of the original
   * @param {number} width @param {number} height of the original
   * @param {{ file: Blob, pixels: Blob }} [original] as far as it is here, and what the browser
   *   decodes of it; else the same as `blob`
   */
  constructor(blob, width, height, original = { file: blob, pixels: blob }) {
    this.blob = blob;
    this.file = original.file;
    this.pixels = original.pixels;
    /** The file is a JPEG, as far as its first bytes tell. */
    this.isJPEG = false;
    /** @type {import('./jpeg-module.js').JPEGHeader | null} what the first bytes say of a JPEG that can be cut by blocks */
    this.header = null;
    /** How its pixels are stored, as EXIF says it: 1 to 8; 1 until a JPEG's first bytes tell. */
    this.orientation = 1;
    /** It moves; results are made of its first frame. */
    this.isAnimated = false;
    this.width = width;
    this.height = height;
    /** @type {ImageBitmap | null} */
    this.bitmap = null;
    this.translucent = false;
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
   * Whether the present preview is fine enough.
   * @param {number} side device pixels
   */
  suffices(side) {
    const { bitmap } = this;
    return bitmap !== null && Math.max(bitmap.width, bitmap.height) >= this.previewSide(side);
  }

  /**
   * Decodes a preview of about the given longest side, unless there is one that suffices.
   * @param {number} side device pixels
   * @returns {Promise<boolean>} whether the preview changed
   */
  async prepare(side) {
    if (this.suffices(side)) return false;
    const scale = this.previewSide(side) / Math.max(this.width, this.height);
    const bitmap = await createImageBitmap(this.blob, {
      imageOrientation: 'from-image',
      resizeWidth: Math.max(1, Math.round(this.width * scale)),
      resizeHeight: Math.max(1, Math.round(this.height * scale)),
      resizeQuality: 'high',
    }).catch((cause) => {
      throw new CropError('no-decoding', 'the browser cannot decode this picture', { cause });
    });
    if (!this.bitmap) this.translucent = this.blob.type !== 'image/jpeg' && isTranslucent(bitmap);
    this.bitmap?.close();
    this.bitmap = bitmap;
    return true;
  }

  /**
   * Takes its pixels from another picture of the same photo.
   * @param {Blob} blob @param {number} side device pixels
   * @returns {Promise<boolean>} whether it came in time to be shown
   */
  async refine(blob, side) {
    const finer = new Picture(blob, this.width, this.height);
    await finer.prepare(side);
    const { bitmap } = finer;
    if (!bitmap || !this.bitmap) {
      finer.close();
      return false;
    }
    this.bitmap.close();
    [this.blob, this.bitmap, this.translucent] = [blob, bitmap, finer.translucent];
    return true;
  }

  /** All pixels, upright. The caller closes the bitmap. */
  async decode() {
    const from = (/** @type {Blob} */ blob) =>
      createImageBitmap(blob, { imageOrientation: 'from-image' });
    return from(this.pixels).catch(() => from(this.blob));
  }

  close() {
    this.bitmap?.close();
    this.bitmap = null;
  }
}

/** @param {string} address */
export async function download(address) {
  const response = await fetch(address).catch((cause) => {
    throw new CropError('unreachable', `${address} can't be fetched`, { cause });
  });
  if (!response.ok) throw new CropError('unreachable', `${address}: ${response.status}`);
  return response.blob();
}

/**
 * The upright size of a picture, from its header.
 * @param {Blob} blob
 * @returns {Promise<{width: number, height: number}>} rejects when the browser can't show it
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
