// @ts-check
// Small pictures on their way: the nearest first, a few at a time, none for what has scrolled past.

import { fetchAnswer } from './library-api.js';

/** Connections to one server are few, and the page needs some for itself. */
const AT_ONCE = 4;

/**
 * @typedef {object} Wish
 * @property {string} url
 * @property {() => number} distance how far it is from what is looked at
 * @property {(image: HTMLImageElement) => void} show
 * @property {(error: unknown) => void} fail
 */

export class Thumbnails {
  /** @type {Map<object, Wish>} */
  #waiting = new Map();
  /** @type {Map<object, AbortController>} */
  #running = new Map();

  /** @param {object} owner what the picture is for @param {Wish} wish */
  want(owner, wish) {
    this.#waiting.set(owner, wish);
    this.#next();
  }

  /**
   * Takes a wish back; a request that is under way ends.
   * @param {object} owner
   */
  drop(owner) {
    this.#waiting.delete(owner);
    this.#running.get(owner)?.abort();
  }

  #next() {
    while (this.#running.size < AT_ONCE && this.#waiting.size) {
      /** @type {object | undefined} */ let nearest;
      let least = Infinity;
      for (const [owner, wish] of this.#waiting) {
        const distance = wish.distance();
        if (distance < least) [nearest, least] = [owner, distance];
      }
      const owner = nearest ?? [...this.#waiting.keys()][0];
      const wish = /** @type {Wish} */ (this.#waiting.get(owner));
      this.#waiting.delete(owner);
      this.#load(owner, wish);
    }
  }

  /** @param {object} owner @param {Wish} wish */
  async #load(owner, wish) {
    const task = new AbortController();
    this.#running.set(owner, task);
    try {
      const image = await fetchImage(wish.url, task.signal);
      if (!task.signal.aborted) wish.show(image);
    } catch (error) {
      if (!task.signal.aborted) wish.fail(error);
    }
    this.#running.delete(owner);
    this.#next();
  }
}

/**
 * A picture that is decoded, so that showing it does not halt the scrolling.
 * @param {string} url @param {AbortSignal} signal
 */
async function fetchImage(url, signal) {
  const blob = await (await fetchAnswer(url, { signal })).blob();
  const source = URL.createObjectURL(blob);
  const image = new Image();
  image.alt = '';
  image.draggable = false;
  image.src = source;
  try {
    await image.decode();
    return image;
  } finally {
    URL.revokeObjectURL(source);
  }
}
