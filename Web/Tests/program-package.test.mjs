// The packed npm package cropkit in an empty project, as users install it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { root, tarball } from './packed-program.mjs';

const hasNPM = spawnSync('npm', ['--version']).status === 0;
const skip = !tarball ? 'the package is not packed; run make package' : hasNPM ? false : 'npm is missing';
const project = mkdtempSync(join(tmpdir(), 'project-'));
after(() => rmSync(project, { recursive: true }));

const run = (command, ...words) => {
  const done = spawnSync(command, words, { cwd: project, encoding: 'utf8' });
  assert.equal(done.status, 0, `${command} ${words.join(' ')}: ${done.stdout}${done.stderr}`);
  return done.stdout;
};
const write = (name, text) => writeFileSync(join(project, name), text);

before(() => {
  if (skip) return;
  write('package.json', JSON.stringify({ name: 'project', private: true, type: 'module' }));
  copyFileSync(join(root, 'Samples/still-life.jpg'), join(project, 'photo.jpg'));
  run('npm', 'install', '--offline', '--no-audit', '--no-fund', '--silent', tarball);
});

test('it has no dependencies, and only the files it needs', { skip }, () => {
  const folder = join(project, 'node_modules/cropkit');
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  assert.deepEqual([manifest.dependencies, manifest.name, manifest.type], [undefined, 'cropkit', 'module']);
  const files = readdirSync(folder).filter((name) => !name.endsWith('.js'));
  assert.deepEqual(files.sort(), ['LICENSE', 'README.md', 'cropextra.wasm', 'cropfile.wasm', 'package.json', 'types']);
});

test('a module imports it, and a recipe of the page is applied in three lines', { skip }, () => {
  write('server.js', `import { writeFileSync } from 'node:fs';
import { open } from 'cropkit';
export async function cropped(upload, recipe) {
  const photo = await open(upload);
  return (await photo.crop(JSON.parse(recipe), { lossless: 'snap' })).bytes;
}
const recipe = '{"version":1,"rect":{"x":16,"y":16,"width":64,"height":32},"quarterTurns":1,"mirrored":false,"tilt":0,"shape":"rectangle","output":null}';
writeFileSync('part.jpg', await cropped('photo.jpg', recipe));
`);
  run(process.execPath, 'server.js');
  assert.deepEqual([...readFileSync(join(project, 'part.jpg')).subarray(0, 3)], [0xff, 0xd8, 0xff]);
});

test('npx runs the command', { skip }, () => {
  run('npx', '--offline', 'cropkit', 'crop', 'photo.jpg', '--rect', '16,16,64,32', '-o', 'command.jpg', '--quiet');
  assert.ok(readFileSync(join(project, 'command.jpg')).length > 100);
  assert.match(run('npx', '--offline', 'cropkit', '--help'), /--aspect <w:h>/);
  assert.match(run('npx', '--offline', 'cropkit', '--version'), /^\d+\.\d+\.\d+\n$/);
});

test('its types are strict', { skip }, () => {
  write('use.ts', `import { open, crop, CropError, findBorder, findCorners, lossless, straighten } from 'cropkit';
import type { Area, Corners, Pixels, Straightened, Straightening, CropWarning, Options, Photo, Plan, Rect, Recipe, Result } from 'cropkit';
const photo: Photo = await open(new Uint8Array(4), { name: 'upload' });
const size: number = photo.width + photo.height + photo.orientation + photo.grid.width;
const options: Options = { aspect: '16:9', rotate: 90, strip: 'location', lossless: 'snap' };
const plan: Plan = await photo.lossless(options);
const { bytes, rect, warnings, gainMap }: Result = await photo.crop({ rect: [0, 0, 16, 16] }, { hdr: 'drop' });
const recipe: Partial<Recipe> = { version: 1, rect };
const left: readonly string[] = warnings.flatMap(({ code, dropped }) => (code === 'metadata-dropped' ? dropped ?? [] : []));
const all: [Uint8Array, Rect, readonly CropWarning[], string | null, number, Plan] = [bytes, rect, warnings, gainMap, size, plan];
await crop(new Blob([]), recipe);
const pixels: Pixels = { data: new Uint8Array(4), width: 1, height: 1 };
const [inside, corners]: [Area | null, Corners | null] = [await findBorder(new ImageData(1, 1), { tolerance: 9 }), await findCorners(pixels)];
await photo.crop({ trim: true, pixels, aspect: '1:1' });
const sheet: Straightening = { quad: corners ?? 'auto', size: 'a4' };
const { data, channels }: Straightened = await straighten(pixels, sheet);
console.log(inside, data, channels, left);
await lossless('photo.jpg', { size: [800, 600] });
try { await crop(new ArrayBuffer(1)); } catch (error) { if (error instanceof CropError) console.log(error.code, error.exitStatus, all); }
// @ts-expect-error no such option
await photo.crop({ aspekt: '1:1' });
// @ts-expect-error no such value
await photo.crop({ rotate: 45 });
// @ts-expect-error read only
photo.width = 5;
`);
  for (const words of [['--module', 'node16', '--moduleResolution', 'node16'], ['--module', 'esnext', '--moduleResolution', 'node']]) {
    run('tsc', '--strict', '--exactOptionalPropertyTypes', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable', ...words, 'use.ts');
  }
});
