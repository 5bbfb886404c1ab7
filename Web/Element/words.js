// @ts-check
// Words and numbers for users: phrases with placeholders, and number formats of a language. The element's default
// table is words-en.js; others are loaded on demand.

import { english } from './words-en.js';

/** @typedef {keyof typeof english} WordKey a phrase of the element */
/** @typedef {Words<WordKey>} ElementWords */

/** Tables besides the English one, by language. */
const TABLES = Object.freeze({
  ar: async () => (await import('./words-ar.js')).arabic,
  de: async () => (await import('./words-de.js')).german,
  es: async () => (await import('./words-es.js')).spanish,
  fr: async () => (await import('./words-fr.js')).french,
  it: async () => (await import('./words-it.js')).italian,
  ja: async () => (await import('./words-ja.js')).japanese,
  ko: async () => (await import('./words-ko.js')).korean,
  pt: async () => (await import('./words-pt.js')).portuguese,
  zh: async () => (await import('./words-zh.js')).chinese,
});

const PLACE = /\{(\d)\}/g;

/** The maximum number of cached integers. */
const MOST_RECENT = 4096;

/**
 * The phrases of one language by key; missing ones are in English.
 * @template {string} Key
 */
export class Words {
  /**
   * Phrases split at their placeholders, cached since some are used up to sixty times per second.
   * @type {Map<Key, string[]>}
   */
  #split = new Map();
  /** @type {Map<number, string>} */
  #recent = new Map();
  /** @type {Map<number, Intl.NumberFormat>} */
  #formats = new Map();

  /**
   * @param {string} language its base, such as `ar`
   * @param {Readonly<Record<Key, string>>} fallback a table that has all keys
   * @param {Readonly<Partial<Record<Key, string>>>} [table]
   */
  constructor(language, fallback, table) {
    /** @type {Readonly<Record<Key, string>>} */
    this.table = { ...fallback, ...table };
    /** The user's number format, if it is for the language of the phrases. */
    this.locale = baseOf(usersLanguage()) === language ? usersLanguage() : language;
  }

  /**
   * A phrase; `{0}`, `{1}` … are replaced by the arguments.
   * @param {Key} key @param {...string} parts
   */
  phrase(key, ...parts) {
    if (parts.length === 0) return this.table[key].replace(PLACE, '');
    let pieces = this.#split.get(key);
    if (!pieces) this.#split.set(key, pieces = this.table[key].split(PLACE));
    // Every second piece is the number of an argument.
    let text = pieces[0];
    for (let at = 1; at < pieces.length; at += 2) {
      text += (parts[Number(pieces[at])] ?? '') + pieces[at + 1];
    }
    return text;
  }

  /** @param {string} key @returns {key is Key} */
  has(key) {
    return Object.hasOwn(this.table, key);
  }

  /** @param {number} value @param {number} [decimals] digits after the point, always shown */
  number(value, decimals = 0) {
    if (decimals !== 0 || !Number.isInteger(value)) return this.#written(value, decimals);
    let text = this.#recent.get(value);
    if (text === undefined) {
      text = this.#written(value, decimals);
      if (this.#recent.size >= MOST_RECENT) this.#recent.clear();
      this.#recent.set(value, text);
    }
    return text;
  }

  /** @param {number} value @param {number} decimals */
  #written(value, decimals) {
    let format = this.#formats.get(decimals);
    if (!format) {
      format = new Intl.NumberFormat(this.locale, {
        minimumFractionDigits: decimals, maximumFractionDigits: decimals,
      });
      this.#formats.set(decimals, format);
    }
    // Rounding must not show a negative zero.
    return format.format(Number(value.toFixed(decimals)) || 0);
  }
}

/** The element's words before its language is known. */
export const inEnglish = new Words('en', english);

/** @param {string} key @returns {key is WordKey} */
export function isWordKey(key) {
  return inEnglish.has(key);
}

/**
 * The element's words in the language of a tag, in English if there is no table for it.
 * @param {string} tag such as `ar-EG` @param {Partial<Record<WordKey, string>>} own phrases that replace the
 * table's
 * @returns {Promise<ElementWords>}
 */
export async function wordsFor(tag, own) {
  const language = baseOf(tag);
  const load = Object.hasOwn(TABLES, language)
    ? TABLES[/** @type {keyof typeof TABLES} */ (language)] : null;
  const table = load ? await load() : {};
  return new Words(load ? language : 'en', english, { ...table, ...own });
}

/** @param {string} tag a language tag @returns {string} its first part */
export function baseOf(tag) {
  return tag.split('-')[0].toLowerCase();
}

/** `navigator` is missing in server-side rendering. */
function usersLanguage() {
  return globalThis.navigator?.language ?? 'en';
}
