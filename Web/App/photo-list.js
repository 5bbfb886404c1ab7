// @ts-check
// The photos of one album, as far as they are known: loaded from the newest on, kept current.

import { listPhotos, photoDetails } from './library-api.js';

/** @typedef {import('./library-api.js').Entry} Entry */

/** The first page is small, so that something shows; the rest comes in large ones. */
const FIRST = 120;
const PAGE = 1000;

/** More changes at once than this, and the list is read anew, though not more often than that. */
const MANY = 12;
const REST = 2000;

/**
 * A photo's day and time, which order the list. A saved crop is as new as its file, whatever it was
 * cut from.
 * @param {Entry} entry
 */
export function takenAt({ captured, modified, cropOf }) {
  return cropOf ? modified : captured ?? modified;
}

export class PhotoList {
  /** @type {Entry[]} newest first */
  photos = [];
  isComplete = false;
  /** @type {unknown} why loading stopped */
  error = null;
  /** How many photos someone wants to see. */
  #wanted = 0;
  /** @type {string | null} */
  #next = null;
  #task = new AbortController();
  #isLoading = false;
  #timer = 0;

  /**
   * @param {string} album
   * @param {() => void} changed called when there is more to show, or other photos
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

  /** Reads everything anew; what is known stays until the new list is there. */
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
   * Takes in what happened in the library.
   * @param {import('./library.js').PhotoChange[]} changes
   */
  async take(changes) {
    if (this.#timer) return;
    // A list that is on its way may have been made before.
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
        // One that is gone again leaves the list; of another, what was known stays.
        return error.code === 'not-found' ? null : this.find(id) ?? null;
      })));
    if (signal.aborted) return;
    const mine = new Set(this.photos.filter(({ id }) => ids.has(id)).map(({ id }) => id));
    this.photos = this.photos.filter(({ id }) => !ids.has(id));
    for (const entry of found) if (entry) this.#insert(entry, mine.has(entry.id));
    this.changed();
  }

  /** @param {Entry & {album?: string}} entry @param {boolean} wasHere */
  #insert(entry, wasHere) {
    const isMine = wasHere || entry.album === this.album || this.album === 'all'
      || this.album === 'recent';
    if (!isMine) return;
    const time = takenAt(entry);
    let at = this.photos.findIndex((other) => takenAt(other) <= time);
    if (at < 0) {
      // Older than all that is known: it comes with a later page.
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
