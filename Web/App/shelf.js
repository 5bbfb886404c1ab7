// @ts-check
// A place of the browser's own where a page keeps what must not be lost: records, and files beside them.

export class Shelf {
  /** @type {Promise<IDBDatabase> | null} */ #database = null;
  /** @type {Promise<unknown>} one change follows another */ #queue = Promise.resolve();

  /**
   * @param {string} name @param {string} records the store of what is read at once, keyed by `key`
   * @param {string} key @param {string} files the store of what is read one at a time
   */
  constructor(name, records, key, files) {
    this.name = name;
    this.records = records;
    this.key = key;
    this.files = files;
  }

  /**
   * Does something with what is stored, after what was begun before.
   * @param {(records: IDBObjectStore, files: IDBObjectStore) => Promise<void>} act
   * @returns {Promise<boolean>} false where the browser keeps nothing
   */
  write(act) {
    /** @type {Promise<boolean>} */
    const done = this.#queue.then(async () => {
      this.#database ??= this.#open();
      const database = await this.#database;
      const transaction = database.transaction([this.records, this.files], 'readwrite');
      const ended = new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error);
      });
      ended.catch(() => {});
      await act(transaction.objectStore(this.records), transaction.objectStore(this.files));
      await ended;
      return true;
    }).catch(() => {
      this.#database = null;
      return false;
    });
    this.#queue = done;
    return done;
  }

  /** What was begun is done. */
  get settled() {
    return this.#queue;
  }

  /** @returns {Promise<IDBDatabase>} */
  #open() {
    const request = indexedDB.open(this.name, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(this.records, { keyPath: this.key });
      request.result.createObjectStore(this.files);
    };
    return answer(request);
  }
}

/**
 * @template T
 * @param {IDBRequest<T>} request @returns {Promise<T>}
 */
export function answer(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
