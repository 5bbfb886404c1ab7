// @ts-check
// Photos of the queue as thumbnails with their crop frames.

import { sameFrame } from '../../Element/questions.js';
import { preview } from '../server/api.js';
import { node } from '../ui/dom.js';
import { icon } from '../ui/icons.js';

/** @typedef {import('../model/queue.js').Item} Item */

/** The longest side of a thumbnail in pixels. */
const SIDE = 192;
/** The size of a photo in the list, in CSS pixels. */
const ROOM = Object.freeze({ width: 64, height: 44 });

/** Makes small versions of the photos, one after another: decoding many at once would need too much memory. */
export class QueueThumbnails {
  /** @type {WeakMap<Item, Promise<string>>} */ #made = new WeakMap();
  /** @type {Promise<unknown>} */ #last = Promise.resolve();

  /** @param {import('../model/model.js').Model} model */
  constructor(model) {
    this.model = model;
  }

  /**
   * The URL of a photo's thumbnail; rejects if there is none.
   * @param {Item} item
   */
  of(item) {
    if (item.preview) return Promise.resolve(item.preview);
    const known = this.#made.get(item);
    if (known) return known;
    const made = this.#last.then(() => this.#make(item));
    this.#last = made.catch(() => {});
    this.#made.set(item, made);
    return made;
  }

  /** @param {Item} item */
  async #make(item) {
    const { file } = item;
    const image = await decoded(file).then((own) => {
      item.size ??= { width: own.naturalWidth, height: own.naturalHeight };
      return own;
    }, async (error) => {
      if (!this.model.hasServer) throw error;
      return decoded(await preview(file, file.name, SIDE));
    });
    const { naturalWidth: width, naturalHeight: height } = image;
    const scale = Math.min(1, SIDE / Math.max(width, height));
    const canvas = node('canvas', { width: Math.ceil(width * scale), height: Math.ceil(height * scale) });
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL('image/webp', 0.8);
  }
}

/** @param {Blob} blob */
async function decoded(blob) {
  const url = URL.createObjectURL(blob);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    return image;
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** A photo with its current or future crop. */
export class QueueLook {
  /** @type {{ width: number, height: number } | null} of the thumbnail */ #seen = null;
  #isAsked = false;
  #shown = '';

  /**
   * @param {Item} item @param {QueueThumbnails} thumbnails
   * @param {{ view: import('../../Element/crop-view.js').CropView, model: import('../model/model.js').Model }} parts
   */
  constructor(item, thumbnails, parts) {
    this.item = item;
    this.thumbnails = thumbnails;
    this.parts = parts;
    this.image = node('img', { alt: '', draggable: 'false' });
    this.frame = node('i.frame', { hidden: true });
    this.shade = node('i.shade', { hidden: true });
    this.whole = node('span.whole', {}, this.image, this.frame, this.shade);
    this.root = node('span.look', {}, icon('photo', 20));
  }

  /** Loads the thumbnail; call it when it becomes visible. */
  async load() {
    if (this.#isAsked) return;
    this.#isAsked = true;
    try {
      this.image.src = await this.thumbnails.of(this.item);
      await this.image.decode();
    } catch {
      // The icon stays.
      return;
    }
    this.#seen = { width: this.image.naturalWidth, height: this.image.naturalHeight };
    this.root.replaceChildren(this.whole);
    this.update();
  }

  /**
   * Draws the crop frame.
   * @returns {boolean} false if the crop that is copied to all photos does not fit this one
   */
  update() {
    const { item, item: { size }, parts: { view: { core }, model: { queue: { alike } } } } = this;
    const copied = alike?.frame && core && size && !item.recipe
      ? sameFrame(core, alike.frame.recipe, alike.frame.image, size, alike.frame.isShare) : null;
    const isUnfit = Boolean(alike?.frame && core && size && !item.recipe && !item.isSaved && !copied);
    const recipe = item.recipe ?? copied;
    const seen = this.#seen;
    const key = JSON.stringify([recipe, size, seen]);
    if (!seen || key === this.#shown) return !isUnfit;
    this.#shown = key;
    const { quarterTurns = 0, mirrored = false, tilt = 0 } = recipe ?? {};
    const full = size ?? seen;
    const isTurned = quarterTurns % 2 === 1;
    // The frame's space: the photo after turns.
    const [wide, high] = isTurned ? [full.height, full.width] : [full.width, full.height];
    const scale = Math.min(ROOM.width / wide, ROOM.height / high);
    Object.assign(this.whole.style, { width: `${wide * scale}px`, height: `${high * scale}px` });
    Object.assign(this.image.style, {
      width: `${full.width * scale}px`, height: `${full.height * scale}px`,
      transform: `translate(-50%, -50%) rotate(${tilt + quarterTurns * 90}deg) scaleX(${mirrored ? -1 : 1})`,
    });
    const { rect, quad } = recipe ?? {};
    this.frame.hidden = !rect;
    this.shade.hidden = !quad;
    const share = (/** @type {number} */ length, /** @type {number} */ side) => `${100 * length / side}%`;
    if (rect) {
      Object.assign(this.frame.style, {
        left: share(rect.x, wide), top: share(rect.y, high), width: share(rect.width, wide), height: share(rect.height, high),
      });
    }
    if (quad) {
      const corners = quad.map(({ x, y }) => `${share(x, wide)} ${share(y, high)}`);
      this.shade.style.clipPath = `polygon(evenodd, 0 0, 100% 0, 100% 100%, 0 100%, 0 0, ${[...corners, corners[0]].join(', ')})`;
    }
    return !isUnfit;
  }
}
