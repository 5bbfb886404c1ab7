// @ts-check
// What was framed and not saved yet, kept in this browser alone: for a week, and no more than so many
// bytes. Nothing of it is sent anywhere.

import { answer, Shelf } from './shelf.js';

/** @typedef {import('../Element/core.js').Recipe} Recipe */

/**
 * @typedef {object} Draft
 * @property {string} id names the file's content, or the library's photo and its version
 * @property {string} name @property {Recipe | null} recipe null where only targets were made
 * @property {import('./target-set.js').TargetDocument} [targets]
 * @property {Blob | null} file null for the library's own
 * @property {number} time when it was framed last, in milliseconds
 */

/** Bytes of all kept files. */
const MOST_BYTES = 200e6;
/** How long what was not saved is kept, in milliseconds. */
export const LONGEST = 7 * 24 * 3600e3;

/** @typedef {Omit<Draft, 'file'> & { bytes: number }} Frame as it is stored; `bytes` of its file */

export class Drafts {
  /**
   * What was framed since the page was loaded.
   * @type {Map<string, Draft>}
   */
  #known = new Map();
  /** @type {Set<string>} those whose file is stored */ #stored = new Set();
  /** @type {Set<string>} those that are in this page's memory alone */ #unsafe = new Set();
  /** Without the files, which are read one at a time. */
  #shelf = new Shelf('cropkit-drafts', 'frames', 'id', 'files');

  /** Whether something would be lost with the page. */
  get hasUnsafe() {
    return this.#unsafe.size > 0;
  }

  /**
   * What a file is known by, whatever it is called.
   * @param {Blob} file @param {string} name
   */
  static async idOf(file, name) {
    if (crypto.subtle && file.size <= MOST_BYTES) {
      const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
      return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
    }
    // Pages without a secure connection have no digests.
    return `${file.size}-${/** @type {File} */ (file).lastModified ?? 0}-${name}`;
  }

  /** @param {Omit<Draft, 'time'>} draft */
  keep(draft) {
    const { id, name, recipe, file, targets } = draft;
    const time = Date.now();
    this.#known.set(id, { ...draft, time });
    this.#unsafe.add(id);
    void this.#shelf.write(async (frames, files) => {
      // A library's photo can be fetched again; a file can't.
      if (file && file.size > MOST_BYTES) return;
      const bytes = file?.size ?? 0;
      const isNew = !this.#stored.has(id);
      if (isNew) await this.#makeRoom(frames, files, id, MOST_BYTES - bytes);
      frames.put({ id, name, recipe, targets, time, bytes });
      if (isNew && file) files.put(file, id);
    }).then((isDone) => {
      if (!isDone || (file && file.size > MOST_BYTES)) return;
      this.#stored.add(id);
      this.#unsafe.delete(id);
    });
  }

  /** @param {string} id whether it was framed, or read, since the page was loaded */
  has(id) {
    return this.#known.has(id);
  }

  /** @param {string} id @returns {Promise<unknown>} */
  forget(id) {
    for (const ids of [this.#known, this.#stored, this.#unsafe]) ids.delete(id);
    return this.#shelf.write(async (frames, files) => {
      frames.delete(id);
      files.delete(id);
    });
  }

  /** Forgets them all. @returns {Promise<unknown>} */
  clear() {
    for (const ids of [this.#known, this.#stored, this.#unsafe]) ids.clear();
    return this.#shelf.write(async (frames, files) => {
      frames.clear();
      files.clear();
    });
  }

  /** @param {string} id @returns {Promise<Draft | null>} */
  async find(id) {
    const known = this.#known.get(id);
    if (known) return known;
    /** @type {Draft | null} */ let found = null;
    await this.#shelf.write(async (frames, files) => {
      const frame = /** @type {Frame | undefined} */ (await answer(frames.get(id)));
      if (!frame || Date.now() - frame.time > LONGEST) return;
      const file = /** @type {Blob | undefined} */ (await answer(files.get(id)));
      if (frame.bytes && !file) return;
      const { name, recipe, targets, time } = frame;
      found = { id, name, recipe, targets, time, file: file ?? null };
    });
    if (found) {
      this.#known.set(id, found);
      this.#stored.add(id);
    }
    return found;
  }

  /** Those with a file of their own, newest first. @returns {Promise<{ id: string, name: string }[]>} */
  async list() {
    /** @type {{ id: string, name: string, time: number }[]} */
    const all = [...this.#known.values()].filter(({ file }) => file);
    await this.#shelf.write(async (frames, files) => {
      await this.#makeRoom(frames, files, '', MOST_BYTES);
      for (const frame of /** @type {Frame[]} */ (await answer(frames.getAll()))) {
        if (frame.bytes && !this.#known.has(frame.id)) all.push(frame);
      }
    });
    return all.sort((one, other) => other.time - one.time);
  }

  /**
   * Drops what is too old and, oldest first, what is too much.
   * @param {IDBObjectStore} frames @param {IDBObjectStore} files
   * @param {string} own the one that is left out of account @param {number} room bytes
   */
  async #makeRoom(frames, files, own, room) {
    const all = /** @type {Frame[]} */ (await answer(frames.getAll()));
    all.sort((one, other) => other.time - one.time);
    let left = room;
    for (const { id, bytes, time } of all) {
      if (id === own) continue;
      left -= bytes;
      if (left >= 0 && Date.now() - time <= LONGEST) continue;
      left += bytes;
      frames.delete(id);
      files.delete(id);
      this.#stored.delete(id);
      if (this.#known.has(id)) this.#unsafe.add(id);
    }
  }
}
