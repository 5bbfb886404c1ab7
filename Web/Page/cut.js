// @ts-check
// A recipe carried out by the browser, for pages without a server: a JPEG is cut without decoding it
// where that can be, all else is drawn as the core says and encoded.

import { LOSSLESS } from './core.js';
import { jpeg } from './jpeg.js';
import { CODES } from './jpeg-job.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./picture.js').Picture} Picture */

/**
 * @typedef {object} CutOptions
 * @property {string} [type] media type; the picture's own where the browser can write it
 * @property {number} [quality] 0 to 1
 * @property {number} [maxSide] longest side of the result in pixels; never enlarges
 * @property {'exact' | 'snap' | 'never' | boolean} [lossless] whether a JPEG is cut without decoding
 *   it; the element's own choice unless said. `true` is exact, and PNG where that can't be
 * @property {'all' | 'location'} [strip] which metadata is left out
 * @property {AbortSignal} [signal]
 */

/** Why there is no result, by a stable code: `truncated` or `corrupt`. */
export class CutError extends Error {
  /** @param {string} code */
  constructor(code) {
    super(`the picture is ${code}`);
    this.code = code;
  }
}

/**
 * Cuts what is selected.
 * @param {Core} core @param {Picture} picture @param {CutOptions} options
 * @returns {Promise<{ blob: Blob, isLossless: boolean }>}
 */
export async function cut(core, picture, options) {
  const recipe = core.recipe();
  const drawing = core.drawing(options.maxSide);
  if (!recipe || !drawing) throw new RangeError('nothing is selected');
  const chosen = modeOf(core, options.lossless);
  const job = {
    file: picture.file, width: picture.width, height: picture.height, recipe,
    mode: LOSSLESS.indexOf(chosen),
    metadata: options.strip === 'all' ? 2 : options.strip === 'location' ? 1 : 0,
  };
  const { signal } = options;
  const staysJPEG = picture.isJPEG && (options.type ?? 'image/jpeg') === 'image/jpeg';
  const { isJPEG: hasBlocks, isLossless, lossless } = core.state();
  const mayBeLossless = chosen === LOSSLESS[lossless] ? isLossless : hasBlocks;
  if (staysJPEG && drawing.fits && chosen !== 'never' && mayBeLossless) {
    // Of a picture that stays whole nothing is to be hidden.
    if (drawing.isIdentity && !job.metadata) {
      return { blob: picture.file.slice(0, picture.file.size, 'image/jpeg'), isLossless: true };
    }
    const { code, blob } = await jpeg(job, signal);
    if (blob) return { blob, isLossless: true };
    if (CODES[code] === 'truncated' || CODES[code] === 'corrupt') throw new CutError(CODES[code]);
  }
  const type = outputType(picture, drawing, options);
  const encoded = await draw(picture, drawing, type, options.quality);
  signal?.throwIfAborted();
  if (!picture.isJPEG || encoded.type !== 'image/jpeg') return { blob: encoded, isLossless: false };
  // What the canvas wrote has no metadata: it gets the photo's, put right.
  const { blob } = await jpeg({ ...job, encoded }, signal);
  return { blob: blob ?? encoded, isLossless: false };
}

/**
 * @param {Core} core @param {CutOptions['lossless']} asked
 * @returns {typeof LOSSLESS[number]}
 */
function modeOf(core, asked) {
  if (typeof asked === 'string') return asked;
  return asked === undefined ? LOSSLESS[core.state().lossless] : asked ? 'exact' : 'never';
}

/**
 * @param {Picture} picture @param {import('./core.js').Drawing} drawing @param {string} type
 * @param {number} [quality]
 * @returns {Promise<Blob>}
 */
async function draw(picture, drawing, type, quality) {
  const { width, height } = drawing;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const ctx = canvas.getContext('2d');
  if (!ctx || canvas.width !== width) throw new RangeError('the result is too large');
  const bitmap = await picture.decode();
  try {
    if (type === 'image/jpeg') {
      ctx.fillStyle = '#ffffff';
      ctx.fillRect(0, 0, width, height);
    }
    mask(ctx, drawing);
    ctx.transform(...drawing.map);
    // Whole pixels are copied, not blended.
    ctx.imageSmoothingEnabled = !drawing.copiesPixels;
    ctx.imageSmoothingQuality = 'high';
    ctx.drawImage(bitmap, 0, 0, picture.width, picture.height);
  } finally {
    bitmap.close();
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new RangeError('the result is too large'))),
      type, quality ?? 0.9);
  });
}

/**
 * @param {Picture} picture @param {import('./core.js').Drawing} drawing
 * @param {CutOptions} options
 */
function outputType(picture, { shape }, options) {
  if (options.lossless === true) return 'image/png';
  if (options.type) return options.type;
  const own = picture.isJPEG ? 'image/jpeg' : picture.blob.type;
  // A shape needs a transparent outside.
  if (shape !== 0) return own === 'image/webp' ? own : 'image/png';
  return ['image/jpeg', 'image/png', 'image/webp'].includes(own) ? own : 'image/png';
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./core.js').Drawing} drawing */
function mask(ctx, { shape, width, height, corner }) {
  if (shape === 0) return;
  ctx.beginPath();
  if (shape === 1) {
    ctx.ellipse(width / 2, height / 2, width / 2, height / 2, 0, 0, 2 * Math.PI);
  } else {
    ctx.roundRect(0, 0, width, height, corner);
  }
  ctx.clip();
}
