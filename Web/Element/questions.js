// @ts-check
// What the core is asked beside its session: crops of targets, the focus on the screen, what a ratio's text
// says. Numbers go in and come out in the order of Web/Sources/CropABI/Questions.swift.

import { outputOf, OutputKind, Question, Ratio, Shape } from './interface.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./core.js').Recipe} Recipe */
/** @typedef {{ width: number, height: number }} Size */
/** @typedef {{ x: number, y: number, width: number, height: number }} Box */
/** @typedef {{ quarterTurns: number, mirrored: boolean, tilt: number }} Laying how a picture is laid down */
/** @typedef {[number, number, number, number, number, number]} AffineMap */

/**
 * What a place asks for: a ratio such as `16:9` or a size, and the fewest pixels that are enough.
 * @typedef {{ ratio?: string, size?: Size, minimum?: Size }} Place
 */

/**
 * What a target shows of a picture.
 * @typedef {object} TargetCrop
 * @property {Recipe} recipe scaled to the place's size where it is large enough for that
 * @property {boolean} cutsFocus @property {boolean} isTooSmall it has fewer pixels than are asked for
 * @property {AffineMap} map from upright pixels to those of its rectangle
 */

/**
 * The frame of a picture that lies level.
 * @typedef {object} FocusFrame
 * @property {Box} rect all of it @property {AffineMap} map from upright pixels to it
 * @property {Box} focus where the focus lies; without one, all of it
 * @property {Box} visible the same in whole pixels, large enough to be held
 */

/** The longest text that the core reads. */
const LONGEST_TEXT = 100;

/**
 * What a text says of a ratio, and its terms; null for what is none.
 * @param {Core} core @param {string} text `free`, `original`, `square`, `W:H` or a number
 * @returns {{ kind: number, terms: [width: number, height: number] } | null} `kind` of Ratio
 */
export function readRatio(core, text) {
  const bytes = new TextEncoder().encode(text);
  const [kind, width, height] = bytes.length > LONGEST_TEXT ? [] : core.ask(Question.ratio, [...bytes]);
  return kind === undefined ? null : { kind, terms: [width, height] };
}

/**
 * The terms of what a place asks for.
 * @param {Core} core @param {Place} place @returns {[width: number, height: number]}
 */
export function termsOf(core, { ratio = '', size }) {
  if (size) return [size.width, size.height];
  const said = readRatio(core, ratio);
  return said?.kind === Ratio.fixed ? said.terms : [0, 0];
}

/**
 * The crop of a place on a picture of so many upright pixels; null where there can be none.
 * @param {Core} core @param {Size} image @param {Laying} laying
 * @param {Box | null} focus in fractions of the upright picture
 * @param {Place} place @param {Box} [made] the rectangle that was made by hand
 * @returns {TargetCrop | null}
 */
export function targetCrop(core, image, laying, focus, place, made) {
  const { size, minimum } = place;
  const n = core.ask(Question.target, [...picture(image, laying), ...focusNumbers(focus), ...termsOf(core, place),
    size?.width ?? 0, size?.height ?? 0, minimum?.width ?? 0, minimum?.height ?? 0,
    ...(made ? box(made) : [0, 0, 0, 0])]);
  if (n.length === 0) return null;
  return {
    recipe: {
      version: 1, rect: boxOf(n, 0), ...laying, shape: 'rectangle', output: size && n[6] !== 0 ? { ...size } : null,
    },
    cutsFocus: n[4] !== 0, isTooSmall: n[5] !== 0, map: mapOf(n, 7),
  };
}

/**
 * The frame of a picture without its tilt, and the focus on it; null where there can be none.
 * @param {Core} core @param {Size} image @param {Laying} laying @param {Box | null} focus
 * @returns {FocusFrame | null}
 */
export function focusFrame(core, image, laying, focus) {
  const n = core.ask(Question.focusFrame, [...picture(image, laying), ...focusNumbers(focus)]);
  if (n.length === 0) return null;
  return { rect: boxOf(n, 0), map: mapOf(n, 4), focus: boxOf(n, 10), visible: boxOf(n, 14) };
}

/**
 * The focus that a rectangle of that frame is, in fractions of the upright picture.
 * @param {Core} core @param {Size} image @param {Laying} laying @param {Box} rect @returns {Box | null}
 */
export function focusOf(core, image, laying, rect) {
  const n = core.ask(Question.focusOf, [...picture(image, laying), ...box(rect)]);
  return n.length === 0 ? null : boxOf(n, 0);
}

/** @param {Size} image @param {Laying} laying */
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
 * A recipe's numbers; one without a rectangle means the whole picture.
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
    rounded ? shape.roundedRectangle : 0, ...size];
}

/** @param {Float64Array} n @param {number} at of a recipe's first number @returns {Recipe} */
export function recipeOf(n, at) {
  const shape = n[at + 7];
  return {
    version: 1,
    rect: boxOf(n, at),
    quarterTurns: n[at + 4],
    mirrored: n[at + 5] !== 0,
    tilt: n[at + 6],
    shape: shape === Shape.rounded ? { roundedRectangle: n[at + 8] }
      : shape === Shape.ellipse ? 'ellipse' : 'rectangle',
    output: outputOf(n, at + 9),
  };
}
