// JPEG files through the module, without the page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { session } from './core.mjs';

const corpus = (name) => new Uint8Array(
  readFileSync(new URL(`../../Fuzz/Corpus/${name}.jpg`, import.meta.url)));

const JPEG = 26;
const LOSSLESS = 27;

/** The stored size, from the frame header. */
function size(bytes) {
  for (let at = 2; ;) {
    const marker = bytes[at + 1];
    const word = (offset) => (bytes[at + offset] << 8) | bytes[at + offset + 1];
    if (marker >= 0xc0 && marker <= 0xc2) return { width: word(7), height: word(5) };
    at += 2 + word(2);
  }
}

function open(bytes, needsBits = 1) {
  const core = session();
  const { width, height } = size(bytes);
  core.ck_open(width, height);
  core.ck_resize(828, 628);
  core.port.sources = [bytes];
  return { core, width, height, code: core.ck_jpeg_open(needsBits) };
}

const joined = (pieces) => Uint8Array.from(pieces.flatMap((piece) => [...piece]));

test('a crop on the grid is written without loss, one off it is not', () => {
  const { core, width, height, code } = open(corpus('420'));
  assert.equal(code, 0);
  assert.equal(core.list(core.ck_state())[JPEG], 1);
  assert.equal(core.ck_set_recipe(16, 16, 16, 16, 0, 0, 0, 0, 0, 0, 0, 0) & 256, 0);
  assert.equal(core.list(core.ck_state())[LOSSLESS], 1);
  assert.equal(core.ck_jpeg_crop(0), 0);
  assert.deepEqual(size(joined(core.port.pieces)), { width: 16, height: 16 });
  core.ck_set_recipe(15, 16, 16, 16, 0, 0, 0, 0, 0, 0, 0, 0);
  assert.equal(core.list(core.ck_state())[LOSSLESS], 0);
  assert.equal(core.ck_jpeg_crop(0), 5);
  // Snapped, the same goes outward to 0 and 32.
  core.ck_command(45, 2, 0, 0);
  assert.equal(core.list(core.ck_state())[LOSSLESS], 1);
  core.port.pieces = [];
  assert.equal(core.ck_jpeg_crop(0), 0);
  assert.deepEqual(size(joined(core.port.pieces)), { width: 32, height: 16 });
  assert.ok(width >= 32 && height >= 32);
});

test('a progressive picture counts only where somebody else cuts it', () => {
  const alone = open(corpus('progressive'));
  assert.equal(alone.code, 0);
  assert.equal(alone.core.list(alone.core.ck_state())[JPEG], 0);
  const served = open(corpus('progressive'), 0);
  assert.equal(served.core.list(served.core.ck_state())[LOSSLESS], 1);
  assert.equal(served.core.ck_jpeg_crop(0), 5);
});

test('a head that is too short says so, and what is no JPEG too', () => {
  const bytes = corpus('420');
  const core = session();
  const { width, height } = size(bytes);
  core.ck_open(width, height);
  core.port.sources = [bytes.subarray(0, 60)];
  assert.equal(core.ck_jpeg_open(1), 2);
  core.port.sources = [new Uint8Array([1, 2, 3])];
  assert.equal(core.ck_jpeg_open(1), 1);
  core.port.sources = [bytes];
  core.ck_open(width + 1, height);
  assert.equal(core.ck_jpeg_open(1), 5);
});

test('a damaged picture is an error and not a file', () => {
  const bytes = corpus('420');
  const { core } = open(bytes.subarray(0, bytes.length / 2));
  assert.equal(core.ck_jpeg_crop(0), 2);
});

test('a file of 20 megabytes takes no more memory than a small one', () => {
  const small = corpus('420');
  const segment = new Uint8Array(65_537);
  segment.set([0xff, 0xe5, 0xff, 0xff]);
  const bytes = new Uint8Array(small.length + 320 * segment.length);
  bytes.set(small.subarray(0, 2));
  for (let index = 0; index < 320; index += 1) bytes.set(segment, 2 + index * segment.length);
  bytes.set(small.subarray(2), 2 + 320 * segment.length);
  const { width, height } = size(small);
  const core = session();
  core.ck_open(width, height);
  const run = () => {
    core.port.sources = [bytes];
    core.port.pieces = [];
    assert.equal(core.ck_jpeg_open(1), 0);
    core.ck_set_recipe(0, 0, width, height, 0, 0, 0, 0, 0, 0, 0, 0);
    assert.equal(core.ck_jpeg_crop(0), 0);
    core.ck_jpeg_close();
    return core.memory.buffer.byteLength;
  };
  const first = run();
  assert.ok(first < 4 << 20, `${first} bytes`);
  for (let round = 0; round < 10; round += 1) run();
  assert.equal(run(), first);
});
