// @ts-check
// Ratios as people say them: 21:9 and not 7:3, 2.35:1 and not 47:20.

/** Ratios whose lowest terms nobody says. */
const SAID = Object.freeze([[21, 9], [16, 10]]);
/** A term beyond this is none that people say. */
const MOST = 25;

/**
 * The terms that a ratio is told by.
 * @param {number} width a whole number, in lowest terms @param {number} height
 * @returns {[width: number, height: number]}
 */
export function saidRatio(width, height) {
  for (const [long, short] of SAID) {
    if (width * short === height * long) return [long, short];
    if (width * long === height * short) return [short, long];
  }
  if (Math.max(width, height) <= MOST) return [width, height];
  const [long, short] = width > height ? [width, height] : [height, width];
  // As they are typed: to the third decimal.
  const value = Math.round(long / short * 1000) / 1000;
  if (Math.abs(value * short - long) > 1e-9 * long) return [width, height];
  return width > height ? [value, 1] : [1, value];
}

/**
 * The decimals that a term needs, at most three.
 * @param {number} term
 */
export function decimalsOf(term) {
  return Number.isInteger(term) ? 0 : String(term).split('.')[1].length;
}
