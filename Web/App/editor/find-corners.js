// @ts-check
// "Find corners": detects a sheet in the photo and proposes its corners, which can then be changed.

import { Ratio, Style } from '../../Element/interface.js';
import { sheetIn } from '../../Element/sheet.js';
import { acceptedRecipe } from '../../Element/shown-recipe.js';
import { words } from '../ui/words.js';

/**
 * Moves the corners to the sheet in the open photo, or reports that none was found.
 * @param {import('./editor.js').Editor} editor
 */
export async function findCorners(editor) {
  const { model, view, notices } = editor;
  const { photo } = model;
  const { picture } = view;
  if (!photo || !picture || editor.isBusy) return;
  const found = await sheetIn(picture, view.recipe).catch(() => null);
  const { state } = view;
  if (view.picture !== picture || state?.style !== Style.quad) return;
  if (found) {
    notices.clear();
    const { output } = state;
    view.recipe = acceptedRecipe({ ...found, output: output && 'maxSide' in output ? output : null });
    keepSize(view, state);
  } else notices.problem(words('cornersNotFound', photo.name), words('cornersNotFoundDo'));
}

/**
 * Sets the ratio or exact size that was chosen before: a recipe with corners has no ratio.
 * @param {import('../../Element/crop-view.js').CropView} view
 * @param {import('../../Element/interface.js').State} before
 */
function keepSize(view, { output, ratioKind, ratioWidth, ratioHeight }) {
  if (output && 'width' in output) view.command('outputSize', output.width, output.height);
  else if (ratioKind === Ratio.original) view.command('ratioOriginal');
  else if (ratioKind === Ratio.fixed) view.command('ratio', ratioWidth, ratioHeight);
}
