// @ts-check
// One row of the grid: a month's heading, or a row of photos.

import { takenAt } from '../model/photo-list.js';
import { photoHash } from '../model/routes.js';
import { Problem } from '../server/api.js';
import { thumbnailURL } from '../server/library-api.js';
import { node, setAttribute } from '../ui/dom.js';
import { icon } from '../ui/icons.js';
import { formatDay, formatMonths, isWordKey, words } from '../ui/words.js';

/** @typedef {import('./grid-layout.js').Line} Line */
/** @typedef {import('../server/library-api.js').Entry} Entry */
/** @typedef {import('./thumbnails.js').Thumbnails} Thumbnails */

/** How long a row must be visible before its thumbnails are requested, in milliseconds. */
const STAY = 70;

/** Milliseconds to wait before a retry if the server was busy or unreachable. */
const AGAIN = 2000;

/**
 * The size with enough pixels for a cell, which the photo fills; a thumbnail's shorter side is about two thirds.
 * @param {number} step
 */
export function thumbnailSize(step) {
  return step * devicePixelRatio > 180 ? 'x-large' : 'large';
}

export class GridRow {
  #top = 0;
  #born = performance.now();
  #timer = 0;
  /** @type {{key: string, root: HTMLElement, entry?: Entry, isAsked: boolean}[]} */ #cells = [];

  /** @param {Line} line @param {{ broken(entry: Entry): void }} actions */
  constructor({ block, count }, actions) {
    this.actions = actions;
    this.root = node(count ? 'div.row' : 'div.month', { role: 'row' });
    if (count === 0) {
      this.root.append(node('div', { role: 'rowheader' }, formatMonths(block.from, block.month)));
    }
  }

  /**
   * @param {Line} line @param {import('./grid-layout.js').GridLayout} layout
   * @param {Entry[]} photos @param {number} active
   * @param {import('./selection.js').Selection} selection
   */
  place(line, layout, photos, active, selection) {
    if (this.#top !== line.top) {
      this.#top = line.top;
      this.root.style.transform = `translateY(${line.top}px)`;
    }
    setAttribute(this.root, 'aria-rowindex', String(line.number + 1));
    this.root.classList.toggle('first', line.isFirst);
    this.root.classList.toggle('last', line.isLast);
    for (let at = 0; at < line.count; at += 1) {
      const index = line.start + at;
      const entry = photos[index];
      const key = entry ? `${entry.id} ${entry.version}` : '';
      let cell = this.#cells[at];
      if (!cell || cell.key !== key) {
        const made = { key, entry, isAsked: false, root: this.#link(entry) };
        if (cell) cell.root.replaceWith(made.root);
        else this.root.append(node('div.cell', { role: 'gridcell' }, made.root));
        cell = this.#cells[at] = made;
      }
      const place = /** @type {HTMLElement} */ (cell.root.parentElement);
      setAttribute(place, 'aria-colindex', String(at + 1));
      if (selection.isOn) setAttribute(place, 'aria-selected', selection.has(entry?.id ?? ''));
      else place.removeAttribute('aria-selected');
      cell.root.dataset.index = String(index);
      cell.root.tabIndex = index === active ? 0 : -1;
    }
  }

  /** @param {Entry | undefined} entry undefined if it is not loaded yet */
  #link(entry) {
    if (!entry) {
      return node('a.photo.unknown', { tabindex: -1, role: 'link', 'aria-disabled': 'true',
        'aria-label': words('loadingPhoto') });
    }
    const { problem } = entry;
    // A crop is shown as it is; "Adjust" leads from it to its photo.
    const link = node('a.photo', {
      href: `${photoHash(entry.id)}${entry.cropOf ? '/view' : ''}`, tabindex: -1, 'data-id': entry.id,
      title: entry.name, draggable: 'false',
      'aria-label': words('photoTaken', entry.name, formatDay(takenAt(entry))),
    });
    if (problem) this.#fail(link, entry, problem.code, problem.message);
    return link;
  }

  /** @param {HTMLElement} link @param {Entry} entry @param {string} code @param {string} message */
  #fail(link, entry, code, message) {
    const what = `${code}.what`;
    const reason = isWordKey(what) ? words(what, entry.name)
      : message || words('problemUnreadable', entry.name);
    link.classList.add('broken');
    link.setAttribute('aria-label', reason);
    link.replaceChildren(icon('warning', 22), node('span', {}, reason));
    link.addEventListener('click', (event) => {
      event.preventDefault();
      this.actions.broken({ ...entry, problem: { code, message } });
    });
  }

  /**
   * Requests missing thumbnails, if the row stays visible.
   * @param {Thumbnails} thumbnails @param {() => number} middle of the visible area
   * @param {number} step
   */
  fill(thumbnails, middle, step) {
    const age = performance.now() - this.#born;
    if (age < STAY) {
      this.#timer ||= window.setTimeout(() => {
        this.#timer = 0;
        this.fill(thumbnails, middle, step);
      }, STAY - age);
      return;
    }
    const size = thumbnailSize(step);
    for (const cell of this.#cells) {
      const { entry } = cell;
      if (!entry || entry.problem || cell.isAsked) continue;
      cell.isAsked = true;
      thumbnails.want(cell, {
        url: thumbnailURL(entry, size),
        distance: () => Math.abs(this.#top + step / 2 - middle()),
        show: (image) => {
          image.className = 'came';
          cell.root.append(image);
        },
        fail: (error) => {
          const { code, detail } = error instanceof Problem ? error : new Problem('');
          // The photo is not the cause: retry, also when the row becomes visible again.
          if (code === 'offline' || code === 'busy') {
            cell.isAsked = false;
            this.#timer ||= window.setTimeout(() => {
              this.#timer = 0;
              this.fill(thumbnails, middle, step);
            }, AGAIN);
          } else this.#fail(cell.root, entry, code, detail);
        },
      });
    }
  }

  /** @param {Thumbnails} thumbnails */
  remove(thumbnails) {
    clearTimeout(this.#timer);
    for (const cell of this.#cells) thumbnails.drop(cell);
    this.root.remove();
  }
}
