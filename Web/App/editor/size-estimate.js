// @ts-check
// The estimated size of the file, which the engine makes of a part of the crop, and a look at that part while the
// quality is changed.

import { render } from '../../Element/offscreen.js';
import { Picture } from '../../Element/picture.js';
import { originalOf } from '../model/photo.js';
import { crop } from '../server/api.js';
import { node } from '../ui/dom.js';
import { FORMATS } from '../ui/file-formats.js';
import { elementOptions, OWN_QUALITY } from '../ui/output.js';
import { formatBytes, words } from '../ui/words.js';
import { QualityPeek } from './quality-peek.js';

/** The most pixels of the result that are made for an estimate. */
const MOST = 1 << 20;
/** How long to wait after the last change, in milliseconds; less while the quality is changed. */
const RESTING = 300;
const SLIDING = 80;

/** @typedef {import('../../Element/core.js').Recipe} Recipe */
/** @typedef {import('../model/photo.js').Photo} Photo */

/**
 * The part of a crop to make: a recipe for it, the factor by which the result is smaller, and the factor from its
 * bytes to those of the complete result.
 * @typedef {{ photo: Photo, recipe: Recipe, scale: number, share: number, isLossless: boolean,
 *   written: import('../server/api.js').Encoding }} Wanted
 */

export class SizeEstimate {
  #key = '';
  #timer = 0;
  #isVisible = false;
  #isSliding = false;
  #task = new AbortController();
  /** @type {{ key: string, blob: Promise<Blob> } | null} the last part, before it is encoded */ #part = null;

  /** @param {import('./editor.js').Editor} editor */
  constructor(editor) {
    this.editor = editor;
    this.root = node('p.explain.estimate');
    this.peek = new QualityPeek();
    new IntersectionObserver((entries) => {
      this.#isVisible = entries.some(({ isIntersecting }) => isIntersecting);
      this.update();
    }).observe(this.root);
  }

  /** The quality is being changed. */
  slide() {
    this.#isSliding = true;
    this.update();
  }

  /** The quality is chosen. */
  rest() {
    this.#isSliding = false;
  }

  /** Makes another estimate if the crop or the output has changed, and the estimate is in view. */
  update() {
    if (!this.#isVisible) return;
    const wanted = this.#wanted();
    const key = wanted ? JSON.stringify({ ...wanted, photo: wanted.photo.id ?? wanted.photo.name }) : '';
    if (key === this.#key) return;
    this.#key = key;
    this.#task.abort();
    clearTimeout(this.#timer);
    if (!wanted) this.root.textContent = '';
    else {
      const isSliding = this.#isSliding;
      this.#timer = window.setTimeout(() => void this.#make(wanted, isSliding), isSliding ? SLIDING : RESTING);
    }
  }

  /** @returns {Wanted | null} null without a crop, or if a part says nothing about the result */
  #wanted() {
    const { view, view: { recipe, state }, model: { photo }, written } = this.editor;
    const { rect, output } = recipe ?? {};
    if (!photo || !recipe || !rect || !state?.valid || view.animated) return null;
    const longest = Math.max(rect.width, rect.height);
    const scale = !output ? 1 : 'maxSide' in output ? Math.min(1, output.maxSide / longest) : output.width / rect.width;
    // A strip from top to bottom has sky and ground.
    const width = Math.min(rect.width, Math.max(1, Math.floor(MOST / (rect.height * scale * scale))));
    const [left, top] = [rect.x + (rect.width - width) / 2, rect.y].map((side) => Math.max(0, Math.floor(side)));
    const part = {
      x: left, y: top, width: Math.min(width, state.frameWidth - left), height: Math.min(rect.height, state.frameHeight - top),
    };
    if (part.width < 1 || part.height < 1) return null;
    return {
      photo, scale, share: rect.width * rect.height / (part.width * part.height), isLossless: view.writing === 'lossless', written,
      recipe: { ...recipe, tilt: 0, shape: 'rectangle', output: null, rect: part },
    };
  }

  /** @param {Wanted} wanted @param {boolean} isShown whether the part is shown too */
  async #make(wanted, isShown) {
    const { signal } = this.#task = new AbortController();
    try {
      const { before, after } = await this.#encoded(wanted, signal);
      if (signal.aborted) return;
      this.root.textContent = words('sizeAbout', formatBytes(Math.round(after.size * wanted.share)));
      if (before && isShown && !wanted.isLossless) await this.peek.show(before, after);
    } catch {
      // Cropping reports what is wrong.
      if (!signal.aborted) this.root.textContent = '';
    }
  }

  /**
   * The part as it would be written, and as it was before.
   * @param {Wanted} wanted @param {AbortSignal} signal @returns {Promise<{ before: Blob | null, after: Blob }>}
   */
  async #encoded(wanted, signal) {
    const { photo, recipe, scale, isLossless, written: { format, quality, background } } = wanted;
    const { model: { hasServer } } = this.editor;
    const own = FORMATS.find(({ title }) => title === photo.format)?.name;
    const encoding = { format: format ?? own, quality, background, strip: /** @type {const} */ ('all') };
    if (quality === undefined && encoding.format === own && OWN_QUALITY.has(photo.format)) {
      const { blob } = await crop(await originalOf(photo, { signal }), photo.name, recipe, encoding, { signal });
      return { before: null, after: blob };
    }
    const before = await this.#partOf(wanted);
    signal.throwIfAborted();
    if (isLossless) return { before, after: before };
    if (!hasServer) return { before, after: await drawn(before, scale, elementOptions(encoding)) };
    const { width, height } = recipe.rect ?? { width: 1, height: 1 };
    const size = scale < 1 ? { maxSide: Math.max(1, Math.round(Math.max(width, height) * scale)) }
      : scale > 1 ? { width: Math.round(width * scale), height: Math.round(height * scale) } : null;
    const whole = /** @type {Recipe} */ ({ version: 1, output: size });
    const { blob } = await crop(before, photo.name, whole, { ...encoding, lossless: 'never' }, { signal });
    return { before, after: blob };
  }

  /**
   * The part with the pixels of the photo. It is kept, since the quality changes more often than the crop.
   * @param {Wanted} wanted
   */
  #partOf({ photo, recipe }) {
    const key = JSON.stringify([photo.id ?? photo.name, recipe]);
    if (this.#part?.key !== key) this.#part = { key, blob: this.#cut(photo, recipe) };
    return this.#part.blob;
  }

  /** @param {Photo} photo @param {Recipe} recipe */
  async #cut(photo, recipe) {
    const { view: { picture }, model: { hasServer } } = this.editor;
    if (!picture) throw new RangeError('there is no photo');
    if (picture.header) {
      const file = await originalOf(photo, {});
      // Of a photo in the library, the view only has a preview.
      const source = file === picture.file ? picture : Object.assign(
        new Picture(picture.blob, picture.width, picture.height, { file, pixels: picture.blob }),
        { isJPEG: true, header: picture.header, orientation: picture.orientation });
      return (await render(source, recipe, { type: 'image/jpeg', lossless: 'snap', strip: 'all', hdr: 'drop' })).blob;
    }
    if (!hasServer) return (await render(picture, recipe, { type: 'image/png' })).blob;
    const options = { format: 'png', strip: /** @type {const} */ ('all') };
    return (await crop(await originalOf(photo, {}), photo.name, recipe, options)).blob;
  }
}

/**
 * Encodes an image in the browser.
 * @param {Blob} blob @param {number} scale @param {{ type?: string, quality?: number }} options
 * @returns {Promise<Blob>}
 */
async function drawn(blob, scale, { type = 'image/jpeg', quality = 0.9 }) {
  const image = await createImageBitmap(blob);
  const canvas = node('canvas', { width: Math.ceil(image.width * scale), height: Math.ceil(image.height * scale) });
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  return new Promise((resolve, reject) => {
    canvas.toBlob((made) => (made ? resolve(made) : reject(new RangeError('it is too large'))), type, quality);
  });
}
