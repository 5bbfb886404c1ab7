// @ts-check
// Recipes: what to crop of an image, as values that can be stored and sent.

/** @typedef {{ x: number, y: number }} Corner */
/** @typedef {[Corner, Corner, Corner, Corner]} Corners clockwise from the one that becomes top-left */

/**
 * A recipe in the engine's format.
 * @typedef {object} Recipe
 * @property {1 | 2} version 2 if it has four corners
 * @property {{x: number, y: number, width: number, height: number}} [rect] default: the complete image
 * @property {Corners} [quad] instead of `rect` and `tilt`
 * @property {number} quarterTurns
 * @property {boolean} mirrored
 * @property {number} tilt
 * @property {'rectangle' | 'ellipse' | {roundedRectangle: number}} shape
 * @property {{ width: number, height: number } | { maxSide: number } | null} output
 */

/**
 * The expected value of each key of a recipe, and a check; a missing or null value takes its default.
 * @type {Readonly<Record<string, [takes: string, fits: (value: unknown) => boolean]>>}
 */
const PARTS = Object.freeze({
  version: ['1 or 2', (value) => value === 1 || value === 2],
  rect: ['x, y, width and height, with a width and height of more than 0',
    (value) => isNumbers(value, ['x', 'y', 'width', 'height']) && value.width > 0 && value.height > 0],
  quad: ['an array of four corners with x and y', (value) => Array.isArray(value) && value.length === 4
    && value.every((corner) => isNumbers(corner, ['x', 'y']))],
  quarterTurns: ['a whole number', Number.isInteger],
  mirrored: ['true or false', (value) => typeof value === 'boolean'],
  tilt: ['a number', Number.isFinite],
  shape: ['"rectangle", "ellipse" or { roundedRectangle: radius }', (value) => value === 'rectangle'
    || value === 'ellipse' || isNumbers(value, ['roundedRectangle'])],
  output: ['width and height, or maxSide',
    (value) => isNumbers(value, ['width', 'height']) || isNumbers(value, ['maxSide'])],
});

/**
 * Checks that a value has the form of a recipe: no unknown keys, no wrong types. The core checks whether it fits
 * an image.
 * @param {unknown} value @returns {asserts value is Recipe}
 * @throws {RangeError} which names the invalid key, if there is one
 */
export function checkRecipe(value) {
  // An empty array or a DOMRect has no invalid key and would pass as an empty recipe.
  if (Object.prototype.toString.call(value) !== '[object Object]') throw new RangeError('this is not a recipe');
  const { version } = /** @type {{ version?: unknown }} */ (value);
  if (typeof version === 'number' && version > 2) {
    throw new RangeError(`this recipe is of version ${version}; here versions 1 and 2 are understood`);
  }
  for (const [key, part] of Object.entries(/** @type {object} */ (value))) {
    if (!Object.hasOwn(PARTS, key)) {
      const known = Object.keys(PARTS).join(', ');
      throw new RangeError(`this is not a recipe: "${key}" is not known; expected one of ${known}`);
    }
    const [takes, fits] = PARTS[key];
    if (part !== null && part !== undefined && !fits(part)) {
      throw new RangeError(`this is not a recipe: "${key}" takes ${takes}`);
    }
  }
  checkCorners(/** @type {Recipe} */ (value));
}

/** @param {Recipe} recipe whose values have the right types */
function checkCorners({ version, quad }) {
  if (quad && version === 1) throw new RangeError('this is not a recipe: "quad" is of version 2; this says version 1');
}

/**
 * @template {string} Key
 * @param {unknown} value @param {Key[]} keys
 * @returns {value is Record<Key, number>}
 */
function isNumbers(value, keys) {
  if (typeof value !== 'object' || value === null) return false;
  const parts = new Map(Object.entries(value));
  return parts.size === keys.length && keys.every((key) => Number.isFinite(parts.get(key)));
}
