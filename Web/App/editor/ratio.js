// @ts-check
// Ratios: presets, swap, and a custom one.

import { Ratio, Style } from '../../Element/interface.js';
import { decimalsOf, ratioTerms } from '../../Element/ratio-name.js';
import { toggle } from '../ui/chips.js';
import { node, setAttribute } from '../ui/dom.js';
import { icon } from '../ui/icons.js';
import { RATIOS } from '../ui/presets.js';
import { sectionRoot } from '../ui/section.js';
import { formatNumber, readNumber, words } from '../ui/words.js';
import { changeCanvas, fitSwitch, ratioState } from './fit.js';

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

/** @param {import('../../Element/crop-view.js').CropView} view @returns {import('../ui/section.js').Section} */
export function ratioSection(view) {
  const has = view.commands;
  // With a canvas, the ratio is the canvas's.
  const isFitted = () => view.canvasOptions !== null && view.state?.style !== Style.quad;
  const { chips, square } = ratioChips(view, isFitted);
  const custom = customRatio(view, isFitted);
  const fit = fitSwitch(view);
  const swap = node('button.chip.swap', {
    type: 'button', 'aria-label': words('ratioSwap'), title: words('ratioSwap'),
    onclick: () => {
      const turned = view.canvasOptions?.canvas?.replace(/^(.+)([:x])(.+)$/, '$3$2$1');
      if (!isFitted()) view.command('ratioSwap');
      else if (turned) changeCanvas(view, { canvas: turned });
    },
  }, icon('swap', 20));
  return {
    tab: 'frame',
    needs: ['ratio'],
    root: sectionRoot('ratio', 'ratio', node('div.chips.presets', {},
      has.has('ratio') && fit.root, has.has('ratioSwap') && swap, ...chips.map(({ root }) => root),
      has.has('ratio') && custom.chip, has.has('ratio') && custom.row)),
    update: (real) => {
      const state = ratioState(view, real);
      fit.update();
      fit.root.hidden = hasCorners(real) && !view.canvasOptions;
      swap.disabled = state.ratioKind === Ratio.free || state.ratioWidth === state.ratioHeight;
      square?.classList.toggle('usual', isOpen(state));
      swap.hidden = hasCorners(state);
      for (const { root, isChosen, label, isOffered, name } of chips) {
        const isNow = isChosen(state);
        const isNew = isNow && root.getAttribute('aria-pressed') !== 'true';
        root.hidden = !isOffered(state);
        setAttribute(root, 'aria-pressed', isNow);
        if (isNew) revealInRow(root);
        // Shows the swapped ratio.
        const text = isNow && state.ratioKind === Ratio.fixed && state.ratioWidth !== state.ratioHeight && !name?.(state)
          ? named(...ratioTerms(state.ratioWidth, state.ratioHeight)) : label;
        if (root.textContent !== text) root.textContent = text;
      }
      const isPreset = chips.some(({ isChosen }) => isChosen(state));
      setAttribute(custom.chip, 'aria-pressed', !isPreset);
      // Does not overwrite what the user is typing.
      if (!custom.row.hidden && !custom.row.matches(':focus-within')) custom.show(state);
    },
  };
}

/**
 * The chips of ratios, and when they are offered and chosen.
 * @param {import('../../Element/crop-view.js').CropView} view @param {() => boolean} isFitted whether the ratio is
 * the canvas's
 */
function ratioChips(view, isFitted) {
  const has = view.commands;
  /** @type {{ root: HTMLButtonElement, isChosen: Fits, label: string, isOffered: Fits, name: Fits | null }[]} */
  const chips = [];
  const add = (
    /** @type {string} */ label, /** @type {() => void} */ act,
    /** @type {Fits} */ isChosen, /** @type {Fits} */ isOffered = () => true,
    /** @type {Fits | null} */ name = null,
  ) => {
    const root = toggle(label, act);
    chips.push({ root, isChosen, label, isOffered, name });
    return root;
  };
  const take = (/** @type {number} */ w, /** @type {number} */ h) => {
    if (isFitted()) changeCanvas(view, { canvas: `${w}:${h}` });
    else view.command('ratio', w, h);
  };
  // A viewfinder always has a ratio.
  const free = add(words('ratioFree'), () => view.command('ratioFree'),
    (state) => state.ratioKind === Ratio.free && !isOpen(state),
    (state) => state.style !== Style.viewfinder && !isFitted());
  free.classList.add('usual');
  const bare = add(words('marginOnly'), () => changeCanvas(view, marginOf(view)),
    (state) => state.ratioKind === Ratio.free && isFitted(), isFitted);
  bare.classList.add('usual');
  /** @type {HTMLElement | undefined} */ let square;
  if (has.has('ratioOriginal')) {
    const isOriginal = (/** @type {State} */ state) => state.ratioKind === Ratio.original;
    const act = () => {
      const { frameWidth, frameHeight } = view.state ?? { frameWidth: 1, frameHeight: 1 };
      if (isFitted()) changeCanvas(view, { canvas: `${frameWidth}:${frameHeight}` });
      else view.command('ratioOriginal');
    };
    add(words('ratioOriginal'), act, isOriginal, (state) => !hasCorners(state));
    add(words('ratioSheet'), act, isOriginal, hasCorners);
  }
  if (has.has('ratio')) {
    for (const { label, width: w, height: h } of SHEETS) {
      add(words(label), () => take(w, h), (state) => state.ratioKind === Ratio.fixed
        && (sameRatio(state, w, h) || sameRatio(state, h, w)), hasCorners, () => true);
    }
    for (const [w, h] of RATIOS) {
      const label = w === h ? words('ratioSquare') : named(w, h);
      const isSheet = USUAL.some(([across, down]) => across === w && down === h);
      const chip = add(label, () => take(w, h), (state) => (w === h && isOpen(state))
        || (state.ratioKind === Ratio.fixed && (sameRatio(state, w, h) || sameRatio(state, h, w))),
      (state) => isSheet || !hasCorners(state), hasCorners);
      if (w === h) square = chip;
    }
  }
  return { chips, square };
}

/**
 * A chip that opens two fields. The field for the result's exact size is in the output's section.
 * @param {import('../../Element/crop-view.js').CropView} view @param {() => boolean} isFitted whether the ratio is
 * the canvas's
 */
function customRatio(view, isFitted) {
  const field = (/** @type {string} */ label) => node('input', {
    type: 'text', inputmode: 'decimal', autocomplete: 'off', maxlength: 7, 'aria-label': label,
  });
  const width = field(words('ratioWidth'));
  const height = field(words('ratioHeight'));
  const exact = node('input', { type: 'checkbox' });
  const pixels = node('label.check', { hidden: true }, exact, words('targetExact'));
  const row = node('div.custom', { hidden: true },
    node('label.field', {}, width), node('span', { 'aria-hidden': 'true' }, ':'),
    node('label.field', {}, height), pixels);
  const show = (/** @type {import('../../Element/interface.js').State | null} */ state) => {
    pixels.hidden = !isFitted();
    exact.checked = view.canvasOptions?.canvas?.includes('x') ?? false;
    const terms = !state?.ratioWidth ? null
      : exact.checked && isFitted() ? [state.ratioWidth, state.ratioHeight] : ratioTerms(state.ratioWidth, state.ratioHeight);
    [width, height].forEach((input, at) => {
      input.value = terms ? formatNumber(terms[at], decimalsOf(terms[at])) : '';
    });
  };
  const apply = () => {
    const [w, h] = [readNumber(width.value, false) ?? 0, readNumber(height.value, false) ?? 0];
    const isBad = (width.value && w <= 0) || (height.value && h <= 0);
    // The user may still type the other term.
    if (!isBad && !(width.value && height.value)) return;
    if (!isBad && isFitted()) {
      const isSize = exact.checked && Number.isInteger(w) && Number.isInteger(h);
      changeCanvas(view, { canvas: `${w}${isSize ? 'x' : ':'}${h}` });
    } else if (isBad || !view.command('ratio', w, h)) show(view.state);
  };
  row.addEventListener('change', apply);
  row.addEventListener('keydown', (event) => event.key === 'Enter' && apply());
  // What the fields did not show while the user was typing.
  row.addEventListener('focusout', ({ relatedTarget }) => {
    if (!row.contains(/** @type {Node | null} */ (relatedTarget))) show(view.state && ratioState(view, view.state));
  });
  const chip = toggle(words('ratioCustom'), () => {
    row.hidden = !row.hidden;
    chip.setAttribute('aria-expanded', String(!row.hidden));
    if (row.hidden) return;
    show(view.state && ratioState(view, view.state));
    width.focus();
    width.select();
    row.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, { 'aria-expanded': 'false' });
  return { chip, row, show };
}

/**
 * Scrolls a chip into view, next to the fixed control, if its row scrolls, as on a phone.
 * @param {HTMLElement} chip
 */
function revealInRow(chip) {
  const row = chip.parentElement;
  if (!row || row.scrollWidth <= row.clientWidth) return;
  /** @type {HTMLElement | null} */ const fixed = row.querySelector('.fill-fit');
  row.style.scrollPaddingInline = `${(fixed?.offsetWidth ?? 0) + 20}px 4px`;
  chip.scrollIntoView({ block: 'nearest', inline: 'nearest' });
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

/**
 * The canvas's margin without a ratio; a default one instead of none, which would not be visible.
 * @param {import('../../Element/crop-view.js').CropView} view @returns {import('../../Element/canvas.js').CanvasOptions}
 */
function marginOf({ canvasOptions }) {
  const isNothing = Number.parseFloat(String(canvasOptions?.margin ?? 0)) === 0;
  return { canvas: '', ...(isNothing && { margin: '5%' }) };
}

/** @param {State} state with the ratio of a sheet seen at an angle */
function hasCorners(state) {
  return state.style === Style.quad;
}
