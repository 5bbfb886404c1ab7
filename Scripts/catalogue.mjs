// String catalogues as Xcode writes them: phrases by key and language, one phrase a key or one for each
// plural form of the language.

import { readFileSync, writeFileSync } from 'node:fs';

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
export function pluralForms(language) {
  const rules = new Intl.PluralRules(language);
  return [...new Set(Array.from({ length: 201 }, (_, count) => rules.select(count)))];
}

/** The places for arguments in a phrase. */
export const placesOf = (text) => [...new Set(text.match(/\{\d\}/g) ?? [])].sort();

export class Catalogue {
  /** @param {string} path from the root */
  constructor(path) {
    this.path = path;
    this.place = new URL(`../${path}`, import.meta.url);
    this.content = JSON.parse(readFileSync(this.place, 'utf8'));
    this.strings = this.content.strings;
  }

  /**
   * The phrase of a key in a language by its plural forms; a phrase without forms is `{ '': … }`, and
   * nothing is `undefined`.
   * @param {string} key @param {string} language
   * @returns {Record<string, string> | undefined}
   */
  forms(key, language) {
    const { shouldTranslate, localizations = {} } = this.strings[key] ?? {};
    const found = localizations[shouldTranslate === false ? this.content.sourceLanguage : language];
    const plural = found?.variations?.plural;
    if (!plural) return found && { '': found.stringUnit.value };
    return Object.fromEntries(Object.entries(plural).map(([form, unit]) => [form, unit.stringUnit.value]));
  }

  /**
   * What is wrong with a phrase beside the English one; nothing if it is as it should be.
   * @param {string} key @param {string} language @returns {string | undefined}
   */
  problem(key, language) {
    const texts = this.forms(key, language);
    if (!texts) return 'is missing';
    const source = this.forms(key, this.content.sourceLanguage);
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

  /**
   * Puts phrases in: `en=Text`, or `en.one=Text` for a plural form.
   * @param {string} key @param {string[]} given
   */
  set(key, given) {
    const entry = this.strings[key] ??= { extractionState: 'manual', localizations: {} };
    entry.localizations ??= {};
    for (const one of given) {
      const [, language, form, value] = /^([\w-]+)(?:\.(\w+))?=(.+)$/s.exec(one) ?? [];
      if (!(language in languages)) throw new Error(`${one}: wanted is language=text or language.form=text`);
      const unit = { stringUnit: { state: 'translated', value } };
      const old = entry.localizations[language];
      entry.localizations[language] = form
        ? { variations: { plural: { ...old?.variations?.plural, [form]: unit } } } : unit;
    }
    entry.localizations = Object.fromEntries(Object.entries(entry.localizations).sort());
  }

  /** Writes the file as Xcode does. */
  save() {
    const text = JSON.stringify(this.content, null, 2).replace(/^(\s*"(?:[^"\\]|\\.)*"):/gm, '$1 :');
    writeFileSync(this.place, `${text}\n`);
  }
}
