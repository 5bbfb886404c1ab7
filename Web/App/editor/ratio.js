// @ts-check
// Ratios: presets in portrait or landscape format, and a custom one.

import { Ratio, Style } from '../../Element/interface.js';
import { decimalsOf } from '../../Element/ratio-name.js';
import { swappedExtent } from '../model/canvas-extent.js';
import { revealInRow, toggle } from '../ui/chips.js';
import { node, setAttribute } from '../ui/dom.js';
import { icon } from '../ui/icons.js';
import { RATIOS } from '../ui/presets.js';
import { sectionRoot } from '../ui/section.js';
import { formatNumber, words } from '../ui/words.js';
import { customRatio } from './custom-ratio.js';
import { changeCanvas, fitSwitch, marginOf, ratioState } from './fit.js';

/** @typedef {import('../../Element/interface.js').State} State */

/** Paper sizes, offered for four corners; portrait or landscape like the corners. */
const SHEETS = Object.freeze(/** @type {const} */ ([
  { label: 'ratioA4', width: 210, height: 297 }, { label: 'ratioLetter', width: 17, height: 22 },
]));
/** Other common ratios of sheets and screens. */
const USUAL = Object.freeze([[1, 1], [3, 2], [4, 3], [16, 9]]);

/** @typedef {(state: State) => boolean} Fits */

/**
 * Whether a ratio is free; a viewfinder is then square.
 * @type {Fits}
 */
const isOpen = (state) => state.ratioKind === Ratio.free && state.style === Style.viewfinder;

/**
 * @param {import('../../Element/crop-view.js').CropView} view
 * @param {HTMLElement[]} tools more buttons for the header
 * @returns {import('../ui/section.js').Section}
 */
export function ratioSection(view, tools) {
  const has = view.commands;
  // With a canvas, the ratio is the canvas's.
  const isFitted = () => view.canvasOptions !== null && view.state?.style !== Style.quad;
  const format = formatSwitch(view, isFitted, () => view.state && section.update(view.state));
  const chips = ratioChips(view, isFitted, format);
  const custom = customRatio(view, isFitted);
  const fit = fitSwitch(view);
  const unknown = node('p.explain.sheet-unknown', { id: 'sheet-unknown' }, words('sheetUnknown'));
  const header = node('div.ratio-tools', { role: 'group', 'aria-labelledby': 'section-ratio' },
    ...tools, has.has('ratioSwap') && format.root);
  /** @type {import('../ui/section.js').Section} */
  const section = {
    tab: 'frame',
    needs: ['ratio'],
    root: sectionRoot('ratio', 'ratio', node('div.chips.presets', {},
      has.has('ratio') && fit.root, header, ...chips.map(({ root }) => root),
      has.has('ratio') && custom.chip, has.has('ratio') && custom.row), unknown),
    update: (real) => {
      const state = ratioState(view, real);
      format.update(state);
      fit.update();
      fit.root.hidden = hasCorners(real) && !view.canvasOptions;
      unknown.hidden = !hasCorners(real) || real.sheetRatio > 0;
      for (const { root, isChosen, label, isOffered, isUsable } of chips) {
        const isNow = isChosen(state);
        const isNew = isNow && root.getAttribute('aria-pressed') !== 'true';
        root.hidden = !isOffered(state);
        root.disabled = !isNow && !isUsable(real);
        setAttribute(root, 'aria-pressed', isNow);
        const text = label();
        if (root.textContent !== text) root.textContent = text;
        if (isNew) revealInRow(root);
      }
      const isPreset = chips.some(({ isChosen }) => isChosen(state));
      setAttribute(custom.chip, 'aria-pressed', !isPreset);
      // Does not overwrite what the user is typing.
      if (!custom.row.hidden && !custom.row.matches(':focus-within')) custom.show(state);
    },
  };
  return section;
}

/**
 * A switch between portrait and landscape format, by which all ratios are named.
 * @param {import('../../Element/crop-view.js').CropView} view @param {() => boolean} isFitted whether the ratio is
 * the canvas's
 * @param {() => void} changed
 */
function formatSwitch(view, isFitted, changed) {
  /** @type {boolean | null} the user's choice for this photo; null for that of the photo */
  let chosen = null;
  /** @type {import('../../Element/picture.js').Picture | null} */ let photo = null;
  let isPortrait = false;
  const portrait = icon('portrait', 20);
  const landscape = icon('landscape', 20);
  const root = node('button.chip.swap', {
    type: 'button', 'aria-label': words('portraitFormat'), 'aria-pressed': 'false',
    onclick: () => {
      const state = view.state && ratioState(view, view.state);
      if (!state) return;
      chosen = !isPortrait;
      const { canvas } = view.canvasOptions ?? {};
      if (!hasFormat(state)) changed();
      else if (!isFitted()) view.command('ratioSwap');
      else if (canvas) changeCanvas(view, { canvas: swappedExtent(canvas) });
    },
  }, portrait, landscape);
  return {
    root,
    get isPortrait() { return isPortrait; },
    update: (/** @type {State} */ state) => {
      if (photo !== view.picture) [photo, chosen] = [view.picture, null];
      if (hasFormat(state)) chosen = state.ratioHeight > state.ratioWidth;
      isPortrait = chosen ?? state.frameHeight > state.frameWidth;
      setAttribute(root, 'aria-pressed', isPortrait);
      portrait.toggleAttribute('hidden', !isPortrait);
      landscape.toggleAttribute('hidden', isPortrait);
      setAttribute(root, 'title', words(isPortrait ? 'portraitFormat' : 'landscapeFormat'));
      root.hidden = hasCorners(state) && !hasFormat(state);
    },
  };
}

/** @param {State} state whether its ratio is portrait or landscape, so that it can be swapped */
function hasFormat(state) {
  const canSwap = hasCorners(state) ? state.ratioKind === Ratio.fixed : state.ratioKind !== Ratio.free;
  return canSwap && state.ratioWidth !== state.ratioHeight;
}

/**
 * The chips of ratios, and when they are offered and chosen.
 * @param {import('../../Element/crop-view.js').CropView} view @param {() => boolean} isFitted whether the ratio is
 * the canvas's
 * @param {{ readonly isPortrait: boolean }} format
 */
function ratioChips(view, isFitted, format) {
  const has = view.commands;
  /** @type {{ root: HTMLButtonElement, isChosen: Fits, label: () => string, isOffered: Fits, isUsable: Fits }[]} */
  const chips = [];
  const add = (
    /** @type {() => string} */ label, /** @type {() => void} */ act,
    /** @type {Fits} */ isChosen, /** @type {Fits} */ isOffered = () => true,
    /** @type {Fits} */ isUsable = () => true,
  ) => {
    const root = toggle(label(), act);
    chips.push({ root, isChosen, label, isOffered, isUsable });
    return root;
  };
  /** @type {(w: number, h: number) => [number, number]} */
  const turned = (w, h) => (format.isPortrait === h > w ? [w, h] : [h, w]);
  const take = (/** @type {number} */ w, /** @type {number} */ h) => {
    const terms = turned(w, h);
    if (isFitted()) changeCanvas(view, { canvas: terms.join(':') });
    else view.command('ratio', ...terms);
  };
  const isFixed = (/** @type {number} */ w, /** @type {number} */ h) => (/** @type {State} */ state) =>
    state.ratioKind === Ratio.fixed && (sameRatio(state, w, h) || sameRatio(state, h, w));
  // A viewfinder always has a ratio.
  add(() => words('ratioFree'), () => view.command('ratioFree'),
    (state) => state.ratioKind === Ratio.free && !isOpen(state),
    (state) => state.style !== Style.viewfinder && !isFitted());
  add(() => words('marginOnly'), () => changeCanvas(view, marginOf(view)),
    (state) => state.ratioKind === Ratio.free && isFitted(), isFitted);
  if (has.has('ratioOriginal')) {
    const isOriginal = (/** @type {State} */ state) => state.ratioKind === Ratio.original;
    const act = () => {
      const { frameWidth, frameHeight } = view.state ?? { frameWidth: 1, frameHeight: 1 };
      if (isFitted()) changeCanvas(view, { canvas: `${frameWidth}:${frameHeight}` });
      else view.command('ratioOriginal');
    };
    add(() => words('ratioOriginal'), act, isOriginal, (state) => !hasCorners(state));
    add(() => words('ratioSheet'), act, isOriginal, hasCorners, (state) => state.sheetRatio > 0)
      .setAttribute('aria-describedby', 'sheet-unknown');
  }
  if (has.has('ratio')) {
    for (const { label, width: w, height: h } of SHEETS) {
      add(() => words(label), () => take(w, h), isFixed(w, h), hasCorners);
    }
    for (const [w, h] of RATIOS) {
      const isSheet = USUAL.some(([across, down]) => across === w && down === h);
      add(() => (w === h ? words('ratioSquare') : named(...turned(w, h))), () => take(w, h),
        (state) => (w === h && isOpen(state)) || isFixed(w, h)(state), (state) => isSheet || !hasCorners(state));
    }
  }
  return chips;
}

/** @param {number} width @param {number} height */
function named(width, height) {
  return words('ratioValue', formatNumber(width, decimalsOf(width)),
    formatNumber(height, decimalsOf(height)));
}

/** @param {State} state @param {number} w @param {number} h */
function sameRatio(state, w, h) {
  return state.ratioWidth * h === state.ratioHeight * w;
}

/** @param {State} state with the ratio of a sheet seen at an angle */
function hasCorners(state) {
  return state.style === Style.quad;
}
