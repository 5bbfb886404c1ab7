import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { bytes, modules, session } from './core.mjs';

const expected = JSON.parse(readFileSync(new URL('module.json', import.meta.url), 'utf8'));

for (const [name, { imports, exports, gzippedBytes }] of Object.entries(expected)) {
  test(`${name} imports and exports what is listed`, () => {
    const order = (a, b) => a.name.localeCompare(b.name);
    assert.deepEqual(WebAssembly.Module.imports(modules[name]).sort(order), imports);
    const names = WebAssembly.Module.exports(modules[name]).map((item) => item.name);
    assert.deepEqual(names.sort(), [...exports].sort());
  });

  test(`${name} is no larger than its budget`, () => {
    const size = gzipSync(bytes[name], { level: 9 }).length;
    assert.ok(size <= gzippedBytes, `${size} bytes gzipped`);
  });
}

test('a drag in a marquee selects the pixels under it', () => {
  const core = session();
  core.ck_command(13, 0, 0, 0);
  // 800 × 600 in 828 × 628 less a margin of 14: one point per pixel, from (14, 14).
  core.ck_open(800, 600);
  core.ck_resize(828, 628);
  assert.deepEqual(core.list(core.ck_recipe()), [0]);
  core.ck_pointer(0, 1, 114, 64, 1, 0, 0, 0);
  core.ck_pointer(1, 1, 314, 214, 1.1, 0, 0, 0);
  const changes = core.ck_pointer(2, 1, 314, 214, 1.2, 0, 0, 0);
  assert.ok(changes & 1024, 'the gesture ended');
  assert.deepEqual(core.list(core.ck_recipe()), [1, 100, 50, 200, 150, 0, 0, 0, 0, 0, 0, 0, 0]);
});

test('numbers that can’t be are refused and change nothing', () => {
  const core = session();
  core.ck_open(800, 600);
  core.ck_resize(828, 628);
  const before = core.list(core.ck_recipe());
  for (const bad of [NaN, Infinity, -Infinity, 1e300]) {
    assert.equal(core.ck_open(bad, 600), 256);
    assert.equal(core.ck_pointer(0, 1, bad, 5, 1, 0, 0, 0), 256);
    assert.equal(core.ck_command(20, bad, 0, 0), 256);
    assert.equal(core.ck_command(20, 5, 0, bad), 256);
    assert.equal(core.ck_command(bad, 0, 0, 0) & 2, 0);
    assert.equal(core.setRecipe(bad, 0, 10, 10, 0, 0, 0, 0, 0), 256);
  }
  assert.equal(core.ck_pointer(9, 1, 5, 5, 1, 0, 0, 0), 256);
  assert.equal(core.ck_command(999, 0, 0, 0), 256);
  assert.deepEqual(core.list(core.ck_recipe()), before);
});

test('a recipe comes out as it went in, its output too', () => {
  const core = session();
  core.ck_open(800, 600);
  core.ck_resize(828, 628);
  for (const output of [[0, 0, 0], [1, 600, 400], [2, 320, 0]]) {
    const recipe = [10, 20, 300, 200, 1, 1, 0, 2, 24, ...output];
    assert.equal(core.setRecipe(...recipe) & 256, 0);
    assert.deepEqual(core.list(core.ck_recipe()), [1, ...recipe]);
  }
  assert.equal(core.setRecipe(10, 20, 300, 200, 0, 0, 0, 0, 0, 1, 600, 500), 256);
});

test('ten thousand events leave the memory as it was', () => {
  const core = session();
  core.ck_open(4000, 3000);
  core.ck_resize(800, 600);
  const run = (from) => {
    core.ck_pointer(0, 1, 400, 300, from, 0, 0, 0);
    for (let i = 1; i < 5000; i++) {
      core.ck_pointer(1, 1, 200 + (i % 400), 150 + (i % 300), from + i / 1000, 0, 0, 0);
      core.ck_scene();
      core.ck_elements();
    }
    core.ck_pointer(2, 1, 400, 300, from + 5, 0, 0, 0);
  };
  run(1);
  const size = core.memory.buffer.byteLength;
  run(10);
  assert.equal(core.memory.buffer.byteLength, size);
});

test('the border of 500 made pictures is that of a look at every pixel', () => {
  const core = session();
  let seed = 28;
  const random = (most) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % most;
  };
  for (let round = 0; round < 500; round += 1) {
    const [width, height, tolerance] = [4 + random(30), 4 + random(30), random(2) * 24];
    const border = [random(256), random(256), random(256), 255];
    const pixels = new Uint8ClampedArray(width * height * 4);
    for (let at = 0; at < pixels.length; at += 4) pixels.set(border, at);
    // One pixel inside, so that all corners are the border's.
    const inside = { left: width, top: height, right: 0, bottom: 0 };
    for (let count = random(9); count > 0; count -= 1) {
      const [x, y] = [1 + random(width - 2), 1 + random(height - 2)];
      const other = border.map((value, band) => (band < 3 ? (value + 128) % 256 : 255 - random(2) * 200));
      pixels.set(other, (y * width + x) * 4);
      inside.left = Math.min(inside.left, x);
      inside.top = Math.min(inside.top, y);
      inside.right = Math.max(inside.right, x + 1);
      inside.bottom = Math.max(inside.bottom, y + 1);
    }
    const address = core.ck_pixels(pixels.length) >>> 0;
    new Uint8Array(core.memory.buffer, address, pixels.length).set(pixels);
    const found = core.list(core.ck_inside_border(width, height, tolerance));
    const { left, top, right, bottom } = inside;
    assert.deepEqual(found, right ? [left, top, right - left, bottom - top] : []);
  }
  assert.deepEqual(core.list(core.ck_inside_border(9, 9, 0)), [], 'pixels of another size');
});
