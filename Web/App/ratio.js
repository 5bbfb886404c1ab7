// @ts-check
// Ratios: presets, swap, and a custom one.

import { Ratio, Style } from '../Element/interface.js';
import { decimalsOf, saidRatio } from '../Element/ratio-name.js';
import { node, setAttribute } from './dom.js';
import { icon } from './icons.js';
import { RATIOS } from './presets.js';
import { sectionRoot } from './section.js';
import { formatNumber, readNumber, words } from './words.js';

/** @typedef {import('../Element/interface.js').State} State */

/** @param {import('../Element/crop-view.js').CropView} view @returns {import('./section.js').Section} */
export function ratioSection(view) {
  const has = view.commands;
  /** @type {{ root: HTMLButtonElement, isChosen: (state: State) => boolean, label: string }[]} */
  const chips = [];
  const add = (
    /** @type {string} */ label, /** @type {() => void} */ act,
    /** @type {(state: State) => boolean} */ isChosen,
  ) => {
    const root = node('button.chip', { type: 'button', 'aria-pressed': 'false', onclick: act }, label);
    chips.push({ root, isChosen, label });
    return root;
  };
  // A viewfinder is square unless another ratio is set.
  const isOpen = (/** @type {State} */ state) =>
    state.ratioKind === Ratio.free && state.style === Style.viewfinder;
  const free = add(words('ratioFree'), () => view.command('ratioFree'),
    (state) => state.ratioKind === Ratio.free && !isOpen(state));
  free.classList.add('usual');
  /** @type {HTMLElement | undefined} */ let square;
  if (has.has('ratioOriginal')) {
    add(words('ratioOriginal'), () => view.command('ratioOriginal'),
      (state) => state.ratioKind === Ratio.original);
  }
  if (has.has('ratio')) {
    for (const [w, h] of RATIOS) {
      const label = w === h ? words('ratioSquare') : named(w, h);
      const chip = add(label, () => view.command('ratio', w, h), (state) => (w === h && isOpen(state))
        || (state.ratioKind === Ratio.fixed && (sameRatio(state, w, h) || sameRatio(state, h, w))));
      if (w === h) square = chip;
    }
  }
  const custom = customRatio(view);
  const swap = node('button.chip.swap', {
    type: 'button', 'aria-label': words('ratioSwap'), title: words('ratioSwap'),
    onclick: () => view.command('ratioSwap'),
  }, icon('swap', 20));
  return {
    tab: 'frame',
    needs: ['ratio'],
    root: sectionRoot('ratio', 'ratio', node('div.chips.presets', {},
      has.has('ratioSwap') && swap, ...chips.map(({ root }) => root),
      has.has('ratio') && custom.chip, has.has('ratio') && custom.row)),
    update: (state) => {
      swap.disabled = state.ratioKind === Ratio.free || state.ratioWidth === state.ratioHeight;
      // A viewfinder always has a ratio.
      free.hidden = state.style === Style.viewfinder;
      square?.classList.toggle('usual', isOpen(state));
      for (const { root, isChosen, label } of chips) {
        const isNow = isChosen(state);
        setAttribute(root, 'aria-pressed', isNow);
        // Swapped, it reads so.
        const text = isNow && state.ratioKind === Ratio.fixed && state.ratioWidth !== state.ratioHeight
          ? named(...saidRatio(state.ratioWidth, state.ratioHeight)) : label;
        if (root.textContent !== text) root.textContent = text;
      }
      const isPreset = chips.some(({ isChosen }) => isChosen(state));
      setAttribute(custom.chip, 'aria-pressed', !isPreset);
      // What a person is typing stays theirs.
      if (!custom.row.hidden && !custom.row.matches(':focus-within')) custom.show(state);
    },
  };
}

/**
 * A chip that opens two fields. An exact size of the result is in the output's section.
 * @param {import('../Element/crop-view.js').CropView} view
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
  const show = (/** @type {import('../Element/interface.js').State | null} */ state) => {
    const terms = state?.ratioWidth ? saidRatio(state.ratioWidth, state.ratioHeight) : null;
    [width, height].forEach((input, at) => {
      input.value = terms ? formatNumber(terms[at], decimalsOf(terms[at])) : '';
    });
  };
  const apply = () => {
    const [w, h] = [readNumber(width.value, false) ?? 0, readNumber(height.value, false) ?? 0];
    const isBad = (width.value && w <= 0) || (height.value && h <= 0);
    // The other term may be still to come.
    if (!isBad && !(width.value && height.value)) return;
    if (isBad || !view.command('ratio', w, h)) show(view.state);
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
      row.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    },
  }, words('ratioCustom'));
  return { chip, row, show };
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
