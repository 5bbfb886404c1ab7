// @ts-check
// Draws the areas of a guide, and the texts beside its marks.

import { GuideLabel } from './interface.js';

/** @typedef {import('./scene.js').Brush} Brush */
/** @typedef {import('./words.js').WordKey} WordKey */

/** The opacity of an area, through which the photo must be visible. */
const TINT = 0.28;
/** The space around a text, and between it and its point, in points. */
const PADDING = 6;
/** The number of texts to keep. */
const MOST_NOTES = 32;

/** The texts by the codes of labels. */
const WORDS = Object.freeze(/** @type {Record<number, WordKey>} */ ({
  [GuideLabel.crown]: 'guideCrown', [GuideLabel.eyes]: 'guideEyes', [GuideLabel.chin]: 'guideChin',
  [GuideLabel.covered]: 'guideCovered', [GuideLabel.trim]: 'guideTrim', [GuideLabel.safe]: 'guideSafe',
}));

/** @param {Brush} brush @param {import('./scene.js').ItemOf<'guideArea'>} item */
export function drawGuideArea({ ctx, look }, { corners }) {
  ctx.beginPath();
  for (const { x, y } of corners) ctx.lineTo(x, y);
  ctx.globalAlpha = TINT;
  ctx.fillStyle = look.guide;
  ctx.fill();
  ctx.globalAlpha = 1;
}

/** @param {Brush} brush @param {import('./scene.js').ItemOf<'note'>} item */
export function drawNote({ ctx, ratio, look, width, height }, { label, at }) {
  const note = noteOf(look.words.phrase(WORDS[label]), look.label, ratio);
  const [wide, high] = [note.width / ratio, note.height / ratio];
  const x = Math.max(PADDING, Math.min(at.x + PADDING, width - wide - PADDING));
  const y = Math.max(PADDING, Math.min(at.y - high / 2, height - high - PADDING));
  ctx.drawImage(note, Math.round(x * ratio) / ratio, Math.round(y * ratio) / ratio, wide, high);
}

/** @type {Map<string, HTMLCanvasElement>} */
const notes = new Map();

/**
 * A text as an image: drawing text in every frame of a drag would be slow.
 * @param {string} text @param {import('./label.js').LabelLook} look @param {number} ratio device pixels per point
 */
function noteOf(text, look, ratio) {
  const key = [text, ratio, look.color, look.background, look.font].join('\n');
  const known = notes.get(key);
  if (known) return known;
  const canvas = document.createElement('canvas');
  const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  ctx.font = look.font;
  const [width, height] = [Math.ceil(ctx.measureText(text).width) + 2 * PADDING, Math.round(look.size) + PADDING];
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.fillStyle = look.background;
  ctx.roundRect(0, 0, width, height, 4);
  ctx.fill();
  // The new size has reset the font.
  ctx.font = look.font;
  ctx.fillStyle = look.color;
  ctx.textBaseline = 'middle';
  ctx.fillText(text, PADDING, height / 2 + 0.5);
  if (notes.size === MOST_NOTES) notes.clear();
  notes.set(key, canvas);
  return canvas;
}
