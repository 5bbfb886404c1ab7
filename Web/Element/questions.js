// @ts-check
// Questions to the core that do not involve its session: crops of targets, the focus on the screen, parsing of
// texts. Numbers are in the order of Web/Sources/CropABI/Questions.swift.

import { Grammar, outputOf, OutputKind, Question, Ratio, Shape } from './interface.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./core.js').Recipe} Recipe */
/** @typedef {{ width: number, height: number }} Size */
/** @typedef {{ x: number, y: number, width: number, height: number }} Box */
/**
 * @typedef {{ quarterTurns: number, mirrored: boolean, tilt: number }} PictureTransform the mirror, turns and tilt
 * of an image
 */
/** @typedef {[number, number, number, number, number, number]} AffineMap */

/**
 * The requirements of a target: a ratio such as `16:9` or a size, and the minimum size in pixels.
 * @typedef {{ ratio?: string, size?: Size, minimum?: Size }} Place
 */

/**
 * The crop of a target.
 * @typedef {object} TargetCrop
 * @property {import('./core.js').RectRecipe} recipe scaled to the target's size if it is large enough
 * @property {boolean} cutsFocus @property {boolean} isTooSmall whether it has fewer pixels than required
 * @property {AffineMap} map from upright pixels to pixels of its rectangle
 */

/**
 * The frame of an image without its tilt.
 * @typedef {object} FocusFrame
 * @property {Box} rect the complete frame @property {AffineMap} map from upright pixels to it
 * @property {Box} focus the focus; the complete frame without one
 * @property {Box} visible the focus in whole pixels, large enough to drag
 */

/** The maximum length of a text for the core, in bytes. */
const LONGEST_TEXT = 100;

/**
 * Parses a text; null for an invalid one.
 * @param {Core} core @param {number} grammar of Grammar @param {string} text
 * @returns {number[] | null} what it stands for, as answerText of Web/Sources/CropABI/Questions.swift lists
 */
export function readText(core, grammar, text) {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > LONGEST_TEXT) return null;
  const numbers = core.ask(Question.text, [grammar, ...bytes]);
  return numbers.length ? [...numbers] : null;
}

/**
 * Parses a ratio and its terms; null for invalid text.
 * @param {Core} core @param {string} text `free`, `original`, `square`, `W:H` or a number
 * @returns {{ kind: number, terms: [width: number, height: number] } | null} `kind` of Ratio
 */
export function readRatio(core, text) {
  const said = readText(core, Grammar.ratio, text);
  return said && { kind: said[0], terms: [said[1], said[2]] };
}

/**
 * The terms of a target's ratio or size.
 * @param {Core} core @param {Place} place @returns {[width: number, height: number]}
 */
export function termsOf(core, { ratio = '', size }) {
  if (size) return [size.width, size.height];
  const said = readRatio(core, ratio);
  return said?.kind === Ratio.fixed ? said.terms : [0, 0];
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
  const { size, minimum } = place;
  const n = core.ask(Question.target, [...picture(image, transform), ...focusNumbers(focus), ...termsOf(core, place),
    size?.width ?? 0, size?.height ?? 0, minimum?.width ?? 0, minimum?.height ?? 0,
    ...(made ? box(made) : [0, 0, 0, 0]), isContained ? 1 : 0]);
  if (n.length === 0) return null;
  return {
    recipe: {
      version: 1, rect: boxOf(n, 0), ...transform, shape: 'rectangle', output: size && n[6] !== 0 ? { ...size } : null,
    },
    cutsFocus: n[4] !== 0, isTooSmall: n[5] !== 0, map: mapOf(n, 7),
  };
}

/**
 * The frame of an image without its tilt, and the focus in it; null if there is none.
 * @param {Core} core @param {Size} image @param {PictureTransform} transform @param {Box | null} focus
 * @returns {FocusFrame | null}
 */
export function focusFrame(core, image, transform, focus) {
  const n = core.ask(Question.focusFrame, [...picture(image, transform), ...focusNumbers(focus)]);
  if (n.length === 0) return null;
  return { rect: boxOf(n, 0), map: mapOf(n, 4), focus: boxOf(n, 10), visible: boxOf(n, 14) };
}

/**
 * Converts a rectangle of that frame to a focus, in fractions of the upright image.
 * @param {Core} core @param {Size} image @param {PictureTransform} transform @param {Box} rect @returns {Box | null}
 */
export function focusOf(core, image, transform, rect) {
  const n = core.ask(Question.focusOf, [...picture(image, transform), ...box(rect)]);
  return n.length === 0 ? null : boxOf(n, 0);
}

/**
 * The recipe for the same crop on another image; null if it does not fit there.
 * @param {Core} core @param {Recipe} recipe @param {Size} image the upright size of the recipe's image
 * @param {Size} other @param {boolean} isShare whether the crop is relative to the image's size, not in pixels
 * @returns {Recipe | null}
 */
export function sameFrame(core, recipe, image, other, isShare) {
  // Four corners belong to one image.
  if ('quad' in recipe) return null;
  const n = core.ask(Question.sameFrame, [image.width, image.height, other.width, other.height,
    isShare ? 1 : 0, ...recipeNumbers(recipe)]);
  return n.length === 0 ? null : { ...recipe, rect: boxOf(n, 0) };
}

/** @param {Size} image @param {PictureTransform} transform */
const picture = ({ width, height }, { quarterTurns, mirrored, tilt }) =>
  [width, height, quarterTurns, mirrored ? 1 : 0, tilt];

/** @param {Box} box */
const box = ({ x, y, width, height }) => [x, y, width, height];

/** @param {Box | null} focus */
const focusNumbers = (focus) => (focus ? [1, ...box(focus)] : [0, 0, 0, 0, 0]);

/** @param {ArrayLike<number>} n @param {number} at @returns {Box} */
const boxOf = (n, at) => ({ x: n[at], y: n[at + 1], width: n[at + 2], height: n[at + 3] });

/** @param {ArrayLike<number>} n @param {number} at @returns {AffineMap} */
const mapOf = (n, at) => [n[at], n[at + 1], n[at + 2], n[at + 3], n[at + 4], n[at + 5]];

/**
 * A recipe's numbers; without a rectangle it means the complete image.
 * @param {Recipe} recipe
 */
export function recipeNumbers(recipe) {
  const rect = recipe.rect ?? { x: 0, y: 0, width: 0, height: 0 };
  const shape = recipe.shape ?? 'rectangle';
  const rounded = typeof shape === 'object';
  const output = recipe.output ?? null;
  const size = output === null ? [OutputKind.none, 0, 0]
    : 'maxSide' in output ? [OutputKind.maxSide, output.maxSide, 0]
      : [OutputKind.exact, output.width, output.height];
  return [...box(rect), recipe.quarterTurns ?? 0, recipe.mirrored ? 1 : 0, recipe.tilt ?? 0,
    rounded ? Shape.rounded : shape === 'ellipse' ? Shape.ellipse : Shape.rectangle,
    rounded ? shape.roundedRectangle : 0, ...size, ...(recipe.quad ?? []).flatMap(({ x, y }) => [x, y])];
}

/** @param {Float64Array} n a recipe's numbers, with those of four corners at the end @returns {Recipe} */
export function recipeOf(n) {
  const shape = n[7];
  const corner = (/** @type {number} */ at) => ({ x: n[at], y: n[at + 1] });
  /** @type {Pick<Recipe, 'quarterTurns' | 'mirrored' | 'tilt' | 'shape' | 'output'>} */
  const rest = {
    quarterTurns: n[4],
    mirrored: n[5] !== 0,
    tilt: n[6],
    shape: shape === Shape.rounded ? { roundedRectangle: n[8] }
      : shape === Shape.ellipse ? 'ellipse' : 'rectangle',
    output: outputOf(n, 9),
  };
  if (n.length === 12) return { version: 1, rect: boxOf(n, 0), ...rest };
  return { version: 2, quad: [corner(12), corner(14), corner(16), corner(18)], ...rest };
}
