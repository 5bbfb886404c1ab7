#!/usr/bin/env node
// Lists the files of the packed page: page-files.mjs FOLDER META writes files.js into the folder, which names those that
// the page caches for offline use. Files for only one language, according to esbuild's metadata in META, are listed for
// that language. In index.html, it names the scripts that the first one imports, so that they are requested together.

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

/** Its imports, which a browser would only find in the first script. */
const imported = [...needed].filter((path) => !outputs[path].entryPoint).map((path) => basename(path));
const script = '  <script type="module" src="app.js"></script>\n';
const html = readFileSync(`${folder}/index.html`, 'utf8');
if (!html.includes(script)) throw new Error('page-files: index.html does not load app.js');
writeFileSync(`${folder}/index.html`, html.replace(script,
  imported.map((name) => `  <link rel="modulepreload" href="${name}">\n`).join('') + script));

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
