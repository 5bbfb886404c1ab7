// @ts-check
// Questions to the core that do not involve its session: crops of targets, the focus on the screen, parsing of
// texts.

import { parseRatio, PrintUnit, printedCrop, sameFrame as rectOf, target } from './interface.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./core.js').Recipe} Recipe */
/** @typedef {{ width: number, height: number }} Size */
/** @typedef {{ x: number, y: number, width: number, height: number }} Box */
/** @typedef {import('./interface.js').PictureTransform} PictureTransform the mirror, turns and tilt of an image */
/** @typedef {import('./interface.js').AffineMap} AffineMap */

/**
 * The requirements of a target: a ratio such as `16:9`, a size in pixels or one on paper such as `35x45mm`, and the
 * minimum size in pixels.
 * @typedef {{ ratio?: string, size?: Size | string, dpi?: number, bleed?: string, minimum?: Size }} Place
 */

/** The units of lengths on paper. */
export const UNITS = Object.freeze({ mm: PrintUnit.millimeter, cm: PrintUnit.centimeter, in: PrintUnit.inch });

/** The millimeters of a unit. */
export const MILLIMETERS = Object.freeze({ mm: 1, cm: 10, in: 25.4 });

/** The pixels per inch of a print, unless others are chosen. */
export const USUAL_DPI = 300;

/**
 * A size on paper.
 * @typedef {object} Print
 * @property {number} width in its unit @property {number} height @property {keyof typeof UNITS} unit
 * @property {number} bleed what is cut off at every edge, in millimeters; 0 for nothing
 */

/**
 * A size such as `35x45mm`; null for any other text.
 * @param {string} text @param {string} [bleed] such as `3mm` @returns {Print | null}
 */
export function parsePrint(text, bleed = '') {
  const [, width, height, unit] = /^([\d.]+)x([\d.]+)(mm|cm|in)$/.exec(text) ?? [];
  const [, length = '0', of = 'mm'] = /^([\d.]+)(mm|cm|in)$/.exec(bleed) ?? [];
  const millimeters = MILLIMETERS[/** @type {Print['unit']} */ (of)];
  return unit ? { width: Number(width), height: Number(height), unit: /** @type {Print['unit']} */ (unit),
    bleed: Number(length) * millimeters } : null;
}

/**
 * How a crop becomes a print; null for an invalid size.
 * @param {Core} core @param {Print} print @param {number} [dpi] @param {Size} [part] the crop
 */
export const printed = (core, { unit, ...print }, dpi = USUAL_DPI, part = { width: 1, height: 1 }) =>
  printedCrop(core, { ...print, unit: UNITS[unit], dpi, part });

/**
 * The exact ratio and the pixels of a size on paper; null for another requirement.
 * @param {Core} core @param {Place} place
 */
function onPaper(core, { size, dpi, bleed }) {
  const print = typeof size === 'string' ? parsePrint(size, bleed) : null;
  return print && printed(core, print, dpi);
}

/**
 * The crop of a target.
 * @typedef {object} TargetCrop
 * @property {import('./core.js').RectRecipe} recipe scaled to the target's size if it is large enough
 * @property {boolean} cutsFocus @property {boolean} isTooSmall whether it has fewer pixels than required
 * @property {AffineMap} map from upright pixels to pixels of its rectangle
 */

/**
 * The terms of a target's ratio or size.
 * @param {Core} core @param {Place} place @returns {[width: number, height: number]}
 */
export function termsOf(core, place) {
  const { ratio = '', size } = place;
  const parsed = typeof size === 'string' ? onPaper(core, place)
    : size ? { ratio: size } : parseRatio(core, { text: ratio });
  return parsed && 'ratio' in parsed ? [parsed.ratio.width, parsed.ratio.height] : [0, 0];
}

/**
 * The crop of a target on an image of this upright size; null if it has none.
 * @param {Core} core @param {Size} image @param {PictureTransform} transform
 * @param {Box | null} focus in fractions of the upright image
 * @param {Place} place @param {Box} [made] a rectangle made by hand
 * @param {boolean} [isContained] whether the crop is the complete image, unless there is a rectangle made by hand
 * @returns {TargetCrop | null}
 */
export function targetCrop(core, image, transform, focus, place, made, isContained = false) {
  const { minimum } = place;
  const size = typeof place.size === 'string' ? onPaper(core, place)?.needed : place.size;
  const [width, height] = termsOf(core, place);
  const crop = target(core, { image, transform, focus, ratio: { width, height }, size, minimum, made, isContained });
  if (!crop) return null;
  const { rect, isScaled, cutsFocus, isTooSmall, map } = crop;
  const output = size && isScaled ? { ...size } : null;
  return { recipe: { version: 1, rect, ...transform, shape: 'rectangle', output }, cutsFocus, isTooSmall, map };
}

/**
 * The recipe for the same crop on another image; null if it does not fit there.
 * @param {Core} core @param {Recipe} recipe @param {Size} image the upright size of the recipe's image
 * @param {Size} other @param {boolean} isShare whether the crop is relative to the image's size, not in pixels
 * @returns {Recipe | null}
 */
export function sameFrame(core, recipe, image, other, isShare) {
  // Four corners belong to one image.
  const rect = recipe.quad ? null : rectOf(core, { image, other, isShare, recipe });
  return rect && { ...recipe, rect };
}
