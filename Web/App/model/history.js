// @ts-check
// The page's entries in the browser's history: each stores its distance from the first, and what restores it.

import { readRoute } from './routes.js';

/**
 * @typedef {object} Remembered
 * @property {string} queue the key of the stored queue; empty without one
 * @property {import('./queue.js').Entries | null} entries a queue of photos in the library, which is not stored
 * elsewhere
 * @property {string} file the key of the open file's draft; empty without one
 */

export class ScreenHistory {
  /** The number of this page's history entries before the current one. */
  depth = history.state?.depth ?? 0;
  /** The depth of the last shown home screen. */
  #home = history.state?.home ?? 0;
  #model;

  /**
   * Called after navigation to another entry.
   * @type {(steps: number) => void} steps back to the entry before
   */
  onArrival = () => {};

  /** @param {Pick<import('./model.js').Model, 'photo' | 'queue'>} model */
  constructor(model) {
    this.#model = model;
    this.rename(location.hash, history.state);
    addEventListener('popstate', () => {
      // A link has added an entry that does not have its depth yet.
      if (history.state === null) history.replaceState({ depth: this.depth + 1, home: this.#home }, '');
      const steps = this.depth - history.state.depth;
      this.depth = history.state.depth;
      this.onArrival(steps);
    });
    model.queue.addEventListener('change', () => {
      if (model.queue.isOfLibrary && model.queue.items.length > 1) this.rename(location.hash);
    });
  }

  /** The route in the current address. */
  get route() {
    return readRoute(location.hash);
  }

  /** The number of steps back to where the current photo was chosen; 0 if it started the history. */
  get stepsBack() {
    const steps = this.route.place === 'edit' ? this.depth - this.#home : 1;
    return this.depth > 0 ? Math.max(0, steps) : 0;
  }

  /** Records that the current entry is a home screen. */
  settle() {
    this.#home = this.depth;
  }

  /**
   * @param {'edit' | 'result' | 'camera'} place
   * @param {boolean} isNext as a new history entry after the current one
   * @returns {boolean} whether the history entry changed
   */
  go(place, isNext) {
    const hash = `#/${place}`;
    // A new photo replaces the entry of the old result or of the camera.
    const replaces = !isNext && place === 'edit' && ['result', 'camera'].includes(this.route.place);
    const isOther = isNext || location.hash !== hash;
    if (replaces) this.rename(hash);
    else if (isOther) {
      this.depth += 1;
      history.pushState(this.#state, '', hash);
    }
    return isOther;
  }

  /**
   * Changes the address of the current entry.
   * @param {string} hash
   * @param {Remembered | null} [several] the state to store in it
   */
  rename(hash, several = this.#remembered) {
    const { queue = '', entries = null } = several ?? {};
    const file = this.#remembered.file || history.state?.file || '';
    history.replaceState({ ...this.#state, file, queue, entries }, '', location.pathname + location.search + hash);
  }

  /** @returns {Remembered} the state to store in the current entry */
  get #remembered() {
    const { photo, queue: { key, entries } } = this.#model;
    return { queue: key, entries, file: photo?.id ?? '' };
  }

  get #state() {
    return { depth: this.depth, home: this.#home, ...this.#remembered };
  }
}
