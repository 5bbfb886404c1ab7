// @ts-check
// A queue of several photos, and the state of each.

import { thumbnailURL } from '../server/library-api.js';

/** @typedef {import('../../Element/core.js').Recipe} Recipe */
/** @typedef {'open' | 'framed' | 'cropped' | 'saved'} ItemState */

/**
 * @typedef {object} Item
 * @property {File} file
 * @property {string} id of its content, once it was opened
 * @property {Recipe | null} recipe
 * @property {import('../../Element/canvas.js').CanvasOptions | null} [canvas] of its result
 * @property {import('./ratio-lock.js').RatioLock | null} [ratio] that the crop keeps
 * @property {import('./photo.js').Result | null} result of that recipe
 * @property {boolean} isSaved
 * @property {string} [entry] the id of a photo in the library; `file` then only has its name
 * @property {string} [preview] the URL of a thumbnail
 * @property {{ width: number, height: number }} [size] upright size in pixels, if known
 * @property {string} [given] the recipe copied from another photo, as text
 */

/**
 * A photo's crop to copy, either relative to its size or in pixels.
 * @typedef {{ recipe: Recipe, image: { width: number, height: number }, isShare: boolean }} Frame
 */

/**
 * The crop of the photo on which "alike" was chosen; with `frame`, it is copied exactly.
 * @typedef {{ ratio: [number, number], side: number, width: number, height: number, frame?: Frame,
 *   canvas?: import('../../Element/canvas.js').CanvasOptions | null }} Alike
 */

/**
 * @typedef {{ alike: Alike | null, items: (Omit<Item, 'file' | 'result'> & { name: string })[] }} Entries
 */

/** Dispatches `change` after each change. */
export class Queue extends EventTarget {
  /** @type {Item[]} */ items = [];
  at = 0;
  /** The key for storage; empty while there is none. */
  key = '';
  /** @type {Alike | null} the initial crop of photos that were not framed yet; null: independent */
  alike = null;

  #changed() {
    this.dispatchEvent(new Event('change'));
  }

  /** @param {File[]} files */
  begin(files) {
    this.#begin(files.map((file) => ({ file })), `${Date.now()}-${Math.random()}`);
  }

  /**
   * Starts with photos of the library. Each has its draft, and their crops are saved in the library.
   * @param {(import('../server/library-api.js').Entry)[]} entries
   */
  beginWith(entries) {
    this.#begin(entries.map((entry) => ({
      file: new File([], entry.name), entry: entry.id, preview: thumbnailURL(entry, 'large'),
      size: { width: entry.width, height: entry.height },
    })), '');
  }

  /** @param {(Pick<Item, 'file'> & Partial<Item>)[]} items @param {string} key */
  #begin(items, key) {
    this.restore(key, {
      at: 0, alike: null,
      items: items.map((item) => ({ id: '', recipe: null, result: null, isSaved: false, ...item })),
    });
  }

  /** Whether these are photos of the library. */
  get isOfLibrary() {
    return this.items[0]?.entry !== undefined;
  }

  /**
   * The entries to store in the browser's history for photos of the library, since their queue is not stored
   * elsewhere; null for other photos.
   * @returns {Entries | null}
   */
  get entries() {
    if (!this.isOfLibrary) return null;
    const items = this.items.map(({ file, result, ...rest }) => ({ ...rest, name: file.name }));
    return { alike: this.alike, items };
  }

  /**
   * Restores photos of the library, for example after a reload.
   * @param {Entries} entries
   */
  restoreEntries({ alike, items }) {
    this.restore('', {
      at: 0, alike, items: items.map(({ name, ...rest }) => ({ ...rest, file: new File([], name), result: null })),
    });
  }

  /** @param {string} id of a photo in the library @returns {number} -1 if it is not in the queue */
  indexOfEntry(id) {
    return this.items.findIndex(({ entry }) => entry === id);
  }

  /**
   * Restores a stored queue.
   * @param {string} key @param {{ at: number, alike: Alike | null, items: Item[] }} kept
   */
  restore(key, { at, alike, items }) {
    Object.assign(this, { key, at, alike, items });
    this.#changed();
  }

  /**
   * Sets the id of the current photo, and its upright size in pixels.
   * @param {string} id @param {{ width: number, height: number }} size
   */
  named(id, { width, height }) {
    const { current } = this;
    if (!current || (current.id === id && current.size)) return;
    Object.assign(current, { id, size: { width, height } });
    this.#changed();
  }

  /** @returns {Item | undefined} the open photo */
  get current() {
    return this.items[this.at];
  }

  get hasNext() {
    return this.at + 1 < this.items.length;
  }

  /** Photos with changes that are not saved yet. */
  get unsaved() {
    return this.items.filter((item) => ['framed', 'cropped'].includes(stateOf(item)));
  }

  /** The photos that "Save all" saves: those without a crop only if they should be like the others. */
  get savable() {
    return this.alike ? this.items.filter(({ isSaved }) => !isSaved) : this.unsaved;
  }

  /**
   * Chooses the crop to copy to the other photos. It discards copies of the previous choice, except on photos that
   * were changed by hand or saved.
   * @param {Alike | null} alike @returns {boolean} whether it discarded the crop of the open photo
   */
  choose(alike) {
    this.alike = alike;
    const copies = this.items.filter(({ given, isSaved, recipe }) =>
      given && !isSaved && given === JSON.stringify(recipe));
    for (const item of copies) Object.assign(item, { recipe: null, canvas: null, ratio: null, result: null, given: undefined });
    this.#changed();
    return copies.includes(this.items[this.at]);
  }

  /** Whether the copied crop does not fit the open photo, which then has no crop. */
  get isUnfit() {
    const { alike, current } = this;
    return Boolean(alike?.frame && current && !current.recipe && !current.given);
  }

  /** @param {number} index of the photo that is open now */
  select(index) {
    this.at = index;
    this.#changed();
  }

  /** @param {string} id @returns {number} -1 if it is not in the queue */
  indexOf(id) {
    return this.items.findIndex((item) => item.id !== '' && item.id === id);
  }

  /**
   * Stores the current crop.
   * @param {Recipe | null} recipe @param {Item['canvas']} canvas of its result
   * @param {Item['ratio']} ratio that it keeps
   */
  framed(recipe, canvas = null, ratio = null) {
    const { current } = this;
    if (!current) return;
    const isSame = JSON.stringify([current.recipe, current.canvas ?? null]) === JSON.stringify([recipe, canvas]);
    if (isSame && JSON.stringify(current.ratio ?? null) === JSON.stringify(ratio)) return;
    // The ratio alone makes no other result.
    Object.assign(current, isSame ? { ratio } : { recipe, canvas, ratio, result: null, isSaved: false });
    this.#changed();
  }

  /** @param {import('./photo.js').Result} result */
  cropped(result) {
    if (this.current) this.current.result = result;
    this.#changed();
  }

  /** @param {Item[]} [items] default: the open one @param {boolean} [isSaved] */
  markSaved(items = this.items.slice(this.at, this.at + 1), isSaved = true) {
    for (const item of items) item.isSaved = isSaved;
    this.#changed();
  }

  end() {
    this.restore('', { at: 0, alike: null, items: [] });
  }
}

/** @param {Item} item @returns {ItemState} */
export function stateOf({ isSaved, result, recipe }) {
  return isSaved ? 'saved' : result ? 'cropped' : recipe ? 'framed' : 'open';
}
