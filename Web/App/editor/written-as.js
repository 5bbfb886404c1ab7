// @ts-check
// How a result is written, adapted to its shape and canvas.

import { Shape } from '../../Element/interface.js';
import { losslessOf, WHITE } from '../ui/output.js';

/** @typedef {import('../ui/output.js').Encoding} Encoding */
/** @typedef {import('../../Element/interface.js').State} State */

/**
 * The encoding of a result. The area around a shape is transparent or has the chosen color. A canvas fills the
 * area around its shape. Pixels are only rotated if that is lossless.
 * @param {Encoding} encoding as chosen @param {State | null} state
 * @param {import('../../Element/canvas.js').CanvasOptions | null} canvas of the result
 * @returns {Encoding}
 */
export function writtenAs({ background, ...encoding }, state, canvas) {
  if (canvas || !state?.canRotate || losslessOf(encoding) === 'never') delete encoding.bake;
  if (canvas && state) {
    const laid = { ...encoding, ...canvas };
    if (canvas.fill !== 'transparent') return laid;
    if (encoding.format === 'jpeg') return { ...laid, background: background ?? WHITE };
    return state.isJPEG ? { ...laid, format: encoding.format ?? 'png' } : laid;
  }
  if (!state || state.shape === Shape.rectangle) return encoding;
  if (background || encoding.format === 'jpeg') {
    return { ...encoding, format: 'jpeg', background: background ?? WHITE };
  }
  return state.isJPEG ? { ...encoding, format: encoding.format ?? 'png' } : encoding;
}

/**
 * The same for a result that the browser makes.
 * @param {Encoding} written @param {State | null} state
 * @param {Encoding['format']} instead the format if the browser can't write the photo's
 * @returns {Encoding}
 */
export function writtenHere(written, state, instead) {
  // Only PNG and WebP can be transparent; the element chooses between them.
  const isTransparent = (state && state.shape !== Shape.rectangle) || written.fill === 'transparent';
  return isTransparent ? written : { ...written, format: written.format ?? instead };
}
