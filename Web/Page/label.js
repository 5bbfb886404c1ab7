// @ts-check
// The pill with the selection's size or the angle.

import { formatNumber, words } from './words.js';

const HEIGHT = 22;
const FONT = '500 12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/**
 * @param {{ ctx: CanvasRenderingContext2D, width: number, height: number }} brush
 * @param {Float64Array} n key, the middle's place, how many values follow, the values
 */
export function drawLabel({ ctx, width, height }, n) {
  const text = labelText(n[0], n.subarray(4, 4 + n[3]));
  ctx.font = FONT;
  ctx.direction = 'ltr';
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  // Every digit counts as a zero: the pill keeps its width while numbers run.
  const pill = Math.ceil(ctx.measureText(text.replace(/\p{Nd}/gu, '0')).width) + 16;
  const x = Math.min(Math.max(n[1], pill / 2 + 4), Math.max(width - pill / 2 - 4, pill / 2));
  const y = Math.min(Math.max(n[2], HEIGHT / 2 + 4), height - HEIGHT / 2 - 4);
  ctx.beginPath();
  ctx.roundRect(x - pill / 2, y - HEIGHT / 2, pill, HEIGHT, 6);
  ctx.fillStyle = 'rgb(0 0 0 / 0.78)';
  ctx.fill();
  ctx.fillStyle = '#ffffff';
  ctx.fillText(text, x, y + 0.5);
}

/** @param {number} key @param {Float64Array} values */
function labelText(key, values) {
  if (key === 1) return words('degrees', formatNumber(values[0], 1));
  const size = words('size', formatNumber(values[0]), formatNumber(values[1]));
  if (!values[2] || !values[3]) return size;
  return `${size} · ${words('ratioValue', formatNumber(values[2]), formatNumber(values[3]))}`;
}
