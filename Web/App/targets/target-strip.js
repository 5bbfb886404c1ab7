// @ts-check
// The strip of live previews under a photo: the complete photo with its focus, and each target's crop.

import { lookOf, paintBehind, smallCrop } from '../../Element/canvas-look.js';
import { parsedCanvas } from '../../Element/canvas.js';
import { canvasLayout } from '../../Element/interface.js';
import { askedOf, labelOf } from '../model/target-list.js';
import { node, setAttribute } from '../ui/dom.js';
import { icon } from '../ui/icons.js';
import { formatSize, words } from '../ui/words.js';
import { canvasOf } from './target-set.js';

/** @typedef {import('../../Element/questions.js').Box} Box */
/** @typedef {import('./target-set.js').Target} Target */
/** @typedef {import('./target-set.js').TargetCrop} TargetCrop */
/** @typedef {TargetCrop['map']} FromUpright */

/**
 * The source of the previews: a small version of the upright image, and the image's size.
 * @typedef {{ bitmap: ImageBitmap, width: number, height: number, translucent: boolean }} Source
 */

/** The longest side of the source in pixels; a preview may show only a small part of it. */
const SOURCE_SIDE = 1280;

/** The maximum size of a preview, in CSS pixels. */
const ROOM = Object.freeze({ width: 132, height: 84 });
const NARROW_ROOM = Object.freeze({ width: 96, height: 60 });

/**
 * The source of the previews.
 * @param {import('../../Element/picture.js').Picture} picture @returns {Promise<Source | null>}
 */
export async function sourceOf({ bitmap, width, height, translucent }) {
  if (!bitmap) return null;
  const scale = Math.min(1, SOURCE_SIDE / Math.max(bitmap.width, bitmap.height));
  const small = await createImageBitmap(bitmap, {
    resizeWidth: Math.max(1, Math.round(bitmap.width * scale)),
    resizeHeight: Math.max(1, Math.round(bitmap.height * scale)), resizeQuality: 'medium',
  });
  return { bitmap: small, width, height, translucent };
}

/** A list box: one Tab stop, with arrow keys to choose. */
export class TargetStrip {
  /** @type {Map<string, Tile>} by the target's name; the empty name is the complete photo */
  #tiles = new Map();
  #chosen = '';

  /** @param {(name: string) => void} choose called with a target's name, or an empty name for the complete photo */
  constructor(choose) {
    this.choose = choose;
    this.root = node('div.strip', {
      role: 'listbox', 'aria-label': words('targets'), 'aria-orientation': 'horizontal',
    });
    this.root.addEventListener('keydown', (event) => this.#key(event));
  }

  /**
   * Lists the targets; existing tiles are reused.
   * @param {readonly Target[]} targets @param {string} chosen
   */
  list(targets, chosen) {
    const before = this.#tiles;
    const tile = (/** @type {string} */ name, /** @type {Target | null} */ target) => {
      const made = before.get(name) ?? new Tile(() => this.choose(name));
      made.target = target;
      return /** @type {const} */ ([name, made]);
    };
    this.#tiles = new Map([tile('', null), ...targets.map((target) => tile(target.name, target))]);
    const roots = [...this.#tiles.values()].map(({ root }) => root);
    const isSame = roots.length === this.root.childElementCount
      && roots.every((root, index) => root === this.root.children[index]);
    if (!isSame) this.root.replaceChildren(...roots);
    this.#chosen = this.#tiles.has(chosen) ? chosen : '';
    for (const [name, { root }] of this.#tiles) {
      setAttribute(root, 'aria-selected', name === this.#chosen);
      root.tabIndex = name === this.#chosen ? 0 : -1;
    }
  }

  /**
   * Draws all previews.
   * @param {import('../../Element/core.js').Core} core @param {Source} source
   * @param {{ rect: Box, map: FromUpright, focus: Box | null } | null} whole the frame, and the focus in it
   * @param {ReadonlyMap<string, TargetCrop | null>} crops by the targets' names
   * @param {(target: Target, crop: TargetCrop) => ReturnType<import('./target-result.js').targetResult>} resultOf
   */
  draw(core, source, whole, crops, resultOf) {
    const room = this.root.clientWidth < 560 ? NARROW_ROOM : ROOM;
    for (const [name, tile] of this.#tiles) {
      if (name) tile.show(core, source, crops.get(name) ?? null, room, resultOf);
      else tile.showWhole(source, whole, room);
    }
  }

  /** Moves keyboard focus to the chosen tile. */
  focus() {
    const root = this.#tiles.get(this.#chosen)?.root;
    root?.focus({ preventScroll: true });
    this.reveal();
  }

  /** Scrolls the chosen tile into view. */
  reveal() {
    this.#tiles.get(this.#chosen)?.root.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const names = [...this.#tiles.keys()];
    const at = names.indexOf(this.#chosen);
    const forward = getComputedStyle(this.root).direction === 'rtl' ? -1 : 1;
    const to = { ArrowRight: at + forward, ArrowLeft: at - forward, ArrowDown: at + 1, ArrowUp: at - 1,
      Home: 0, End: names.length - 1, Escape: 0 }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.choose(names[Math.min(Math.max(to, 0), names.length - 1)]);
    this.focus();
  }
}

/** One preview with its name and its warnings. */
class Tile {
  /** @type {Target | null} null for the complete photo */ target = null;
  #shownText = '';

  /** @param {() => void} choose */
  constructor(choose) {
    this.canvas = node('canvas', { 'aria-hidden': 'true' });
    this.marks = node('span.marks', { 'aria-hidden': 'true' });
    this.name = node('span.name');
    /** The size and format of the file. */
    this.result = node('span.file');
    this.root = node('div.target', { role: 'option', onclick: choose },
      node('span.picture', { 'aria-hidden': 'true' }, this.canvas, this.marks), this.name, this.result);
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d'));
  }

  /**
   * @param {import('../../Element/core.js').Core} core @param {Source} source @param {TargetCrop | null} crop
   * @param {{ width: number, height: number }} room @param {Parameters<TargetStrip['draw']>[4]} resultOf
   */
  show(core, source, crop, room, resultOf) {
    const { target } = this;
    if (!target) return;
    const label = labelOf(target);
    const result = crop && resultOf(target, crop);
    const size = result ? words('savedDetail', formatSize(result.width, result.height), result.format) : '';
    if (this.result.textContent !== size) this.result.textContent = size;
    const marks = crop ? marksOf(crop) : [];
    const canvas = canvasOf(target);
    this.#setText(label, [label, askedOf(target), canvas ? words('fitRatio') : '', size,
      ...marks.map(({ word }) => words(word))], marks);
    if (crop && canvas) return this.#paintOn(core, source, crop, canvas, room);
    if (crop) this.#paint(source, crop.rect, crop.map, room);
    const { shape } = crop?.recipe ?? {};
    this.canvas.style.borderRadius = shape === 'ellipse' ? '50%' : typeof shape === 'object' && crop
      ? `${shape.roundedRectangle / crop.rect.width * this.canvas.offsetWidth}px` : '';
  }

  /**
   * @param {Source} source @param {{ rect: Box, map: FromUpright, focus: Box | null } | null} whole
   * @param {{ width: number, height: number }} room
   */
  showWhole(source, whole, room) {
    this.#setText(words('targetFocus'), [words('targetFocusLong')], []);
    if (!whole) return;
    const scale = this.#paint(source, whole.rect, whole.map, room);
    const { focus } = whole;
    if (!focus) return;
    const { context: ctx } = this;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    const box = [focus.x, focus.y, focus.width, focus.height].map((value) => value * scale);
    for (const [width, color] of /** @type {const} */ ([[4, 'rgb(0 0 0 / 0.6)'], [2, '#ffffff']])) {
      ctx.lineWidth = width * devicePixelRatio;
      ctx.strokeStyle = color;
      ctx.strokeRect(box[0], box[1], box[2], box[3]);
    }
  }

  /**
   * Updates the texts only if they changed.
   * @param {string} name @param {string[]} parts of the description @param {Mark[]} marks
   */
  #setText(name, parts, marks) {
    const text = parts.filter(Boolean).join(', ');
    if (text === this.#shownText) return;
    this.#shownText = text;
    this.name.textContent = name;
    setAttribute(this.root, 'aria-label', text);
    setAttribute(this.root, 'title', text);
    this.marks.replaceChildren(...marks.map(({ glyph, look }) => node(`span.mark.${look}`, {}, icon(glyph, 16))));
  }

  /**
   * Draws a crop on its canvas.
   * @param {import('../../Element/core.js').Core} core @param {Source} source @param {TargetCrop} crop
   * @param {import('../../Element/canvas.js').CanvasOptions} options @param {{ width: number, height: number }} room
   */
  #paintOn(core, source, { rect, map, recipe }, options, room) {
    const { canvas, context: ctx } = this;
    const around = parsed(core, options);
    const layout = around && canvasLayout(core, { canvas: around, crop: rect });
    if (!around || !layout) return void this.#paint(source, rect, map, room);
    canvas.style.borderRadius = '';
    const scale = this.#size(layout, room);
    canvas.classList.add('translucent');
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(0, 0, canvas.width, canvas.height);
    const drawing = { width: rect.width, height: rect.height, map };
    const look = lookOf(core, around.fill, layout, () => smallCrop(source.bitmap, source, drawing));
    paintBehind(ctx, look, canvas.width, canvas.height);
    const [x, y, w, h] = [layout.crop.x, layout.crop.y, layout.crop.width, layout.crop.height].map((side) => side * scale);
    ctx.save();
    ctx.beginPath();
    if (recipe.shape === 'ellipse') ctx.ellipse(x + w / 2, y + h / 2, w / 2, h / 2, 0, 0, 2 * Math.PI);
    else if (typeof recipe.shape === 'object') ctx.roundRect(x, y, w, h, recipe.shape.roundedRectangle * w / rect.width);
    else ctx.rect(x, y, w, h);
    ctx.clip();
    const [a, b, c, d, e, f] = map;
    const [across, down] = [w / rect.width, h / rect.height];
    ctx.transform(1, 0, 0, 1, x, y);
    ctx.transform(a * across, b * down, c * across, d * down, e * across, f * down);
    ctx.imageSmoothingQuality = 'medium';
    ctx.drawImage(source.bitmap, 0, 0, source.width, source.height);
    ctx.restore();
  }

  /**
   * Makes the preview as large as possible.
   * @param {{ width: number, height: number }} size @param {{ width: number, height: number }} room
   * @returns {number} device pixels per unit of the size
   */
  #size(size, room) {
    const { canvas } = this;
    const fit = Math.min(room.width / size.width, room.height / size.height);
    const width = Math.max(12, Math.round(size.width * fit));
    const height = Math.max(12, Math.round(size.height * fit));
    const [wide, high] = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)];
    if (canvas.width !== wide || canvas.height !== high) {
      canvas.width = wide;
      canvas.height = high;
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    return wide / size.width;
  }

  /**
   * @param {Source} source @param {Box} rect @param {FromUpright} map to the rectangle
   * @param {{ width: number, height: number }} room
   * @returns {number} device pixels per pixel of the rectangle
   */
  #paint(source, rect, map, room) {
    const { canvas, context: ctx } = this;
    this.#size(rect, room);
    const { width: wide, height: high } = canvas;
    canvas.classList.toggle('translucent', source.translucent);
    const [x, y] = [wide / rect.width, high / rect.height];
    const [a, b, c, d, e, f] = map;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(0, 0, wide, high);
    ctx.setTransform(a * x, b * y, c * x, d * y, e * x, f * y);
    ctx.imageSmoothingQuality = 'medium';
    ctx.drawImage(source.bitmap, 0, 0, source.width, source.height);
    return x;
  }
}

/**
 * The canvas of the options; null if they are invalid.
 * @param {import('../../Element/core.js').Core} core @param {import('../../Element/canvas.js').CanvasOptions} options
 */
function parsed(core, options) {
  try {
    return parsedCanvas(core, options);
  } catch {
    return null;
  }
}

/** @typedef {{ glyph: import('../ui/icons.js').IconName, word: import('../ui/words.js').WordKey, look: string }} Mark */

/**
 * The warnings about a crop.
 * @param {TargetCrop} crop @returns {Mark[]}
 */
export function marksOf({ cutsFocus, isTooSmall, isByHand }) {
  /** @type {Mark[]} */ const marks = [];
  if (cutsFocus) marks.push({ glyph: 'warning', word: 'targetCut', look: 'warns' });
  if (isTooSmall) marks.push({ glyph: 'pixels', word: 'targetSmall', look: 'warns' });
  if (isByHand) marks.push({ glyph: 'hand', word: 'targetByHand', look: 'made' });
  return marks;
}
