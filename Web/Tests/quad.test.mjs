// Straightening of four corners.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { helper } from './core.mjs';

/** Corners from alternating x and y. */
const pointsOf = ([ax, ay, bx, by, cx, cy, dx, dy]) => [{ x: ax, y: ay }, { x: bx, y: by }, { x: cx, y: cy }, { x: dx, y: dy }];

/** @param {number} width @param {number} height */
function slopes(width, height) {
  const pixels = new Uint8ClampedArray(4 * width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) pixels.set([2 * x, 2 * y, x + y, 255], 4 * (y * width + x));
  }
  return { width, height, pixels };
}

test('a whole picture’s corners that start at the bottom left give the picture turned', async () => {
  const module = await helper();
  const source = slopes(31, 17);
  const made = module.straighten({
    ...source, corners: pointsOf([0, 17, 0, 0, 31, 0, 31, 17]), outputWidth: 17, outputHeight: 31,
  });
  for (let y = 0; y < 31; y += 1) {
    for (let x = 0; x < 17; x += 1) {
      const at = 4 * ((16 - x) * 31 + y);
      assert.deepEqual([...made.subarray(4 * (17 * y + x), 4 * (17 * y + x) + 4)],
        [...source.pixels.subarray(at, at + 4)]);
    }
  }
});

test('a slope is sampled where the corners’ map leads, also where squares are averaged first', async () => {
  const module = await helper();
  // A parallelogram, whose map is affine: (20, 10) + x/w (80, 8) + y/h (4, 60).
  const corners = pointsOf([20, 10, 100, 18, 104, 78, 24, 70]);
  for (const [width, height] of [[80, 60], [23, 17]]) {
    const made = module.straighten({ ...slopes(120, 90), corners, outputWidth: width, outputHeight: height });
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const [u, v] = [(x + 0.5) / width, (y + 0.5) / height];
        const [px, py] = [20 + 80 * u + 4 * v - 0.5, 10 + 8 * u + 60 * v - 0.5];
        [2 * px, 2 * py, px + py, 255].forEach((wanted, channel) => {
          assert.ok(Math.abs(made[4 * (y * width + x) + channel] - wanted) <= (width < 40 ? 1.1 : 0.6));
        });
      }
    }
  }
});

test('corners that can’t be are refused, and the module works on', async () => {
  const module = await helper();
  const good = { ...slopes(40, 30), corners: pointsOf([1, 1, 39, 2, 38, 28, 2, 29]), outputWidth: 20, outputHeight: 15 };
  for (const bad of [[1, 1, 1, 1, 38, 28, 2, 29], [1, 1, 2, 29, 38, 28, 39, 2], [1, 1, 99, 2, 38, 28, 2, 29],
    [NaN, 1, 39, 2, 38, 28, 2, 29]]) {
    assert.throws(() => module.straighten({ ...good, corners: pointsOf(bad) }), { name: 'CropError', code: 'too-large' });
  }
  assert.throws(() => module.straighten({ ...good, outputWidth: 0 }), { name: 'CropError', code: 'too-large' });
  assert.equal(module.straighten(good).length, 4 * 20 * 15);
});
