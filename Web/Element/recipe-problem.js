// @ts-check
// Why a recipe does not fit a picture, in the words of the command line.

/** @typedef {import('./core.js').Recipe} Recipe */

/** The largest tilt, and what a place is a multiple of under one. */
const MOST_TILT = 45;
const TILTED_GRAIN = 1 / 64;
/** Whole numbers that a side can be. */
const MOST_SIDE = 2 ** 31;

/**
 * @param {Recipe} recipe that was refused
 * @param {{ width: number, height: number }} picture upright pixels
 */
export function recipeProblem({ rect, quarterTurns, tilt, shape, output }, { width, height }) {
  const size = `the picture is ${width} × ${height} pixels`;
  if (Math.abs(tilt ?? 0) > MOST_TILT) {
    return `a tilt of ${tilt}° can't be; use −45 to 45 (turn by 90° first)`;
  }
  if (rect) {
    const grain = tilt ? TILTED_GRAIN : 1;
    if (!isSide(rect.width) || !isSide(rect.height)) {
      return `a rectangle of ${rect.width} × ${rect.height} can't be; width and height are whole pixels, `
        + `at least 1; ${size}`;
    }
    if (!Number.isInteger(rect.x / grain) || !Number.isInteger(rect.y / grain)) {
      return `a rectangle at ${rect.x},${rect.y} can't be; x and y are whole pixels (under a tilt, 64ths); ${size}`;
    }
  }
  if (typeof shape === 'object' && shape?.roundedRectangle < 0) {
    return `a corner radius of ${shape.roundedRectangle} can't be; use 0 or more`;
  }
  if (!rect) return 'the recipe does not fit the picture';
  const isTurned = (quarterTurns ?? 0) % 2 !== 0;
  const frame = isTurned ? { width: height, height: width } : { width, height };
  const name = `${rect.width} × ${rect.height} at ${rect.x},${rect.y}`;
  if (rect.x < 0 || rect.y < 0 || rect.x + rect.width > frame.width || rect.y + rect.height > frame.height) {
    return `the rectangle ${name} reaches past the picture; ${size}`
      + `${isTurned ? `, ${frame.width} × ${frame.height} as turned` : ''}`;
  }
  if (output && 'width' in output
    && Math.abs(output.width * rect.height - output.height * rect.width) 
      > Math.max(output.width, output.height, rect.width, rect.height)) {
    return `a result of ${output.width} × ${output.height} would be distorted; `
      + `the rectangle is ${rect.width} × ${rect.height}`;
  }
  return tilt ? `the rectangle ${name} would show a blank corner under this tilt; make it smaller; ${size}`
    : 'the recipe does not fit the picture';
}

/** @param {number} value */
function isSide(value) {
  return Number.isInteger(value) && value >= 1 && value < MOST_SIDE;
}
