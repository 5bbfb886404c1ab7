// The packed npm package cropkit in other runtimes: the paths of Bun, Deno and versions of Node in CROPKIT_RUNTIMES, with
// colons between them. Without it, all tests (CROPKIT_TEST_ALL) install them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { root, tarball } from './packed-program.mjs';

/** The paths of the runtimes, or why there are none. */
function found() {
  const { CROPKIT_RUNTIMES: given, CROPKIT_TEST_ALL: all } = process.env;
  if (!tarball) return { skip: 'the package is not packed; run make package' };
  if (given) return { runtimes: given.split(':') };
  if (!all) return { skip: 'other runtimes are tested with CROPKIT_TEST_ALL' };
  const { status, stdout, stderr } = spawnSync(join(root, 'Scripts/runtimes.sh'), { encoding: 'utf8' });
  if (status === 0) return { runtimes: stdout.trim().split(':') };
  return { skip: `other runtimes can't be installed: ${stderr.trim().split('\n').at(-1)}` };
}

const { runtimes = [], skip = false } = found();
const project = mkdtempSync(join(tmpdir(), 'runtimes-'));
after(() => rmSync(project, { recursive: true }));

/** Deno asks for permissions unless they are given. */
const flags = (path) => (basename(path) === 'deno' ? ['run', '--no-prompt', '--allow-read', '--allow-write', '--allow-env'] : []);
const run = (path, words, options = {}) => spawnSync(path, [...flags(path), ...words],
  { cwd: project, env: { ...process.env, DENO_DIR: join(project, 'deno'), DENO_NO_UPDATE_CHECK: '1' }, ...options });
const command = join(project, 'node_modules/cropkit/command.js');
const SCRIPT = `
import { findBorder, open } from 'cropkit';
import { writeFileSync } from 'node:fs';
const photo = await open('photo.jpg');
const { bytes } = await photo.crop({ rect: [96, 48, 320, 240] });
writeFileSync('script.jpg', bytes);
const fault = await open(new Blob(['no photo'])).catch((error) => error);
const border = await findBorder({ data: new Uint8Array(64).fill(200, 20, 24), width: 4, height: 4 });
console.log(JSON.stringify([photo.width, (await open(new Response(bytes))).height, fault.code, border]));
`;

before(() => {
  if (skip) return;
  mkdirSync(join(project, 'node_modules'));
  assert.equal(spawnSync('tar', ['-xzf', tarball, '-C', join(project, 'node_modules')]).status, 0);
  assert.equal(spawnSync('mv', [join(project, 'node_modules/package'), join(project, 'node_modules/cropkit')]).status, 0);
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(project, 'script.js'), SCRIPT);
  copyFileSync(join(root, 'Samples/still-life.jpg'), join(project, 'photo.jpg'));
});

/** The crop that Node makes. */
function expected() {
  const done = run(process.execPath, [command, 'crop', 'photo.jpg', '--rect', '96,48,320,240', '-q', '--force', '-o', 'expected.jpg']);
  assert.equal(done.status, 0, String(done.stderr));
  return readFileSync(join(project, 'expected.jpg'));
}

if (skip) test('other runtimes make the crops of Node', { skip });
for (const path of runtimes) {
  test(`${path}: scripts and the command make the crops of Node, and fail in the same way`, () => {
    const crop = expected();
    const script = run(path, ['script.js']);
    assert.equal(script.status, 0, String(script.stderr));
    assert.deepEqual(JSON.parse(String(script.stdout)), [2640, 240, 'unsupported-format', { x: 1, y: 1, width: 1, height: 1 }]);
    assert.ok(crop.equals(readFileSync(join(project, 'script.jpg'))));
    const piped = run(path, [command, 'crop', '-', '--rect', '96,48,320,240', '-o', '-'], { input: readFileSync(join(project, 'photo.jpg')) });
    assert.deepEqual([piped.status, crop.equals(piped.stdout)], [0, true], String(piped.stderr));
    const words = ['crop', 'photo.jpg', '--rect', '97,48,320,240', '-o', 'never.jpg'];
    const [failed, same] = [run(path, [command, ...words]), run(process.execPath, [command, ...words])];
    assert.deepEqual([failed.status, String(failed.stderr)], [69, String(same.stderr)]);
  });
}
