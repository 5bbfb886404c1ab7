// @ts-check
// Crops JPEGs without loss, in any JavaScript runtime.

import { Photo } from './photo.js';
import { taken } from './source.js';

export { locate } from './engine.js';
export { CropError } from './faults.js';
export { Photo } from './photo.js';
export { findBorder, findCorners, straighten } from './pixels.js';

/** @typedef {import('./faults.js').CropWarning} CropWarning */
/** @typedef {import('./photo.js').Plan} Plan */
/** @typedef {import('./photo.js').Rect} Rect */
/** @typedef {import('./photo.js').Requantized} Requantized */
/** @typedef {import('./photo.js').Result} Result */
/** @typedef {import('./pixels.js').Area} Area */
/** @typedef {import('./pixels.js').Corners} Corners */
/** @typedef {import('./pixels.js').Pixels} Pixels */
/** @typedef {import('./pixels.js').Straightened} Straightened */
/** @typedef {import('./pixels.js').Straightening} Straightening */
/** @typedef {import('../Element/recipe.js').Recipe} Recipe */
/** @typedef {import('./request.js').How} How */
/** @typedef {import('./request.js').Options} Options */
/** @typedef {import('./request.js').What} What */
/** @typedef {import('./source.js').Source} Source */

/**
 * Opens a JPEG, whose bytes must not change until its crops are made.
 * @param {Source} source @param {{ name?: string }} options `name`: for messages
 * @returns {Promise<Photo>} @throws {import('./faults.js').CropError}
 */
export async function open(source, { name } = {}) {
  const { bytes, name: own } = await taken(source);
  return Photo.open(bytes, name ?? own, 'javascript');
}

/**
 * Crops a JPEG without decoding it.
 * @param {Source} source @param {Options | Partial<Recipe>} [what] options, or a recipe
 * @param {Options} [more] options beside a recipe
 * @returns {Promise<Result>} @throws {import('./faults.js').CropError}
 */
export async function crop(source, what, more) {
  return (await open(source)).crop(what, more);
}

/**
 * Whether a crop of a JPEG is lossless, and its rectangle, without making it.
 * @param {Source} source @param {Options | Partial<Recipe>} [what] options, or a recipe
 * @param {Options} [more] options beside a recipe
 * @returns {Promise<Plan>} @throws {import('./faults.js').CropError}
 */
export async function lossless(source, what, more) {
  return (await open(source)).lossless(what, more);
}
