// @ts-check
// Unsaved crops, stored only in this browser: for a week, up to a limited number of bytes. Nothing is sent
// anywhere.

import { answer, RecordStore } from './record-store.js';

/** @typedef {import('../../Element/core.js').Recipe} Recipe */

/**
 * @typedef {object} Draft
 * @property {string} id identifies the file's content, or the library's photo and its version
 * @property {string} name @property {Recipe | null} recipe null if only targets were made
 * @property {import('../../Element/canvas.js').CanvasOptions | null} [canvas] of the result
 * @property {import('./ratio-lock.js').RatioLock | null} [ratio] that the crop keeps
 * @property {import('../server/targets-api.js').TargetDocument} [targets]
 * @property {import('../server/galleries-api.js').GalleryPhoto} [gallery] its entry in a gallery
 * @property {Blob | null} file null for the library's own
 * @property {number} time the last change, in milliseconds
 */

/** The maximum size of all stored files in bytes. */
const MOST_BYTES = 200e6;
/** How long unsaved changes are kept, in milliseconds. */
export const LONGEST = 7 * 24 * 3600e3;

/** @typedef {Omit<Draft, 'file'> & { bytes: number }} Frame the stored form; `bytes` is the size of its file */

export class Drafts {
  /** @type {Map<string, Draft>} the drafts since the page was loaded */ #known = new Map();
  /** @type {Set<string>} the ids of drafts that are only in memory */ #unsafe = new Set();
  /** The records are read together, the files one at a time. */
  #store = new RecordStore('cropkit-drafts', 'frames', 'id', 'files');

  /**
   * @param {(id: string) => boolean} isOpen whether this page shows the draft's photo
   * @param {() => void} changed called after another page deleted drafts
   */
  constructor(isOpen, changed) {
    this.#store.onDelete = (deleted) => {
      for (const draft of [...this.#known.values()]) {
        const { id } = draft;
        if (deleted !== undefined && deleted !== id) continue;
        if (isOpen(id)) this.keep(draft);
        else for (const ids of [this.#known, this.#unsafe]) ids.delete(id);
      }
      changed();
    };
  }

  /** Whether closing the page would lose drafts. */
  get hasUnsafe() {
    return this.#unsafe.size > 0;
  }

  /**
   * The id of a file, independent of its name.
   * @param {Blob} file @param {string} name
   */
  static async idOf(file, name) {
    if (crypto.subtle && file.size <= MOST_BYTES) {
      const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
      return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
    }
    // Pages without a secure connection can't compute digests.
    return `${file.size}-${/** @type {File} */ (file).lastModified ?? 0}-${name}`;
  }

  /** @param {Omit<Draft, 'time'>} draft */
  keep(draft) {
    const { id, name, recipe, canvas, ratio, file, targets, gallery } = draft;
    const time = Date.now();
    this.#known.set(id, { ...draft, time });
    this.#unsafe.add(id);
    void this.#store.write(async (frames, files) => {
      // A library's photo can be fetched again; a file can't.
      if (file && file.size > MOST_BYTES) return;
      const bytes = file?.size ?? 0;
      // Another page may have deleted it.
      const isNew = !await answer((file ? files : frames).count(id));
      if (isNew) await this.#makeRoom(frames, files, id, MOST_BYTES - bytes);
      frames.put({ id, name, recipe, canvas, ratio, targets, gallery, time, bytes });
      if (isNew && file) files.put(file, id);
    }).then((isDone) => {
      if (!isDone || (file && file.size > MOST_BYTES)) return;
      this.#unsafe.delete(id);
    });
  }

  /** @param {string} id whether it was stored or read since the page was loaded */
  has(id) {
    return this.#known.has(id);
  }

  /** @param {string} id @returns {Promise<unknown>} */
  forget(id) {
    for (const ids of [this.#known, this.#unsafe]) ids.delete(id);
    return this.#store.delete((frames, files) => {
      frames.delete(id);
      files.delete(id);
    }, id);
  }

  /** @param {string} id @returns {Promise<Draft | null>} */
  async find(id) {
    const known = this.#known.get(id);
    if (known) return known;
    /** @type {Draft | null} */ let found = null;
    await this.#store.write(async (frames, files) => {
      const frame = /** @type {Frame | undefined} */ (await answer(frames.get(id)));
      if (!frame || Date.now() - frame.time > LONGEST) return;
      const file = /** @type {Blob | undefined} */ (await answer(files.get(id)));
      if (frame.bytes && !file) return;
      const { name, recipe, canvas, ratio, targets, gallery, time } = frame;
      found = { id, name, recipe, canvas, ratio, targets, gallery, time, file: file ?? null };
    });
    if (found) this.#known.set(id, found);
    return found;
  }

  /** The drafts of files, newest first. @returns {Promise<{ id: string, name: string }[]>} */
  async list() {
    /** @type {{ id: string, name: string, time: number }[]} */
    const all = [...this.#known.values()].filter(({ file }) => file);
    await this.#store.write(async (frames, files) => {
      await this.#makeRoom(frames, files, '', MOST_BYTES);
      const ids = new Set(await answer(files.getAllKeys()));
      for (const frame of /** @type {Frame[]} */ (await answer(frames.getAll()))) {
        if (ids.has(frame.id) && !this.#known.has(frame.id)) all.push(frame);
      }
    });
    return all.sort((one, other) => other.time - one.time);
  }

  /**
   * Deletes expired drafts and, if the size limit is exceeded, the oldest ones.
   * @param {IDBObjectStore} frames @param {IDBObjectStore} files
   * @param {string} own the id of the draft that is not counted @param {number} room in bytes
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
      if (this.#known.has(id)) this.#unsafe.add(id);
    }
  }
}
