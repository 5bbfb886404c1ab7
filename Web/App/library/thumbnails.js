// @ts-check
// Loads thumbnails, a few at a time: the nearest first, and none that were scrolled out of view.

import { fetchBlob } from '../server/library-api.js';

/** Browsers limit the connections to a server, and the page needs some for other requests. */
const AT_ONCE = 4;

/**
 * @typedef {object} Wish
 * @property {string} url
 * @property {() => number} distance from the middle of the visible area
 * @property {(image: HTMLImageElement) => void} show
 * @property {(error: unknown) => void} fail
 */

export class Thumbnails {
  /** @type {Map<object, Wish>} */ #waiting = new Map();
  /** @type {Map<object, AbortController>} */ #running = new Map();

  /** @param {object} owner identifies the request @param {Wish} wish */
  want(owner, wish) {
    this.#waiting.set(owner, wish);
    this.#next();
  }

  /**
   * Cancels a request, also while it is running.
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
 * Loads and decodes an image, so that showing it does not interrupt scrolling.
 * @param {string} url @param {AbortSignal} signal
 */
async function fetchImage(url, signal) {
  const blob = await fetchBlob(url, { signal });
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
