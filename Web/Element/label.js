// @ts-check
// The label with the selection's size or the angle.
//
// Its characters are drawn once and then copied, from left to right. Drawing text on a canvas sixty times per
// second would cost as much as everything else together. The width comes before the height, even in right-to-left
// languages.

import { decimalsOf, ratioTerms } from './ratio-name.js';

/** The space above and below the text together, in points. */
const PADDING = 10;
/** The number of characters in a row of a sheet. */
const MOST = 48;
/** The number of sheets to keep; pages rarely have more styles of labels and scales. */
const MOST_SHEETS = 4;

/**
 * How a label looks: its colors, its font, and the font's size in points.
 * @typedef {{ color: string, background: string, font: string, size: number }} LabelLook
 */

/** @typedef {{ at: number, width: number }} Glyph both in device pixels */

/**
 * A sheet of characters for one scale and style.
 * @typedef {object} Sheet
 * @property {number} ratio device pixels per point @property {LabelLook} look
 * @property {number} height of the label, in points @property {number} cell the width for each character, in points
 * @property {HTMLCanvasElement} canvas @property {Map<string, Glyph>} glyphs
 */

/** @type {Map<string, Sheet>} */
const sheets = new Map();

/** @param {LabelLook} look @param {number} ratio @returns {Sheet} */
function sheetOf(look, ratio) {
  const key = `${ratio} ${look.color} ${look.font}`;
  let sheet = sheets.get(key);
  if (!sheet) {
    if (sheets.size === MOST_SHEETS) sheets.clear();
    const [height, cell] = [Math.round(look.size) + PADDING, 2 * look.size];
    sheet = { ratio, look, height, cell, canvas: document.createElement('canvas'), glyphs: new Map() };
    sheets.set(key, sheet);
  }
  return sheet;
}

/** @typedef {Extract<import('./interface.js').SceneItem, { kind: 'label' | 'angle' }>} Label */

/** @param {import('./scene.js').Brush} brush @param {Label} label */
export function drawLabel({ ctx, ratio, width, height, look }, label) {
  const text = labelText(label, look.words);
  const sheet = sheetOf(look.label, ratio);
  const half = sheet.height / 2;
  let run = 0;
  for (const character of text) run += glyph(character, sheet).width;
  const pill = Math.ceil(run / ratio) + 16;
  const x = Math.min(Math.max(label.at.x, pill / 2 + 4), Math.max(width - pill / 2 - 4, pill / 2));
  const y = Math.min(Math.max(label.at.y, half + 4), height - half - 4);
  ctx.beginPath();
  ctx.roundRect(x - pill / 2, y - half, pill, sheet.height, 6);
  ctx.fillStyle = look.label.background;
  ctx.fill();
  const source = sheet.canvas;
  const top = Math.round((y - half) * ratio) / ratio;
  let left = Math.round(x * ratio - run / 2);
  for (const character of text) {
    const { at: from, width: wide } = glyph(character, sheet);
    if (wide > 0) {
      ctx.drawImage(source, from, 0, wide, source.height,
        left / ratio, top, wide / ratio, source.height / ratio);
    }
    left += wide;
  }
}

/**
 * The position of a character on the sheet; a new one is drawn first.
 * @param {string} character @param {Sheet} sheet
 * @returns {Glyph}
 */
function glyph(character, sheet) {
  const { ratio, look, height, cell, canvas, glyphs } = sheet;
  const known = glyphs.get(character);
  if (known) return known;
  if (glyphs.size === 0 || glyphs.size === MOST) {
    glyphs.clear();
    canvas.width = Math.ceil(MOST * cell * ratio);
    canvas.height = Math.ceil(height * ratio);
  }
  const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.font = look.font;
  ctx.fillStyle = look.color;
  ctx.textBaseline = 'middle';
  // Whole device pixels, so that a copy is as sharp as the text; narrow spaces have a width too.
  const made = {
    at: Math.round(glyphs.size * cell * ratio),
    width: Math.round(Math.min(ctx.measureText(character).width, cell) * ratio),
  };
  ctx.fillText(character, made.at / ratio, height / 2 + 0.5);
  glyphs.set(character, made);
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
