// @ts-check
// Results with a size on paper.

import { Ratio } from '../../Element/interface.js';
import { MILLIMETERS, printed } from '../../Element/questions.js';

/** @typedef {import('../../Element/crop-view.js').CropView} CropView */
/** @typedef {import('../../Element/questions.js').Print} Print */
/** @typedef {Print['unit']} Unit */

/**
 * The print that a view's crop becomes: the wanted one, or the same turned; null if the crop has another ratio or size.
 * @param {CropView} view @param {Print | null} wanted @param {number} [dpi]
 */
export function shownPrint({ core, state, canvasOptions }, wanted, dpi) {
  const made = core && wanted && printed(core, wanted, dpi);
  if (!made || !state || canvasOptions || state.ratioKind !== Ratio.fixed) return null;
  const side = state.output && 'maxSide' in state.output ? state.output.maxSide : 0;
  if (side !== Math.max(made.needed.width, made.needed.height)) return null;
  const { ratio: { width, height } } = made;
  const isRatio = (/** @type {number} */ w, /** @type {number} */ h) => Math.abs(w * state.ratioHeight / (h * state.ratioWidth) - 1) < 1e-6;
  return isRatio(width, height) ? wanted
    : isRatio(height, width) ? { ...wanted, width: wanted.height, height: wanted.width } : null;
}

/**
 * Gives a view's crop the ratio of a print, and at most its pixels.
 * @param {CropView} view @param {Print} print @param {number} [dpi]
 * @returns {boolean} whether the size is possible
 */
export function showPrint(view, print, dpi) {
  const made = view.core && printed(view.core, print, dpi);
  if (!made) return false;
  view.command('ratio', made.ratio.width, made.ratio.height);
  view.command('longestSide', Math.max(made.needed.width, made.needed.height));
  return true;
}

/**
 * The cut line of a print as the name of a guide; empty without a bleed.
 * @param {Print} print
 */
export function trimGuide({ width, height, unit, bleed }) {
  const shorter = Math.min(width, height) * MILLIMETERS[unit] + 2 * bleed;
  return bleed > 0 ? `trim:${Math.min(24, bleed / shorter * 100).toFixed(2)}%` : '';
}

/**
 * The size as options of a crop, for the server.
 * @param {Print} print
 */
export const printOptions = ({ width, height, unit, bleed }) => (
  { size: `${width}x${height}${unit}`, ...(bleed > 0 ? { bleed: `${bleed}mm` } : {}) });

/**
 * The density of a view's crop as this print, for a result of the browser.
 * @param {CropView} view @param {Print} print @param {number} [dpi] that is asked for
 */
export function printedHere({ core, recipe }, print, dpi) {
  const made = core && recipe?.rect && printed(core, print, dpi, recipe.rect);
  return made ? { dpi: Math.max(1, Math.round(made.dpi)) } : {};
}
