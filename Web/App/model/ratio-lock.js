// @ts-check
// The ratio that a crop keeps. It is not a part of its recipe, so it is stored next to it.

import { Ratio } from '../../Element/interface.js';

/** @typedef {import('../../Element/crop-view.js').CropView} CropView */

/**
 * A chosen ratio, and the chosen size of the result: a recipe with four corners also has a size if none was chosen.
 * @typedef {({ kind: 'original' } | { kind: 'fixed', width: number, height: number })
 *   & { output: import('../../Element/core.js').Recipe['output'] }} RatioLock
 */

/**
 * The ratio that a view keeps; null for a free one.
 * @param {Pick<CropView, 'state'>} view @returns {RatioLock | null}
 */
export function ratioLock({ state }) {
  if (!state) return null;
  const { output } = state;
  if (state.ratioKind === Ratio.original) return { kind: 'original', output };
  return state.ratioKind === Ratio.fixed && state.ratioWidth > 0
    ? { kind: 'fixed', width: state.ratioWidth, height: state.ratioHeight, output } : null;
}

/**
 * Makes a view keep a ratio again, for a crop that was made with it.
 * @param {Pick<CropView, 'command' | 'state'>} view @param {RatioLock} lock
 */
export function keepRatio(view, lock) {
  if (lock.kind === 'original') view.command('ratioOriginal');
  else {
    view.command('ratio', lock.width, lock.height);
    // Four corners give a ratio the format of the sheet.
    if (view.state && view.state.ratioWidth !== lock.width) view.command('ratioSwap');
  }
  const { output } = lock;
  if (output && 'width' in output) view.command('outputSize', output.width, output.height);
  else if (output) view.command('longestSide', output.maxSide);
}
