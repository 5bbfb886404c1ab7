// @ts-check
// "Find corners": detects a sheet in the photo and proposes its corners, which can then be changed.

import { Style } from '../../Element/interface.js';
import { sheetIn } from '../../Element/sheet.js';
import { takeable } from '../../Element/shown-recipe.js';
import { words } from '../ui/words.js';

/**
 * Moves the corners to the sheet in the open photo, or reports that none was found.
 * @param {import('./editor.js').Editor} editor
 */
export async function findCorners(editor) {
  const { work, view, notices } = editor;
  const { photo } = work;
  const { picture } = view;
  if (!photo || !picture || editor.isBusy) return;
  const found = await sheetIn(picture, view.recipe).catch(() => null);
  if (view.picture !== picture || view.state?.style !== Style.quad) return;
  if (found) {
    notices.clear();
    view.recipe = takeable(found);
  } else notices.problem(words('cornersNotFound', photo.name), words('cornersNotFoundDo'));
}
