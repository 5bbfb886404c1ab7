#!/usr/bin/env node
// Generates the sign-in page in each language from Web/App/shell/sign-in.html and the phrases of
// Words/sign-in: sign-in.mjs FOLDER. The English one is sign-in.html, others are sign-in-XX.html.

import { readFileSync, writeFileSync } from 'node:fs';
import { base, languages, signIn as phrases } from './catalog.mjs';

const [folder] = process.argv.slice(2);
const template = readFileSync(new URL('../Web/App/shell/sign-in.html', import.meta.url), 'utf8');
const used = new Set();

for (const language of Object.keys(languages)) {
  const { language: own, textInfo } = new Intl.Locale(language);
  const direction = textInfo?.direction ?? (own === 'ar' ? 'rtl' : 'ltr');
  const text = template.replace(/<!-- Each phrase.*-->\n/, '').replace('lang="en" dir="ltr"', `lang="${language}" dir="${direction}"`)
    .replace(/\{(\w+)\}/g, (_, key) => {
      const problem = phrases.problem(key, language);
      if (problem) throw new Error(`${phrases.path}/${language}.json: ${key} ${problem}`);
      used.add(key);
      return phrases.forms(key, language)[''].replace('{0}', '<bdi><code>cropkit serve --open</code></bdi>');
    });
  writeFileSync(`${folder}/${language === 'en' ? 'sign-in' : `sign-in-${base(language)}`}.html`, text);
}
const unused = phrases.keys.filter((key) => !used.has(key));
if (unused.length > 0) throw new Error(`${phrases.path}: nothing says ${unused.join(', ')}`);
