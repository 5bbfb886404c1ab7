// @ts-check
// Applies a recipe in the browser, for pages without a server. A JPEG is cropped without decoding if possible;
// anything else is drawn and encoded.

import { CANVAS_OPTIONS, checkedLayout, drawOnCanvas, isBare, parsedCanvas } from './canvas.js';
import { LOSSLESS } from './core.js';
import { ENDINGS } from './cut-options.js';
import { CropError } from './errors.js';
import { JPEGCode, Lossless, Metadata, quality as nextQuality, Shape } from './interface.js';
import { jpeg, withGainMap } from './jpeg.js';
import { clip, drawnInside } from './outline.js';
import { straightened } from './straighten.js';

/** The default quality. */
const BEST = 0.9;

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./picture.js').Picture} Picture */

/**
 * @typedef {object} CutChoices
 * @property {'image/jpeg' | 'image/png' | 'image/webp'} [type] default: the image's type, if the browser can
 * encode it
 * @property {number} [quality] 0 to 1; default: 0.9
 * @property {number} [maxBytes] the maximum size of the file, for which the best quality of at least 30 is chosen;
 * a lossless result that is small enough is kept
 * @property {string} [background] a CSS color behind transparent areas of a JPEG; default: white
 * @property {number} [maxSide] the maximum longest side of the result in pixels; never enlarges
 * @property {number} [dpi] the pixels per inch that a JPEG or PNG states, 1 to 65535; default: those of the image's JPEG,
 * unless the pixels are scaled
 * @property {typeof LOSSLESS[number] | boolean} [lossless] whether to crop a JPEG without decoding it; default:
 * the element's setting. `true` is strict, and gives PNG if that is impossible
 * @property {'keep' | 'drop'} [hdr] whether a JPEG of an HDR photo keeps its gain map; default: `keep`
 * @property {'all' | 'location'} [strip] which metadata to remove
 * @property {AbortSignal} [signal]
 */

/**
 * @typedef {CutChoices & import('./canvas.js').CanvasOptions} CutOptions options for a canvas replace the
 * element's canvas
 */

/** @typedef {Pick<CutOptions, 'maxSide' | 'background' | keyof import('./canvas.js').CanvasOptions>} DrawOptions */

/**
 * Makes the result of the selection.
 * @param {Core} core @param {Picture} picture @param {CutOptions} options
 * @returns {Promise<{ blob: Blob, isLossless: boolean, requantized: number }>} `requantized`: the number of
 * columns or rows at an edge that were re-encoded in a lossless result
 */
export async function croppedBlob(core, picture, options) {
  const drawing = core.drawing(options);
  if (!drawing) throw new RangeError('nothing is selected');
  const { signal, maxBytes = Infinity } = options;
  const recipe = core.recipe();
  const around = surroundings(core, picture, drawing, options);
  const copied = around ? null : await copiedJPEG(core, picture, drawing, options);
  if (copied && copied.blob.size <= maxBytes) return { ...copied, isLossless: true };
  await checkDrawn(core, picture, signal);
  const type = outputType(picture, drawing, options, around);
  const canvas = await drawn(core, picture, drawing, around, type, options);
  signal?.throwIfAborted();
  const encode = async (/** @type {number} */ quality) => {
    const encoded = await encodedCanvas(canvas, type, quality);
    signal?.throwIfAborted();
    // A canvas falls back to PNG for types it can't encode.
    if (options.type && encoded.type !== type) {
      throw new CropError('unsupported-format', `this browser can't write ${type}`);
    }
    const { dpi } = options;
    if (!picture.isJPEG || encoded.type !== 'image/jpeg') {
      return dpi ? (await import('./density.js')).stating(encoded, dpi) : encoded;
    }
    // The canvas does not write metadata, so add the photo's, corrected.
    const job = { file: picture.file, encoded, metadata: metadataOf(options), dpi, isScaled: isScaled(drawing, recipe) };
    const crop = (await jpeg(job, signal)).blob ?? encoded;
    // A gain map would show what a shape hides.
    if (around || !recipe || options.hdr === 'drop' || drawing.shape !== Shape.rectangle) return crop;
    const { width, height } = drawing;
    return withGainMap({ file: picture.file, crop, drawn: { width, height, recipe } }, signal);
  };
  const best = Math.round((options.quality ?? BEST) * 100);
  const blob = await atMost(core, maxBytes, best, type, (quality) => encode(quality / 100));
  return { blob, isLossless: false, requantized: 0 };
}

/**
 * Draws the result of the selection.
 * @param {Core} core @param {Picture} picture @param {DrawOptions} options
 * @returns {Promise<HTMLCanvasElement>}
 */
export async function croppedCanvas(core, picture, options) {
  const drawing = core.drawing(options);
  if (!drawing) throw new RangeError('nothing is selected');
  const around = surroundings(core, picture, drawing, options);
  await checkDrawn(core, picture);
  return drawn(core, picture, drawing, around, 'image/png', options);
}

/**
 * The canvas around a result: from the options if they set one, otherwise the session's; null if it would not be
 * visible.
 * @param {Core} core @param {Picture} picture @param {import('./core.js').Drawing} drawing @param {CutOptions} options
 */
function surroundings(core, picture, drawing, options) {
  const isSaid = CANVAS_OPTIONS.some((name) => options[name] !== undefined);
  const canvas = isSaid ? parsedCanvas(core, options, options.background) : core.canvas()?.canvas;
  if (!canvas) return null;
  const layout = checkedLayout(core, canvas, drawing);
  const showsNothing = isBare(layout, drawing) && drawing.shape === Shape.rectangle && picture.isJPEG;
  return showsNothing ? null : { fill: canvas.fill, layout };
}

/**
 * Draws the result, and the canvas around it, on a canvas element.
 * @param {Core} core @param {Picture} picture @param {import('./core.js').Drawing} drawing
 * @param {ReturnType<typeof surroundings>} around @param {string} type
 * @param {Pick<CutOptions, 'background' | 'signal'>} options
 */
async function drawn(core, picture, drawing, around, type, options) {
  if (!around) return draw(picture, drawing, type, options);
  const { layout, fill } = around;
  // Keeps transparent areas until the fill is drawn beneath them.
  const crop = await draw(picture, scaled(drawing, layout.crop), 'image/png', options);
  return drawOnCanvas(core, crop, layout, fill, options.background ?? '#ffffff', type === 'image/jpeg');
}

/**
 * Whether a drawing has another number of pixels than the part that it shows.
 * @param {import('./core.js').Drawing} drawing @param {import('./core.js').Recipe | null} recipe
 */
function isScaled({ width, height }, recipe) {
  const { rect } = recipe ?? {};
  return !rect || Boolean(recipe?.quad) || width !== rect.width || height !== rect.height;
}

/**
 * The same drawing at another size.
 * @param {import('./core.js').Drawing} drawing @param {{ width: number, height: number }} size
 * @returns {import('./core.js').Drawing}
 */
function scaled(drawing, { width, height }) {
  const [x, y] = [width / drawing.width, height / drawing.height];
  if (x === 1 && y === 1) return drawing;
  const { part, corner, map: [a, b, c, d, e, f] } = drawing;
  return {
    ...drawing, width, height, copiesPixels: false, corner: { x: corner.x * x, y: corner.y * y },
    // For four corners, the map leads to the part, which keeps its size.
    map: part ? drawing.map : [a * x, b * y, c * x, d * y, e * x, f * y],
  };
}

/**
 * The part of a JPEG to copy without decoding; null if pixels must be re-encoded.
 * @param {Core} core @param {Picture} picture @param {import('./core.js').Drawing} drawing
 * @param {CutOptions} options
 */
async function copiedJPEG(core, picture, drawing, options) {
  const { file } = picture;
  const metadata = metadataOf(options);
  const staysJPEG = picture.isJPEG && (options.type ?? 'image/jpeg') === 'image/jpeg';
  const mode = Lossless[modeOf(core, options.lossless)];
  const part = staysJPEG && drawing.fits ? core.jpegPart({ mode }) : null;
  if (!part) return null;
  // An uncropped image has nothing to hide.
  const isWhole = drawing.isIdentity && metadata === Metadata.keep && options.hdr !== 'drop' && !options.dpi;
  const { code, blob } = await jpeg({ file, part, metadata, dpi: options.dpi, isCheck: isWhole }, options.signal);
  checkCode(code);
  const { requantized } = part;
  if (isWhole && code === JPEGCode.done) return { blob: file.slice(0, file.size, 'image/jpeg'), requantized };
  if (!blob || options.hdr === 'drop') return blob && { blob, requantized };
  return { blob: await withGainMap({ file, crop: blob, part }, options.signal), requantized };
}

/**
 * Strictly checks the decoded part of a JPEG, since browsers silently ignore damage. JPEGs that can't be checked,
 * such as progressive ones, are left to the browser.
 * @param {Core} core @param {Picture} picture @param {AbortSignal} [signal]
 * @returns {Promise<void>} rejects with the error
 */
async function checkDrawn(core, { isJPEG, file }, signal) {
  const part = isJPEG ? core.jpegPart({}) : null;
  if (part) checkCode((await jpeg({ file, part, metadata: Metadata.stripAll, isCheck: true }, signal)).code);
}

/** @param {number} code of JPEGCode */
function checkCode(code) {
  if (code === JPEGCode.truncated) throw new CropError('truncated', 'the picture ends early');
  if (code === JPEGCode.corrupt || code === JPEGCode.notJPEG) {
    throw new CropError('corrupt', 'the picture is damaged');
  }
}

/**
 * The best file that is small enough.
 * @param {Core} core that chooses the qualities to try @param {number} maxBytes @param {number} best quality, 1 to 100
 * @param {string} type @param {(quality: number) => Promise<Blob>} encode
 */
async function atMost(core, maxBytes, best, type, encode) {
  /** @type {Blob | undefined} */ let found;
  let [bytes, text, hasQuality] = [0, '', type !== 'image/png'];
  /** @type {boolean[]} */ const areSmallEnough = [];
  const next = () => nextQuality(core, { best, hasQuality, areSmallEnough });
  for (let quality = next(); quality !== null; quality = next()) {
    const blob = await encode(quality);
    bytes = blob.size;
    // The browser may have written another type.
    hasQuality &&= blob.type !== 'image/png';
    text = areSmallEnough.length ? ` at quality ${quality}` : '';
    if (bytes <= maxBytes) found = blob;
    areSmallEnough.push(bytes <= maxBytes);
  }
  if (found) return found;
  throw new CropError('too-many-bytes', `the result has ${bytes} bytes${text}, more than ${maxBytes}`, { bytes });
}

/** @param {CutOptions} options @returns {number} of Metadata */
function metadataOf({ strip }) {
  return strip === 'all' ? Metadata.stripAll : strip === 'location' ? Metadata.stripLocation : Metadata.keep;
}

/**
 * @param {Core} core @param {CutOptions['lossless']} asked
 * @returns {typeof LOSSLESS[number]}
 */
function modeOf(core, asked) {
  if (typeof asked === 'string') return asked;
  return asked === undefined ? LOSSLESS[core.state().lossless] : asked ? 'strict' : 'never';
}

/**
 * @param {Picture} picture @param {import('./core.js').Drawing} drawing @param {string} type
 * @param {Pick<CutOptions, 'background' | 'signal'>} options
 * @returns {Promise<HTMLCanvasElement>}
 */
async function draw(picture, drawing, type, { background = '#ffffff', signal }) {
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
    clip(ctx, drawing);
    const { part } = drawing;
    if (part) {
      ctx.drawImage(await straightened(bitmap, picture, { ...drawing, part }, signal), 0, 0);
      return canvas;
    }
    if (drawing.shape !== Shape.rectangle && !drawing.copiesPixels) {
      ctx.drawImage(drawnInside(bitmap, picture, drawing), 0, 0);
      return canvas;
    }
    ctx.transform(...drawing.map);
    // Copies pixels exactly if nothing is scaled.
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
 * @param {CutOptions} options @param {ReturnType<typeof surroundings>} around
 */
function outputType(picture, { shape }, options, around) {
  if (options.lossless === true) return 'image/png';
  if (options.type) return options.type;
  const own = picture.isJPEG ? 'image/jpeg' : picture.blob.type;
  // A shape needs transparency around it, unless it is on an opaque canvas.
  const isTransparent = around ? around.fill.kind === 'transparent' : shape !== Shape.rectangle;
  if (isTransparent) return own === 'image/webp' ? own : 'image/png';
  return ENDINGS.has(own) ? own : 'image/png';
}
