// Writes a package's manifest and its README, whose tables are generated from the element's description:
// package-texts.mjs VERSION FOLDER SOURCES

import { readFileSync, writeFileSync } from 'node:fs';
import { tables } from './element-tables.mjs';

const [version, folder, sources] = process.argv.slice(2);
const read = (name) => readFileSync(new URL(`../Web/${sources}/${name}`, import.meta.url), 'utf8');

const cell = (text = '') => String(text).replaceAll('|', '\\|');
const table = ([heads, rows]) => [heads, heads.map(() => '---'), ...rows]
  .map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

writeFileSync(`${folder}/README.md`, read('README.md').replace(/^<!-- (\w+) -->$/gm, (line, name) => {
  if (!(name in tables)) throw new Error(`there is no table ${name}`);
  return table(tables[name]);
}));
const manifest = { ...JSON.parse(read('npm.json')), version };
writeFileSync(`${folder}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
