// @ts-check
// A recipe carried out by the browser, for pages without a server: a JPEG is cut without decoding it
// where that can be, all else is drawn as the core says and encoded.

import { LOSSLESS } from './core.js';
import { TYPES } from './cut-options.js';
import { CropError } from './errors.js';
import { Shape } from './interface.js';
import { jpeg } from './jpeg.js';
import { JPEGCode } from './jpeg-module.js';

/** The usual quality; the least with `maxBytes`, and how often it encodes. */
const BEST = 0.9;
const LEAST = 30;
const MOST_ENCODINGS = 8;

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./picture.js').Picture} Picture */

/**
 * @typedef {object} CutOptions
 * @property {'image/jpeg' | 'image/png' | 'image/webp'} [type] the picture's own where the browser can write it
 * @property {number} [quality] 0 to 1; 0.9 unless said
 * @property {number} [maxBytes] the best quality whose file is at most that large, 30 at least; a
 *   lossless result that fits stays
 * @property {string} [background] a CSS colour behind what is transparent, where a JPEG is written; white
 *   unless said
 * @property {number} [maxSide] longest side of the result in pixels; never enlarges
 * @property {'exact' | 'snap' | 'never' | boolean} [lossless] whether a JPEG is cut without decoding
 *   it; the element's own choice unless said. `true` is exact, and PNG where that can't be
 * @property {'all' | 'location'} [strip] which metadata is left out
 * @property {AbortSignal} [signal]
 */

/**
 * Cuts what is selected.
 * @param {Core} core @param {Picture} picture @param {CutOptions} options
 * @returns {Promise<{ blob: Blob, isLossless: boolean }>}
 */
export async function croppedBlob(core, picture, options) {
  const drawing = core.drawing(options.maxSide);
  if (!drawing) throw new RangeError('nothing is selected');
  const { signal, maxBytes = Infinity } = options;
  const copied = await copiedJPEG(core, picture, drawing, options);
  if (copied && copied.size <= maxBytes) return { blob: copied, isLossless: true };
  await checkDrawn(core, picture, signal);
  const type = outputType(picture, drawing, options);
  const canvas = await draw(picture, drawing, type, options.background);
  signal?.throwIfAborted();
  const encode = async (/** @type {number} */ quality) => {
    const encoded = await encodedCanvas(canvas, type, quality);
    signal?.throwIfAborted();
    // A canvas writes PNG in place of a type that it does not know.
    if (options.type && encoded.type !== type) {
      throw new CropError('unsupported-format', `this browser can't write ${type}`);
    }
    if (!picture.isJPEG || encoded.type !== 'image/jpeg') return encoded;
    // What the canvas wrote has no metadata: it gets the photo's, put right.
    const job = { file: picture.file, encoded, metadata: metadataOf(options) };
    return (await jpeg(job, signal)).blob ?? encoded;
  };
  const best = Math.round((options.quality ?? BEST) * 100);
  const blob = await atMost(maxBytes, best, type, (quality) => encode(quality / 100));
  return { blob, isLossless: false };
}

/**
 * Draws what is selected.
 * @param {Core} core @param {Picture} picture @param {Pick<CutOptions, 'maxSide'>} options
 * @returns {Promise<HTMLCanvasElement>}
 */
export async function croppedCanvas(core, picture, { maxSide }) {
  const drawing = core.drawing(maxSide);
  if (!drawing) throw new RangeError('nothing is selected');
  await checkDrawn(core, picture);
  return draw(picture, drawing, 'image/png');
}

/**
 * What can be copied of a JPEG without decoding it; null where pixels must be made anew.
 * @param {Core} core @param {Picture} picture @param {import('./core.js').Drawing} drawing
 * @param {CutOptions} options
 */
async function copiedJPEG(core, picture, drawing, options) {
  const { file } = picture;
  const metadata = metadataOf(options);
  const staysJPEG = picture.isJPEG && (options.type ?? 'image/jpeg') === 'image/jpeg';
  const chosen = LOSSLESS.indexOf(modeOf(core, options.lossless));
  const part = staysJPEG && drawing.fits ? core.jpegPart(chosen) : null;
  if (!part) return null;
  // Of a picture that stays whole nothing is to be hidden.
  const isWhole = drawing.isIdentity && !metadata;
  const { code, blob } = await jpeg({ file, part, metadata, isCheck: isWhole }, options.signal);
  checkCode(code);
  return isWhole && code === JPEGCode.done ? file.slice(0, file.size, 'image/jpeg') : blob;
}

/**
 * Reads what is decoded of a JPEG strictly: browsers pass over damage without a word. Those that can't
 * be read so, as progressive ones, are left to them.
 * @param {Core} core @param {Picture} picture @param {AbortSignal} [signal]
 * @returns {Promise<void>} rejects with what is wrong
 */
async function checkDrawn(core, { isJPEG, file }, signal) {
  const part = isJPEG ? core.jpegPart(-1) : null;
  if (part) checkCode((await jpeg({ file, part, metadata: 2, isCheck: true }, signal)).code);
}

/** @param {number} code of JPEGCode */
function checkCode(code) {
  if (code === JPEGCode.truncated) throw new CropError('truncated', 'the picture ends early');
  if (code === JPEGCode.corrupt || code === JPEGCode.notJPEG) {
    throw new CropError('corrupt', 'the picture is damaged');
  }
}

/**
 * The best file that is small enough, after at most eight encodings.
 * @param {number} maxBytes @param {number} best quality, 1 to 100 @param {string} type
 * @param {(quality: number) => Promise<Blob>} encode
 */
export async function atMost(maxBytes, best, type, encode) {
  const first = await encode(best);
  if (first.size <= maxBytes) return first;
  const hasQuality = first.type !== 'image/png' && type !== 'image/png' && best > LEAST;
  const least = hasQuality ? await encode(LEAST) : first;
  if (least.size > maxBytes) {
    throw new CropError('too-many-bytes',
      `the result has ${least.size} bytes${hasQuality ? ` at quality ${LEAST}` : ''}, `
      + `more than ${maxBytes}`, { bytes: least.size });
  }
  let found = least;
  let [low, high] = [LEAST, best];
  // Every step halves what is left.
  for (let step = 2; step < MOST_ENCODINGS && high - low > 1; step += 1) {
    const middle = (low + high) >> 1;
    const blob = await encode(middle);
    if (blob.size <= maxBytes) [low, found] = [middle, blob];
    else high = middle;
  }
  return found;
}

/** @param {CutOptions} options @returns {0 | 1 | 2} as the module takes it */
function metadataOf({ strip }) {
  return strip === 'all' ? 2 : strip === 'location' ? 1 : 0;
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
 * @param {string} [background]
 * @returns {Promise<HTMLCanvasElement>}
 */
async function draw(picture, drawing, type, background = '#ffffff') {
  const { width, height } = drawing;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const ctx = canvas.getContext('2d');
  if (!ctx || canvas.width !== width) throw tooLarge();
  const bitmap = await picture.decode();
  try {
    if (type === 'image/jpeg') {
      ctx.fillStyle = background;
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
  return canvas;
}

/** @param {HTMLCanvasElement} canvas @param {string} type @param {number} quality 0 to 1 */
function encodedCanvas(canvas, type, quality) {
  return new Promise((/** @type {(blob: Blob) => void} */ resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(tooLarge())), type, quality);
  });
}

function tooLarge() {
  return new CropError('too-large', 'the result is too large for this browser');
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
  if (shape !== Shape.rectangle) return own === 'image/webp' ? own : 'image/png';
  return TYPES.includes(own) ? own : 'image/png';
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./core.js').Drawing} drawing */
function mask(ctx, { shape, width, height, corner }) {
  if (shape === Shape.rectangle) return;
  ctx.beginPath();
  if (shape === Shape.ellipse) {
    ctx.ellipse(width / 2, height / 2, width / 2, height / 2, 0, 0, 2 * Math.PI);
  } else {
    ctx.roundRect(0, 0, width, height, corner);
  }
  ctx.clip();
}
