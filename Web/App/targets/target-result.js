// @ts-check
// The file that a target gets.

import { parsedCanvas } from '../../Element/canvas.js';
import { canvasLayout } from '../../Element/interface.js';
import { parsePrint, printed } from '../../Element/questions.js';
import { resultFormat } from '../model/result-format.js';
import { canvasOf } from './target-set.js';

/** @typedef {import('../../Element/core.js').Core} Core */
/** @typedef {import('./target-set.js').Target} Target */
/** @typedef {import('./target-set.js').TargetCrop} TargetCrop */

/**
 * @param {Core} core @param {Target} target @param {TargetCrop} crop
 * @param {{ encoding: import('../ui/output.js').Encoding, own: string, hasServer: boolean }} options `own`: the
 * original's format
 * @returns {{ width: number, height: number, format: string, print: import('../../Element/interface.js').PrintedCrop | null }
 *   | null} null if its canvas is too small; `print`: how the crop becomes a print
 */
export function targetResult(core, target, crop, { encoding, own, hasServer }) {
  const { output, shape, rect } = /** @type {import('../../Element/core.js').RectRecipe} */ (crop.recipe);
  const canvas = canvasOf(target);
  const size = output && 'width' in output ? output : rect;
  const laid = canvas && onCanvas(core, canvas, size);
  if (canvas && !laid) return null;
  const { width, height } = laid ?? size;
  const isTransparent = canvas ? canvas.fill === 'transparent' : shape !== 'rectangle' && !encoding.background;
  const paper = !canvas && typeof target.size === 'string' ? parsePrint(target.size, target.bleed) : null;
  const print = paper && printed(core, paper, target.dpi, rect);
  return { width, height, format: resultFormat(encoding.format, own, { isTransparent, hasServer }), print };
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
