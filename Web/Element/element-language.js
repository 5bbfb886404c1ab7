// @ts-check
// The words of an element: those of its language, with the phrases that replace them.

import { isWordKey, wordsFor } from './words.js';

/** @typedef {Partial<Record<import('./words.js').WordKey, string>>} Phrases */

export class ElementLanguage {
  #element;
  #speak;
  /** The tag of the element's language. */
  #tag = 'en';
  /** @type {Phrases} */ #phrases = {};

  /**
   * @param {HTMLElement} element
   * @param {(words: import('./words.js').ElementWords) => void} speak called with other words
   */
  constructor(element, speak) {
    this.#element = element;
    this.#speak = speak;
  }

  /** Loads the words for the element's language; falls back to English. */
  async follow() {
    const place = /** @type {HTMLElement | null} */ (this.#element.closest('[lang]'));
    const tag = place?.lang || document.documentElement.lang || 'en';
    if (tag === this.#tag) return;
    this.#tag = tag;
    await this.#load();
  }

  async #load() {
    const [tag, phrases] = [this.#tag, this.#phrases];
    const words = await wordsFor(tag, phrases).catch(() => null);
    if (words && tag === this.#tag && phrases === this.#phrases) this.#speak(words);
  }

  /** @throws {RangeError} for an unknown key; then nothing changes */
  get phrases() {
    return { ...this.#phrases };
  }

  set phrases(phrases) {
    for (const key of Object.keys(phrases)) {
      if (!isWordKey(key)) throw new RangeError(`there is no phrase ${key}`);
    }
    this.#phrases = { ...phrases };
    void this.#load();
  }
}
