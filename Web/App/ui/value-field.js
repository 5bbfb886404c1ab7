// @ts-check
// A text field for a value, which is set when the user leaves the field or presses Enter.

import { node } from './dom.js';

/**
 * @param {string} label for screen readers @param {import('./dom.js').Attributes} attributes
 * @param {{ commit(): void, restore?(): void, step?(way: 1 | -1, isLarge: boolean): void }} actions `restore`: shows
 * the current value again; `step`: what the arrow keys do
 */
export function valueField(label, attributes, { commit, restore, step }) {
  /** What the field showed after the last commit, which may be another text than the user's. */
  let settled = '';
  const settle = () => {
    commit();
    settled = input.value;
  };
  /** @type {HTMLInputElement} */
  const input = node('input', {
    type: 'text', inputmode: 'decimal', autocomplete: 'off', 'aria-label': label, ...attributes,
    onfocus: () => {
      settled = '';
      input.select();
    },
    // Leaving the field commits what Enter has not committed.
    onchange: () => input.value !== settled && settle(),
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      const way = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : null;
      if (event.key === 'Enter') settle();
      else if (event.key === 'Escape' && restore) restore();
      else if (way && step) {
        event.preventDefault();
        step(way, event.shiftKey);
      } else return;
      input.select();
    },
  });
  return input;
}

/**
 * Shows a text, unless the user is typing another one.
 * @param {HTMLInputElement} input @param {string} text
 */
export function showValue(input, text) {
  if (!input.matches(':focus') && input.value !== text) input.value = text;
}
