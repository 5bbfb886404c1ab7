// @ts-check
// The file that a target gets.

import { parsedCanvas } from '../../Element/canvas.js';
import { canvasLayout } from '../../Element/interface.js';
import { resultFormat } from '../model/result-format.js';
import { canvasOf } from './target-set.js';

/** @typedef {import('../../Element/core.js').Core} Core */
/** @typedef {import('./target-set.js').Target} Target */
/** @typedef {import('./target-set.js').TargetCrop} TargetCrop */

/**
 * @param {Core} core @param {Target} target @param {TargetCrop} crop
 * @param {{ encoding: import('../ui/output.js').Encoding, own: string, hasServer: boolean }} options `own`: the
 * original's format
 * @returns {{ width: number, height: number, format: string } | null} null if its canvas is too small
 */
export function targetResult(core, target, crop, { encoding, own, hasServer }) {
  const { output, shape, rect } = /** @type {import('../../Element/core.js').RectRecipe} */ (crop.recipe);
  const canvas = canvasOf(target);
  const size = output && 'width' in output ? output : rect;
  const laid = canvas && onCanvas(core, canvas, size);
  if (canvas && !laid) return null;
  const { width, height } = laid ?? size;
  const isTransparent = canvas ? canvas.fill === 'transparent' : shape !== 'rectangle' && !encoding.background;
  return { width, height, format: resultFormat(encoding.format, own, { isTransparent, hasServer }) };
}

/**
 * @param {Core} core @param {import('../../Element/canvas.js').CanvasOptions} options
 * @param {{ width: number, height: number }} crop
 */
function onCanvas(core, options, crop) {
  try {
    const canvas = parsedCanvas(core, options);
    return canvas && canvasLayout(core, { canvas, crop });
  } catch {
    return null;
  }
}
