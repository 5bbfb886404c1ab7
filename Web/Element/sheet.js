// @ts-check
// Finds the corners of a sheet, a painting or a screen in an image, on request.

import { Extra } from './extra.js';
import { compile } from './modules.js';
import { reorienting } from './offscreen.js';

/** The resolution of corners, in pixels. */
const GRAIN = 1 / 64;

/**
 * Proposes a recipe that straightens the most prominent sheet, in the image's orientation; null if there is none.
 * @param {import('./picture.js').Picture} picture @param {import('./core.js').Recipe | null} recipe with its
 * orientation
 * @returns {Promise<import('./core.js').Recipe | null>}
 */
export async function sheetIn(picture, recipe) {
  const module = await Extra.of(await compile('extra'));
  const { bitmap, width, height } = picture;
  if (!bitmap) return null;
  const scale = Math.min(1, module.sheetSide() / Math.max(width, height));
  const small = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  const canvas = Object.assign(document.createElement('canvas'), small);
  const ctx = canvas.getContext('2d', { willReadFrequently: true });
  if (!ctx) return null;
  ctx.imageSmoothingQuality = 'high';
  ctx.drawImage(bitmap, 0, 0, small.width, small.height);
  const corners = module.sheetIn(ctx.getImageData(0, 0, small.width, small.height));
  if (!corners) return null;
  const along = (/** @type {number} */ place, /** @type {number} */ from, /** @type {number} */ to) =>
    Math.round(place / from * to / GRAIN) * GRAIN;
  const quad = corners.map(({ x, y }) => ({ x: along(x, small.width, width), y: along(y, small.height, height) }));
  const { quarterTurns, mirrored, shape } = recipe ?? { quarterTurns: 0, mirrored: false, shape: 'rectangle' };
  const upright = /** @type {import('./core.js').Recipe} */ ({
    version: 2, quad, quarterTurns: 0, mirrored: false, shape, output: null });
  return (await reorienting(picture))(upright, { quarterTurns, mirrored, tilt: 0 }, null);
}
