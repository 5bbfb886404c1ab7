// @ts-check
// Small buttons in the panel: single ones, and rows of which one is chosen.

import { node, setAttribute } from './dom.js';

/** @typedef {string | Node | (string | Node)[]} Label */
/** @typedef {import('./dom.js').Attributes} Attributes */

/** @param {Label} label @param {() => void} act @param {Attributes} [attributes] */
export function chip(label, act, attributes) {
  return node('button.chip', { type: 'button', onclick: act, ...attributes }, ...[label].flat());
}

/**
 * A chip that can be chosen.
 * @param {Label} label @param {() => void} act @param {Attributes} [attributes]
 */
export function toggle(label, act, attributes) {
  return chip(label, act, { 'aria-pressed': 'false', ...attributes });
}

/**
 * Chips for the values of a setting.
 * @template Value
 * @param {readonly (readonly [value: Value, label: Label, attributes?: Attributes])[]} options
 * @param {(value: Value) => void} choose
 */
export function choices(options, choose) {
  const chips = options.map(([value, label, attributes]) => toggle(label, () => choose(value), attributes));
  return {
    chips,
    /**
     * @param {Value | undefined} chosen
     * @returns {boolean} whether one of the chips is for this value
     */
    show: (chosen) => {
      options.forEach(([value], at) => setAttribute(chips[at], 'aria-pressed', value === chosen));
      return options.some(([value]) => value === chosen);
    },
  };
}

/**
 * A button for another color than those of the chips.
 * @param {string} label @param {(color: string) => void} choose
 */
export function otherColor(label, choose) {
  /** @type {HTMLInputElement} */
  const input = node('input', { type: 'color', value: '#808080', 'aria-label': label, title: label,
    oninput: () => choose(input.value) });
  return input;
}

/**
 * Scrolls a button to the middle of its row, next to the fixed control, if the row scrolls, as on a phone: the
 * buttons on both sides of it are visible too.
 * @param {Element} button
 */
export function revealInRow(button) {
  /** @type {HTMLElement | null} */ const row = button.closest('.chips, .filmstrip');
  if (!row || row.scrollWidth <= row.clientWidth) return;
  // At the start, the controls before the first button are visible too.
  if (button === row.querySelector(':scope > :is(.chip, .thumb):not([hidden])')) {
    row.scrollLeft = 0;
    return;
  }
  /** @type {HTMLElement | null} */ const fixed = row.querySelector('.fill-fit');
  row.style.scrollPaddingInline = `${(fixed?.offsetWidth ?? 0) + 20}px 4px`;
  button.scrollIntoView({ block: 'nearest', inline: 'center' });
}
