// @ts-check
// The library as the page knows it: its albums, what is being indexed, and what changes.

import { Problem } from './api.js';
import { listAlbums } from './library-api.js';

/** @typedef {import('./library-api.js').Album} Album */
/** @typedef {{id: string, change: 'added' | 'changed' | 'removed'}} PhotoChange */

/** Milliseconds to wait for more changes before the albums are asked for again. */
const CALM = 400;
/** Milliseconds until a server that refused to tell what happens is asked again. */
const PATIENCE = 5000;

/**
 * Events: `albums` (the list or its counts), `indexing`, `photos` {albums, photos} (what changed),
 * `reach` (the server came or went).
 */
export class Library extends EventTarget {
  /** @type {Album[]} */ albums = [];
  /** @type {import('./library-api.js').Indexing} */ indexing = null;
  folder = '';
  /** There is a library, though it may be out of reach just now. */
  exists = false;
  isReachable = true;
  #timer = 0;
  /** @type {EventSource | null} */
  #source = null;

  constructor() {
    super();
    addEventListener('offline', () => { if (this.exists) this.#check(); });
    addEventListener('online', () => { if (this.exists) this.load(); });
  }

  /** Asks for the albums; afterwards `exists` is known. */
  async load() {
    try {
      const { albums, indexing, folder } = await listAlbums();
      this.albums = albums;
      this.folder = folder;
      this.exists = true;
      this.#reach(true);
      this.#listen();
      this.#tell('albums');
      this.#index(indexing);
    } catch (error) {
      // A server without a library says so; one that is out of reach was there before.
      if (error instanceof Problem && error.code === 'offline') this.#reach(false);
      else if (!(error instanceof Problem)) throw error;
    }
  }

  /** @param {string} id */
  album(id) {
    return this.albums.find((album) => album.id === id);
  }

  #listen() {
    if (this.#source) return;
    const source = new EventSource('api/events');
    this.#source = source;
    source.addEventListener('open', () => {
      // What happened in between was missed.
      if (!this.isReachable) this.load();
    });
    source.addEventListener('error', () => {
      // The browser tries again by itself, unless the server refused: too many pages listen.
      if (source.readyState === EventSource.CLOSED) setTimeout(() => this.#again(), PATIENCE);
      this.#check();
    });
    source.addEventListener('indexing', (event) => {
      /** @type {import('./library-api.js').Indexing} */
      const progress = JSON.parse(event.data);
      this.#index(progress && progress.done < progress.total ? progress : null);
      this.#later();
    });
    source.addEventListener('changed', (event) => {
      this.dispatchEvent(new CustomEvent('photos', { detail: JSON.parse(event.data) }));
      this.#later();
    });
  }

  /** Listens anew; what happened in between was missed. */
  #again() {
    this.#source = null;
    this.#listen();
    this.load();
  }

  /** Whether the server is still there: a connection that ends may have ended for good reason. */
  async #check() {
    await listAlbums().then(() => this.#reach(true), (error) => {
      if (error instanceof Problem && error.code === 'offline') this.#reach(false);
    });
  }

  /** @param {boolean} isReachable */
  #reach(isReachable) {
    if (this.isReachable === isReachable) return;
    this.isReachable = isReachable;
    this.#tell('reach');
  }

  /** @param {import('./library-api.js').Indexing} indexing */
  #index(indexing) {
    if (indexing?.done === this.indexing?.done && indexing?.total === this.indexing?.total) return;
    this.indexing = indexing;
    this.#tell('indexing');
  }

  /** Counts and covers follow what happens, though not each single photo. */
  #later() {
    this.#timer ||= window.setTimeout(() => {
      this.#timer = 0;
      this.load();
    }, CALM);
  }

  /** @param {string} type */
  #tell(type) {
    this.dispatchEvent(new Event(type));
  }
}
