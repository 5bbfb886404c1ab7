#!/usr/bin/env node
// Checks all imports of the page's scripts against the table of rooms in ARCHITECTURE.md.

import { readdirSync, readFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');

/** The allowed imports of each room. */
const rooms = new Map(read('ARCHITECTURE.md').match(/^\| Room \|[^]*?\n\n/m)[0].split('\n').slice(2)
  .filter(Boolean).map((line) => {
    const [, name, , may] = line.split('|').map((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, word]) => word));
    return [name[0], new Set([...name, ...may, 'words'])];
  }));

let imports = 0;
const app = new URL('Web/App/', root);
for (const file of readdirSync(app, { recursive: true })) {
  const [room, name] = file.split('/');
  if (!name?.endsWith('.js') || room === 'words') continue;
  // Only imports at run time count, so remove comments, which contain types.
  const code = read(`Web/App/${file}`).replace(/\/\*[^]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  for (const [, path] of code.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
    imports += 1;
    const target = new URL(path, new URL(file, app)).href;
    if (target.startsWith(new URL('Web/Element/', root).href)) continue;
    const other = target.slice(app.href.length).split('/')[0];
    if (rooms.get(room)?.has(other)) continue;
    console.error(`layering: Web/App/${file}: the room ${room} may not import ${path}`);
    process.exitCode = 1;
  }
}
if (imports < 100) throw new Error(`layering: only ${imports} imports found in Web/App; is this the whole page?`);
if (!process.exitCode) console.log(`layering: ${imports} imports of the page checked`);
