// @ts-check
// Search in an album: by a part of a photo's name, of its album's name, or of its date in words or numbers.

import { takenAt } from '../model/photo-list.js';
import { formatDay } from '../ui/words.js';

/** @typedef {import('../server/library-api.js').Entry} Entry */
/** @typedef {import('../model/photo-list.js').PhotoList} PhotoList */

/** The photos of a list that match all words of a text, as a list for the grid. */
export class FoundPhotos {
  #terms;
  /** @type {Entry[]} */ #searched = [];
  /** @type {Entry[]} */ #found = [];

  /**
   * @param {PhotoList} list @param {string} text
   * @param {(entry: Entry) => string} albumOf the name of a photo's album
   */
  constructor(list, text, albumOf) {
    this.list = list;
    this.albumOf = albumOf;
    this.#terms = folded(text).split(/\s+/).filter(Boolean);
  }

  get photos() {
    const { photos } = this.list;
    if (photos !== this.#searched) {
      this.#searched = photos;
      this.#found = photos.filter((entry) => this.#has(entry));
    }
    return this.#found;
  }

  /** The whole list is searched, since its last photo may match. */
  want() {
    return this.list.want(Infinity);
  }

  /** @param {Entry} entry */
  #has(entry) {
    const name = folded(entry.name);
    if (this.#terms.every((term) => name.includes(term))) return true;
    const taken = takenAt(entry);
    const all = [name, folded(this.albumOf(entry)), folded(formatDay(taken)), taken.slice(0, 10)].join(' ');
    return this.#terms.every((term) => all.includes(term));
  }
}

/**
 * Without case and accents.
 * @param {string} text
 */
function folded(text) {
  return text.normalize('NFKD').replace(/\p{Mn}/gu, '').toLowerCase();
}
