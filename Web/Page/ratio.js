// @ts-check
// Ratios: presets, swap, and a custom one.

import { sectionRoot } from './controls.js';
import { node } from './dom.js';
import { icon } from './icons.js';
import { words } from './words.js';

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
  add(words('ratioFree'), () => view.command('ratioFree'), (state) => state.ratioKind === 0);
  if (has.has('ratioOriginal')) {
    add(words('ratioOriginal'), () => view.command('ratioOriginal'),
      (state) => state.ratioKind === 1);
  }
  if (has.has('ratio')) {
    for (const [w, h] of PRESETS) {
      const label = w === h ? words('ratioSquare') : words('ratioValue', String(w), String(h));
      add(label, () => view.command('ratio', w, h), (state) => state.ratioKind === 2
        && (sameRatio(state, w, h) || sameRatio(state, h, w)));
    }
  }
  const swap = node('button.chip.swap', {
    type: 'button', 'aria-label': words('ratioSwap'), title: words('ratioSwap'),
    onclick: () => view.command('ratioSwap'),
  }, icon('swap', 20));
  return {
    tab: 'frame',
    needs: ['ratio'],
    root: sectionRoot('ratio', 'ratio', node('div.chips.presets', {},
      has.has('ratioSwap') && swap, ...chips.map(({ root }) => root))),
    update: (state) => {
      swap.disabled = state.ratioKind === 0 || state.ratioWidth === state.ratioHeight;
      for (const { root, isChosen } of chips) {
        root.setAttribute('aria-pressed', String(isChosen(state)));
      }
    },
  };
}

/** @param {import('./core.js').State} state @param {number} w @param {number} h */
function sameRatio(state, w, h) {
  return state.ratioWidth * h === state.ratioHeight * w;
}
