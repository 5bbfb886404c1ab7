// @ts-check
// The uniform border of an image that the browser decodes.

import { CropError } from './errors.js';
import { Extra } from './extra.js';
import { compile } from './modules.js';

/**
 * The area inside the border, in upright pixels; the complete image if it has no border, null if it has a single
 * color.
 * @param {import('./picture.js').Picture} picture
 */
export async function insideBorder(picture) {
  const bitmap = await picture.decode();
  const { width, height } = bitmap;
  try {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [width, height];
    const ctx = canvas.getContext('2d', { willReadFrequently: true });
    if (!ctx) throw tooLarge();
    ctx.drawImage(bitmap, 0, 0);
    const extra = await Extra.of(await compile('extra'));
    return extra.borderOf(pixels(ctx, width, height));
  } finally {
    bitmap.close();
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number} width @param {number} height */
function pixels(ctx, width, height) {
  try {
    return ctx.getImageData(0, 0, width, height);
  } catch (error) {
    throw tooLarge(error);
  }
}

/** @param {unknown} [cause] */
function tooLarge(cause) {
  return new CropError('too-large', 'the picture is too large for this browser', { cause });
}
