// @ts-check
// The label with the selection's size or the angle.
//
// Its characters are drawn once and then copied, from left to right. Drawing text on a canvas sixty times per
// second would cost as much as everything else together. The width comes before the height, even in right-to-left
// languages.

import { decimalsOf, ratioTerms } from './ratio-name.js';

const HEIGHT = 22;
const FONT = '500 12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
/** The number of characters in a row of the sheet, and the width for each, in points. */
const MOST = 48;
const CELL = 24;

/** @typedef {{ at: number, width: number }} Glyph both in device pixels */

/** The sheet of characters, for one scale. */
const sheet = {
  ratio: 0,
  canvas: /** @type {HTMLCanvasElement | null} */ (null),
  glyphs: /** @type {Map<string, Glyph>} */ (new Map()),
};

/** @typedef {Extract<import('./interface.js').SceneItem, { kind: 'label' | 'angle' }>} Label */

/** @param {import('./scene.js').Brush} brush @param {Label} label */
export function drawLabel({ ctx, ratio, width, height, look }, label) {
  const text = labelText(label, look.words);
  let run = 0;
  for (const character of text) run += glyph(character, ratio).width;
  const pill = Math.ceil(run / ratio) + 16;
  const x = Math.min(Math.max(label.at.x, pill / 2 + 4), Math.max(width - pill / 2 - 4, pill / 2));
  const y = Math.min(Math.max(label.at.y, HEIGHT / 2 + 4), height - HEIGHT / 2 - 4);
  ctx.beginPath();
  ctx.roundRect(x - pill / 2, y - HEIGHT / 2, pill, HEIGHT, 6);
  ctx.fillStyle = 'rgb(0 0 0 / 0.78)';
  ctx.fill();
  const source = /** @type {HTMLCanvasElement} */ (sheet.canvas);
  const top = Math.round((y - HEIGHT / 2) * ratio) / ratio;
  let left = Math.round(x * ratio - run / 2);
  for (const character of text) {
    const { at: from, width: wide } = glyph(character, ratio);
    if (wide > 0) {
      ctx.drawImage(source, from, 0, wide, source.height,
        left / ratio, top, wide / ratio, source.height / ratio);
    }
    left += wide;
  }
}

/**
 * The position of a character on the sheet; a new one is drawn first.
 * @param {string} character @param {number} ratio device pixels per point
 * @returns {Glyph}
 */
function glyph(character, ratio) {
  if (sheet.ratio === ratio) {
    const known = sheet.glyphs.get(character);
    if (known) return known;
  }
  if (!sheet.canvas || sheet.ratio !== ratio || sheet.glyphs.size === MOST) {
    sheet.ratio = ratio;
    sheet.glyphs.clear();
    sheet.canvas = document.createElement('canvas');
    sheet.canvas.width = Math.ceil(MOST * CELL * ratio);
    sheet.canvas.height = Math.ceil(HEIGHT * ratio);
  }
  const ctx = /** @type {CanvasRenderingContext2D} */ (sheet.canvas.getContext('2d'));
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.font = FONT;
  ctx.fillStyle = '#ffffff';
  ctx.textBaseline = 'middle';
  // Whole device pixels, so that a copy is as sharp as the text; narrow spaces have a width too.
  const made = {
    at: Math.round(sheet.glyphs.size * CELL * ratio),
    width: Math.round(Math.min(ctx.measureText(character).width, CELL) * ratio),
  };
  ctx.fillText(character, made.at / ratio, HEIGHT / 2 + 0.5);
  sheet.glyphs.set(character, made);
  return made;
}

/** @param {Label} label @param {import('./words.js').ElementWords} words */
function labelText(label, words) {
  if (label.kind === 'angle') return words.phrase('degrees', words.number(label.degrees, 1));
  const size = words.phrase('size', words.number(label.size.width), words.number(label.size.height));
  if (!label.ratio) return size;
  const terms = ratioTerms(label.ratio.width, label.ratio.height).map((term) => words.number(term, decimalsOf(term)));
  return `${size} · ${words.phrase('ratioValue', ...terms)}`;
}
