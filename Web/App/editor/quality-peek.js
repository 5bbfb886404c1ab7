// @ts-check
// A look at the middle of the crop over the photo, before and after encoding, while the quality is changed.

import { node } from '../ui/dom.js';
import { words } from '../ui/words.js';

/** The largest size, in CSS pixels, each of which shows one pixel of the result. */
const ROOM = Object.freeze({ width: 264, height: 168 });
/** How long it stays after the last change, in milliseconds. */
const STAY = 1500;

export class QualityPeek {
  #timer = 0;

  constructor() {
    this.canvas = node('canvas');
    this.root = node('div.peek', { hidden: true, 'aria-hidden': 'true' }, this.canvas,
      node('span', {}, words('peekBefore')), node('span', {}, words('peekAfter')));
  }

  /**
   * Shows both halves of the same place, if the browser can decode them.
   * @param {Blob} before @param {Blob} after
   */
  async show(before, after) {
    const images = await Promise.all([before, after].map((blob) => createImageBitmap(blob))).catch(() => null);
    if (!images) return this.hide();
    const [own, made] = images;
    const [width, height] = [Math.min(ROOM.width, made.width), Math.min(ROOM.height, made.height)];
    Object.assign(this.canvas, { width, height });
    const ctx = this.canvas.getContext('2d');
    const [left, top] = [(made.width - width) / 2, (made.height - height) / 2];
    const [x, y] = [own.width / made.width, own.height / made.height];
    const half = Math.floor(width / 2);
    ctx?.drawImage(own, left * x, top * y, half * x, height * y, 0, 0, half, height);
    ctx?.drawImage(made, left + half, top, width - half, height, half, 0, width - half, height);
    for (const image of images) image.close();
    this.root.hidden = false;
    this.leave();
  }

  /** Hides it after a while. */
  leave() {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.hide(), STAY);
  }

  hide() {
    clearTimeout(this.#timer);
    this.root.hidden = true;
  }
}
