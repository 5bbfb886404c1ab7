// @ts-check
// Draws the photo's pixels on a canvas.

/** @typedef {import('./scene.js').Brush} Brush */
/** @typedef {import('./interface.js').AffineMap} AffineMap */

/**
 * Whether pixels are shown as squares: beyond four device pixels per image pixel.
 * @param {number} a @param {number} b the first column of the image's transform
 * @param {number} ratio
 */
export function showsPixels(a, b, ratio) {
  return Math.hypot(a, b) * ratio >= 4;
}

/**
 * Draws the complete image.
 * @param {Brush} brush @param {AffineMap} map from its pixels to the view
 */
export function paintPicture({ ctx, ratio, look }, map) {
  if (!look.picture) return;
  ctx.save();
  ctx.transform(...map);
  ctx.imageSmoothingEnabled = !showsPixels(map[0], map[1], ratio);
  ctx.imageSmoothingQuality = 'high';
  ctx.drawImage(look.picture, 0, 0, look.imageWidth, look.imageHeight);
  ctx.restore();
}

/**
 * Draws the pixels around a point of the image. With all pixels, or smoothed as well as a photo at rest, each move of a
 * magnifier would take longer than a frame.
 * @param {Brush} brush @param {AffineMap} map
 * @param {{ x: number, y: number }} center @param {number} reach in pixels of the image
 */
export function paintAround({ ctx, ratio, look }, map, center, reach) {
  const { picture, imageWidth, imageHeight } = look;
  if (!picture) return;
  const [left, top] = [Math.max(0, center.x - reach), Math.max(0, center.y - reach)];
  const width = Math.min(imageWidth, center.x + reach) - left;
  const height = Math.min(imageHeight, center.y + reach) - top;
  if (width <= 0 || height <= 0) return;
  const [across, down] = [picture.width / imageWidth, picture.height / imageHeight];
  ctx.transform(...map);
  ctx.imageSmoothingEnabled = !showsPixels(map[0], map[1], ratio);
  ctx.imageSmoothingQuality = 'low';
  ctx.drawImage(picture, left * across, top * down, width * across, height * down, left, top, width, height);
}
