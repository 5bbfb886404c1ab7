// @ts-check
// Persistent storage in the browser for data that must not be lost: records, and files with them.

export class RecordStore {
  /** @type {(key?: string) => void} called after another page of this browser deleted a record, or all */
  onDelete = () => {};
  /** @type {Promise<IDBDatabase> | null} */ #database = null;
  /** @type {Promise<unknown>} runs one change after another */ #queue = Promise.resolve();

  /**
   * @param {string} name @param {string} records the name of the store for records that are read together
   * @param {string} key the records' key path @param {string} files the name of the store for files that are read
   * one at a time
   */
  constructor(name, records, key, files) {
    this.name = name;
    this.records = records;
    this.key = key;
    this.files = files;
    this.pages = new BroadcastChannel(name);
    this.pages.onmessage = ({ data }) => this.onDelete(data);
    // WebKit keeps the next page's transactions waiting for those of a page that it may go back to.
    addEventListener('pagehide', () => {
      void this.#database?.then((database) => database.close(), () => {});
      this.#database = null;
    });
  }

  /**
   * Changes the stored data, after all earlier changes.
   * @param {(records: IDBObjectStore, files: IDBObjectStore) => Promise<void>} act
   * @returns {Promise<boolean>} false if the browser has no storage
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

  /**
   * Deletes a record, and informs the other pages of this browser.
   * @param {(records: IDBObjectStore, files: IDBObjectStore) => void} act
   * @param {string} [key] of the record; default: all
   */
  async delete(act, key) {
    await this.write(async (records, files) => act(records, files));
    this.pages.postMessage(key);
  }

  /** Resolves when all changes are finished. */
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
