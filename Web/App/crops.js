// @ts-check
// The crops that were made of a photo before: each opens where it was left.

import { node } from './dom.js';
import { thumbnailURL } from './library-api.js';
import { photoHash } from './routes.js';
import { sectionRoot } from './section.js';
import { formatSize, words } from './words.js';

/** @typedef {import('./library-api.js').Entry} Entry */

export class Crops {
  /** @type {Entry[]} newest first */ entries = [];

  constructor() {
    this.row = node('div.earlier');
    this.root = sectionRoot('crops', 'earlierCrops', this.row);
    this.root.hidden = true;
  }

  /** @returns {import('./section.js').Section} */
  get section() {
    return { tab: 'more', needs: [], root: this.root, update: () => {} };
  }

  /** @param {Entry[]} entries */
  show(entries) {
    this.entries = entries.filter(({ problem }) => !problem);
    this.root.hidden = this.entries.length === 0;
    this.row.replaceChildren(...this.entries.map((entry) => node('a', {
      href: photoHash(entry.id), title: entry.name,
      'aria-label': words('photoTaken', entry.name, formatSize(entry.width, entry.height)),
    }, node('img', { src: thumbnailURL(entry, 'large'), alt: '', loading: 'lazy' }))));
  }

  /** @param {Entry} entry */
  add(entry) {
    this.show([entry, ...this.entries]);
  }

  /** @param {Entry} entry */
  remove({ id }) {
    this.show(this.entries.filter((entry) => entry.id !== id));
  }
}
