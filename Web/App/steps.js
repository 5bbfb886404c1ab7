// @ts-check
// The way from a photo of the library to the one before or after it.

import { node } from './dom.js';
import { icon } from './icons.js';
import { sectionRoot } from './section.js';
import { words } from './words.js';

/** @typedef {import('./library-api.js').Entry} Entry */

export class Steps {
  /** @param {(way: 1 | -1) => void} go */
  constructor(go) {
    const way = (/** @type {'button.quiet.square.flips' | 'button.chip'} */ look,
      /** @type {1 | -1} */ step) => {
      const label = words(step < 0 ? 'photoBefore' : 'photoAfter');
      const isIcon = look !== 'button.chip';
      return node(look, { type: 'button', onclick: () => go(step), ...(isIcon
        && { 'aria-label': label, title: label }) },
      isIcon ? icon(step < 0 ? 'back' : 'forward') : label);
    };
    this.buttons = [way('button.quiet.square.flips', -1), way('button.quiet.square.flips', 1)];
    this.chips = [way('button.chip', -1), way('button.chip', 1)];
    /** For a bar. */
    this.root = node('div.steps', { hidden: true }, ...this.buttons);
    /** The same on a phone, whose bar has no room. */
    this.row = node('div.row.stepping', { hidden: true }, ...this.chips);
    /**
     * The row as a part of the panel.
     * @type {import('./section.js').Section}
     */
    this.section = {
      tab: 'more', needs: [], update: () => {}, root: sectionRoot('stepping', 'photos', this.row),
    };
  }

  /** @param {{ before?: Entry, after?: Entry }} photos none of both hides the ways */
  set({ before, after }) {
    const isAlone = !before && !after;
    for (const part of [this.root, this.row, this.section.root]) part.hidden = isAlone;
    for (const [back, on] of [this.buttons, this.chips]) {
      back.disabled = !before;
      on.disabled = !after;
    }
  }
}

/**
 * Page Up and Page Down, where nothing else takes them, turn the leaves of the album.
 * @param {(way: 1 | -1) => void} go
 */
export function listenForSteps(go) {
  addEventListener('keydown', (event) => {
    const way = { PageUp: /** @type {const} */ (-1), PageDown: /** @type {const} */ (1) }[event.key];
    const isFree = !event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.altKey
      && !/** @type {Element} */ (event.target).matches('input, select, textarea');
    if (way && isFree && !document.querySelector('dialog[open]')) go(way);
  });
}
