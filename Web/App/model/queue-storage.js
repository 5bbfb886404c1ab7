// @ts-check
// Stores queues with their crops and results in this browser until they are saved: for a week, up to a limited
// number of bytes. Nothing is sent anywhere.

import { LONGEST } from './drafts.js';
import { answer, RecordStore } from './record-store.js';

/** @typedef {import('./queue.js').Item} Item */
/** @typedef {import('./queue.js').Queue} Queue */
/** @typedef {Pick<Queue, 'key' | 'at' | 'alike' | 'items'>} Stored what is stored of a queue */
/** @typedef {import('./queue.js').Alike} Alike */
/** @typedef {import('./photo.js').Result} Result */

/**
 * @typedef {object} Kept
 * @property {string} key @property {number} time of the last change, in milliseconds
 * @property {number} at @property {Alike | null} alike @property {number} bytes of all files
 * @property {(Omit<Item, 'file' | 'result'> & { name: string, hasResult: boolean })[]} items
 */

/** The maximum size of all stored photos and results in bytes. */
const MOST_BYTES = 500e6;

/** @param {string} key of a queue @param {number} index of a photo */
const fileKey = (key, index) => `${key}/${index}`;
/** @param {string} key @param {number} index */
const resultKey = (key, index) => `${key}/${index}/result`;

export class QueueStorage {
  #store = new RecordStore('cropkit-queues', 'queues', 'key', 'parts');
  /** @type {WeakSet<File | Result>} the stored files and results */ #stored = new WeakSet();
  /** @type {Stored | null} the queue to be written next */ #wanted = null;
  #isWriting = false;

  /** @param {Queue} queue of this page @param {() => void} changed called after another page deleted queues */
  constructor(queue, changed) {
    this.#store.onDelete = (key = queue.key) => {
      if (queue.key && key === queue.key && queue.unsaved.length) this.keep(queue);
      changed();
    };
  }

  /**
   * Stores the current state of a queue.
   * @param {Stored} queue
   */
  keep(queue) {
    this.#isWriting = true;
    if (this.#wanted === queue) return;
    this.#wanted = queue;
    // Merges several changes into one write.
    queueMicrotask(() => void this.#write());
  }

  async #write() {
    const queue = this.#wanted;
    this.#wanted = null;
    if (!queue) return;
    const { key, items, at, alike } = queue;
    const states = items.map(({ file, result, ...rest }) => ({ file, result, rest }));
    if (items.every(({ isSaved }) => isSaved)) await this.forget(key);
    else {
      /** @type {(File | Result)[]} */ const added = [];
      const isDone = await this.#store.write(async (queues, parts) => {
        const others = /** @type {Kept[]} */ (await answer(queues.getAll()));
        let room = MOST_BYTES;
        for (const other of others) if (other.key !== key) room -= other.bytes;
        let bytes = 0;
        // Another page may have deleted them.
        const kept = new Set(await answer(parts.getAllKeys()));
        const put = (/** @type {File | Result} */ part, /** @type {number} */ size, /** @type {string} */ name) => {
          if (bytes + size > room) return false;
          bytes += size;
          if (this.#stored.has(part) && kept.has(name)) return true;
          parts.put(part, name);
          added.push(part);
          return true;
        };
        // All photos come before the results, which can be made again.
        states.forEach(({ file }, index) => put(file, file.size, fileKey(key, index)));
        const rows = states.map(({ file, result, rest }, index) => ({
          ...rest, name: file.name,
          hasResult: result !== null && put(result, result.blob.size, resultKey(key, index)),
        }));
        queues.put({ key, time: Date.now(), at, alike, bytes, items: rows });
      });
      if (isDone) for (const part of added) this.#stored.add(part);
    }
    if (!this.#wanted) this.#isWriting = false;
  }

  /**
   * The number of photos with changes that would be lost if the page was closed.
   * @param {Queue} queue
   */
  atRisk(queue) {
    const isSafe = (/** @type {Item} */ { file, recipe, result }) => this.#stored.has(file)
      && (!result || recipe !== null || this.#stored.has(result));
    // Photos of the library have drafts.
    return queue.unsaved.filter((item) => !item.entry && (this.#isWriting || !isSafe(item))).length;
  }

  /** Waits until all changes are written. */
  async settled() {
    while (this.#isWriting) {
      await Promise.resolve();
      await this.#store.settled;
    }
  }

  /** @param {string} key @returns {Promise<unknown>} */
  forget(key) {
    return this.#store.delete((queues, parts) => drop(queues, parts, key), key);
  }

  /** The stored queues, newest first. @returns {Promise<Kept[]>} */
  async list() {
    /** @type {Kept[]} */ let all = [];
    await this.#store.write(async (queues, parts) => {
      all = await answer(queues.getAll());
      for (const { key, time } of all) if (Date.now() - time > LONGEST) drop(queues, parts, key);
    });
    return all.filter(({ time }) => Date.now() - time <= LONGEST)
      .sort((one, other) => other.time - one.time);
  }

  /**
   * @param {string} key
   * @returns {Promise<{ at: number, alike: Alike | null, items: Item[] } | null>} without the photos that could
   * not be stored; null if nothing is stored
   */
  async find(key) {
    /** @type {Item[]} */ const items = [];
    let at = 0;
    /** @type {Alike | null} */ let alike = null;
    await this.#store.write(async (queues, parts) => {
      const kept = /** @type {Kept | undefined} */ (await answer(queues.get(key)));
      if (!kept || Date.now() - kept.time > LONGEST) return;
      alike = kept.alike;
      for (const [index, { name, hasResult, ...rest }] of kept.items.entries()) {
        const file = /** @type {File | undefined} */ (await answer(parts.get(fileKey(key, index))));
        if (!file) continue;
        const found = hasResult
          ? /** @type {Result | undefined} */ (await answer(parts.get(resultKey(key, index)))) : null;
        if (kept.at === index) at = items.length;
        items.push({ ...rest, file, result: found ?? null });
      }
      // If a photo is missing, the others move up and are stored again.
      if (items.length < kept.items.length) return;
      for (const { file, result } of items) {
        this.#stored.add(file);
        if (result) this.#stored.add(result);
      }
    });
    return items.length > 0 ? { at, alike, items } : null;
  }
}

/** @param {IDBObjectStore} queues @param {IDBObjectStore} parts @param {string} key */
function drop(queues, parts, key) {
  queues.delete(key);
  // All keys with this prefix: "0" is the character after "/".
  parts.delete(IDBKeyRange.bound(`${key}/`, `${key}0`));
}
