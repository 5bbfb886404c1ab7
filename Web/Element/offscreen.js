// @ts-check
// An image without a view: crops of it by recipes, and recipes under another transform.

import { Core } from './core.js';
import { croppedBlob } from './cut.js';
import { Change, Lossless, Style } from './interface.js';
import { recipeProblem } from './recipe-problem.js';

/** @typedef {import('./core.js').Recipe} Recipe */
/** @typedef {import('./picture.js').Picture} Picture */

/**
 * A separate session for the image, without a view.
 * @param {Picture} picture @returns {Promise<Core>}
 */
async function sessionOf(picture) {
  const core = await Core.make();
  core.open(picture);
  core.setJPEG({ jpeg: picture.header });
  return core;
}

/**
 * Makes the result of a recipe.
 * @param {Picture} picture @param {Recipe} recipe @param {import('./cut.js').CutOptions} [options]
 * @returns {Promise<{ blob: Blob, isLossless: boolean, requantized: number }>} rejects with a RangeError if it does not fit
 */
export async function render(picture, recipe, options = {}) {
  const core = await sessionOf(picture);
  if (typeof options.lossless === 'string') core.command('lossless', Lossless[options.lossless]);
  // Only one style shows corners.
  if (recipe.quad) core.command('style', Style.quad);
  if (core.setRecipe(recipe) & Change.refused) throw new RangeError(recipeProblem(recipe, picture, core));
  return croppedBlob(core, picture, options);
}

/**
 * Adapts recipes to an image's current transform: they keep the same area, as far as the tilt allows.
 * @param {Picture} picture
 * @returns {Promise<(recipe: Recipe, transform: import('./questions.js').PictureTransform,
 *   terms: [width: number, height: number] | null) => Recipe | null>} `terms`: the ratio to keep, if the recipe
 * has it; null for a recipe that does not fit the image
 */
export async function reorienting(picture) {
  const core = await sessionOf(picture);
  core.command('keepsRatio', 1);
  return (recipe, transform, terms) => {
    if (recipe.quad) core.command('style', Style.quad);
    if (terms) core.command('ratio', ...terms);
    else core.command('ratioFree');
    const bits = core.setRecipe(recipe) | core.setTransform(transform);
    return bits & Change.refused ? null : core.recipe();
  };
}
