// @ts-check
// "Find corners": detects a sheet in the photo and proposes its corners, which can then be changed.

import { Style } from '../../Element/interface.js';
import { sheetIn } from '../../Element/sheet.js';
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
  const corners = await sheetIn(picture).catch(() => null);
  if (view.picture !== picture || !view.core || view.state?.style !== Style.quad) return;
  if (corners) {
    notices.clear();
    view.apply(view.core.setSheet({ corners }));
  } else notices.problem(words('cornersNotFound', photo.name), words('cornersNotFoundDo'));
}
