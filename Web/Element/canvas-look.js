// @ts-check
// The appearance of a canvas around the crop frame: a color, transparent, or made from the crop's pixels in the
// shown preview.

import { backdrop, edgeColor, hexOf } from './canvas.js';
import { canvasLayout } from './interface.js';
import { clip } from './outline.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./core.js').Drawing} Drawing */
/** @typedef {import('./canvas.js').Canvas} Canvas */

/**
 * The fill of a canvas on the screen.
 * @typedef {object} CanvasLook
 * @property {string | null} color null if it is transparent
 * @property {HTMLCanvasElement | null} picture an image that is stretched over the canvas instead of a color
 * @property {string | null} under the color behind transparent pixels of the crop; null for none
 */

/** The longest side of the crop from which the edge color and the blur are made, in pixels. */
const SIDE = 160;
/** The longest side of a blurred image. More would not be visible, and would take longer than a frame. */
const BLUR_SIDE = 96;
/** How often a fill that is made from pixels is updated during a drag, in milliseconds. */
const PAUSE = 90;

const WHITE = '#ffffff';

/** Caches the last fill. */
export class CanvasFillings {
  #key = '';
  #madeAt = 0;
  #timer = 0;
  /** @type {CanvasLook | null} */ #look = null;

  /** @param {() => void} stale called when it must be redrawn because the pixels have changed */
  constructor(stale) {
    this.stale = stale;
  }

  /**
   * The fill of a session's canvas; null without a canvas.
   * @param {Core} core @param {import('./picture.js').Picture} picture
   * @returns {CanvasLook | null}
   */
  of(core, picture) {
    const canvas = core.canvas()?.canvas;
    if (!canvas) {
      this.#key = '';
      return this.#look = null;
    }
    const isMade = canvas.fill.kind === 'edge' || canvas.fill.kind === 'blur';
    const drawing = isMade && picture.bitmap ? core.drawing() : null;
    const key = JSON.stringify([canvas, drawing?.map, drawing?.width, drawing?.height]);
    const { bitmap } = picture;
    if (key === this.#key && (!isMade || this.#bitmap === bitmap)) return this.#look;
    const now = performance.now();
    if (isMade && this.#look && now - this.#madeAt < PAUSE) {
      // During a drag the last fill is good enough; it is updated after a pause.
      this.#timer ||= window.setTimeout(() => {
        this.#timer = 0;
        this.stale();
      }, PAUSE);
      return this.#look;
    }
    [this.#key, this.#madeAt, this.#bitmap] = [key, now, bitmap];
    const layout = drawing && !drawing.part ? canvasLayout(core, { canvas, crop: drawing }) : null;
    return this.#look = lookOf(core, canvas.fill, layout,
      () => (bitmap && drawing ? smallCrop(bitmap, picture, drawing) : null));
  }

  /** @type {ImageBitmap | null} the image that the pixels were taken from */
  #bitmap = null;
}

/**
 * @param {Core} core @param {Canvas['fill']} fill @param {import('./canvas.js').CanvasLayout | null} layout
 * @param {() => HTMLCanvasElement | null} small the reduced crop, for fills that are made from it
 * @returns {CanvasLook}
 */
export function lookOf(core, fill, layout, small) {
  if (fill.kind === 'color') {
    const color = hexOf(fill.color);
    return { color, picture: null, under: color };
  }
  if (fill.kind === 'transparent') return { color: null, picture: null, under: null };
  const crop = layout && small();
  if (!crop || !layout) return { color: '#808080', picture: null, under: WHITE };
  if (fill.kind === 'edge') {
    const color = edgeColor(core, crop);
    return { color, picture: null, under: color };
  }
  const { backdrop: { part, width, height, sigma } } = layout;
  const [x, y] = [crop.width / layout.crop.width, crop.height / layout.crop.height];
  const less = Math.min(1, BLUR_SIDE / Math.max(width, height));
  const reduced = {
    part: { x: part.x * x, y: part.y * y, width: part.width * x, height: part.height * y },
    width: Math.max(1, Math.round(width * less)), height: Math.max(1, Math.round(height * less)), sigma: sigma * less,
  };
  return { color: null, picture: backdrop(core, crop, { ...layout, backdrop: reduced }), under: null };
}

/**
 * Paints the fill of a canvas; transparent areas are left unchanged.
 * @param {CanvasRenderingContext2D} ctx @param {CanvasLook} look @param {number} width @param {number} height
 */
export function paintBehind(ctx, { color, picture }, width, height) {
  ctx.imageSmoothingQuality = 'high';
  if (picture) ctx.drawImage(picture, 0, 0, width, height);
  else if (color !== null) {
    ctx.fillStyle = color;
    ctx.fillRect(0, 0, width, height);
  }
}

/**
 * The reduced crop.
 * @param {CanvasImageSource} source @param {{ width: number, height: number }} picture the size of the image in it
 * @param {Drawing | Pick<Drawing, 'width' | 'height' | 'map'>} drawing
 */
export function smallCrop(source, picture, drawing) {
  const { width, height } = drawing;
  const canvas = document.createElement('canvas');
  const scale = Math.min(1, SIDE / Math.max(width, height));
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const ctx = canvas.getContext('2d', { willReadFrequently: true });
  if (!ctx) return null;
  ctx.scale(canvas.width / width, canvas.height / height);
  if ('shape' in drawing) clip(ctx, drawing);
  ctx.transform(...drawing.map);
  ctx.imageSmoothingQuality = 'medium';
  ctx.drawImage(source, 0, 0, picture.width, picture.height);
  return canvas;
}
