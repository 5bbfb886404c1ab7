// @ts-check
// Finds the corners of a sheet, a painting or a screen in an image, on request.

import { Extra } from './extra.js';
import { compile } from './modules.js';
import { rowsOf } from './pixel-rows.js';
import { inWorker } from './worker.js';

/** @typedef {import('./interface.js').Corners} Corners */

/**
 * The corners of the most prominent sheet, in upright pixels; null if there is none. The module reduces the image,
 * since browsers do that differently.
 * @param {import('./picture.js').Picture} picture @param {{ isQuick?: boolean }} [options] `isQuick`: a few pixels
 * less exact, without decoding the image again, and only where the page stays responsive
 * @returns {Promise<Corners | null>}
 */
export async function sheetIn(picture, options = {}) {
  const { isQuick = false } = options;
  const module = await compile('extra');
  // A photo that is too large to be decoded at its full size is searched as it is shown.
  const whole = isQuick ? null : await picture.decode().catch(() => null);
  const source = whole ?? (picture.bitmap && await createImageBitmap(picture.bitmap));
  if (!source) return null;
  const [across, down] = [picture.width / source.width, picture.height / source.height];
  try {
    const corners = await searched(module, source, isQuick);
    return corners && /** @type {Corners} */ (corners.map(({ x, y }) => ({ x: x * across, y: y * down })));
  } finally {
    source.close();
  }
}

/**
 * @param {WebAssembly.Module} module @param {ImageBitmap} source moved to a worker, if possible
 * @param {boolean} isQuick whether it is not searched without a worker
 * @returns {Promise<Corners | null>}
 */
async function searched(module, source, isQuick) {
  if ('OffscreenCanvas' in globalThis) {
    const made = /** @type {{ corners: Corners | null } | null} */ (
      await inWorker({ module, searched: source }, undefined, [source]));
    if (made) return made.corners;
  }
  // A worker that failed has kept the image.
  if (isQuick || source.width === 0) return null;
  return (await Extra.of(module)).sheetIn(source, rowsOf(source));
}
