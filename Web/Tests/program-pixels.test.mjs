// Borders and four corners of pixels that the caller has decoded: the package cropkit for JavaScript.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CropError, findBorder, findCorners, open, straighten } from '../Program/index.js';
import { pixelsOf, pngOf } from './png.mjs';

const program = process.env.CROPKIT_BIN ? join(process.env.CROPKIT_BIN, 'cropkit') : null;
const skip = program ? false : 'CROPKIT_BIN is not set';
const still = fileURLToPath(new URL('../../Samples/still-life.jpg', import.meta.url));
const place = mkdtempSync(join(tmpdir(), 'pixels-'));
after(() => rmSync(place, { recursive: true }));

/** A crop by the program. */
function native(input, output, ...words) {
  const done = spawnSync(program, ['crop', input, ...words, '--force', '-o', output], { cwd: place, encoding: 'utf8' });
  assert.equal(done.status, 0, done.stderr);
  return readFileSync(join(place, output));
}

/** A small photo, as a JPEG. */
function small(...words) {
  native(still, 'small.jpg', '--max-side', '400');
  native('small.jpg', 'photo.jpg', ...words);
  return { photo: open(join(place, 'photo.jpg')), pixels: pixelsOf(native('photo.jpg', 'photo.png')) };
}

const refused = async (promise, code, words) => {
  const error = await promise.then(() => null, (one) => one);
  assert.ok(error instanceof CropError && error.code === code, String(error));
  assert.match(error.message, words);
};

/** A gray picture with a darker rectangle in it, in this many channels. */
function framed(channels, inside = { x: 3, y: 5, width: 20, height: 9 }) {
  const [width, height] = [40, 24];
  const data = new Uint8Array(width * height * channels).fill(240);
  for (let y = inside.y; y < inside.y + inside.height; y += 1) {
    for (let x = inside.x; x < inside.x + inside.width; x += 1) data[(y * width + x) * channels] = 10;
  }
  for (let at = channels - 1; channels % 2 === 0 && at < data.length; at += channels) data[at] = 255;
  return { data, width, height };
}

/** A sheet on a dark table, photographed at an angle. */
function photographed() {
  const [width, height] = [400, 300];
  const data = new Uint8Array(width * height * 3).fill(40);
  const corners = [[80, 50], [330, 70], [310, 260], [60, 230]];
  const isInside = (x, y) => corners.every(([ax, ay], index) => {
    const [bx, by] = corners[(index + 1) % 4];
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0;
  });
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) if (isInside(x + 0.5, y + 0.5)) data.set([230, 220 - x % 60, 200 - y % 60], 3 * (y * width + x));
  }
  return { data, width, height, corners };
}

test('the border of pixels is found in one to four channels', async () => {
  for (const channels of [1, 2, 3, 4]) {
    assert.deepEqual(await findBorder(framed(channels)), { x: 3, y: 5, width: 20, height: 9 });
  }
  assert.deepEqual(await findBorder(framed(3), { tolerance: 229 }), { x: 3, y: 5, width: 20, height: 9 });
  assert.equal(await findBorder(framed(3), { tolerance: 230 }), null);
});

test('pixels of a wrong length or tolerance are refused', async () => {
  for (const pixels of [undefined, {}, { data: new Uint8Array(9), width: 2, height: 2 }, { data: new Uint8Array(0), width: 0, height: 0 },
    { data: new Uint8Array(20), width: 2, height: 2 }]) {
    await refused(findBorder(pixels), 'usage', /data, width and height/);
  }
  await refused(findBorder(framed(1), { tolerance: 300 }), 'usage', /0 to 255/);
});

test('a trimmed JPEG has the bytes of the program', { skip }, async () => {
  const { pixels, ...opened } = small('--canvas', '1:1', '--margin', '7%', '--fill', '#fff');
  const photo = await opened.photo;
  for (const [what, words] of [
    [{}, []], [{ aspect: '4:5' }, ['--aspect', '4:5']], [{ size: [160, 120], focus: [0.2, 0.6] }, ['--size', '160x120', '--focus', '0.2,0.6']],
    [{ rotate: 90, flip: 'horizontal', inset: 20 }, ['--rotate', '90', '--flip', 'horizontal', '--inset', '20']],
  ]) {
    for (const mode of ['snap', 'outward']) {
      const options = { ...what, trim: true, pixels, lossless: mode };
      const expected = spawnSync(program, ['crop', 'photo.jpg', '--trim', ...words, '--lossless', mode, '--force', '--json', '-o', 'trimmed.jpg'],
        { cwd: place, encoding: 'utf8' });
      const answer = JSON.parse(expected.stdout);
      if (!answer.lossless) {
        await refused(photo.crop(options), 'component-missing', /new pixels/);
        continue;
      }
      const made = await photo.crop(options);
      assert.deepEqual(made.rect, answer.rect, JSON.stringify([what, mode]));
      assert.deepEqual(made.bytes, new Uint8Array(readFileSync(join(place, 'trimmed.jpg'))), JSON.stringify([what, mode]));
    }
  }
  const plan = await photo.lossless({ trim: true, pixels, lossless: 'outward' });
  assert.equal(plan.lossless, true);
});

test('trimming says what is missing or nothing', { skip }, async () => {
  const { pixels, ...opened } = small();
  const photo = await opened.photo;
  const busy = { ...pixels, data: pixels.data.map((_, at) => 73 * at) };
  assert.deepEqual((await photo.crop({ trim: true, pixels: busy })).warnings.map(({ code }) => code), ['nothing-to-trim']);
  await refused(photo.crop({ trim: true }), 'component-missing', /needs pixels or a decoder/);
  await refused(photo.crop({ trim: true, pixels: framed(3) }), 'usage', /are 40 × 24, and the photo is shown as \d+ × \d+/);
  await refused(photo.crop({ aspect: '1:1', pixels }), 'usage', /only used with trim/);
  const white = { ...pixels, data: new Uint8Array(pixels.data.length).fill(255) };
  await refused(photo.crop({ trim: 0, pixels: white }), 'invalid-recipe', /one color/);
});

test('four corners are straightened to the pixels of the program, turned, sized and found', { skip }, async () => {
  const { corners, ...photo } = photographed();
  writeFileSync(join(place, 'sheet.png'), pngOf(photo));
  const quad = corners.flat();
  for (const [what, words] of [
    [{ quad }, ['--quad', quad.join()]], [{ quad, size: 'a4' }, ['--quad', quad.join(), '--size', 'a4']],
    [{ quad: corners.map(([x, y]) => ({ x, y })), maxSide: 70 }, ['--quad', quad.join(), '--max-side', '70']],
    [{ quad: '10%,10%,80%,15%,85%,90%,12%,80%', rotate: 90 }, ['--quad', '10%,10%,80%,15%,85%,90%,12%,80%', '--rotate', '90']],
    [{ quad: '50,60,250,70,240,350,40,330', rotate: 270, flip: 'horizontal' },
      ['--quad', '50,60,250,70,240,350,40,330', '--rotate', '270', '--flip', 'horizontal']],
    [{ quad: 'auto' }, ['--quad', 'auto']], [{ quad: 'auto', size: 'letter', rotate: 180 }, ['--quad', 'auto', '--size', 'letter', '--rotate', '180']],
    [{ quad: 'auto', width: 120 }, ['--quad', 'auto', '--width', '120']],
    [{ quad: '20,30,120,30,120,90,20,90' }, ['--quad', '20,30,120,30,120,90,20,90']],
  ]) {
    const expected = pixelsOf(native('sheet.png', 'straight.png', ...words));
    const made = await straighten(photo, what);
    const label = JSON.stringify(what);
    assert.deepEqual([made.width, made.height, made.channels], [expected.width, expected.height, 3], label);
    assert.ok(Buffer.compare(Buffer.from(made.data), Buffer.from(expected.data)) === 0, label);
  }
});

test('a recipe with corners is applied to pixels of each number of channels', async () => {
  const recipe = { version: 2, quad: [{ x: 2, y: 2 }, { x: 30, y: 4 }, { x: 29, y: 20 }, { x: 3, y: 18 }], quarterTurns: 0, mirrored: false };
  const reds = [];
  for (const channels of [1, 2, 3, 4]) {
    const made = await straighten(framed(channels), recipe);
    assert.deepEqual([made.channels, made.data.length], [channels, made.width * made.height * channels]);
    reds.push(made.data.filter((_, at) => at % channels === 0).join());
  }
  assert.equal(new Set(reds).size, 1);
});

test('the corners of a sheet are found, and missing ones reported', async () => {
  const { corners, ...photo } = photographed();
  const found = await findCorners(photo);
  found.forEach(({ x, y }, index) => assert.ok(Math.hypot(x - corners[index][0], y - corners[index][1]) < 3, `${x},${y}`));
  const plain = { ...photo, data: new Uint8Array(photo.data.length).fill(90) };
  assert.equal(await findCorners(plain), null);
  await refused(straighten(plain, { quad: 'auto' }), 'invalid-recipe', /no sheet/);
  await refused(straighten(photo, {}), 'invalid-recipe', /no corners/);
  await refused(straighten(photo, { quad: '0,0,10,0,10,10,0,9000' }), 'invalid-recipe', /corner|outside/);
  await refused(straighten(photo, { quad: 'auto', aspect: '1:1' }), 'usage', /can't be used together/);
  await refused(straighten(photo, { quad: '9,9,90,9,90,90,9,90', shape: 'ellipse' }), 'invalid-recipe', /rectangle/);
});
