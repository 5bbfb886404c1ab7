// @ts-check
// "Fill | Fit": whether the crop has the ratio, or a canvas around the complete crop does.

import { Ratio, Style } from '../../Element/interface.js';
import { ratioTerms } from '../../Element/ratio-name.js';
import { extentOf, termsOfExtent } from '../model/canvas-extent.js';
import { canvasChoices, fillOrFit, lastCanvas, rememberCanvas } from '../ui/canvas-choices.js';
import { node } from '../ui/dom.js';
import { sectionRoot } from '../ui/section.js';
import { formatSize, words } from '../ui/words.js';

/** @typedef {import('../../Element/crop-view.js').CropView} CropView */
/** @typedef {import('../../Element/interface.js').State} State */
/** @typedef {import('../../Element/canvas.js').CanvasOptions} CanvasOptions */

/**
 * Changes the canvas of a photo.
 * @param {CropView} view @param {CanvasOptions} changes
 */
export function changeCanvas(view, changes) {
  const options = { ...view.canvasOptions, ...changes };
  if (changes.canvas === '') delete options.canvas;
  try {
    view.lay(options);
    rememberCanvas(options);
  } catch {
    // An invalid value changes nothing; the fields show that.
  }
}

/**
 * Two buttons next to the ratios.
 * @param {CropView} view
 */
export function fitSwitch(view) {
  const options = fillOrFit((isFitted) => {
    if (isFitted !== Boolean(view.canvasOptions)) view.lay(isFitted ? firstCanvas(view) : null, true);
  });
  return {
    root: node('div.fill-fit', { role: 'group', 'aria-label': words('fillOrFit') }, ...options.chips),
    update: () => void options.show(view.canvasOptions !== null),
  };
}

/**
 * The initial canvas for a frame with the current ratio or size; without them, a margin around the crop's own shape.
 * @param {CropView} view @returns {CanvasOptions}
 */
function firstCanvas(view) {
  const { state } = view;
  const output = state?.output;
  if (output && 'width' in output) return { ...lastCanvas(), canvas: extentOf(output.width, output.height, true) };
  const hasRatio = state && state.ratioKind !== Ratio.free && state.ratioWidth > 0;
  if (!hasRatio) {
    const { canvas: _, ...margin } = marginOf({ canvasOptions: lastCanvas() });
    return { ...lastCanvas(), ...margin };
  }
  return { ...lastCanvas(), canvas: ratioTerms(state.ratioWidth, state.ratioHeight).join(':') };
}

/**
 * The canvas's margin without a ratio; a default one instead of none, which would not be visible.
 * @param {{ canvasOptions: CanvasOptions | null }} view @returns {CanvasOptions}
 */
export function marginOf({ canvasOptions }) {
  const isNothing = Number.parseFloat(String(canvasOptions?.margin ?? 0)) === 0;
  return { canvas: '', ...(isNothing && { margin: '5%' }) };
}

/**
 * The state for the ratios: with a canvas, they are the canvas's.
 * @param {CropView} view @param {State} state @returns {State}
 */
export function ratioState(view, state) {
  const options = view.canvasOptions;
  if (!options || state.style === Style.quad) return state;
  const [width, height] = termsOfExtent(options.canvas) ?? [0, 0];
  const isOriginal = width * state.frameHeight === height * state.frameWidth && width > 64;
  return {
    ...state, ratioWidth: width, ratioHeight: height,
    ratioKind: !width ? Ratio.free : isOriginal ? Ratio.original : Ratio.fixed,
    // A viewfinder without a ratio is square; a canvas without one is not.
    style: Style.studio,
  };
}

/**
 * The settings of the canvas, if there is one.
 * @param {CropView} view @returns {import('../ui/section.js').Section}
 */
export function canvasSection(view) {
  const choices = canvasChoices(() => view.canvasOptions, (changes) => changeCanvas(view, changes));
  const size = node('p.explain', { role: 'status' });
  const root = sectionRoot('canvas', 'canvas', ...choices.parts, size);
  return {
    tab: 'frame', needs: [], root,
    update: () => {
      const options = view.canvasOptions;
      root.hidden = !options;
      if (!options) return;
      choices.update();
      const { width, height } = view.resultSize ?? { width: 0, height: 0 };
      const text = width ? words('canvasSize', formatSize(width, height)) : '';
      if (size.textContent !== text) size.textContent = text;
    },
  };
}
