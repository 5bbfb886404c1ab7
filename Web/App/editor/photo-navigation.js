// @ts-check
// Navigation from a photo of the library to the previous or next one.

import { node } from '../ui/dom.js';
import { icon } from '../ui/icons.js';
import { sectionRoot } from '../ui/section.js';
import { words } from '../ui/words.js';

/** @typedef {import('../server/library-api.js').Entry} Entry */

export class PhotoNavigation {
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
    /** For the bar. */
    this.root = node('div.steps', { hidden: true }, ...this.buttons);
    /** For phones, whose bar has no space for them. */
    this.row = node('div.row.stepping', { hidden: true }, ...this.chips);
    /**
     * The row as a part of the panel.
     * @type {import('../ui/section.js').Section}
     */
    this.section = {
      tab: 'more', needs: [], update: () => {}, root: sectionRoot('stepping', 'photos', this.row),
    };
  }

  /** @param {{ before?: Entry, after?: Entry }} photos without both, the buttons are hidden */
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
 * Page Up and Page Down go through the album, if nothing else handles them.
 * @param {(way: 1 | -1) => void} go
 */
export function listenForPhotoNavigation(go) {
  addEventListener('keydown', (event) => {
    const way = { PageUp: /** @type {const} */ (-1), PageDown: /** @type {const} */ (1) }[event.key];
    const isFree = !event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.altKey
      && !/** @type {Element} */ (event.target).matches('input, select, textarea');
    if (way && isFree && !document.querySelector('dialog[open]')) go(way);
  });
}
