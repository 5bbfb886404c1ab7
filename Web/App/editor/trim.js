// @ts-check
// "Trim borders": frames the area inside a photo's uniform border, which can then be changed.

import { insideBorder } from '../../Element/border.js';
import { focusFrame } from '../../Element/interface.js';
import { acceptedRecipe } from '../../Element/shown-recipe.js';
import { border, Problem } from '../server/api.js';
import { isCancelled, showError } from '../server/explain.js';
import { photoBorder } from '../server/library-api.js';
import { words } from '../ui/words.js';

/** @typedef {import('./editor.js').Editor} Editor */
/** @typedef {import('../../Element/questions.js').Box} Box */

/**
 * Frames the area inside the open photo's border, or reports that there is none.
 * @param {Editor} editor
 */
export async function trimBorders(editor) {
  const { model, view, notices } = editor;
  const { photo, task } = model;
  if (!photo || !view.picture || editor.isBusy) return;
  const signal = task.begin();
  editor.setBusy(true);
  notices.work(words('trimming'), () => task.cancel());
  try {
    const inside = await insideOf(editor, photo, signal);
    if (signal.aborted) return;
    notices.clear();
    if (!inside) {
      notices.problem(words('trimOneColor', photo.name), words('trimOneColorDo'));
    } else if (inside.width === photo.width && inside.height === photo.height) {
      notices.problem(words('trimNothing', photo.name), words('trimNothingDo'));
    } else {
      frame(view, photo, inside);
    }
  } catch (error) {
    if (task.isLatest(signal)) notices.clear();
    if (signal.aborted || isCancelled(error)) return;
    showError(notices, error, photo.name);
  } finally {
    editor.setBusy(false);
  }
}

/**
 * The area inside the border, in upright pixels; null for a photo of one color. If there is a server, it examines
 * the original; otherwise the browser examines the image that it shows.
 * @param {Editor} editor @param {import('../model/photo.js').Photo} photo @param {AbortSignal} signal
 * @returns {Promise<Box | null>}
 */
async function insideOf({ model, view }, photo, signal) {
  if (!model.hasServer) return view.picture && insideBorder(view.picture);
  try {
    const { isLenient, entry, original } = photo;
    if (entry) return await photoBorder(entry, signal);
    return original && await border(original, photo.name, { isLenient, signal });
  } catch (error) {
    // The image could be read; only an animation or a single color can't be trimmed.
    if (error instanceof Problem && error.code === 'invalid-recipe') return null;
    throw error;
  }
}

/**
 * @param {import('../../Element/crop-view.js').CropView} view
 * @param {import('../model/photo.js').Photo} photo @param {Box} inside in upright pixels
 */
function frame(view, { width, height }, inside) {
  const { recipe, core, state } = view;
  // The frame has its own ratio, so an exact size does not apply to it.
  const output = state?.output && 'maxSide' in state.output ? state.output : null;
  const { quarterTurns, mirrored } = recipe ?? { quarterTurns: 0, mirrored: false };
  const transform = { quarterTurns, mirrored, tilt: 0 };
  const share = {
    x: inside.x / width, y: inside.y / height, width: inside.width / width, height: inside.height / height,
  };
  const placed = core && focusFrame(core, { image: { width, height }, transform, focus: share })?.focus;
  if (!placed) return;
  // Converts fractions to whole pixels, and back.
  const rect = {
    x: Math.round(placed.x), y: Math.round(placed.y), width: Math.round(placed.width),
    height: Math.round(placed.height),
  };
  view.recipe = acceptedRecipe({ version: 1, rect, ...transform, shape: recipe?.shape ?? 'rectangle', output });
}
