// Reads the words in Words: a folder for the page, the views (the element and iOS) and the sign-in page, each with
// one file per language. A file has one phrase per key, or one for each plural form of the language. Other files:
// `same.json`, phrases that are the same in every language; `shared.json`, keys whose phrases are those of a key of
// the views; `about.json`, notes for translators.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** The languages by their tags, named as in Swift. */
export const languages = Object.freeze({
  en: 'English', ar: 'Arabic', de: 'German', es: 'Spanish', fr: 'French', it: 'Italian',
  ja: 'Japanese', ko: 'Korean', pt: 'Portuguese', 'zh-Hans': 'Chinese',
});

/** The language of a tag without its script, which names the web tables. */
export const base = (language) => language.split('-')[0];

/** The variable name of a language's table. */
export const variable = (name) => name[0].toLowerCase() + name.slice(1);

/** A JavaScript string literal. */
export const quoted = (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** The plural forms of integers in a language, such as `one` and `other`. */
function pluralForms(language) {
  const rules = new Intl.PluralRules(language);
  return [...new Set(Array.from({ length: 201 }, (_, count) => rules.select(count)))];
}

/** The placeholders in a phrase. */
const placesOf = (text) => [...new Set(text.match(/\{\d\}/g) ?? [])].sort();

/**
 * The text of a file of phrases. Its keys are sorted, so that two developers who each add one rarely change the
 * same line.
 */
const sorted = (phrases) => `${JSON.stringify(Object.fromEntries(
  Object.keys(phrases).sort().map((key) => [key, phrases[key]])), null, 2)}\n`;

class Catalog {
  #files = new Map();
  /** The original files, by path. */
  #texts = new Map();

  /**
   * @param {string} path of the folder from the root
   * @param {Catalog} [views] with the phrases of `shared.json`
   */
  constructor(path, views) {
    this.path = path;
    this.views = views;
    this.place = new URL(`../${path}/`, import.meta.url);
    const read = (name) => {
      const file = new URL(`${name}.json`, this.place);
      if (!existsSync(file)) return {};
      const text = readFileSync(file, 'utf8');
      this.#texts.set(name, text);
      return JSON.parse(text);
    };
    for (const language of Object.keys(languages)) this.#files.set(language, read(language));
    [this.same, this.shared] = [read('same'), read('shared')];
    /** The keys with phrases in each language. */
    this.own = Object.keys(this.#files.get('en'));
    this.keys = [...this.own, ...Object.keys(this.same), ...Object.keys(this.shared)];
    const known = new Set([...Object.keys(languages), 'same', 'shared', 'about'].map((name) => `${name}.json`));
    /** Errors in the files: keys without phrases, and files for unknown languages. */
    this.faults = [
      ...readdirSync(this.place).filter((name) => !known.has(name)).map((name) => `${path}/${name} is no language`),
      ...[...this.#files, ['about', read('about')]].flatMap(([language, phrases]) => Object.keys(phrases)
        .filter((key) => !this.own.includes(key)).map((key) => `${path}/${language}.json: ${key} is not in en.json`)),
      ...this.keys.filter((key, index) => this.keys.indexOf(key) !== index).map((key) => `${path}: ${key} stands twice`)];
  }

  /**
   * The plural forms of a key's phrase in a language; a phrase without forms is `{ '': … }`, and a missing one
   * `undefined`.
   * @param {string} key @param {string} language
   * @returns {Record<string, string> | undefined}
   */
  forms(key, language) {
    if (key in this.shared) return this.views?.forms(this.shared[key], language);
    const phrase = this.same[key] ?? this.#files.get(language)[key];
    return typeof phrase === 'string' ? { '': phrase } : phrase;
  }

  /**
   * The error of a phrase compared with the English one; undefined if there is none.
   * @param {string} key @param {string} language @returns {string | undefined}
   */
  problem(key, language) {
    const texts = this.forms(key, language);
    const source = this.forms(key, 'en');
    if (!texts || !source) return 'is missing';
    const isPlural = 'other' in source;
    const wanted = isPlural ? pluralForms(language).sort().join() : '';
    if (Object.keys(texts).sort().join() !== wanted) return `has not the forms ${wanted || 'of English'}`;
    const places = placesOf(source[isPlural ? 'other' : '']).join();
    for (const [form, text] of Object.entries(texts)) {
      if (!text.trim()) return 'is empty';
      // Forms for a single number may omit the number.
      const isNumber = ['zero', 'one', 'two'].includes(form);
      const own = placesOf(isNumber ? `{0}${text}` : text).join();
      if (own !== places) return `has other places than ${places || 'none'}`;
    }
    return undefined;
  }

  /** The errors of the files and their phrases, one per line. */
  problems() {
    const found = Object.keys(languages).flatMap((language) => this.keys
      .map((key) => [key, this.problem(key, language)]).filter(([, problem]) => problem)
      .map(([key, problem]) => `${this.path}/${language}.json: ${key} ${problem}`));
    return [...this.faults, ...found];
  }

  /**
   * Sets phrases and writes their files: `en=Text`, or `en.one=Text` for a plural form.
   * @param {string} key @param {string[]} given
   */
  set(key, given) {
    const changed = new Set();
    for (const one of given) {
      const [, language, form, value] = /^([\w-]+)(?:\.(\w+))?=(.+)$/s.exec(one) ?? [];
      if (!(language in languages)) throw new Error(`${one}: wanted is language=text or language.form=text`);
      const phrases = this.#files.get(language);
      const old = typeof phrases[key] === 'object' ? phrases[key] : {};
      phrases[key] = form ? { ...old, [form]: value } : value;
      changed.add(language);
    }
    for (const language of changed) {
      writeFileSync(new URL(`${language}.json`, this.place), sorted(this.#files.get(language)));
    }
  }

  /** The files with unsorted keys and the texts they should have, by path from the root. */
  unsorted() {
    return Object.fromEntries([...this.#texts].map(([name, text]) => [name, text, sorted(JSON.parse(text))])
      .filter(([, text, wanted]) => text !== wanted).map(([name, , wanted]) => [`${this.path}/${name}.json`, wanted]));
  }
}

/** The words of the element and the iOS views; keys with a dot are only used on iOS. */
export const views = new Catalog('Words/views');
/** The words of the page around the element. */
export const page = new Catalog('Words/page', views);
/** The words of the sign-in page. */
export const signIn = new Catalog('Words/sign-in');
