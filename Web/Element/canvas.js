// @ts-check
// The canvas around a result: its options in the notation of the command line, and as values of the core.

import { CropError } from './errors.js';
import { canvasLayout, Place, parseExtent, parseLength } from './interface.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./questions.js').Size} Size */
/** @typedef {import('./interface.js').Canvas} Canvas */
/** @typedef {import('./interface.js').FilledLayout} CanvasLayout */

/** The positions of a crop on its canvas, in the core's order. */
export const PLACES = Object.freeze(/** @type {(keyof typeof Place)[]} */ (Object.keys(Place)));

/** The expected values of the options, in the words of the command line. */
const TAKES = Object.freeze({
  canvas: 'WIDTH:HEIGHT or WIDTHxHEIGHT, such as 1:1 or 1080x1080',
  margin: 'pixels or a percentage of at least 0 and below 50%, such as 40 or 5%',
  place: PLACES.join(', '),
  fill: 'a color, transparent, edge or blur',
});

/**
 * The options of a canvas around the crop, as in the HTTP API and in batches.
 * @typedef {object} CanvasOptions
 * @property {string} [canvas] a ratio such as `1:1`, for the smallest canvas around the crop, or a size such as
 * `1080x1080`, to which a larger crop is scaled down; default: the size of the crop and the margin
 * @property {string | number} [margin] the space on every side of the crop, in pixels of the result or as a
 * percentage of the canvas's shorter side such as `5%`
 * @property {typeof PLACES[number]} [place] the position of the crop; default: `center`
 * @property {string} [fill] a CSS color, `transparent`, `edge` (the border's median color) or `blur` (the crop,
 * enlarged and blurred); default: the background
 */

/** The names of these options. */
export const CANVAS_OPTIONS = Object.freeze(/** @type {const} */ (['canvas', 'margin', 'place', 'fill']));

/**
 * Parses the options of a canvas; null if there are none.
 * @param {Core} core that parses them @param {CanvasOptions} options @param {string} [background] a CSS color
 * @returns {Canvas | null}
 * @throws {RangeError} for an invalid value, and for a fill or position without a canvas or margin
 */
export function parsedCanvas(core, options, background = '#ffffff') {
  const { canvas, margin, place, fill } = options;
  if (canvas === undefined && margin === undefined) {
    if (fill !== undefined) throw new RangeError('a fill needs a canvas or a margin');
    if (place !== undefined) throw new RangeError('a place needs a canvas or a margin');
    return null;
  }
  const extent = known('canvas', canvas,
    canvas === undefined ? /** @type {const} */ ({ kind: 'crop' }) : parseExtent(core, { text: String(canvas) }));
  const parsed = {
    extent, margin: known('margin', margin, marginOf(core, String(margin ?? 0))),
    place: Place[known('place', place, PLACES.find((name) => name === (place ?? PLACES[0])))],
    fill: known('fill', fill, fillOf(fill ?? background)),
  };
  if (extent.kind === 'size' && Math.max(extent.size.width, extent.size.height) > core.constants.largestSide) {
    throw new RangeError(`the canvas would be larger than ${core.constants.largestSide} pixels per side; choose a smaller one`);
  }
  return parsed;
}

/**
 * @template T
 * @param {keyof typeof TAKES} name @param {unknown} value @param {T | null | undefined} parsed
 * @returns {T}
 * @throws {RangeError} if it could not be parsed
 */
function known(name, value, parsed) {
  if (parsed !== null && parsed !== undefined) return parsed;
  throw new RangeError(`${name} takes ${TAKES[name]}, not ${typeof value === 'string' ? `"${value}"` : String(value)}`);
}

/** @param {Core} core @param {string} text */
function marginOf(core, text) {
  const length = parseLength(core, { text });
  return length && length.value >= 0 && !(length.kind === 'percent' && length.value >= 50) ? length : null;
}

/** @param {unknown} text @returns {Canvas['fill'] | null} */
function fillOf(text) {
  if (typeof text !== 'string') return null;
  const kind = text.toLowerCase();
  if (kind === 'transparent' || kind === 'edge' || kind === 'blur') return { kind };
  const color = colored(text);
  return color && { kind: 'color', color };
}

/**
 * The channels of an opaque CSS color; null for anything else.
 * @param {string} text
 */
function colored(text) {
  const ctx = CSS.supports('color', text) ? document.createElement('canvas').getContext('2d') : null;
  if (!ctx) return null;
  ctx.fillStyle = text;
  // Browsers write only opaque colors of sRGB like this.
  const channels = /^#(..)(..)(..)$/.exec(ctx.fillStyle)?.slice(1).map((channel) => parseInt(channel, 16));
  if (!channels) return null;
  const [red, green, blue] = channels;
  return { red, green, blue };
}

/**
 * All options of a canvas, as texts.
 * @param {Canvas} canvas
 * @returns {Required<Omit<CanvasOptions, 'canvas'>> & Pick<CanvasOptions, 'canvas'> & { margin: string }}
 */
export function canvasOptions({ extent, margin, place, fill }) {
  const canvas = extent.kind === 'size' ? { canvas: `${extent.size.width}x${extent.size.height}` }
    : extent.kind === 'ratio' ? { canvas: `${extent.terms.width}:${extent.terms.height}` } : {};
  return {
    ...canvas, margin: `${margin.value}${margin.kind === 'percent' ? '%' : ''}`, place: PLACES[place],
    fill: fill.kind === 'color' ? hexOf(fill.color) : fill.kind,
  };
}

/** @param {import('./interface.js').Color} color */
export function hexOf({ red, green, blue }) {
  return `#${[red, green, blue].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * The layout of a canvas around a result.
 * @param {Core} core @param {Canvas} canvas @param {Size} crop
 * @throws {RangeError} if the canvas is too small, with the command line's message
 */
export function checkedLayout(core, canvas, crop) {
  const layout = canvasLayout(core, { canvas, crop });
  if (layout) return layout;
  const bare = canvasLayout(core, { canvas: { ...canvas, margin: { kind: 'pixels', value: 0 } }, crop });
  throw new RangeError(bare ? 'this margin is not allowed; leave room for the crop'
    : `the canvas would be larger than ${core.constants.largestSide} pixels per side; choose a smaller one`);
}

/**
 * Whether a canvas has nothing but the crop.
 * @param {CanvasLayout} layout @param {Size} crop
 */
export function isBare({ width, height, crop: { width: w, height: h } }, crop) {
  return width === w && height === h && w === crop.width && h === crop.height;
}

/**
 * Puts a crop on its canvas.
 * @param {Core} core @param {HTMLCanvasElement} crop in its size on the canvas
 * @param {CanvasLayout} layout @param {Canvas['fill']} fill
 * @param {string} background the color behind transparent pixels of an opaque result
 * @param {boolean} isOpaque whether the result can't be transparent, so that the background replaces transparency
 * @returns {HTMLCanvasElement}
 */
export function drawOnCanvas(core, crop, layout, fill, background, isOpaque) {
  const { width, height } = layout;
  const { canvas, ctx } = sheet(width, height);
  const color = fill.kind === 'color' ? hexOf(fill.color) : fill.kind === 'edge' ? edgeColor(core, crop) : null;
  for (const style of [isOpaque ? background : null, color]) {
    if (style === null) continue;
    ctx.fillStyle = style;
    ctx.fillRect(0, 0, width, height);
  }
  if (fill.kind === 'blur') {
    ctx.imageSmoothingQuality = 'high';
    ctx.drawImage(backdrop(core, crop, layout), 0, 0, width, height);
  }
  ctx.drawImage(crop, layout.crop.x, layout.crop.y);
  return canvas;
}

/** @param {number} width @param {number} height */
export function sheet(width, height) {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width, height];
  const ctx = canvas.getContext('2d');
  if (!ctx || canvas.width !== width) throw new CropError('too-large', 'the result is too large for this browser');
  return { canvas, ctx };
}

/**
 * The median color of the outermost pixels that are at least half opaque; null if most are not.
 * @param {Core} core @param {HTMLCanvasElement} crop
 */
export function edgeColor(core, crop) {
  const { width, height } = crop;
  const ctx = /** @type {CanvasRenderingContext2D} */ (crop.getContext('2d'));
  const lines = [[0, 0, width, 1], [0, height - 1, width, 1], [0, 0, 1, height], [width - 1, 0, 1, height]]
    .map(([x, y, w, h]) => ctx.getImageData(x, y, w, h).data);
  const all = new Uint8ClampedArray(8 * (width + height));
  let end = 0;
  for (const line of lines) {
    for (let at = 0; at < line.length; at += 4) {
      if (line[at + 3] < 128) continue;
      all.set(line.subarray(at, at + 4), end);
      end += 4;
    }
  }
  return end * 2 > all.length ? medianOf(core, all.slice(0, end)) : null;
}

/** @param {Core} core @param {Uint8ClampedArray} pixels */
function medianOf(core, pixels) {
  const color = core.medianOf(pixels);
  return color && hexOf(color);
}

/**
 * A blurred image that is enlarged to fill a canvas.
 * @param {Core} core @param {HTMLCanvasElement} crop
 * @param {CanvasLayout} layout
 */
export function backdrop(core, crop, { backdrop: { part, width, height, sigma } }) {
  const { canvas, ctx } = sheet(width, height);
  ctx.imageSmoothingQuality = 'high';
  ctx.drawImage(crop, part.x, part.y, part.width, part.height, 0, 0, width, height);
  const pixels = ctx.getImageData(0, 0, width, height);
  blurAll(core, pixels, sigma);
  ctx.putImageData(pixels, 0, 0);
  return canvas;
}

/**
 * Blurs colors and transparency.
 * @param {Core} core @param {ImageData} pixels @param {number} sigma
 */
function blurAll(core, pixels, sigma) {
  const { data, width, height } = pixels;
  const alphas = new ImageData(width, height);
  let isOpaque = true;
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3];
    alphas.data[at] = alpha;
    isOpaque &&= alpha === 255;
    for (let channel = at; channel < at + 3; channel += 1) data[channel] = Math.round(data[channel] * alpha / 255);
  }
  core.blur(pixels, sigma);
  if (isOpaque) return;
  core.blur(alphas, sigma);
  for (let at = 0; at < data.length; at += 4) {
    const alpha = alphas.data[at];
    data[at + 3] = alpha;
    for (let channel = at; channel < at + 3; channel += 1) data[channel] = alpha && Math.round(data[channel] * 255 / alpha);
  }
}
