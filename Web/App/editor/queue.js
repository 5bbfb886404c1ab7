// @ts-check
// A queue of several photos: the state of each, navigation, and actions on all.

import { acceptedRecipe } from '../../Element/shown-recipe.js';
import { sameFrame } from '../../Element/questions.js';
import { canChooseFolder } from '../saving/device.js';
import { thumbnailURL } from '../server/library-api.js';
import { node, setAttribute } from '../ui/dom.js';
import { icon } from '../ui/icons.js';
import { formatNumber, words } from '../ui/words.js';

/** @typedef {import('../../Element/core.js').Recipe} Recipe */
/** @typedef {'open' | 'framed' | 'cropped' | 'saved'} ItemState */

/**
 * @typedef {object} Item
 * @property {File} file
 * @property {string} id of its content, once it was opened
 * @property {Recipe | null} recipe
 * @property {import('../../Element/canvas.js').CanvasOptions | null} [canvas] of its result
 * @property {import('../saving/result.js').Result | null} result of that recipe
 * @property {boolean} isSaved
 * @property {string} [entry] the id of a photo in the library; `file` then only has its name
 * @property {string} [preview] the URL of a thumbnail
 * @property {{ width: number, height: number }} [size] upright size in pixels, if known
 * @property {string} [given] the recipe copied from another photo, as text
 */

/**
 * A photo's crop to copy, either relative to its size or in pixels.
 * @typedef {{ recipe: Recipe, image: { width: number, height: number }, isShare: boolean }} Frame
 */

/**
 * The crop of the photo on which "alike" was chosen; with `frame`, it is copied exactly.
 * @typedef {{ ratio: [number, number], side: number, width: number, height: number, frame?: Frame,
 *   canvas?: import('../../Element/canvas.js').CanvasOptions | null }} Alike
 */

/**
 * @typedef {{ alike: Alike | null, items: (Omit<Item, 'file' | 'result'> & { name: string })[] }} Entries
 */

/** @type {Record<ItemState, import('../ui/words.js').WordKey>} */
const STATES = { open: 'stateOpen', framed: 'stateFramed', cropped: 'stateCropped', saved: 'stateSaved' };

export class Queue {
  /** @type {Item[]} */ items = [];
  at = 0;
  /** The key for storage; empty while there is none. */
  key = '';
  /** @type {Alike | null} the initial crop of photos that were not framed yet; null: independent */
  alike = null;
  /** Whether all are being saved, and whether the user has cancelled it. */
  isSaving = false;
  isStopped = false;

  /** @param {{ open(item: Item, isNext: boolean): void, saveAll(asZip: boolean): void, stop(): void,
   *   changed(): void, view: import('../../Element/crop-view.js').CropView }} actions */
  constructor(actions) {
    this.actions = actions;
    this.place = node('span');
    this.dots = node('span.dots', { 'aria-hidden': 'true' });
    this.skip = node('button.chip', { type: 'button', onclick: () => this.next() });
    this.all = node('button.chip', { type: 'button', 'aria-haspopup': 'dialog',
      onclick: () => this.showAll() }, words('queueAll'));
    this.root = node('div.queue', { role: 'group', 'aria-label': words('queueLabel'), hidden: true },
      this.place, this.dots, this.all, this.skip);
    this.list = node('ol');
    this.like = node('button.chip', { type: 'button', 'aria-pressed': 'false', onclick: () =>
      this.#choose(this.alike && !this.alike.frame ? null : alikeIn(actions.view)) }, words('queueAlike'));
    const frame = (/** @type {boolean} */ isShare) => node('button.chip', {
      type: 'button', 'aria-pressed': 'false', onclick: () =>
        this.#choose(this.alike?.frame?.isShare === isShare ? null : frameIn(actions.view, isShare)),
    }, words(isShare ? 'queueFrameShares' : 'queueFramePixels'));
    this.frames = [frame(true), frame(false)];
    this.frame = node('div.chips', { role: 'group', 'aria-labelledby': 'queue-frame' }, ...this.frames);
    this.live = node('p.explain', { role: 'status' });
    this.progress = node('progress', { 'aria-label': words('queueSaveAll'), hidden: true });
    this.save = node('button.primary', { type: 'button', onclick: () => actions.saveAll(false) },
      words('queueSaveAll'));
    // If the user can choose a folder, a single download is the alternative.
    this.zip = node('button.secondary', {
      type: 'button', onclick: () => actions.saveAll(true),
    }, words('queueZip'));
    this.close = node('button.secondary', { type: 'button', onclick: () => {
      if (this.isSaving) this.stop();
      else this.dialog.close();
    } });
    /** @type {HTMLDialogElement} */
    this.dialog = node('dialog.ask.queue-list', { 'aria-labelledby': 'queue-title' },
      node('h2', { id: 'queue-title' }, words('queueLabel')), this.list, this.like,
      node('h3', { id: 'queue-frame' }, words('queueFrame')), this.frame, this.progress,
      this.live, node('div.actions', {}, this.close, this.zip, this.save));
    this.dialog.addEventListener('close', () => this.isSaving && this.stop());
  }

  /** @param {File[]} files */
  begin(files) {
    this.#begin(files.map((file) => ({ file })), `${Date.now()}-${Math.random()}`);
  }

  /**
   * Starts with photos of the library. Each has its draft, and their crops are saved in the library.
   * @param {(import('../server/library-api.js').Entry)[]} entries
   */
  beginWith(entries) {
    this.#begin(entries.map((entry) => ({
      file: new File([], entry.name), entry: entry.id, preview: thumbnailURL(entry, 'large'),
      size: { width: entry.width, height: entry.height },
    })), '');
  }

  /** @param {(Pick<Item, 'file'> & Partial<Item>)[]} items @param {string} key */
  #begin(items, key) {
    this.items = items.map((item) => ({ id: '', recipe: null, result: null, isSaved: false, ...item }));
    this.at = 0;
    this.alike = null;
    this.key = key;
    this.#show();
    this.actions.open(this.items[0], false);
  }

  /** Whether these are photos of the library. */
  get isOfLibrary() {
    return this.items[0]?.entry !== undefined;
  }

  /**
   * The entries to store in the browser's history for photos of the library, since their queue is not stored
   * elsewhere; null for other photos.
   * @returns {Entries | null}
   */
  get entries() {
    if (!this.isOfLibrary) return null;
    const items = this.items.map(({ file, result, ...rest }) => ({ ...rest, name: file.name }));
    return { alike: this.alike, items };
  }

  /**
   * Restores photos of the library, for example after a reload.
   * @param {Entries} entries
   */
  restoreEntries({ alike, items }) {
    this.restore('', {
      at: 0, alike, items: items.map(({ name, ...rest }) => ({ ...rest, file: new File([], name), result: null })),
    });
  }

  /** @param {string} id of a photo in the library @returns {number} -1 if it is not in the queue */
  indexOfEntry(id) {
    return this.items.findIndex(({ entry }) => entry === id);
  }

  /**
   * Restores a stored queue.
   * @param {string} key @param {{ at: number, alike: Alike | null, items: Item[] }} kept
   */
  restore(key, { at, alike, items }) {
    Object.assign(this, { key, at, alike, items });
    this.#show();
  }

  /**
   * Sets the id of the current photo.
   * @param {string} id
   */
  named(id) {
    const { current } = this;
    if (!current || current.id === id) return;
    current.id = id;
    this.#show();
  }

  /** @returns {Item | undefined} the open photo */
  get current() {
    return this.items[this.at];
  }

  get hasNext() {
    return this.at + 1 < this.items.length;
  }

  /** Photos with changes that are not saved yet. */
  get unsaved() {
    return this.items.filter((item) => ['framed', 'cropped'].includes(stateOf(item)));
  }

  /** The photos that "Save all" saves: those without a crop only if they should be like the others. */
  get savable() {
    return this.alike ? this.items.filter(({ isSaved }) => !isSaved) : this.unsaved;
  }

  /**
   * Chooses the crop to copy to the other photos. It discards copies of the previous choice, except on photos that
   * were changed by hand or saved.
   * @param {Alike | null} alike
   */
  #choose(alike) {
    this.alike = alike;
    for (const [index, item] of this.items.entries()) {
      if (!item.given || item.isSaved || item.given !== JSON.stringify(item.recipe)) continue;
      Object.assign(item, { recipe: null, canvas: null, result: null, given: undefined });
      if (index === this.at) this.actions.view.reset();
    }
    this.#show();
  }

  /** @param {import('../../Element/crop-view.js').CropView} view gets the crop of the others */
  makeAlike(view) {
    if (!this.alike) return;
    const { frame, canvas } = this.alike;
    if (canvas) view.lay(canvas, !frame);
    if (frame) {
      const { core, pictureSize } = view;
      const recipe = core && pictureSize
        && sameFrame(core, frame.recipe, frame.image, pictureSize, frame.isShare);
      // If the crop does not fit a photo, the user decides.
      if (!recipe) return;
      view.recipe = acceptedRecipe(recipe);
      if (this.current) this.current.given = JSON.stringify(view.recipe);
      return;
    }
    const { ratio: [w, h], side, width, height } = this.alike;
    if (w && h && !canvas) view.command('ratio', w, h);
    if (side) view.command('longestSide', side);
    else if (width && height) view.command('outputSize', width, height);
    // The marquee style has no initial crop.
    if (!view.valid) view.selectAll();
  }

  /** Whether the copied crop does not fit the open photo, which then has no crop. */
  get isUnfit() {
    const { alike, current } = this;
    return Boolean(alike?.frame && current && !current.recipe && !current.given);
  }

  /** The label of the button for the next photo. */
  get nextLabel() {
    return this.hasNext
      ? words('queueNext', formatNumber(this.at + 2), formatNumber(this.items.length)) : undefined;
  }

  next() {
    if (this.hasNext) this.moveTo(this.at + 1);
  }

  /** @param {number} index */
  moveTo(index) {
    this.dialog.close();
    this.select(index);
    this.actions.open(this.items[index], true);
  }

  /** @param {number} index of the photo that is open now */
  select(index) {
    this.at = index;
    this.#show();
  }

  /** @param {string} id @returns {number} -1 if it is not in the queue */
  indexOf(id) {
    return this.items.findIndex((item) => item.id !== '' && item.id === id);
  }

  /**
   * Stores the current crop.
   * @param {Recipe | null} recipe @param {Item['canvas']} canvas of its result
   */
  framed(recipe, canvas = null) {
    const { current } = this;
    if (!current || JSON.stringify([current.recipe, current.canvas ?? null]) === JSON.stringify([recipe, canvas])) return;
    Object.assign(current, { recipe, canvas, result: null, isSaved: false });
    this.#show();
  }

  /** @param {import('../saving/result.js').Result} result */
  cropped(result) {
    if (this.current) this.current.result = result;
    this.#show();
  }

  /** @param {Item[]} [items] default: the open one @param {boolean} [isSaved] */
  markSaved(items = this.items.slice(this.at, this.at + 1), isSaved = true) {
    for (const item of items) item.isSaved = isSaved;
    this.#show();
  }

  end() {
    this.items = [];
    this.at = 0;
    this.key = '';
    this.alike = null;
    this.dialog.close();
    this.#show();
  }

  showAll() {
    if (!this.dialog.isConnected) document.body.append(this.dialog);
    this.live.textContent = '';
    this.#show();
    this.dialog.showModal();
  }

  /** Cancels saving; finished crops are kept. */
  stop() {
    this.isStopped = true;
    this.actions.stop();
  }

  begins() {
    this.isSaving = true;
    this.isStopped = false;
    this.step(0, 1);
  }

  /** @param {string} said the outcome */
  ends(said) {
    this.isSaving = false;
    this.#show();
    this.live.textContent = said;
  }

  /** @param {number} done @param {number} total */
  step(done, total) {
    this.progress.max = Math.max(1, total);
    this.progress.value = done;
    this.#show();
    this.live.textContent = words('queueMaking', formatNumber(done), formatNumber(total));
  }

  /**
   * A thumbnail of a photo with its current or future crop.
   * @param {Item} item @param {HTMLElement} state shows if that crop does not fit
   */
  #look(item, state) {
    const frame = this.alike?.frame;
    const box = node('i.frame', { hidden: true });
    const image = node('img', { alt: '', loading: 'lazy', decoding: 'async' });
    const place = () => {
      const { core } = this.actions.view;
      const size = item.size ?? { width: image.naturalWidth, height: image.naturalHeight };
      const recipe = item.recipe
        ?? (frame && core && size.width ? sameFrame(core, frame.recipe, frame.image, size, frame.isShare) : null);
      if (core && size.width && !recipe && !item.isSaved) state.textContent = words('queueUnfit');
      const rect = recipe?.rect;
      // The thumbnail does not match a turned or tilted photo.
      if (!rect || recipe.tilt || recipe.quarterTurns || recipe.mirrored) return;
      box.hidden = false;
      const share = (/** @type {number} */ length, /** @type {number} */ side) => `${100 * length / side}%`;
      Object.assign(box.style, {
        left: share(rect.x, size.width), top: share(rect.y, size.height),
        width: share(rect.width, size.width), height: share(rect.height, size.height),
      });
    };
    image.src = item.preview ??= URL.createObjectURL(item.file);
    // A cached image is shown at once, and so is its crop.
    if (image.complete && image.naturalWidth) place();
    else image.addEventListener('load', place, { once: true });
    return node('span.look', {}, node('span.whole', {}, image, box));
  }

  #show() {
    const { items, at } = this;
    this.root.hidden = items.length < 2;
    this.place.textContent = words('queuePlace', formatNumber(at + 1), formatNumber(items.length));
    this.dots.replaceChildren(...items.slice(0, 12).map((item, index) =>
      node(`i.${stateOf(item)}${index === at ? '.now' : ''}`)));
    this.skip.textContent = words(this.current && stateOf(this.current) !== 'open' ? 'next' : 'queueSkip');
    this.skip.hidden = !this.hasNext;
    setAttribute(this.like, 'aria-pressed', this.alike !== null && !this.alike.frame);
    this.frames.forEach((button, index) => {
      setAttribute(button, 'aria-pressed', this.alike?.frame?.isShare === (index === 0));
      button.disabled = this.isSaving || !this.actions.view.valid || Boolean(this.actions.view.recipe?.quad);
    });
    this.zip.hidden = !canChooseFolder() || this.isOfLibrary;
    this.progress.hidden = !this.isSaving;
    this.list.inert = this.isSaving;
    this.like.disabled = this.isSaving;
    for (const button of [this.save, this.zip]) {
      button.disabled = this.isSaving || this.savable.length === 0;
    }
    this.close.textContent = words(this.isSaving ? 'cancel' : 'close');
    if (items.length > 1) this.actions.changed();
    if (!this.dialog.isConnected) return;
    this.list.replaceChildren(...items.map((item, index) => {
      const known = stateOf(item);
      const state = node(`span.state.${known}`, {}, known === 'saved' && icon('check', 20), words(STATES[known]));
      return node('li', {}, node('button.item', {
        type: 'button', 'aria-current': index === at ? 'true' : null, onclick: () => this.moveTo(index),
      }, this.alike?.frame && this.#look(item, state), node('span.name', {}, item.file.name), state));
    }));
  }
}

/** @param {Item} item @returns {ItemState} */
export function stateOf({ isSaved, result, recipe }) {
  return isSaved ? 'saved' : result ? 'cropped' : recipe ? 'framed' : 'open';
}

/**
 * The crop to copy to other photos.
 * @param {import('../../Element/crop-view.js').CropView} view @returns {Alike}
 */
function alikeIn({ state, recipe, canvasOptions: canvas }) {
  const output = recipe?.output;
  const { width = 0, height = 0 } = state?.ratioWidth
    ? { width: state.ratioWidth, height: state.ratioHeight } : recipe?.rect ?? {};
  return {
    ratio: [width, height], side: output && 'maxSide' in output ? output.maxSide : 0,
    width: output && 'width' in output ? output.width : 0,
    height: output && 'height' in output ? output.height : 0,
    canvas,
  };
}

/**
 * The crop of a photo to copy to others; null if there is none.
 * @param {import('../../Element/crop-view.js').CropView} view @param {boolean} isShare
 * @returns {Alike | null}
 */
function frameIn(view, isShare) {
  const { recipe, pictureSize: image } = view;
  // Four corners belong to one photo.
  if (!recipe || recipe.quad || !image) return null;
  return { ...alikeIn(view), frame: { recipe, image, isShare } };
}
