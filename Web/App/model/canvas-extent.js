// @ts-check
// The extent of a canvas, as text: a ratio, an exact size in pixels, or only the crop and a margin.

/** Sizes with a shorter side below this are probably meant as ratios, such as 16 × 9. In pixels. */
const FEWEST = 50;

/** @param {string | undefined} canvas */
export function isExactSize(canvas) {
  return canvas?.includes('x') ?? false;
}

/**
 * The two numbers of an extent; null for a canvas without a ratio.
 * @param {string | undefined} canvas @returns {[width: number, height: number] | null}
 */
export function termsOfExtent(canvas) {
  const terms = canvas?.split(/[:x]/).map(Number);
  return terms?.length === 2 ? [terms[0], terms[1]] : null;
}

/**
 * @param {number} width @param {number} height @param {boolean} isExact whether they are pixels
 * @returns {string}
 */
export function extentOf(width, height, isExact) {
  return isExact ? `${Math.round(width)}x${Math.round(height)}` : `${width}:${height}`;
}

/** @param {string} canvas */
export function swappedExtent(canvas) {
  return canvas.replace(/^(.+)([:x])(.+)$/, '$3$2$1');
}

/**
 * Whether a size is so small that it may be a mistake.
 * @param {number} width @param {number} height pixels
 */
export function isTiny(width, height) {
  return Math.min(width, height) < FEWEST;
}
