// @ts-check
// Straightens four corners of an image in the browser, with the engine's algorithm.

import { CropError } from './errors.js';
import { Extra } from './extra.js';
import { compile } from './modules.js';
import { inWorker } from './worker.js';

/** @typedef {import('./core.js').Drawing} Drawing */
/** @typedef {NonNullable<Drawing['part']>} Part */
/** @typedef {import('./extra.js').Straightening} Straightening */

/** The minimum number of pixels for which starting a worker is worth it. */
const LARGE = 1 << 18;

/**
 * Straightens the part of a drawing.
 * @param {CanvasImageSource} source the upright image @param {{ width: number, height: number }} size of the
 * source
 * @param {Drawing & { part: Part }} drawing @param {AbortSignal} [signal]
 * @returns {Promise<HTMLCanvasElement>} of the result's size
 */
export async function straightened(source, size, drawing, signal) {
  const work = straightening(source, size, drawing);
  const module = await compile('extra');
  signal?.throwIfAborted();
  const { width, height } = drawing;
  const isLarge = work.width * work.height + width * height >= LARGE;
  const made = isLarge
    ? /** @type {{ pixels: Uint8ClampedArray } | null} */ (
      await inWorker({ module, straightening: work }, signal, [work.pixels.buffer]).catch((error) => {
        signal?.throwIfAborted();
        throw tooLarge(error);
      })) : null;
  return canvasOf(made?.pixels ?? await here(module, work), width, height);
}

/** @param {WebAssembly.Module} module @param {Straightening} work */
async function here(module, work) {
  try {
    return (await Extra.of(module)).straighten(work);
  } catch (error) {
    throw tooLarge(error);
  }
}

/**
 * The pixels of the part, turned and mirrored but not yet straightened.
 * @param {CanvasImageSource} source @param {{ width: number, height: number }} size
 * @param {Drawing & { part: Part }} drawing
 * @returns {Straightening}
 */
function straightening(source, size, drawing) {
  const { map, part: { width, height, corners }, width: outputWidth, height: outputHeight } = drawing;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const ctx = canvas.getContext('2d', { willReadFrequently: true });
  if (!ctx || canvas.width !== width) throw tooLarge();
  // Copies pixels exactly if nothing is scaled.
  ctx.imageSmoothingEnabled = !drawing.copiesPixels;
  ctx.setTransform(...map);
  ctx.drawImage(source, 0, 0, size.width, size.height);
  try {
    const { data: pixels } = ctx.getImageData(0, 0, width, height);
    return { width, height, pixels, corners, outputWidth, outputHeight };
  } catch (error) {
    throw tooLarge(error);
  }
}

/** @param {Uint8ClampedArray} pixels @param {number} width @param {number} height */
function canvasOf(pixels, width, height) {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const ctx = canvas.getContext('2d');
  if (!ctx || canvas.width !== width) throw tooLarge();
  ctx.putImageData(new ImageData(pixels, width, height), 0, 0);
  return canvas;
}

/** @param {unknown} [cause] */
function tooLarge(cause) {
  return new CropError('too-large', 'the result is too large for this browser', { cause });
}
