#!/usr/bin/env node
// Checks the imports of the page's scripts: folders of Web/App only import those before them in the table, no file
// imports itself by way of others, and what screens share has no elements.

import { readdirSync, readFileSync } from 'node:fs';

/** The folders of Web/App. Each may import those in lines above it, and the element. */
const LAYERS = [
  ['words'],
  ['ui'],
  ['server'],
  ['model'],
  ['library', 'editor', 'targets', 'camera', 'result'],
  ['shell'],
];

/** What the folder `model` may not use. */
const ELEMENTS = /\bdocument\b|\bquerySelector|\bcreateElement|\bHTML\w*Element\b|ui\/dom\.js/;

const web = new URL('../Web/', import.meta.url);
const layerOf = (path) => LAYERS.findIndex((folders) => folders.includes(path.split('/')[1]));
const fail = (message) => {
  console.error(`layering: ${message}`);
  process.exitCode = 1;
};

/** The imports of each file at run time: paths such as App/shell/app.js. */
const graph = new Map();
for (const name of ['App', 'Element'].flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, web), { recursive: true }).map((file) => `${folder}/${file}`))) {
  if (!name.endsWith('.js')) continue;
  const url = new URL(name, web);
  const text = readFileSync(url, 'utf8');
  const code = text.replace(/\/\*[^]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const importsIn = (source) => [...source.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)]
    .map(([, path]) => new URL(path, url).href.slice(web.href.length));
  graph.set(name, importsIn(code));
  if (layerOf(name) < 0 && name.startsWith('App/')) fail(`Web/${name}: its folder is not in the table of Scripts/page-layering.mjs`);
  // Types count too.
  for (const other of importsIn(text)) {
    const [own, layer] = [layerOf(name), layerOf(other)];
    const isNear = name.split('/')[1] === other.split('/')[1];
    if (name.startsWith('App/') ? other.startsWith('App/') && !isNear && layer >= own : !other.startsWith('Element/')) {
      fail(`Web/${name} may not import ${other}`);
    }
  }
  if (name.startsWith('App/model/') && ELEMENTS.test(code)) {
    fail(`Web/${name}: the model has no elements, but ${ELEMENTS.exec(code)[0]} is in it`);
  }
}

const done = new Set();
/** @param {string} name @param {string[]} way the imports that lead to it */
function visit(name, way) {
  if (way.includes(name)) return fail(`a circle: ${[...way.slice(way.indexOf(name)), name].join(' → ')}`);
  if (done.has(name)) return undefined;
  if (!graph.has(name)) return fail(`Web/${way.at(-1)} imports ${name}, which does not exist`);
  for (const other of graph.get(name)) visit(other, [...way, name]);
  return done.add(name);
}
for (const name of graph.keys()) visit(name, []);

const imports = [...graph.values()].flat().length;
if (imports < 300) throw new Error(`layering: only ${imports} imports found in Web; is this the whole page?`);
if (!process.exitCode) console.log(`layering: ${imports} imports of the page checked`);
