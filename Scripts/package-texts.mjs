// Writes a package's manifest and its README, whose tables are generated from the element's description and the sizes
// of the package's files: package-texts.mjs VERSION FOLDER SOURCES

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { tables } from './element-tables.mjs';

const [version, folder, sources] = process.argv.slice(2);
const read = (name) => readFileSync(new URL(`../Web/${sources}/${name}`, import.meta.url), 'utf8');

const cell = (text = '') => String(text).replaceAll('|', '\\|');
const table = ([heads, rows]) => [heads, heads.map(() => '---'), ...rows]
  .map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

/** The size of a file as servers send it, in KB. */
const size = (name) => `${(gzipSync(readFileSync(`${folder}/${name}`), { level: 9 }).length / 1000).toFixed(1)} KB`;
function sizes() {
  const words = readdirSync(folder).filter((name) => /^words-\w+\.js$/.test(name));
  return [['File', 'Loaded', 'Size, gzipped'], [
    ['`crop-view.js`', 'always: the element, forms, results, preview', size('crop-view.js')],
    ['`cropcore.wasm`', 'with the first image: selections, gestures, recipes', size('cropcore.wasm')],
    ['`cropjpeg.wasm`', 'with the first JPEG: lossless crops, metadata', size('cropjpeg.wasm')],
    ['`cropextra.wasm`', 'with the first HDR photo, four corners or border', size('cropextra.wasm')],
    ['`jpeg-worker.js`', 'for a JPEG of more than 1 MB, and large areas to straighten', size('jpeg-worker.js')],
    ['`guide-marks.js`', 'with the first guide', size('guide-marks.js')],
    ['`words-….js`', 'on a page in one of the other languages', `${size(words[0])} (${words[0]})`],
    ['`crop-view-inlined.js`', 'instead of all these, with `crop-view/inlined`', size('crop-view-inlined.js')],
  ]];
}

writeFileSync(`${folder}/README.md`, read('README.md').replace(/^<!-- (\w+) -->$/gm, (line, name) => {
  if (name === 'sizes') return table(sizes());
  if (!(name in tables)) throw new Error(`there is no table ${name}`);
  return table(tables[name]);
}));
const manifest = { ...JSON.parse(read('npm.json')), version };
writeFileSync(`${folder}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
