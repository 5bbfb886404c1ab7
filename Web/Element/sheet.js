// @ts-check
// Finds the corners of a sheet, a painting or a screen in an image, on request.

import { Extra } from './extra.js';
import { compile } from './modules.js';

/** The longest side of an image that is searched quickly, in pixels. */
const QUICK_SIDE = 1280;

/**
 * The corners of the most prominent sheet, in upright pixels; null if there is none. The module reduces the image,
 * since browsers do that differently.
 * @param {import('./picture.js').Picture} picture @param {{ isQuick?: boolean }} [options] `isQuick`: a few pixels
 * less exact, without decoding the image again
 * @returns {Promise<import('./interface.js').Corners | null>}
 */
export async function sheetIn(picture, options = {}) {
  const { isQuick = false } = options;
  const module = await Extra.of(await compile('extra'));
  // A photo that is too large to be decoded at its full size is searched as it is shown.
  const whole = await (isQuick ? reduced(picture) : picture.decode()).catch(() => null);
  const source = whole ?? picture.bitmap;
  try {
    const rows = source && reading(source);
    const corners = rows && module.sheetIn(source, rows);
    if (!corners) return null;
    const [across, down] = [picture.width / source.width, picture.height / source.height];
    return /** @type {typeof corners} */ (corners.map(({ x, y }) => ({ x: x * across, y: y * down })));
  } finally {
    whole?.close();
  }
}

/**
 * A small version of the shown image; its owner closes it.
 * @param {import('./picture.js').Picture} picture @returns {Promise<ImageBitmap | null>}
 */
async function reduced({ bitmap }) {
  if (!bitmap) return null;
  const scale = Math.min(1, QUICK_SIDE / Math.max(bitmap.width, bitmap.height));
  return createImageBitmap(bitmap, {
    resizeWidth: Math.max(1, Math.round(bitmap.width * scale)),
    resizeHeight: Math.max(1, Math.round(bitmap.height * scale)), resizeQuality: 'medium',
  });
}

/**
 * Reads rows of pixels without scaling them.
 * @param {ImageBitmap} source
 * @returns {((top: number, count: number) => Uint8ClampedArray) | null} null if the browser can't
 */
function reading(source) {
  const canvas = document.createElement('canvas');
  const ctx = canvas.getContext('2d', { willReadFrequently: true });
  return ctx && ((top, count) => {
    // A canvas of another size is cleared.
    [canvas.width, canvas.height] = [source.width, count];
    ctx.drawImage(source, 0, top, source.width, count, 0, 0, source.width, count);
    return ctx.getImageData(0, 0, source.width, count).data;
  });
}
