// @ts-check
// A picture without a view: what recipes cut of it, and recipes of it laid down otherwise.

import { Core, LOSSLESS } from './core.js';
import { croppedBlob } from './cut.js';
import { Change } from './interface.js';
import { recipeProblem } from './recipe-problem.js';

/** @typedef {import('./core.js').Recipe} Recipe */
/** @typedef {import('./picture.js').Picture} Picture */

/**
 * A session of its own that shows the picture to nobody.
 * @param {Picture} picture @returns {Promise<Core>}
 */
async function sessionOf(picture) {
  const core = await Core.make();
  core.call('open', picture.width, picture.height);
  core.setJPEG(picture.header);
  return core;
}

/**
 * Makes the result of a recipe.
 * @param {Picture} picture @param {Recipe} recipe @param {import('./cut.js').CutOptions} [options]
 * @returns {Promise<{ blob: Blob, isLossless: boolean }>} rejects with a RangeError if it does not fit
 */
export async function render(picture, recipe, options = {}) {
  const core = await sessionOf(picture);
  if (typeof options.lossless === 'string') core.command('lossless', LOSSLESS.indexOf(options.lossless));
  if (core.setRecipe(recipe) & Change.refused) throw new RangeError(recipeProblem(recipe, picture));
  return croppedBlob(core, picture, options);
}

/**
 * Lays recipes down as a picture lies now: the same part of it, as far as a tilt lets it.
 * @param {Picture} picture
 * @returns {Promise<(recipe: Recipe, laying: import('./questions.js').Laying,
 *   terms: [width: number, height: number]) => Recipe | null>} takes the ratio that a recipe keeps where it has it;
 *   gives null for a recipe of another picture
 */
export async function relaying(picture) {
  const core = await sessionOf(picture);
  core.command('keepsRatio', 1);
  return (recipe, laying, terms) => {
    core.command('ratio', ...terms);
    const bits = core.setRecipe(recipe) | core.lay(laying);
    return bits & Change.refused ? null : core.recipe();
  };
}
