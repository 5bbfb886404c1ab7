// @ts-check
// The canvas around a result: its options in the notation of the command line, and as the core's numbers.

import { CropError } from './errors.js';
import { Extent, Fill, Grammar, Question } from './interface.js';
import { readText } from './questions.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./questions.js').Size} Size */
/** @typedef {import('./questions.js').Box} Box */

/** The positions of a crop on its canvas, in the core's order. */
export const PLACES = Object.freeze(/** @type {const} */ ([
  'center', 'north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest']));

/** The expected values of the options, in the words of the command line. */
const TAKES = Object.freeze({
  canvas: 'WIDTH:HEIGHT or WIDTHxHEIGHT, such as 1:1 or 1080x1080',
  margin: 'pixels or a percentage of at least 0 and below 50%, such as 40 or 5%',
  place: PLACES.join(', '),
  fill: 'a colour, transparent, edge or blur',
});

/**
 * The options of a canvas around the crop, as in the HTTP API and in batches.
 * @typedef {object} CanvasOptions
 * @property {string} [canvas] a ratio such as `1:1`, for the smallest canvas around the crop, or a size such as
 * `1080x1080`, to which a larger crop is scaled down; default: the size of the crop and the margin
 * @property {string | number} [margin] the space on every side of the crop, in pixels of the result or as a
 * percentage of the canvas's shorter side such as `5%`
 * @property {typeof PLACES[number]} [place] the position of the crop; default: `center`
 * @property {string} [fill] a CSS colour, `transparent`, `edge` (the border's median colour) or `blur` (the crop,
 * enlarged and blurred); default: the background
 */

/** The names of these options. */
export const CANVAS_OPTIONS = Object.freeze(/** @type {const} */ (['canvas', 'margin', 'place', 'fill']));

/**
 * A canvas as the core's numbers: the kind of its extent, its width and height, whether the margin is a fraction,
 * the margin, the position, the fill, and its red, green and blue.
 * @typedef {number[]} CanvasNumbers
 */

/**
 * The layout of a crop on its canvas.
 * @typedef {object} CanvasLayout
 * @property {number} width pixels of the canvas @property {number} height
 * @property {Box} crop its rectangle on the canvas
 * @property {{ part: Box, width: number, height: number, sigma: number }} backdrop how to make a blurred fill: the
 * part of the crop to use, the size to reduce it to, and the blur's standard deviation at that size
 */

/**
 * Parses the options of a canvas; null if there are none.
 * @param {Core} core that parses them @param {CanvasOptions} options @param {string} [background] a CSS colour
 * @returns {CanvasNumbers | null}
 * @throws {RangeError} for an invalid value, and for a fill or position without a canvas or margin
 */
export function canvasNumbers(core, options, background = '#ffffff') {
  const { canvas, margin, place, fill } = options;
  if (canvas === undefined && margin === undefined) {
    if (fill !== undefined) throw new RangeError('a fill needs a canvas or a margin');
    if (place !== undefined) throw new RangeError('a place needs a canvas or a margin');
    return null;
  }
  const numbers = [
    ...known('canvas', canvas, canvas === undefined ? [Extent.crop, 0, 0]
      : readText(core, Grammar.extent, String(canvas))),
    ...known('margin', margin, marginOf(core, String(margin ?? 0))),
    ...known('place', place, placeOf(place ?? PLACES[0])),
    ...known('fill', fill, fillOf(fill ?? background)),
  ];
  const [kind, width, height] = numbers;
  if (kind === Extent.size && Math.max(width, height) > core.constants.largestSide) {
    throw new RangeError(`the canvas would be larger than ${core.constants.largestSide} pixels per side; choose a smaller one`);
  }
  return numbers;
}

/**
 * @param {keyof typeof TAKES} name @param {unknown} value @param {number[] | null} numbers
 * @throws {RangeError} if `numbers` is null
 */
function known(name, value, numbers) {
  if (numbers) return numbers;
  throw new RangeError(`${name} takes ${TAKES[name]}, not ${typeof value === 'string' ? `"${value}"` : String(value)}`);
}

/** @param {Core} core @param {string} text */
function marginOf(core, text) {
  const length = readText(core, Grammar.length, text);
  return length && length[1] >= 0 && !(length[0] && length[1] >= 50) ? length : null;
}

/** @param {unknown} name */
function placeOf(name) {
  const at = PLACES.findIndex((place) => place === name);
  return at < 0 ? null : [at];
}

/** @param {unknown} text */
function fillOf(text) {
  if (typeof text !== 'string') return null;
  const name = text.toLowerCase();
  if (name === 'transparent' || name === 'edge' || name === 'blur') return [Fill[name], 255, 255, 255];
  const colour = coloured(text);
  return colour && [Fill.color, ...colour];
}

/**
 * The channels of an opaque CSS colour; null for anything else.
 * @param {string} text
 */
function coloured(text) {
  const ctx = CSS.supports('color', text) ? document.createElement('canvas').getContext('2d') : null;
  if (!ctx) return null;
  ctx.fillStyle = text;
  // Browsers write only opaque colours of sRGB like this.
  const channels = /^#(..)(..)(..)$/.exec(ctx.fillStyle)?.slice(1);
  return channels ? channels.map((channel) => parseInt(channel, 16)) : null;
}

/**
 * All options of a canvas, as texts.
 * @param {ArrayLike<number>} n the core's numbers
 * @returns {Required<Omit<CanvasOptions, 'canvas'>> & Pick<CanvasOptions, 'canvas'> & { margin: string }}
 */
export function canvasOptions(n) {
  const [kind, width, height, isShare, margin, place, fill, ...colour] = Array.from(n);
  const canvas = kind === Extent.size ? `${width}x${height}` : `${width}:${height}`;
  return {
    ...(kind === Extent.crop ? {} : { canvas }), margin: `${margin}${isShare ? '%' : ''}`, place: PLACES[place],
    fill: fill === Fill.transparent ? 'transparent' : fill === Fill.edge ? 'edge' : fill === Fill.blur ? 'blur'
      : hexOf(colour),
  };
}

/** @param {number[]} channels */
export function hexOf(channels) {
  return `#${channels.slice(0, 3).map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * The layout of a canvas around a crop of this size in pixels; null if the canvas is too small.
 * @param {Core} core @param {CanvasNumbers} numbers @param {Size} crop
 * @returns {CanvasLayout | null}
 */
export function canvasLayout(core, numbers, { width, height }) {
  const n = core.ask(Question.canvas, [...numbers, width, height]);
  if (n.length === 0) return null;
  return {
    width: n[0], height: n[1], crop: boxAt(n, 2),
    backdrop: { part: boxAt(n, 6), width: n[10], height: n[11], sigma: n[12] },
  };
}

/** @param {Float64Array} n @param {number} at @returns {Box} */
const boxAt = (n, at) => ({ x: n[at], y: n[at + 1], width: n[at + 2], height: n[at + 3] });

/**
 * The same for a result.
 * @param {Core} core @param {CanvasNumbers} numbers @param {Size} crop
 * @throws {RangeError} if the canvas is too small, with the command line's message
 */
export function checkedLayout(core, numbers, crop) {
  const layout = canvasLayout(core, numbers, crop);
  if (layout) return layout;
  const bare = canvasLayout(core, [...numbers.slice(0, 3), 0, 0, ...numbers.slice(5)], crop);
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
 * @param {CanvasLayout} layout @param {CanvasNumbers} numbers
 * @param {string} background the colour behind transparent pixels of an opaque result
 * @param {boolean} isOpaque whether the result can't be transparent, so that the background replaces transparency
 * @returns {HTMLCanvasElement}
 */
export function drawOnCanvas(core, crop, layout, numbers, background, isOpaque) {
  const { width, height } = layout;
  const { canvas, ctx } = sheet(width, height);
  const fill = numbers[6];
  const colour = fill === Fill.color ? hexOf(numbers.slice(7)) : fill === Fill.edge ? edgeColour(core, crop) : null;
  for (const style of [isOpaque ? background : null, colour]) {
    if (style === null) continue;
    ctx.fillStyle = style;
    ctx.fillRect(0, 0, width, height);
  }
  if (fill === Fill.blur) {
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
 * The median colour of the outermost pixels that are at least half opaque; null if most are not.
 * @param {Core} core @param {HTMLCanvasElement} crop
 */
export function edgeColour(core, crop) {
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
  return end * 2 > all.length ? hexOf(core.medianColour(all.slice(0, end))) : null;
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
 * Blurs colours and transparency.
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
