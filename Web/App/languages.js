// @ts-check
// Made by Scripts/words.mjs of Words/Page.xcstrings; change that.

/** A language: its tag, and its phrases by their keys; they are loaded when they are wanted. */
/** @typedef {{ tag: string, table(): Promise<Readonly<Record<string, string>>> }} Spoken */

/** The languages of the page, by the first part of their tags. */
export const languages = Object.freeze({
  en: /** @type {Spoken} */ ({
    tag: 'en',
    table: async () => (await import('./words-en.js')).english,
  }),
  ar: /** @type {Spoken} */ ({
    tag: 'ar',
    table: async () => (await import('./words-ar.js')).arabic,
  }),
  de: /** @type {Spoken} */ ({
    tag: 'de',
    table: async () => (await import('./words-de.js')).german,
  }),
  es: /** @type {Spoken} */ ({
    tag: 'es',
    table: async () => (await import('./words-es.js')).spanish,
  }),
  fr: /** @type {Spoken} */ ({
    tag: 'fr',
    table: async () => (await import('./words-fr.js')).french,
  }),
  it: /** @type {Spoken} */ ({
    tag: 'it',
    table: async () => (await import('./words-it.js')).italian,
  }),
  ja: /** @type {Spoken} */ ({
    tag: 'ja',
    table: async () => (await import('./words-ja.js')).japanese,
  }),
  ko: /** @type {Spoken} */ ({
    tag: 'ko',
    table: async () => (await import('./words-ko.js')).korean,
  }),
  pt: /** @type {Spoken} */ ({
    tag: 'pt',
    table: async () => (await import('./words-pt.js')).portuguese,
  }),
  zh: /** @type {Spoken} */ ({
    tag: 'zh-Hans',
    table: async () => (await import('./words-zh.js')).chinese,
  }),
});
