// @ts-check
// The page's places in the browser's history: each remembers how far it is from the first.

import { readRoute } from './routes.js';

/**
 * @typedef {object} Remembered
 * @property {string} queue what several photos are kept by, empty without them
 * @property {import('./queue.js').Entries | null} entries several photos of the library, which are kept by nothing else
 * @property {string} file what the open file's draft is kept by, empty without one
 */

export class Places {
  /** How many places of this page are before the present one in the history. */
  depth = history.state?.depth ?? 0;
  /** How many before the first screen that was shown last. */
  #home = history.state?.home ?? 0;
  #remembered;

  /**
   * @param {() => Remembered} remembered what the present place is to remember
   * @param {(steps: number) => void} arrived the person went to another place, which is so many steps
   *   before the one that was left
   */
  constructor(remembered, arrived) {
    this.#remembered = remembered;
    this.rename(location.hash, history.state);
    addEventListener('popstate', () => {
      // A link has made a place that does not know its own yet.
      if (history.state === null) history.replaceState({ depth: this.depth + 1, home: this.#home }, '');
      const steps = this.depth - history.state.depth;
      this.depth = history.state.depth;
      arrived(steps);
    });
  }

  /** What the present place's address names. */
  get route() {
    return readRoute(location.hash);
  }

  /** How many steps lead back to where the present photo was chosen; none where it began the history. */
  get stepsBack() {
    const steps = this.route.place === 'edit' ? this.depth - this.#home : 1;
    return this.depth > 0 ? Math.max(0, steps) : 0;
  }

  /** The present place is a first screen. */
  settle() {
    this.#home = this.depth;
  }

  /**
   * @param {'edit' | 'result' | 'camera'} place
   * @param {boolean} isNext a place of its own, after the present one
   * @returns {boolean} whether that is another place in the history
   */
  go(place, isNext) {
    const hash = `#/${place}`;
    // A new photo takes the old result's or the camera's place in the history.
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
   * Gives the present place another address.
   * @param {string} hash
   * @param {Remembered | null} [several] what it remembers of several photos
   */
  rename(hash, several = this.#remembered()) {
    const { queue = '', entries = null } = several ?? {};
    const file = this.#remembered().file || history.state?.file || '';
    history.replaceState({ ...this.#state, file, queue, entries }, '', location.pathname + location.search + hash);
  }

  get #state() {
    return { depth: this.depth, home: this.#home, ...this.#remembered() };
  }
}
