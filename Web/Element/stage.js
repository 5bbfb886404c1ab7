// @ts-check
// What the element draws on: the photo in a layer that the browser moves by itself, and over it a
// canvas in device pixels for everything else.

import { drawScene, looksOther, pictureTransform, showsPixels } from './scene.js';
import { inEnglish } from './words.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./picture.js').Picture} Picture */

export class Stage {
  constructor() {
    /** Never shown: style sheets give it the colours that are drawn with. */
    this.tokens = document.createElement('div');
    this.tokens.className = 'tokens';
    this.photo = document.createElement('canvas');
    this.photo.className = 'photo';
    this.photo.setAttribute('part', 'photo');
    this.photo.setAttribute('aria-hidden', 'true');
    this.canvas = document.createElement('canvas');
    this.canvas.setAttribute('part', 'overlay');
    this.canvas.setAttribute('aria-hidden', 'true');
    /** @type {ImageBitmap | null} what the photo's layer shows */
    this.shown = null;
    /** The photo's placement as it was set last: the same again would cost a restyle. */
    this.placed = new Float64Array(6);
    this.rendering = '';
    this.photo.hidden = true;
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d'));
    /** Device pixels per point. */
    this.ratio = 1;
    this.words = inEnglish;
    /** @type {import('./scene.js').Look | null} */
    this.look = null;
    /**
     * The scene that the canvas shows; null when it must be drawn anew.
     * @type {Float64Array | null}
     */
    this.drawn = null;
    this.canvas.addEventListener('contextrestored', () => this.forget());
  }

  /**
   * @param {number} width @param {number} height points
   * @param {ResizeObserverSize | undefined} exact device pixels, where the browser knows them
   */
  resize(width, height, exact) {
    const wide = Math.round(width * devicePixelRatio);
    const high = Math.round(height * devicePixelRatio);
    // Exact sizes differ by rounding only; an emulated screen's are of another scale.
    const isExact = exact && Math.abs(exact.inlineSize - wide) <= 2
      && Math.abs(exact.blockSize - high) <= 2;
    this.canvas.width = isExact ? exact.inlineSize : wide;
    this.canvas.height = isExact ? exact.blockSize : high;
    this.ratio = this.canvas.width / width;
    this.placed.fill(NaN);
    this.drawn = null;
  }

  /** The longest side a preview needs: sharp at the fit, and still so when zoomed a little. */
  get previewSide() {
    return 1.5 * Math.max(this.canvas.width, this.canvas.height, 480 * this.ratio);
  }

  /** Reads the colours and the picture anew before the next drawing. */
  forget() {
    this.look = null;
    this.drawn = null;
  }

  /** @param {Core | null} core @param {Picture | null} picture */
  draw(core, picture) {
    if (core && picture) {
      this.look ??= readLook(this.tokens, picture, this.words);
      const scene = core.scene();
      // What shines through a photo lies beneath it, so a translucent one is drawn with the rest.
      this.look.isLayered = picture.bitmap !== null && !picture.translucent;
      const at = this.look.isLayered ? pictureTransform(scene) : -1;
      this.#drawOver(scene, this.look);
      if (at < 0) this.#hide(true);
      else this.#place(picture, scene, at);
    } else {
      this.#hide(true);
      this.drawn = null;
      this.context.setTransform(1, 0, 0, 1, 0, 0);
      this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    }
  }

  /**
   * Draws what lies over the photo, unless it looks as it does.
   * @param {Float64Array} scene @param {import('./scene.js').Look} look
   */
  #drawOver(scene, look) {
    const isNew = this.drawn?.length !== scene.length;
    if (isNew || !this.drawn) this.drawn = new Float64Array(scene.length);
    if (looksOther(scene, this.drawn, look.isLayered) || isNew) {
      drawScene(this.context, scene, this.ratio, look);
    }
  }

  /** @param {boolean} isHidden */
  #hide(isHidden) {
    if (this.photo.hidden !== isHidden) this.photo.hidden = isHidden;
  }

  /**
   * Lays the photo's layer where the core says.
   * @param {Picture} picture @param {Float64Array} n @param {number} at of its transform
   */
  #place(picture, n, at) {
    const { bitmap } = picture;
    this.#hide(!bitmap);
    if (!bitmap) return;
    if (this.shown !== bitmap) {
      this.shown = bitmap;
      this.photo.width = bitmap.width;
      this.photo.height = bitmap.height;
      this.photo.getContext('2d', { alpha: false })?.drawImage(bitmap, 0, 0);
      this.placed.fill(NaN);
    }
    let isSame = true;
    for (let index = 0; index < 6; index += 1) {
      if (this.placed[index] !== n[at + index]) isSame = false;
      this.placed[index] = n[at + index];
    }
    if (isSame) return;
    const [x, y] = [picture.width / bitmap.width, picture.height / bitmap.height];
    this.photo.style.transform = `matrix(${n[at] * x}, ${n[at + 1] * x}, ${n[at + 2] * y}, `
      + `${n[at + 3] * y}, ${n[at + 4]}, ${n[at + 5]})`;
    const rendering = showsPixels(n[at], n[at + 1], this.ratio) ? 'pixelated' : 'auto';
    if (this.rendering !== rendering) this.photo.style.imageRendering = this.rendering = rendering;
  }
}

/**
 * @param {HTMLElement} tokens whose colours are the element's, whatever theme it is in
 * @param {Picture} picture @param {import('./words.js').ElementWords} words
 * @returns {import('./scene.js').Look}
 */
function readLook(tokens, picture, words) {
  const style = getComputedStyle(tokens);
  return {
    picture: picture.bitmap,
    imageWidth: picture.width,
    imageHeight: picture.height,
    translucent: picture.translucent,
    accent: style.color,
    shade: Number(style.opacity),
    isLayered: false,
    placeholder: style.backgroundColor,
    checks: [style.borderTopColor, style.borderBottomColor],
    words,
  };
}
