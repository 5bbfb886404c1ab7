// @ts-check
// A grid of any number of photos. Only the rows near the visible area exist.

import { takenAt } from '../model/photo-list.js';
import { node, setAttribute } from '../ui/dom.js';
import { GridLayout } from './grid-layout.js';
import { GridRow } from './grid-row.js';
import { Thumbnails } from './thumbnails.js';

/** @typedef {import('../server/library-api.js').Entry} Entry */
/** @typedef {Pick<import('../model/photo-list.js').PhotoList, 'photos' | 'want'>} Shown */

/**
 * The gap between photos, and the minimum width of a photo on phones, on desktops, and as a fraction of large
 * screens, in pixels.
 */
const GAP = 4;
const NARROW = 104;
const WIDE = 150;
const MOST_COLUMNS = 14;

/** The number of photos to load beyond the last visible row. */
const AHEAD = 400;

export class PhotoGrid {
  /** @type {Shown | null} */ list = null;
  /** The number of photos in the album, loaded or not. */
  total = 0;
  /** The index of the photo with keyboard focus. */
  active = 0;
  layout = new GridLayout([], 0, { columns: 1, step: 1 });
  /** @type {Map<string, GridRow>} rows by their start */ #rows = new Map();
  #thumbnails = new Thumbnails();
  #frame = 0;
  /** @type {string[]} */ #months = [];

  /**
   * @param {{ broken(entry: Entry): void }} actions
   * @param {import('./selection.js').Selection} selection
   */
  constructor(actions, selection) {
    this.actions = actions;
    this.selection = selection;
    this.grid = node('div.photo-grid', { role: 'grid' });
    this.root = node('div.scroller', {}, this.grid);
    this.root.addEventListener('scroll', () => this.#later(), { passive: true });
    this.grid.addEventListener('keydown', (event) => this.#key(event));
    // Runs before the link's handler: while photos are selected, a click must not open one.
    this.grid.addEventListener('click', (event) => this.#choose(event), true);
    this.grid.addEventListener('focusin', (event) => {
      const index = /** @type {HTMLElement} */ (event.target).dataset.index;
      if (index !== undefined) this.#setActive(Number(index));
    });
    new ResizeObserver(() => this.#lay()).observe(this.grid);
  }

  /**
   * Shows an album from the start.
   * @param {Shown} list @param {string} label
   */
  show(list, label) {
    this.list = list;
    this.active = 0;
    this.#clear();
    this.root.scrollTop = 0;
    this.grid.setAttribute('aria-label', label);
  }

  /**
   * Updates the grid after the loaded photos have changed.
   * @param {number} total
   */
  update(total) {
    this.total = total;
    // The order is by time, but months are those of the places where the photos were taken: around the end of a month
    // they may alternate, and each month has only one heading.
    let last = '9999-12';
    this.#months = (this.list?.photos ?? []).map((entry) => {
      const month = takenAt(entry).slice(0, 7);
      if (month < last) last = month;
      return last;
    });
    this.#lay();
  }

  #lay() {
    const width = this.grid.clientWidth;
    if (!width) return;
    const wanted = width < 560 ? NARROW : Math.max(WIDE, width / MOST_COLUMNS);
    const columns = Math.max(3, Math.floor((width + GAP) / (wanted + GAP)));
    const cell = (width + GAP) / columns - GAP;
    const { focusedId: focused, hasFocus } = this;
    const { scrollTop, clientHeight, scrollHeight } = this.root;
    const isAtEnd = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 1;
    // Keeps the photo at the top in place when the width changes.
    const anchor = this.layout.columns !== columns && this.root.scrollTop > 0
      ? this.layout.between(this.root.scrollTop, this.root.scrollTop + 1)[0]?.start : undefined;
    this.layout = new GridLayout(this.#months, this.total, { columns, step: cell + GAP });
    this.grid.style.blockSize = `${this.layout.height}px`;
    this.grid.style.setProperty('--columns', String(columns));
    this.grid.style.setProperty('--cell', `${cell}px`);
    setAttribute(this.grid, 'aria-rowcount', String(this.layout.lines));
    setAttribute(this.grid, 'aria-colcount', String(columns));
    if (anchor !== undefined && anchor < this.total) {
      this.root.scrollTop = this.layout.lineOf(anchor).top;
    } else if (isAtEnd) {
      // Keeps the view at the end when more photos are loaded.
      this.root.scrollTop = this.root.scrollHeight;
    }
    const at = focused ? this.list?.photos.findIndex(({ id }) => id === focused) ?? -1 : -1;
    if (at >= 0) this.active = at;
    this.#draw();
    if (hasFocus && !this.hasFocus) this.#cell(this.active)?.focus({ preventScroll: true });
  }

  #later() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #draw() {
    const { list } = this;
    const { scrollTop: top, clientHeight: height } = this.root;
    if (!list || !height) return;
    const lines = this.layout.between(top - height, top + 2 * height);
    const { hasFocus } = this;
    if (this.total > 0) {
      this.active = Math.min(this.active, this.total - 1);
      const own = this.layout.lineOf(this.active);
      if (!lines.some((line) => line.number === own.number)) {
        if (hasFocus) lines.push(own);
        else this.active = lines.find((line) => line.count && line.top >= top)?.start ?? 0;
      }
    }
    const kept = new Set();
    for (const line of lines) {
      const key = line.count ? `row ${line.start} ${line.count}`
        : `month ${line.start} ${line.block.month} ${line.block.from}`;
      kept.add(key);
      let row = this.#rows.get(key);
      if (!row) {
        row = new GridRow(line, this.actions);
        this.#rows.set(key, row);
        this.grid.append(row.root);
      }
      row.place(line, this.layout, list.photos, this.active, this.selection);
    }
    for (const [key, row] of this.#rows) {
      if (kept.has(key)) continue;
      row.remove(this.#thumbnails);
      this.#rows.delete(key);
    }
    const middle = () => this.root.scrollTop + this.root.clientHeight / 2;
    for (const row of this.#rows.values()) row.fill(this.#thumbnails, middle, this.layout.step);
    const last = lines.reduce((most, { start, count }) => Math.max(most, start + count), 0);
    list.want(Math.min(this.total, last + AHEAD));
  }

  #clear() {
    for (const row of this.#rows.values()) row.remove(this.#thumbnails);
    this.#rows.clear();
  }

  /** @param {number} index */
  #setActive(index) {
    const before = this.#cell(this.active);
    this.active = index;
    if (before) before.tabIndex = -1;
    const cell = this.#cell(index);
    if (cell) cell.tabIndex = 0;
  }

  /** @param {number} index @returns {HTMLElement | null} */
  #cell(index) {
    return this.grid.querySelector(`[data-index="${index}"]`);
  }

  get hasFocus() {
    return this.grid.contains(document.activeElement);
  }

  /** The id of the focused photo; empty if there is none or if it is not loaded yet. */
  get focusedId() {
    const focused = document.activeElement;
    return focused instanceof HTMLElement && this.hasFocus ? focused.dataset.id ?? '' : '';
  }

  /** @param {MouseEvent} event */
  #choose(event) {
    /** @type {HTMLElement | null} */
    const link = /** @type {HTMLElement} */ (event.target).closest('[data-index]');
    const index = Number(link?.dataset.index ?? -1);
    if (!this.selection.isOn || index < 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.selection.press(index, event.shiftKey);
  }

  /** Updates the marks after the selection has changed. */
  mark() {
    setAttribute(this.grid, 'aria-multiselectable', this.selection.isOn);
    this.#draw();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (this.selection.isOn && event.key === ' ') {
      event.preventDefault();
      this.selection.press(this.active, event.shiftKey);
      return;
    }
    if (event.altKey || event.metaKey) return;
    const to = this.#goal(event.key, event.ctrlKey);
    if (to === null) return;
    event.preventDefault();
    this.goTo(to);
  }

  /**
   * The index that a key leads to; null for other keys.
   * @param {string} key @param {boolean} isWhole
   */
  #goal(key, isWhole) {
    const { active, layout, total } = this;
    const line = layout.lineOf(active);
    const page = Math.max(1, Math.floor(this.root.clientHeight / layout.step) - 1);
    const forward = getComputedStyle(this.grid).direction === 'rtl' ? -1 : 1;
    switch (key) {
      case 'ArrowRight': return active + forward;
      case 'ArrowLeft': return active - forward;
      case 'ArrowDown': return layout.stepped(active, 1);
      case 'ArrowUp': return layout.stepped(active, -1);
      case 'PageDown': return layout.stepped(active, page);
      case 'PageUp': return layout.stepped(active, -page);
      case 'Home': return isWhole ? 0 : line.start;
      case 'End': return isWhole ? total - 1 : line.start + line.count - 1;
      default: return null;
    }
  }

  /**
   * Focuses a photo and scrolls as little as possible.
   * @param {number} index
   */
  goTo(index) {
    if (index < 0 || index >= this.total) return;
    const { top } = this.layout.lineOf(index);
    const { scrollTop, clientHeight } = this.root;
    const room = index === 0 ? top : 0;
    if (top - room < scrollTop) this.root.scrollTop = top - room;
    else if (top + this.layout.step > scrollTop + clientHeight) {
      this.root.scrollTop = top + this.layout.step - clientHeight;
    }
    this.#setActive(index);
    this.#draw();
    this.#setActive(index);
    this.#cell(index)?.focus({ preventScroll: true });
  }
}
