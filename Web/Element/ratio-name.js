// @ts-check
// The usual notation of ratios: 21:9 and not 7:3, 2.35:1 and not 47:20.

/** Ratios that are usually not written in lowest terms. */
const USUAL = Object.freeze([[21, 9], [16, 10]]);
/** Ratios with a larger term are written as a decimal number. */
const MOST = 25;

/**
 * The usual terms of a ratio.
 * @param {number} width an integer, in lowest terms @param {number} height
 * @returns {[width: number, height: number]}
 */
export function ratioTerms(width, height) {
  for (const [long, short] of USUAL) {
    if (width * short === height * long) return [long, short];
    if (width * long === height * short) return [short, long];
  }
  if (Math.max(width, height) <= MOST) return [width, height];
  const [long, short] = width > height ? [width, height] : [height, width];
  // Rounded to three decimals, as users type them.
  const value = Math.round(long / short * 1000) / 1000;
  if (Math.abs(value * short - long) > 1e-9 * long) return [width, height];
  return width > height ? [value, 1] : [1, value];
}

/**
 * The number of decimals of a term, at most three.
 * @param {number} term
 */
export function decimalsOf(term) {
  return Number.isInteger(term) ? 0 : String(term).split('.')[1].length;
}
