// @ts-check
// Navigation from a photo of the library to the previous or next one.

import { chip } from './chips.js';
import { hasDialog, node } from './dom.js';
import { tool } from './icons.js';
import { sectionRoot } from './section.js';
import { words } from './words.js';

export class PhotoNavigation {
  /** @param {(way: 1 | -1) => void} go */
  constructor(go) {
    const steps = /** @type {const} */ ([[-1, 'photoBefore', 'back'], [1, 'photoAfter', 'forward']]);
    this.buttons = steps.map(([way, label, glyph]) => tool(glyph, words(label), () => go(way), 'flips'));
    this.chips = steps.map(([way, label]) => chip(words(label), () => go(way)));
    /** For the bar. */
    this.root = node('div.steps', { hidden: true }, ...this.buttons);
    /** For phones, whose bar has no space for them. */
    this.row = node('div.row.stepping', { hidden: true }, ...this.chips);
    /**
     * The row as a part of the panel.
     * @type {import('./section.js').Section}
     */
    this.section = {
      tab: 'more', needs: [], update: () => {}, root: sectionRoot('stepping', 'photos', this.row),
    };
  }

  /** @param {{ before?: unknown, after?: unknown }} photos without both, the buttons are hidden */
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
    if (way && isFree && !hasDialog()) go(way);
  });
}
