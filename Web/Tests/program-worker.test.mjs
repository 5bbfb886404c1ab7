// The packed npm package cropkit as in Cloudflare Workers, which worker-context.mjs imitates.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { crop } from '../Program/index.js';
import { root, tarball } from './packed-program.mjs';

const skip = tarball ? false : 'the package is not packed; run make package';
const place = mkdtempSync(join(tmpdir(), 'worker-'));
after(() => rmSync(place, { recursive: true }));
const still = join(root, 'Samples/still-life.jpg');

before(() => {
  if (!skip) assert.equal(spawnSync('tar', ['-xzf', tarball, '-C', place]).status, 0);
});

/** What the function of a script returns for the sample photo. */
function run(script) {
  const path = join(place, 'worker.js');
  writeFileSync(path, script);
  const context = fileURLToPath(new URL('worker-context.mjs', import.meta.url));
  const done = spawnSync(process.execPath, ['--no-warnings', '--experimental-vm-modules', context, join(place, 'package'), path],
    { input: readFileSync(still), encoding: 'utf8', maxBuffer: 1 << 26 });
  assert.equal(done.status, 0, done.stderr);
  return JSON.parse(done.stdout);
}

test('a worker crops with compiled modules, without files of its own', { skip }, async () => {
  const made = run(`
import { findBorder, locate, open } from 'cropkit';
import file from 'cropkit/cropfile.wasm';
import extra from 'cropkit/cropextra.wasm';
locate(file, extra);
export default async (upload) => {
  const photo = await open(new Request('https://example.org/', { method: 'POST', body: upload }));
  const { bytes, rect } = await photo.crop({ rect: [96, 48, 320, 240], strip: 'all' });
  const again = await open(new Response(bytes));
  const error = await open(new Blob(['no photo'])).catch(({ code }) => code);
  const border = await findBorder({ data: new Uint8Array(64).fill(200, 20, 24), width: 4, height: 4 });
  return { bytes: [...bytes], rect, height: again.height, error, border };
};`);
  const { bytes, rect } = await crop(still, { rect: [96, 48, 320, 240], strip: 'all' });
  assert.deepEqual(made, { bytes: [...bytes], rect, height: 240, error: 'unsupported-format', border: { x: 1, y: 1, width: 1, height: 1 } });
});

test('in a worker, a path and a module that was not passed are errors that say so', { skip }, () => {
  const [path, module] = run(`
import { open } from 'cropkit';
export default async (upload) => Promise.all(['photo.jpg', new Blob([upload])].map((source) => open(source).catch(({ message }) => message)));`);
  assert.match(path, /photo\.jpg: this runtime reads no files; pass its bytes/);
  assert.match(module, /cropfile\.wasm is missing; pass it to locate/);
});
