// @ts-check
// The pill with the selection's size or the angle.

import { formatNumber, words } from './words.js';

const HEIGHT = 22;
const FONT = '500 12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/** What was measured last: most frames of a drag show other numbers, but as many digits. */
const known = { zeros: '', width: 0 };

/**
 * @param {import('./scene.js').Brush} brush
 * @param {Float64Array} n @param {number} at where the key is; then the middle's place, how many
 *   values follow, the values
 */
export function drawLabel({ ctx, look, width, height }, n, at) {
  const text = labelText(n, at);
  if (!look.hasFont) {
    look.hasFont = true;
    ctx.font = FONT;
    ctx.direction = 'ltr';
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
  }
  // Every digit counts as a zero: the pill keeps its width while numbers run.
  const zeros = text.replace(/\p{Nd}/gu, '0');
  if (known.zeros !== zeros) {
    known.zeros = zeros;
    known.width = Math.ceil(ctx.measureText(zeros).width) + 16;
  }
  const pill = known.width;
  const x = Math.min(Math.max(n[at + 1], pill / 2 + 4), Math.max(width - pill / 2 - 4, pill / 2));
  const y = Math.min(Math.max(n[at + 2], HEIGHT / 2 + 4), height - HEIGHT / 2 - 4);
  ctx.beginPath();
  ctx.roundRect(x - pill / 2, y - HEIGHT / 2, pill, HEIGHT, 6);
  ctx.fillStyle = 'rgb(0 0 0 / 0.78)';
  ctx.fill();
  ctx.fillStyle = '#ffffff';
  ctx.fillText(text, x, y + 0.5);
}

/** @param {Float64Array} n @param {number} at */
function labelText(n, at) {
  if (n[at] === 1) return words('degrees', formatNumber(n[at + 4], 1));
  const size = words('size', formatNumber(n[at + 4]), formatNumber(n[at + 5]));
  if (!n[at + 6] || !n[at + 7]) return size;
  return `${size} · ${words('ratioValue', formatNumber(n[at + 6]), formatNumber(n[at + 7]))}`;
}
