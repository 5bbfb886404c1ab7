// @ts-check
// Ratios: presets, swap, and a custom one.

import { wholeTerms } from './attributes.js';
import { sectionRoot } from './controls.js';
import { STYLES } from './core.js';
import { node, setAttribute } from './dom.js';
import { icon } from './icons.js';
import { formatNumber, readNumber, words } from './words.js';

const PRESETS = Object.freeze([
  [1, 1], [3, 2], [4, 3], [5, 4], [16, 9], [7, 5], [5, 3], [16, 10], [21, 9],
]);

/** @param {import('./crop-view.js').CropView} view @returns {import('./controls.js').Section} */
export function ratioSection(view) {
  const has = view.commands;
  /** @type {{ root: HTMLButtonElement, isChosen: (state: import('./core.js').State) => boolean }[]} */
  const chips = [];
  const add = (
    /** @type {string} */ label, /** @type {() => void} */ act,
    /** @type {(state: import('./core.js').State) => boolean} */ isChosen,
  ) => chips.push({
    root: node('button.chip', { type: 'button', 'aria-pressed': 'false', onclick: act }, label),
    isChosen,
  });
  // A viewfinder's opening is square unless another ratio is set.
  const isOpen = (/** @type {import('./core.js').State} */ state) =>
    state.ratioKind === 0 && STYLES[state.style] === 'viewfinder';
  add(words('ratioFree'), () => view.command('ratioFree'),
    (state) => state.ratioKind === 0 && !isOpen(state));
  if (has.has('ratioOriginal')) {
    add(words('ratioOriginal'), () => view.command('ratioOriginal'),
      (state) => state.ratioKind === 1);
  }
  if (has.has('ratio')) {
    for (const [w, h] of PRESETS) {
      const label = w === h ? words('ratioSquare') : words('ratioValue', formatNumber(w), formatNumber(h));
      add(label, () => view.command('ratio', w, h), (state) => (w === h && isOpen(state))
        || (state.ratioKind === 2 && (sameRatio(state, w, h) || sameRatio(state, h, w))));
    }
  }
  const custom = customRatio(view);
  const swap = node('button.chip.swap', {
    type: 'button', 'aria-label': words('ratioSwap'), title: words('ratioSwap'),
    onclick: () => view.command('ratioSwap'),
  }, icon('swap', 20));
  const keep = node('button.chip.keep', {
    type: 'button', 'aria-pressed': 'false', hidden: true,
    onclick: () => view.command('keepsRatio', view.state?.keepsRatio ? 0 : 1),
  }, words('keepsRatio'));
  return {
    tab: 'frame',
    needs: ['ratio'],
    root: sectionRoot('ratio', 'ratio', node('div.chips.presets', {},
      has.has('ratioSwap') && swap, ...chips.map(({ root }) => root),
      has.has('ratio') && custom.chip, has.has('keepsRatio') && keep), custom.row),
    update: (state) => {
      swap.disabled = state.ratioKind === 0 || state.ratioWidth === state.ratioHeight;
      for (const { root, isChosen } of chips) {
        setAttribute(root, 'aria-pressed', isChosen(state));
      }
      const isPreset = chips.some(({ isChosen }) => isChosen(state));
      setAttribute(custom.chip, 'aria-pressed', !isPreset);
      setAttribute(keep, 'aria-pressed', state.keepsRatio);
      keep.hidden = state.ratioKind === 0;
      // What a person is typing stays theirs.
      if (!custom.row.hidden && !custom.row.matches(':focus-within')) custom.show(state);
    },
  };
}

/**
 * A chip that opens two fields. An exact size of the result is in the output's section.
 * @param {import('./crop-view.js').CropView} view
 */
function customRatio(view) {
  const field = (/** @type {string} */ label) => node('input', {
    type: 'text', inputmode: 'decimal', autocomplete: 'off', maxlength: 7, 'aria-label': label,
  });
  const width = field(words('ratioWidth'));
  const height = field(words('ratioHeight'));
  const row = node('div.custom', { hidden: true },
    node('label.field', {}, width), node('span', { 'aria-hidden': 'true' }, ':'),
    node('label.field', {}, height));
  const show = (/** @type {import('./core.js').State | null} */ state) => {
    width.value = state?.ratioWidth ? formatNumber(state.ratioWidth) : '';
    height.value = state?.ratioHeight ? formatNumber(state.ratioHeight) : '';
  };
  const apply = () => {
    const [w, h] = [readNumber(width.value) ?? 0, readNumber(height.value) ?? 0];
    const isBad = (width.value && w <= 0) || (height.value && h <= 0);
    // The other term may be still to come.
    if (!isBad && !(width.value && height.value)) return;
    if (isBad || !view.command('ratio', ...wholeTerms(w, h))) show(view.state);
  };
  row.addEventListener('change', apply);
  row.addEventListener('keydown', (event) => event.key === 'Enter' && apply());
  const chip = node('button.chip', {
    type: 'button', 'aria-pressed': 'false', 'aria-expanded': 'false',
    onclick: () => {
      row.hidden = !row.hidden;
      chip.setAttribute('aria-expanded', String(!row.hidden));
      if (row.hidden) return;
      show(view.state);
      width.focus();
      width.select();
    },
  }, words('ratioCustom'));
  return { chip, row, show };
}

/** @param {import('./core.js').State} state @param {number} w @param {number} h */
function sameRatio(state, w, h) {
  return state.ratioWidth * h === state.ratioHeight * w;
}
