// @ts-check
// Earlier crops of a photo: each reopens with its recipe.

import { photoHash } from '../model/routes.js';
import { thumbnailURL } from '../server/library-api.js';
import { node } from '../ui/dom.js';
import { sectionRoot } from '../ui/section.js';
import { formatSize, words } from '../ui/words.js';

/** @typedef {import('../server/library-api.js').Entry} Entry */

export class EarlierCrops {
  /** @type {Entry[]} newest first */ entries = [];

  constructor() {
    this.row = node('div.earlier');
    this.root = sectionRoot('crops', 'earlierCrops', this.row);
    this.root.hidden = true;
  }

  /** @returns {import('../ui/section.js').Section} */
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
