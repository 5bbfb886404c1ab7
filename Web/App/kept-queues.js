// @ts-check
// Several photos at once, kept in this browser alone with their frames and results until they are saved:
// for a week, and no more than so many bytes. Nothing of them is sent anywhere.

import { LONGEST } from './drafts.js';
import { answer, Shelf } from './shelf.js';

/** @typedef {import('./queue.js').Item} Item */
/** @typedef {import('./queue.js').Queue} Queue */
/** @typedef {import('./queue.js').Alike} Alike */
/** @typedef {import('./result.js').Result} Result */

/**
 * @typedef {object} Kept
 * @property {string} key @property {number} time when something was changed last, in milliseconds
 * @property {number} at @property {Alike | null} alike @property {number} bytes of the files
 * @property {(Omit<Item, 'file' | 'result'> & { name: string, hasResult: boolean })[]} items
 */

/** Bytes of all kept photos and results. */
const MOST_BYTES = 500e6;

/** @param {string} key of a queue @param {number} index of a photo */
const fileKey = (key, index) => `${key}/${index}`;
/** @param {string} key @param {number} index */
const resultKey = (key, index) => `${key}/${index}/result`;

export class KeptQueues {
  #shelf = new Shelf('cropkit-queues', 'queues', 'key', 'parts');
  /** @type {WeakSet<File | Result>} what is stored */ #stored = new WeakSet();
  /** @type {Queue | null} what is to be written next */ #wanted = null;
  #isWriting = false;

  /**
   * Keeps what a queue is now.
   * @param {Queue} queue
   */
  keep(queue) {
    this.#isWriting = true;
    if (this.#wanted === queue) return;
    this.#wanted = queue;
    // Several changes at once are one to write.
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
      const isDone = await this.#shelf.write(async (queues, parts) => {
        const others = /** @type {Kept[]} */ (await answer(queues.getAll()));
        let room = MOST_BYTES;
        for (const other of others) if (other.key !== key) room -= other.bytes;
        let bytes = 0;
        const put = (/** @type {File | Result} */ part, /** @type {number} */ size, /** @type {string} */ name) => {
          if (bytes + size > room) return false;
          bytes += size;
          if (this.#stored.has(part)) return true;
          parts.put(part, name);
          added.push(part);
          return true;
        };
        // All photos before any result, which can be made again.
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
   * Photos of a queue that something was done to and that would be gone with the page.
   * @param {Queue} queue
   */
  atRisk(queue) {
    const isSafe = (/** @type {Item} */ { file, recipe, result }) => this.#stored.has(file)
      && (!result || recipe !== null || this.#stored.has(result));
    // The library's photos have drafts.
    return queue.unsaved.filter((item) => !item.entry && (this.#isWriting || !isSafe(item))).length;
  }

  /** Waits until what was changed is written. */
  async settled() {
    while (this.#isWriting) {
      await Promise.resolve();
      await this.#shelf.settled;
    }
  }

  /** @param {string} key @returns {Promise<unknown>} */
  forget(key) {
    return this.#shelf.write(async (queues, parts) => drop(queues, parts, key));
  }

  /** Forgets them all. @returns {Promise<unknown>} */
  clear() {
    return this.#shelf.write(async (queues, parts) => {
      queues.clear();
      parts.clear();
    });
  }

  /** Those that are there, newest first. @returns {Promise<Kept[]>} */
  async list() {
    /** @type {Kept[]} */ let all = [];
    await this.#shelf.write(async (queues, parts) => {
      all = await answer(queues.getAll());
      for (const { key, time } of all) if (Date.now() - time > LONGEST) drop(queues, parts, key);
    });
    return all.filter(({ time }) => Date.now() - time <= LONGEST)
      .sort((one, other) => other.time - one.time);
  }

  /**
   * @param {string} key
   * @returns {Promise<{ at: number, alike: Alike | null, items: Item[] } | null>} without the photos that
   *   there was no room for; null where nothing is kept
   */
  async find(key) {
    /** @type {Item[]} */ const items = [];
    let at = 0;
    /** @type {Alike | null} */ let alike = null;
    await this.#shelf.write(async (queues, parts) => {
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
      // Where one is missing, the others move up and are stored anew.
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
  // Everything whose name begins so: "0" is what comes after the slash.
  parts.delete(IDBKeyRange.bound(`${key}/`, `${key}0`));
}
