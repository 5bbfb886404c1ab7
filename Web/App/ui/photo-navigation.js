// @ts-check
// Navigation from a photo of the library to the previous or next one.

import { chip } from './chips.js';
import { hasDialog, node } from './dom.js';
import { tool } from './icons.js';
import { words } from './words.js';

/** The shortest swipe, in CSS pixels. */
const SWIPE = 48;

export class PhotoNavigation {
  /** @param {(way: 1 | -1) => void} go */
  constructor(go) {
    const steps = /** @type {const} */ ([[-1, 'photoBefore', 'back'], [1, 'photoAfter', 'forward']]);
    const tools = (/** @type {string} */ classes) => steps.map(([way, label, glyph]) =>
      tool(glyph, words(label), () => go(way), classes));
    this.buttons = tools('flips');
    /** For phones, whose bar has no space for them: beside what is above the photo. */
    this.edges = tools('flips.step');
    this.chips = steps.map(([way, label]) => chip(words(label), () => go(way)));
    /** For the bar. */
    this.root = node('div.steps', { hidden: true }, ...this.buttons);
    /** For phones, below a result. */
    this.row = node('div.row.stepping', { hidden: true }, ...this.chips);
  }

  /** @param {{ before?: unknown, after?: unknown }} photos without both, the buttons are hidden */
  set({ before, after }) {
    const isAlone = !before && !after;
    for (const part of [this.root, this.row, ...this.edges]) part.hidden = isAlone;
    for (const [back, on] of [this.buttons, this.edges, this.chips]) {
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

/**
 * A swipe with one finger goes through the album, in the reading direction.
 * @param {HTMLElement} area without other touch gestures @param {(way: 1 | -1) => void} go
 */
export function listenForSwipes(area, go) {
  /** @type {PointerEvent | null} */ let start = null;
  area.addEventListener('pointerdown', (event) => {
    // A second finger zooms.
    start = event.isPrimary && event.pointerType !== 'mouse' ? event : null;
  });
  area.addEventListener('pointercancel', () => { start = null; });
  area.addEventListener('pointerup', ({ pointerId, clientX, clientY }) => {
    if (start?.pointerId !== pointerId) return;
    const [across, down] = [clientX - start.clientX, clientY - start.clientY];
    start = null;
    if (Math.abs(across) < Math.max(SWIPE, 2 * Math.abs(down))) return;
    const isForward = (across < 0) !== (getComputedStyle(area).direction === 'rtl');
    go(isForward ? 1 : -1);
  });
}
