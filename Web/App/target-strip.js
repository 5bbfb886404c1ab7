// @ts-check
// The strip of live previews under a photo: the whole photo with its focus, and each target as it will be.

import { node, setAttribute } from './dom.js';
import { icon } from './icons.js';
import { askedOf, labelOf } from './target-list.js';
import { formatSize, words } from './words.js';

/** @typedef {import('../Element/questions.js').Box} Box */
/** @typedef {import('./target-set.js').Target} Target */
/** @typedef {import('./target-set.js').TargetCrop} TargetCrop */
/** @typedef {TargetCrop['map']} FromUpright */

/**
 * What is drawn from: the upright picture, small, and how many pixels it stands for.
 * @typedef {{ bitmap: ImageBitmap, width: number, height: number, translucent: boolean }} Source
 */

/** The longest side of what is drawn from, in pixels: a preview shows a small part of it now and then. */
const SOURCE_SIDE = 1280;

/** The room of a preview, in CSS pixels. */
const ROOM = Object.freeze({ width: 132, height: 84 });
const NARROW_ROOM = Object.freeze({ width: 96, height: 60 });

/**
 * What the previews are drawn from.
 * @param {import('../Element/picture.js').Picture} picture @returns {Promise<Source | null>}
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

/** A list box: one stop of the Tab key, arrow keys choose. */
export class TargetStrip {
  /** @type {Map<string, Tile>} by the target's name; the empty one is the whole photo's */
  #tiles = new Map();
  #chosen = '';

  /** @param {(name: string) => void} choose a target, or nothing for the whole photo */
  constructor(choose) {
    this.choose = choose;
    this.root = node('div.strip', {
      role: 'listbox', 'aria-label': words('targets'), 'aria-orientation': 'horizontal',
    });
    this.root.addEventListener('keydown', (event) => this.#key(event));
  }

  /**
   * Lists the targets, each of which keeps its tile.
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
   * Draws what each shows.
   * @param {Source} source
   * @param {{ rect: Box, map: FromUpright, focus: Box | null } | null} whole the frame, and the focus in it
   * @param {ReadonlyMap<string, TargetCrop | null>} crops by the targets' names
   */
  draw(source, whole, crops) {
    const room = this.root.clientWidth < 560 ? NARROW_ROOM : ROOM;
    for (const [name, tile] of this.#tiles) {
      if (name) tile.show(source, crops.get(name) ?? null, room);
      else tile.showWhole(source, whole, room);
    }
  }

  /** Gives what is chosen the keyboard. */
  focus() {
    const root = this.#tiles.get(this.#chosen)?.root;
    root?.focus({ preventScroll: true });
    this.reveal();
  }

  /** Brings what is chosen into sight. */
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

/** One preview with its name, and what is to be known of it. */
class Tile {
  /** @type {Target | null} the whole photo's has none */ target = null;
  #told = '';

  /** @param {() => void} choose */
  constructor(choose) {
    this.canvas = node('canvas', { 'aria-hidden': 'true' });
    this.marks = node('span.marks', { 'aria-hidden': 'true' });
    this.name = node('span.name');
    this.root = node('div.target', { role: 'option', onclick: choose },
      node('span.picture', { 'aria-hidden': 'true' }, this.canvas, this.marks), this.name);
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d'));
  }

  /** @param {Source} source @param {TargetCrop | null} crop @param {{ width: number, height: number }} room */
  show(source, crop, room) {
    const { target } = this;
    if (!target) return;
    const label = labelOf(target);
    const size = crop ? formatSize(crop.rect.width, crop.rect.height) : '';
    const marks = crop ? marksOf(crop) : [];
    this.#tell(label, [label, askedOf(target), size, ...marks.map(({ word }) => words(word))], marks);
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
    this.#tell(words('targetFocus'), [words('targetFocusLong')], []);
    if (!whole) return;
    const scale = this.#paint(source, whole.rect, whole.map, room);
    const { focus } = whole;
    if (!focus) return;
    const { context: ctx } = this;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    const box = [focus.x, focus.y, focus.width, focus.height].map((value) => value * scale);
    for (const [width, colour] of /** @type {const} */ ([[4, 'rgb(0 0 0 / 0.6)'], [2, '#ffffff']])) {
      ctx.lineWidth = width * devicePixelRatio;
      ctx.strokeStyle = colour;
      ctx.strokeRect(box[0], box[1], box[2], box[3]);
    }
  }

  /**
   * Only another text costs something.
   * @param {string} name @param {string[]} parts what is said of it @param {Mark[]} marks
   */
  #tell(name, parts, marks) {
    const text = parts.filter(Boolean).join(', ');
    if (text === this.#told) return;
    this.#told = text;
    this.name.textContent = name;
    setAttribute(this.root, 'aria-label', text);
    setAttribute(this.root, 'title', text);
    this.marks.replaceChildren(...marks.map(({ glyph, look }) => node(`span.mark.${look}`, {}, icon(glyph, 16))));
  }

  /**
   * @param {Source} source @param {Box} rect @param {FromUpright} map to the rectangle
   * @param {{ width: number, height: number }} room
   * @returns {number} device pixels for each of the rectangle's
   */
  #paint(source, rect, map, room) {
    const { canvas, context: ctx } = this;
    const fit = Math.min(room.width / rect.width, room.height / rect.height);
    const width = Math.max(12, Math.round(rect.width * fit));
    const height = Math.max(12, Math.round(rect.height * fit));
    const [wide, high] = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)];
    if (canvas.width !== wide || canvas.height !== high) {
      canvas.width = wide;
      canvas.height = high;
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
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

/** @typedef {{ glyph: import('./icons.js').IconName, word: import('./words.js').WordKey, look: string }} Mark */

/**
 * What a person should know of a crop.
 * @param {TargetCrop} crop @returns {Mark[]}
 */
export function marksOf({ cutsFocus, isTooSmall, isByHand }) {
  /** @type {Mark[]} */ const marks = [];
  if (cutsFocus) marks.push({ glyph: 'warning', word: 'targetCut', look: 'warns' });
  if (isTooSmall) marks.push({ glyph: 'pixels', word: 'targetSmall', look: 'warns' });
  if (isByHand) marks.push({ glyph: 'hand', word: 'targetByHand', look: 'made' });
  return marks;
}
