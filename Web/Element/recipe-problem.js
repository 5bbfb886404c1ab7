// @ts-check
// Explains why a recipe does not fit an image, in the words of the command line.

import { recipeError, Style } from './interface.js';
import { RECIPE_ERRORS } from './recipe-error-texts.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./core.js').Recipe} Recipe */

/**
 * @param {Recipe} recipe that was rejected
 * @param {{ width: number, height: number }} picture upright pixels @param {Core} core that rejected it
 */
export function recipeProblem(recipe, { width, height }, core) {
  if (recipe.quad && core.state().style !== Style.quad) return 'four corners can\'t be shown in this style; use crop-style="quad"';
  const [kind, ...numbers] = recipeError(core, { image: { width, height }, recipe });
  const text = RECIPE_ERRORS[kind] ?? 'the recipe does not fit the picture';
  return text.replace(/\{(\d+)\}/g, (_, at) => String([width, height, ...numbers][at]));
}
