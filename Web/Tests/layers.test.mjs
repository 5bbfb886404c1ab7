// The imports of the page's modules.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';

const web = new URL('../', import.meta.url).href;

/** The imports of each file at run time: paths such as `App/shell/app.js`; imports of types don't count. */
const imports = new Map(['App', 'Element'].flatMap((folder) =>
  readdirSync(new URL(`../${folder}/`, import.meta.url), { recursive: true }).filter((name) => name.endsWith('.js'))
    .map((name) => {
      const own = new URL(`../${folder}/${name}`, import.meta.url);
      const code = readFileSync(own, 'utf8').replace(/\/\*.*?\*\//gs, '').replace(/^\s*\/\/.*$/gm, '');
      const found = [...code.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)]
        .map(([, path]) => new URL(path, own).href.slice(web.length));
      return [`${folder}/${name}`, found];
    })));

test('every import names a file', () => {
  assert.ok(imports.size > 100);
  for (const [file, names] of imports) {
    for (const name of names) assert.ok(imports.has(name), `${file} imports ${name}`);
  }
});

test('the element imports nothing of the app', () => {
  for (const [file, names] of imports) {
    if (file.startsWith('Element/')) {
      assert.deepEqual(names.filter((name) => name.startsWith('App/')), [], file);
    }
  }
});

test('no module imports itself by way of others', () => {
  const done = new Set();
  const visit = (file, way) => {
    assert.ok(!way.includes(file), [...way.slice(way.indexOf(file)), file].join(' → '));
    if (done.has(file)) return;
    for (const name of imports.get(file)) visit(name, [...way, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
});
