import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Button, Change, Command, Phase, Pointer, Style } from '../Element/interface.js';
import { bytes, helper, modules, session } from './core.mjs';

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

/** A recipe as the core's bridge returns it. */
const recipeOf = (x, y, width, height, other = {}) => ({
  version: 1, rect: { x, y, width, height }, quarterTurns: 0, mirrored: false, tilt: 0, shape: 'rectangle', output: null, ...other,
});

/** A session with an image of 800 × 600 in 828 × 628 less a margin of 14: one point per pixel, from (14, 14). */
function opened() {
  const core = session();
  core.open({ width: 800, height: 600 });
  core.resize({ width: 828, height: 628 });
  return core;
}

test('a drag in a marquee selects the pixels under it', () => {
  const core = session();
  core.command('style', Style.marquee);
  core.open({ width: 800, height: 600 });
  core.resize({ width: 828, height: 628 });
  assert.equal(core.recipe(), null);
  const drag = (phase, x, y, time) => core.pointer({
    phase, id: 1, at: { x, y }, time, kind: Pointer.mouse, button: Button.primary, modifiers: 0 });
  drag(Phase.down, 114, 64, 1);
  drag(Phase.move, 314, 214, 1.1);
  assert.ok(drag(Phase.up, 314, 214, 1.2) & Change.gestureEnded);
  assert.deepEqual(core.recipe(), recipeOf(100, 50, 200, 150));
});

test('numbers that can’t be are refused and change nothing', () => {
  const core = opened();
  const before = core.recipe();
  const isRefused = (name, ...numbers) => assert.ok([undefined, Change.refused].includes(core.raw(name, ...numbers)[0]), `${name} ${numbers}`);
  for (const bad of [NaN, Infinity, -Infinity, 1e300]) {
    assert.equal(core.open({ width: bad, height: 600 }), Change.refused);
    isRefused('pointer', Phase.down, 1, bad, 5, 1, 0, 0, 0);
    isRefused('run', 0, Command.setX, bad, 0);
    isRefused('run', bad, Command.setX, 5, 0);
    isRefused('run', 0, bad, 0, 0);
    assert.equal(core.setRecipe(recipeOf(bad, 0, 10, 10)), Change.refused);
  }
  isRefused('pointer', 9, 1, 5, 5, 1, 0, 0, 0);
  isRefused('run', 0, 999, 0, 0);
  isRefused('key', 1);
  assert.deepEqual(core.raw('nothing'), []);
  assert.deepEqual(core.raw('open', ...Array(1000).fill(600)), [], 'a list that is too long');
  assert.deepEqual(core.recipe(), before);
});

test('a recipe comes out as it went in, its output too', () => {
  const core = opened();
  const shape = { roundedRectangle: 24 };
  for (const output of [null, { width: 600, height: 400 }, { maxSide: 320 }]) {
    const recipe = recipeOf(10, 20, 300, 200, { quarterTurns: 1, mirrored: true, shape, output });
    assert.equal(core.setRecipe(recipe) & Change.refused, 0);
    assert.deepEqual(core.recipe(), recipe);
  }
  assert.equal(core.setRecipe(recipeOf(10, 20, 300, 200, { output: { width: 600, height: 500 } })), Change.refused);
});

test('ten thousand events leave the memory as it was', () => {
  const core = session();
  core.open({ width: 4000, height: 3000 });
  core.resize({ width: 800, height: 600 });
  const run = (from) => {
    const drag = (phase, x, y, time) => core.raw('pointer', phase, 1, x, y, time, 0, 0, 0);
    drag(Phase.down, 400, 300, from);
    for (let i = 1; i < 5000; i++) {
      drag(Phase.move, 200 + (i % 400), 150 + (i % 300), from + i / 1000);
      core.scene();
      core.elements();
    }
    drag(Phase.up, 400, 300, from + 5);
  };
  run(1);
  const size = core.memory.buffer.byteLength;
  run(10);
  assert.equal(core.memory.buffer.byteLength, size);
});

test('the border of 500 made pictures is that of a look at every pixel', async () => {
  const extra = await helper();
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
    const found = extra.borderOf({ data: pixels, width, height }, tolerance);
    const { left, top, right, bottom } = inside;
    assert.deepEqual(found, right ? { x: left, y: top, width: right - left, height: bottom - top } : null);
  }
  assert.equal(extra.borderPixels({ width: 0, height: 9 }), null);
  assert.equal(extra.insideBorder({ tolerance: 0 }), null, 'no pixels were written');
});
