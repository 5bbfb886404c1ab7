// @ts-check
// The photos of one album, loaded from the newest and kept up to date.

import { listPhotos, photoDetails } from '../server/library-api.js';

/** @typedef {import('../server/library-api.js').Entry} Entry */

/** The first page is small, so that photos appear quickly; later pages are large. */
const FIRST = 120;
const PAGE = 1000;

/** With more changes than this the list is reloaded, but not more often than the interval allows. */
const MANY = 12;
const REST = 2000;

/**
 * A photo's date and time, by which the list is sorted. For a saved crop it is when the file was written.
 * @param {Entry} entry
 */
export function takenAt({ captured, modified, cropOf }) {
  return cropOf ? modified : captured ?? modified;
}

export class PhotoList {
  /** @type {Entry[]} newest first */ photos = [];
  isComplete = false;
  /** @type {unknown} why loading stopped */ error = null;
  /** The number of photos that were requested. */
  #wanted = 0;
  /** @type {string | null} */ #next = null;
  #task = new AbortController();
  #isLoading = false;
  #timer = 0;

  /**
   * @param {string} album
   * @param {() => void} changed called when the photos have changed
   */
  constructor(album, changed) {
    this.album = album;
    this.changed = changed;
  }

  /**
   * Loads until `count` photos are known.
   * @param {number} count
   */
  async want(count) {
    this.#wanted = Math.max(this.#wanted, count);
    if (this.#isLoading || this.isComplete || this.error) return;
    this.#isLoading = true;
    const { signal } = this.#task;
    try {
      while (!this.isComplete && this.photos.length < this.#wanted) {
        const limit = this.photos.length ? PAGE : FIRST;
        const { photos, next } = await listPhotos(this.album, this.#next, limit, signal);
        if (signal.aborted) return;
        this.photos = this.photos.concat(photos);
        this.#next = next;
        this.isComplete = next === null;
        this.changed();
      }
    } catch (error) {
      if (signal.aborted) return;
      this.error = error;
      this.changed();
    } finally {
      if (signal === this.#task.signal) this.#isLoading = false;
    }
  }

  /** Reloads everything; the old list stays until the new one is loaded. */
  async reload() {
    this.close();
    this.#task = new AbortController();
    this.error = null;
    const { signal } = this.#task;
    this.#isLoading = true;
    const count = Math.max(FIRST, Math.min(this.photos.length, this.#wanted));
    /** @type {Entry[]} */ let found = [];
    /** @type {string | null} */ let next = null;
    try {
      do {
        const limit = Math.min(PAGE, Math.max(1, count - found.length));
        /** @type {Awaited<ReturnType<typeof listPhotos>>} */
        const page = await listPhotos(this.album, next, limit, signal);
        found = found.concat(page.photos);
        next = page.next;
      } while (next !== null && found.length < count);
    } catch (error) {
      if (!signal.aborted) this.error = error;
    }
    if (signal.aborted) return;
    this.#isLoading = false;
    if (!this.error) {
      this.photos = found;
      this.#next = next;
      this.isComplete = next === null;
    }
    this.changed();
    this.want(0);
  }

  /**
   * Applies changes in the library.
   * @param {import('./library.js').PhotoChange[]} changes
   */
  async take(changes) {
    if (this.#timer) return;
    // A list that is being loaded may be older than these changes.
    if (changes.length > MANY || this.#isLoading) {
      this.#timer = window.setTimeout(() => {
        this.#timer = 0;
        this.reload();
      }, REST);
      return;
    }
    const { signal } = this.#task;
    const ids = new Set(changes.map(({ id }) => id));
    const present = changes.filter(({ change }) => change !== 'removed');
    const found = await Promise.all(
      present.map(({ id }) => photoDetails(id, signal).catch((error) => {
        // A missing photo is removed; after other errors, its old entry stays.
        return error.code === 'not-found' ? null : this.find(id) ?? null;
      })));
    if (signal.aborted) return;
    const mine = new Set(this.photos.filter(({ id }) => ids.has(id)).map(({ id }) => id));
    this.photos = this.photos.filter(({ id }) => !ids.has(id));
    for (const entry of found) if (entry) this.#insert(entry, mine.has(entry.id));
    this.changed();
  }

  /** @param {Entry} entry @param {boolean} wasHere */
  #insert(entry, wasHere) {
    const isMine = wasHere || entry.album === this.album || this.album === 'all'
      || this.album === 'recent';
    if (!isMine) return;
    const time = takenAt(entry);
    // Those of the same time are sorted by name, like the server's.
    let at = this.photos.findIndex((other) => takenAt(other) < time
      || (takenAt(other) === time && other.name <= entry.name));
    if (at < 0) {
      // The photo is older than all loaded ones, so a later page will contain it.
      if (!this.isComplete) return;
      at = this.photos.length;
    }
    this.photos.splice(at, 0, entry);
  }

  /** @param {string} id */
  find(id) {
    return this.photos.find((entry) => entry.id === id);
  }

  close() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#task.abort();
    this.#isLoading = false;
  }
}
