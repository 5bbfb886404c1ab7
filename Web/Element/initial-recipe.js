// @ts-check
// The recipe with which an image is opened: reads it from JSON, and completes it.

import { Ratio } from './interface.js';
import { checkRecipe } from './recipe.js';

/** @typedef {import('./core.js').Recipe} Recipe */

/**
 * @param {string} text @returns {Recipe}
 * @throws {RangeError} if it is not a recipe
 */
export function readRecipe(text) {
  let recipe;
  try {
    recipe = JSON.parse(text);
  } catch {
    throw new RangeError('this is not a recipe: it is not JSON');
  }
  checkKeys(text, recipe);
  checkRecipe(recipe);
  return recipe;
}

/**
 * `JSON.parse` silently keeps the last of two equal keys; a recipe with duplicate keys is an error.
 *
 * @param {string} text @param {unknown} value the parsed text
 */
function checkKeys(text, value) {
  const written = [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter((match) => match[1]).length;
  if (written !== countKeys(value)) {
    throw new RangeError('this is not a recipe: a key occurs twice');
  }
}

/** @param {unknown} value @returns {number} */
const countKeys = (value) =>
  value && typeof value === 'object'
    ? (Array.isArray(value) ? 0 : Object.keys(value).length)
      + Object.values(value).reduce((sum, part) => sum + countKeys(part), 0)
    : 0;

/**
 * A recipe with an area. The default is not the complete image, but what the style and the ratio select; without a
 * ratio, that of the recipe's output is kept.
 * @param {Recipe} recipe @param {import('./core.js').Core} core with the image, whose selection may change
 * @returns {Recipe}
 */
export function withArea(recipe, core) {
  if (recipe.rect || recipe.quad) return recipe;
  const given = /** @type {Partial<Recipe>} */ (
    Object.fromEntries(Object.entries(recipe).filter(([, value]) => value !== null)));
  const { quarterTurns = 0, mirrored = false, tilt = 0, output } = given;
  const { ratioKind, keepsRatio } = core.state();
  // The ratio is that of the turned selection.
  core.command('keepsRatio', ratioKind === Ratio.fixed ? 1 : 0);
  core.setTransform({ quarterTurns, mirrored, tilt });
  core.command('keepsRatio', keepsRatio ? 1 : 0);
  if (quarterTurns % 2 !== 0 && core.recipe()) core.command('selectAll');
  if (output && 'width' in output && ratioKind === Ratio.free) core.command('outputSize', output.width, output.height);
  const selected = core.recipe();
  return selected ? { ...selected, ...given, version: selected.version } : recipe;
}
