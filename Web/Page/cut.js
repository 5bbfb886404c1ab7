// @ts-check
// A recipe carried out by the browser, for pages without a server. The steps and their order are
// the recipe's own: mirror, quarter turns, tilt about the frame's centre, cut, resample, mask.

/** @typedef {import('./core.js').Recipe} Recipe */
/** @typedef {import('./picture.js').Picture} Picture */

/**
 * @typedef {object} CutOptions
 * @property {string} [type] media type; the picture's own where the browser can write it
 * @property {number} [quality] 0 to 1
 * @property {number} [maxSide] longest side of the result in pixels; never enlarges
 * @property {boolean} [lossless] a format that keeps every pixel as it is: PNG
 */

/** Clockwise quarter turns that put a w × h picture's corner at the origin again. */
const TURNS = [
  () => [1, 0, 0, 1, 0, 0],
  (/** @type {number} */ _w, /** @type {number} */ h) => [0, 1, -1, 0, h, 0],
  (/** @type {number} */ w, /** @type {number} */ h) => [-1, 0, 0, -1, w, h],
  (/** @type {number} */ w) => [0, -1, 1, 0, 0, w],
];

/**
 * @param {Picture} picture @param {Recipe} recipe @param {CutOptions} options
 * @returns {Promise<Blob>}
 */
export async function cut(picture, recipe, options) {
  const { rect, quarterTurns, mirrored, tilt, shape } = recipe;
  const { width, height } = outputSize(recipe, options.maxSide);
  const type = outputType(picture, recipe, options);
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
    ctx.scale(width / rect.width, height / rect.height);
    mask(ctx, shape, rect);
    ctx.translate(-rect.x, -rect.y);
    const turned = quarterTurns % 2 !== 0;
    const frameWidth = turned ? picture.height : picture.width;
    const frameHeight = turned ? picture.width : picture.height;
    if (tilt) {
      ctx.translate(frameWidth / 2, frameHeight / 2);
      ctx.rotate((tilt * Math.PI) / 180);
      ctx.translate(-frameWidth / 2, -frameHeight / 2);
    }
    const [a, b, c, d, e, f] = TURNS[quarterTurns](picture.width, picture.height);
    ctx.transform(a, b, c, d, e, f);
    if (mirrored) ctx.transform(-1, 0, 0, 1, picture.width, 0);
    // Whole pixels are copied, not blended.
    ctx.imageSmoothingEnabled = tilt !== 0 || width !== rect.width || height !== rect.height;
    ctx.imageSmoothingQuality = 'high';
    ctx.drawImage(bitmap, 0, 0, picture.width, picture.height);
  } finally {
    bitmap.close();
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new RangeError('the result is too large'))),
      type, options.quality ?? 0.9);
  });
}

/**
 * The size of the result in pixels.
 * @param {Recipe} recipe @param {number} [maxSide]
 */
export function outputSize({ rect, output }, maxSide) {
  if (output && 'width' in output) return { width: output.width, height: output.height };
  const limit = Math.min(maxSide ?? Infinity, output?.maxSide ?? Infinity);
  const scale = Math.min(1, limit / Math.max(rect.width, rect.height));
  return {
    width: Math.max(1, Math.round(rect.width * scale)),
    height: Math.max(1, Math.round(rect.height * scale)),
  };
}

/** @param {Picture} picture @param {Recipe} recipe @param {CutOptions} options */
function outputType(picture, recipe, options) {
  if (options.lossless) return 'image/png';
  if (options.type) return options.type;
  const own = picture.blob.type;
  // A shape needs a transparent outside.
  if (recipe.shape !== 'rectangle') return own === 'image/webp' ? own : 'image/png';
  return ['image/jpeg', 'image/png', 'image/webp'].includes(own) ? own : 'image/png';
}

/**
 * @param {CanvasRenderingContext2D} ctx @param {Recipe['shape']} shape
 * @param {Recipe['rect']} rect
 */
function mask(ctx, shape, { width, height }) {
  if (shape === 'rectangle') return;
  ctx.beginPath();
  if (shape === 'ellipse') {
    ctx.ellipse(width / 2, height / 2, width / 2, height / 2, 0, 0, 2 * Math.PI);
  } else {
    ctx.roundRect(0, 0, width, height, shape.roundedRectangle);
  }
  ctx.clip();
}
