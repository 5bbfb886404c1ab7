// @ts-check
// The library's state on the page: its albums, the listed photos, the indexing progress, and changes.

import { Problem } from '../server/api.js';
import { listAlbums, thumbnailURL } from '../server/library-api.js';

/** @typedef {import('../server/library-api.js').Album} Album */
/** @typedef {import('../server/library-api.js').Entry} Entry */
/** @typedef {{id: string, change: 'added' | 'changed' | 'removed'}} PhotoChange */

/** How long to wait for more changes before the albums are reloaded, in milliseconds. */
const CALM = 400;
/** Milliseconds before reconnecting if the server has refused the event stream, or was not reached at the start. */
const PATIENCE = 5000;

/**
 * Events: `albums` (the list or its counts have changed), `indexing`, `photos` {albums, photos} (what changed),
 * `listed` (more of an album was loaded, or a different part is shown), `reach` (the server became reachable or
 * unreachable).
 */
export class Library extends EventTarget {
  /** @type {Album[]} */ albums = [];
  /** @type {import('../server/library-api.js').Indexing} */ indexing = null;
  folder = '';
  /** Whether the server has a library, though it may be unreachable now. */
  exists = false;
  isReachable = true;
  /** @type {import('./photo-list.js').PhotoList | null} the photos of the last shown album */ list = null;
  /**
   * Those that a search found.
   * @type {{ readonly photos: Entry[], want(count: number): Promise<void> } | null}
   */
  found = null;
  /**
   * A thumbnail that is probably already cached; the library's screen knows which ones it shows.
   * @type {(entry: Entry) => string}
   */
  thumbnailOf = (entry) => thumbnailURL(entry, 'large');
  #timer = 0;
  /** @type {EventSource | null} */ #source = null;

  constructor() {
    super();
    addEventListener('offline', () => { if (this.exists) this.#check(); });
    addEventListener('online', () => { if (this.exists) this.load(); });
  }

  /** Loads the albums and sets `exists`. */
  async load() {
    try {
      const { albums, indexing, folder } = await listAlbums();
      this.albums = albums;
      this.folder = folder;
      this.exists = true;
      this.#reach(true);
      this.#listen();
      this.#dispatch('albums');
      this.#index(indexing);
    } catch (error) {
      // A server without a library reports that; an unreachable one had a library before.
      if (error instanceof Problem && error.code === 'offline') {
        this.#reach(false);
        // Later, the event stream reports when it is back.
        if (!this.exists) setTimeout(() => void this.load(), PATIENCE);
      } else if (!(error instanceof Problem)) throw error;
    }
  }

  /** @param {string} id */
  album(id) {
    return this.albums.find((album) => album.id === id);
  }

  /** The list in the grid: the album, or the search results in it. */
  get shown() {
    return this.found ?? this.list;
  }

  /**
   * The previous and next photo in the shown list that can be opened.
   * @param {string} id @returns {{ before?: Entry, after?: Entry }}
   */
  around(id) {
    const photos = (this.shown?.photos ?? []).filter(({ problem }) => !problem);
    const at = photos.findIndex((entry) => entry.id === id);
    return at < 0 ? {} : { before: photos[at - 1], after: photos[at + 1] };
  }

  #listen() {
    if (this.#source) return;
    const source = new EventSource('api/events');
    this.#source = source;
    source.addEventListener('open', () => {
      // Events in between were missed.
      if (!this.isReachable) this.load();
    });
    source.addEventListener('error', () => {
      // The browser reconnects automatically, unless the server refused the stream because too many pages are
      // open.
      if (source.readyState === EventSource.CLOSED) setTimeout(() => this.#again(), PATIENCE);
      this.#check();
    });
    source.addEventListener('indexing', (event) => {
      /** @type {import('../server/library-api.js').Indexing} */ const progress = JSON.parse(event.data);
      this.#index(progress && progress.done < progress.total ? progress : null);
      this.#later();
    });
    source.addEventListener('changed', (event) => {
      this.dispatchEvent(new CustomEvent('photos', { detail: JSON.parse(event.data) }));
      this.#later();
    });
  }

  /** Reconnects; events in between were missed. */
  #again() {
    this.#source = null;
    this.#listen();
    this.load();
  }

  /** Checks whether the server is still reachable: a connection may also have been closed on purpose. */
  async #check() {
    await listAlbums().then(() => this.#reach(true), (error) => {
      if (error instanceof Problem && error.code === 'offline') this.#reach(false);
    });
  }

  /** @param {boolean} isReachable */
  #reach(isReachable) {
    if (this.isReachable === isReachable) return;
    this.isReachable = isReachable;
    this.#dispatch('reach');
  }

  /** @param {import('../server/library-api.js').Indexing} indexing */
  #index(indexing) {
    if (indexing?.done === this.indexing?.done && indexing?.total === this.indexing?.total) return;
    this.indexing = indexing;
    this.#dispatch('indexing');
  }

  /** Reloads counts and covers, but not for each single photo. */
  #later() {
    this.#timer ||= window.setTimeout(() => {
      this.#timer = 0;
      this.load();
    }, CALM);
  }

  /** @param {string} type */
  #dispatch(type) {
    this.dispatchEvent(new Event(type));
  }
}
