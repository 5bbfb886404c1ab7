#!/usr/bin/env node
// Lists the files that the page caches for offline use: page-files.mjs FOLDER META writes files.js into the folder
// of the packed page. Files for only one language, according to esbuild's metadata in META, are listed for that
// language.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

const [folder, meta] = process.argv.slice(2);
const { outputs } = JSON.parse(readFileSync(meta, 'utf8'));

/** The language whose words a bundle contains, if it contains no other code. */
function languageOf(inputs) {
  const found = inputs.map((path) => /\/words-(\w+)\.js$/.exec(path)?.[1]);
  return found.length > 0 && found.every((one) => one === found[0]) ? found[0] : undefined;
}

/** The bundles that the page needs in all languages: its first script and its static imports. */
const needed = new Set();
function need(path) {
  if (needed.has(path)) return;
  needed.add(path);
  for (const { path: other, kind } of outputs[path].imports) if (kind === 'import-statement') need(other);
}
for (const [path, { entryPoint }] of Object.entries(outputs)) if (/App\/shell\/app\.js$/.test(entryPoint)) need(path);

/** @type {Record<string, string[]>} */
const languages = {};
for (const [path, { inputs, entryPoint }] of Object.entries(outputs)) {
  const language = languageOf(entryPoint ? [entryPoint] : Object.keys(inputs));
  if (language && !needed.has(path)) (languages[language] ??= []).push(basename(path));
}

const ofLanguages = new Set(Object.values(languages).flat());
const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile()).map(({ name }) => name)
  .filter((name) => !['sw.js', 'files.js'].includes(name) && !name.endsWith('.map') && !ofLanguages.has(name)).sort();
const hash = createHash('sha256');
for (const name of [...files, ...ofLanguages]) hash.update(`${name}\0`).update(readFileSync(`${folder}/${name}`));
const version = hash.digest('hex').slice(0, 16);
writeFileSync(`${folder}/files.js`,
  `self.cropkitPage = ${JSON.stringify({ version, files, languages }, null, 1)};\n`);
