// The words in Words: a folder for the page, the views (the element and iOS) and the page that lets people in,
// and in it a file for each language with phrases by key, one phrase a key or one for each plural form of the
// language. What stands beside: `same.json`, phrases that are the same in every language; `shared.json`, keys
// whose phrases are those of a key of the views; `about.json`, what a translator should know.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** The languages by their tags, named as in Swift. */
export const languages = Object.freeze({
  en: 'English', ar: 'Arabic', de: 'German', es: 'Spanish', fr: 'French', it: 'Italian',
  ja: 'Japanese', ko: 'Korean', pt: 'Portuguese', 'zh-Hans': 'Chinese',
});

/** The tables of the web are called after a language alone, since browsers tell scripts in many ways. */
export const base = (language) => language.split('-')[0];

/** What a table of a language is called where it is a variable. */
export const variable = (name) => name[0].toLowerCase() + name.slice(1);

/** A text of JavaScript. */
export const quoted = (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** The plural forms that whole numbers take in a language, such as `one` and `other`. */
function pluralForms(language) {
  const rules = new Intl.PluralRules(language);
  return [...new Set(Array.from({ length: 201 }, (_, count) => rules.select(count)))];
}

/** The places for arguments in a phrase. */
const placesOf = (text) => [...new Set(text.match(/\{\d\}/g) ?? [])].sort();

export class Catalogue {
  #files = new Map();

  /**
   * @param {string} path of the folder from the root
   * @param {Catalogue} [views] where the phrases of `shared.json` are
   */
  constructor(path, views) {
    this.path = path;
    this.views = views;
    this.place = new URL(`../${path}/`, import.meta.url);
    const read = (name) => {
      const file = new URL(`${name}.json`, this.place);
      return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    };
    for (const language of Object.keys(languages)) this.#files.set(language, read(language));
    [this.same, this.shared] = [read('same'), read('shared')];
    /** Keys that have phrases in each language. */
    this.own = Object.keys(this.#files.get('en'));
    this.keys = [...this.own, ...Object.keys(this.same), ...Object.keys(this.shared)];
    const known = new Set([...Object.keys(languages), 'same', 'shared', 'about'].map((name) => `${name}.json`));
    /** What is wrong with the files; a key of no phrase, or a file of no language. */
    this.faults = [
      ...readdirSync(this.place).filter((name) => !known.has(name)).map((name) => `${path}/${name} is no language`),
      ...[...this.#files, ['about', read('about')]].flatMap(([language, phrases]) => Object.keys(phrases)
        .filter((key) => !this.own.includes(key)).map((key) => `${path}/${language}.json: ${key} is not in en.json`)),
      ...this.keys.filter((key, index) => this.keys.indexOf(key) !== index).map((key) => `${path}: ${key} stands twice`)];
  }

  /**
   * The phrase of a key in a language by its plural forms; a phrase without forms is `{ '': … }`, and
   * nothing is `undefined`.
   * @param {string} key @param {string} language
   * @returns {Record<string, string> | undefined}
   */
  forms(key, language) {
    if (key in this.shared) return this.views?.forms(this.shared[key], language);
    const phrase = this.same[key] ?? this.#files.get(language)[key];
    return typeof phrase === 'string' ? { '': phrase } : phrase;
  }

  /**
   * What is wrong with a phrase beside the English one; nothing if it is as it should be.
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
      // Forms that stand for one number need not write it.
      const isNumber = ['zero', 'one', 'two'].includes(form);
      const own = placesOf(isNumber ? `{0}${text}` : text).join();
      if (own !== places) return `has other places than ${places || 'none'}`;
    }
    return undefined;
  }

  /** What is wrong with the files and their phrases, each in a line. */
  problems() {
    const found = Object.keys(languages).flatMap((language) => this.keys
      .map((key) => [key, this.problem(key, language)]).filter(([, problem]) => problem)
      .map(([key, problem]) => `${this.path}/${language}.json: ${key} ${problem}`));
    return [...this.faults, ...found];
  }

  /**
   * Puts phrases in and writes their files: `en=Text`, or `en.one=Text` for a plural form.
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
      writeFileSync(new URL(`${language}.json`, this.place), `${JSON.stringify(this.#files.get(language), null, 2)}\n`);
    }
  }
}

/** What the element and the iOS views say; what iOS alone says has a dot in its key. */
export const views = new Catalogue('Words/views');
/** What the page around the element says. */
export const page = new Catalogue('Words/page', views);
/** What the page says that lets people in. */
export const signIn = new Catalogue('Words/sign-in');
