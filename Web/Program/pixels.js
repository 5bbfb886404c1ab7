// @ts-check
// Borders and four corners of pixels that the caller has decoded, for example with sharp or a canvas.

import { Cutter, extraModule } from './engine.js';
import { failure, faultError, misuse, stopped } from './faults.js';
import { placing, request, set } from './request.js';

/** @typedef {import('../Element/recipe.js').Recipe} Recipe */
/** @typedef {{ x: number, y: number }} Point */

/**
 * An upright image of 8 bits per channel, row by row: an ImageData, or the raw pixels of sharp. It has one to four
 * channels: gray, gray and alpha, RGB, or RGBA; alpha is straight.
 * @typedef {object} Pixels
 * @property {Uint8Array | Uint8ClampedArray} data @property {number} width @property {number} height
 */

/** @typedef {{ x: number, y: number, width: number, height: number }} Area in whole pixels */
/** @typedef {[Point, Point, Point, Point]} Corners clockwise from the one that becomes top left */

/**
 * What to straighten; the names are those of `cropkit crop --help`.
 * @typedef {object} Straightening
 * @property {string | readonly number[] | readonly Point[]} [quad] four corners, clockwise from the one that becomes
 * top left; `auto` for those of the sheet that stands out
 * @property {string | readonly [width: number, height: number]} [size] also `a4`, `letter`, `sheet` or a ratio
 * @property {number} [width] @property {number} [height] @property {number} [maxSide]
 * @property {90 | 180 | 270} [rotate] before straightening @property {'horizontal' | 'vertical'} [flip] before rotating
 * @property {Partial<Recipe> | string} [recipe] all of these instead, or its JSON
 */

/** @typedef {{ data: Uint8ClampedArray, width: number, height: number, channels: 1 | 2 | 3 | 4 }} Straightened */

const NAME = 'the pixels';

/**
 * The area inside the uniform border of an image; the complete image if it has no border, null if it has a single
 * color.
 * @param {Pixels} pixels
 * @param {{ tolerance?: number }} [options] how far a channel of a border's pixel may differ, 0 to 255
 * @returns {Promise<Area | null>} @throws {import('./faults.js').CropError}
 */
export async function findBorder(pixels, options = {}) {
  const { tolerance } = options;
  const { width, height } = checked(pixels);
  if (tolerance !== undefined && !(Number.isInteger(tolerance) && tolerance >= 0 && tolerance <= 255)) {
    throw misuse(`a tolerance of ${tolerance} is not allowed; use 0 to 255`);
  }
  const data = colors(pixels, { x: 0, y: 0, width, height }, 1);
  return used((extra) => extra.borderOf({ width, height, data }, tolerance));
}

/**
 * The corners of the sheet, painting or screen that stands out most; null if there is none.
 * @param {Pixels} pixels @returns {Promise<Corners | null>} @throws {import('./faults.js').CropError}
 */
export async function findCorners(pixels) {
  const { width, height } = checked(pixels);
  return used((extra) => extra.sheetIn({ width, height },
    (top, count) => colors(pixels, { x: 0, y: top, width, height: count }, 1)));
}

/**
 * Straightens the area between four corners to a rectangle.
 * @param {Pixels} pixels @param {Straightening | Partial<Recipe>} what options, or a recipe with four corners
 * @param {Straightening} [more] options beside a recipe
 * @returns {Promise<Straightened>} with as many channels @throws {import('./faults.js').CropError}
 */
export async function straighten(pixels, what, more) {
  const { width, height, channels } = checked(pixels);
  const asked = request(what, more, 'javascript');
  const cutter = await Cutter.of(new Uint8Array());
  set(cutter, asked);
  const found = asked.texts.get('quad') === 'auto' ? await findCorners(pixels) : null;
  const plan = cutter.planCorners({ width, height, found });
  if (!plan) throw faultError(cutter.fault(), NAME, 'javascript', placing(asked));
  const { orientation, part, corners, outputWidth, outputHeight } = plan;
  const size = { width: part.width, height: part.height, outputWidth, outputHeight };
  const data = await used((extra) => extra.straighten({ ...size, pixels: colors(pixels, part, orientation), corners }));
  return { data: withChannels(data, channels), width: outputWidth, height: outputHeight, channels };
}

/**
 * @template Value
 * @param {(extra: import('../Element/extra.js').Extra) => Value} call @returns {Promise<Value>}
 */
async function used(call) {
  const extra = await extraModule();
  try {
    return call(extra);
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) throw stopped(error, NAME);
    const { message } = /** @type {Error} */ (error);
    throw failure('invalidRecipe', { file: NAME, detail: message }, undefined, error);
  }
}

/** @param {Pixels} pixels */
function checked(pixels) {
  const { data, width, height } = pixels ?? {};
  const channels = data?.length / (width * height);
  if (![1, 2, 3, 4].includes(channels) || !Number.isInteger(width) || !Number.isInteger(height)) {
    throw misuse('pixels are an object with data, width and height, of 8 bits in one to four channels');
  }
  return { width, height, channels: /** @type {1 | 2 | 3 | 4} */ (channels) };
}

/**
 * Red, green, blue and alpha of a part of the image after an orientation.
 * @param {Pixels} pixels @param {Area} part @param {number} orientation EXIF's, 1 to 8
 */
function colors(pixels, part, orientation) {
  const { data, width, height, channels } = { ...pixels, ...checked(pixels) };
  if (channels === 4 && orientation === 1 && part.width === width) {
    return new Uint8ClampedArray(data.buffer, data.byteOffset + 4 * part.y * width, 4 * part.height * width);
  }
  const [isRight, isDown] = [[2, 3, 7, 8].includes(orientation), [3, 4, 6, 7].includes(orientation)];
  // The index of the pixel at x, y of the turned image: start + x * across + y * down.
  const [right, below] = [isRight ? -channels : channels, (isDown ? -channels : channels) * width];
  const start = channels * ((isRight ? width - 1 : 0) + (isDown ? height - 1 : 0) * width);
  const [across, down] = orientation > 4 ? [below, right] : [right, below];
  const result = new Uint8ClampedArray(4 * part.width * part.height);
  const [green, blue, alpha] = channels > 2 ? [1, 2, 3] : [0, 0, 1];
  const isOpaque = channels % 2 === 1;
  let to = 0;
  for (let row = part.y; row < part.y + part.height; row += 1) {
    let from = start + row * down + part.x * across;
    for (let end = to + 4 * part.width; to < end; to += 4, from += across) {
      result[to] = data[from];
      result[to + 1] = data[from + green];
      result[to + 2] = data[from + blue];
      result[to + 3] = isOpaque ? 255 : data[from + alpha];
    }
  }
  return result;
}

/**
 * @param {Uint8ClampedArray} colors red, green, blue and alpha @param {number} channels
 */
function withChannels(colors, channels) {
  if (channels === 4) return colors;
  const result = new Uint8ClampedArray(colors.length / 4 * channels);
  const places = channels === 3 ? [0, 1, 2] : channels === 2 ? [0, 3] : [0];
  let to = 0;
  for (let from = 0; from < colors.length; from += 4) for (const place of places) result[to++] = colors[from + place];
  return result;
}
