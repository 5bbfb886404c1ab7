// @ts-check
// The drawing surface of the element: the photo in a layer that the browser moves, and a canvas in device pixels
// above it for everything else.

import { CanvasFillings } from './canvas-look.js';
import { showsHDR } from './gain-map.js';
import { showsPixels } from './photo-pixels.js';
import { drawScene, findItem, sceneDiffers } from './scene.js';
import { inEnglish } from './words.js';

/** The drawn things that style sheets can set, each with a sample in the style. */
const SAMPLES = Object.freeze(/** @type {const} */ (['frame', 'handle', 'grid', 'guide', 'shade', 'label']));

/**
 * The most device pixels per point while something moves, when nobody sees more. Drawing takes as long as there are
 * pixels.
 */
const MOVING_RATIO = 2;

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./interface.js').SceneItem} SceneItem */
/** @typedef {import('./picture.js').Picture} Picture */

export class Stage {
  /** @param {() => void} stale called when it must be redrawn although nothing has moved */
  constructor(stale) {
    this.fillings = new CanvasFillings(stale);
    /** Never shown; style sheets set its colors, and those of its samples, which are used for drawing. */
    this.tokens = document.createElement('div');
    this.tokens.className = 'tokens';
    this.tokens.setAttribute('aria-hidden', 'true');
    this.tokens.append(...SAMPLES.map((name) => {
      const sample = document.createElement('i');
      sample.className = name;
      return sample;
    }));
    this.tokens.addEventListener('transitionend', stale);
    this.photo = document.createElement('canvas');
    this.photo.className = 'photo';
    this.photo.setAttribute('part', 'photo');
    this.photo.setAttribute('aria-hidden', 'true');
    /** An image element with the file above it, on HDR screens, since a canvas has no gain map. */
    this.light = document.createElement('img');
    this.light.className = 'photo';
    this.light.setAttribute('part', 'photo');
    this.light.alt = '';
    this.light.hidden = true;
    /** @type {Blob | null} the file that `light` shows */
    this.lit = null;
    this.canvas = document.createElement('canvas');
    this.canvas.setAttribute('part', 'overlay');
    this.canvas.setAttribute('aria-hidden', 'true');
    /** @type {ImageBitmap | null} the bitmap in the photo's layer */
    this.shown = null;
    /** @type {Picture | null} the picture in the photo's layer */
    this.owner = null;
    /** The last transform of the photo's layer: setting it again would cost a restyle. */
    this.placed = '';
    this.rendering = '';
    this.photo.hidden = true;
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d'));
    /** The size in device pixels. */
    this.size = { width: 0, height: 0 };
    /** Device pixels per point. */
    this.ratio = 1;
    this.words = inEnglish;
    /** @type {import('./scene.js').Look | null} */
    this.look = null;
    /**
     * The scene that the canvas shows; null if it must be redrawn.
     * @type {readonly SceneItem[] | null}
     */
    this.drawn = null;
    this.canvas.addEventListener('contextrestored', () => this.forget());
  }

  /**
   * @param {number} width @param {number} height points
   * @param {ResizeObserverSize | undefined} exact in device pixels, if the browser reports them
   */
  resize(width, height, exact) {
    const wide = Math.round(width * devicePixelRatio);
    const high = Math.round(height * devicePixelRatio);
    // Exact sizes only differ by rounding; those of an emulated screen have a different scale.
    const isExact = exact && Math.abs(exact.inlineSize - wide) <= 2
      && Math.abs(exact.blockSize - high) <= 2;
    this.size = isExact ? { width: exact.inlineSize, height: exact.blockSize } : { width: wide, height: high };
    this.ratio = this.size.width / width;
    Object.assign(this.canvas, this.size);
    this.placed = '';
    // While the element was hidden, no change of a color was reported.
    this.forget();
  }

  /** The longest side for a preview that is sharp when fitted, and after zooming in a little. */
  get previewSide() {
    return 1.5 * Math.max(this.size.width, this.size.height, 480 * this.ratio);
  }

  /** Reads the colors and the image again before the next drawing. */
  forget() {
    this.look = null;
    this.drawn = null;
  }

  /**
   * @param {Core | null} core @param {Picture | null} picture
   * @param {boolean} isMoving whether a gesture or an animation is under way, which copying a finer image would interrupt
   */
  draw(core, picture, isMoving) {
    if (core && picture) {
      this.look ??= readLook(this.tokens, picture, this.words);
      const filling = this.fillings.of(core, picture);
      if (this.look.canvas !== filling) this.drawn = null;
      this.look.canvas = filling;
      const scene = core.scene();
      // The background shows through a translucent photo, so it is drawn with the rest.
      this.look.isLayered = picture.bitmap !== null && !picture.translucent;
      const item = this.look.isLayered ? findItem(scene, 'picture') : undefined;
      this.#drawOver(scene, this.look, isMoving);
      if (item) this.#place(picture, item.map, isMoving);
      else this.#hide(true);
    } else {
      this.#hide(true);
      this.drawn = null;
      this.context.setTransform(1, 0, 0, 1, 0, 0);
      this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    }
  }

  /**
   * Draws everything above the photo, unless it already looks like that.
   * @param {readonly SceneItem[]} scene @param {import('./scene.js').Look} look @param {boolean} isMoving
   */
  #drawOver(scene, look, isMoving) {
    const share = isMoving ? Math.min(1, MOVING_RATIO / this.ratio) : 1;
    const [width, height] = [this.size.width, this.size.height].map((side) => Math.round(side * share));
    const isSized = this.canvas.width === width && this.canvas.height === height;
    if (isSized && this.drawn && !sceneDiffers(scene, this.drawn, look.isLayered)) return;
    if (!isSized) Object.assign(this.canvas, { width, height });
    this.drawn = scene;
    drawScene(this.context, scene, this.ratio * share, look);
  }

  /** @param {boolean} isHidden */
  #hide(isHidden) {
    if (this.photo.hidden !== isHidden) this.photo.hidden = isHidden;
    if (isHidden) this.light.hidden = true;
  }

  /**
   * Loads the file on an HDR screen, and removes it if another image is shown.
   * @param {Picture} picture
   */
  #enableHDR({ isHDR, blob, width, height }) {
    const wanted = isHDR && showsHDR() ? blob : null;
    if (this.lit === wanted) return;
    this.lit = wanted;
    this.light.hidden = true;
    if (this.light.src) URL.revokeObjectURL(this.light.src);
    this.light.removeAttribute('src');
    if (!wanted) return;
    this.light.src = URL.createObjectURL(wanted);
    Object.assign(this.light.style, { width: `${width}px`, height: `${height}px` });
    this.light.decode().then(() => {
      if (this.lit === wanted && !this.photo.hidden) this.light.hidden = false;
    }, () => {});
  }

  /**
   * Sets the transform of the photo's layer.
   * @param {Picture} picture @param {import('./interface.js').AffineMap} map from upright pixels to points
   * @param {boolean} isMoving
   */
  #place(picture, map, isMoving) {
    const { bitmap } = picture;
    this.#hide(!bitmap);
    if (!bitmap) return;
    this.#enableHDR(picture);
    if (this.lit && this.light.complete) this.light.hidden = false;
    if (this.shown !== bitmap && !(isMoving && this.owner === picture)) {
      [this.shown, this.owner] = [bitmap, picture];
      this.photo.width = bitmap.width;
      this.photo.height = bitmap.height;
      this.photo.getContext('2d', { alpha: false })?.drawImage(bitmap, 0, 0);
      this.placed = '';
    }
    const [a, b, c, d, tx, ty] = map;
    const light = `matrix(${map.join(', ')})`;
    if (this.placed === light) return;
    this.placed = light;
    const [x, y] = [picture.width / this.photo.width, picture.height / this.photo.height];
    this.photo.style.transform = `matrix(${a * x}, ${b * x}, ${c * y}, ${d * y}, ${tx}, ${ty})`;
    this.light.style.transform = light;
    const rendering = showsPixels(a, b, this.ratio) ? 'pixelated' : 'auto';
    if (this.rendering !== rendering) this.photo.style.imageRendering = this.rendering = rendering;
  }
}

/**
 * @param {HTMLElement} tokens with the element's colors in the current theme
 * @param {Picture} picture @param {import('./words.js').ElementWords} words
 * @returns {import('./scene.js').Look}
 */
function readLook(tokens, picture, words) {
  const style = getComputedStyle(tokens);
  const [frame, handle, grid, guide, shade, label] = [...tokens.children].map((sample) => getComputedStyle(sample));
  return {
    picture: picture.bitmap,
    imageWidth: picture.width,
    imageHeight: picture.height,
    translucent: picture.translucent,
    accent: style.color,
    frame: { color: frame.color, edge: frame.backgroundColor, width: parseFloat(frame.inlineSize) },
    handle: { color: handle.color, radius: parseFloat(handle.borderTopLeftRadius) },
    grid: grid.color,
    guide: guide.color,
    shade: { color: shade.color, opacity: Number(shade.opacity) },
    label: {
      color: label.color, background: label.backgroundColor, size: parseFloat(label.fontSize),
      font: `${label.fontStyle} ${label.fontWeight} ${label.fontSize} ${label.fontFamily}`,
    },
    isLayered: false,
    canvas: null,
    placeholder: style.backgroundColor,
    checks: [style.borderTopColor, style.borderBottomColor],
    words,
  };
}
