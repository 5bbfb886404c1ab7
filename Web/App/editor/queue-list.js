// @ts-check
// The queue over the photo, and the dialog with all its photos and the actions on all.

import { sameFrame } from '../../Element/questions.js';
import { acceptedRecipe } from '../../Element/shown-recipe.js';
import { stateOf } from '../model/queue.js';
import { chip, toggle } from '../ui/chips.js';
import { canChooseFolder } from '../ui/device.js';
import { node, setAttribute } from '../ui/dom.js';
import { icon } from '../ui/icons.js';
import { formatNumber, words } from '../ui/words.js';

/** @typedef {import('../../Element/crop-view.js').CropView} CropView */
/** @typedef {import('../model/queue.js').Alike} Alike */
/** @typedef {import('../model/queue.js').Item} Item */

/** @type {Record<import('../model/queue.js').ItemState, import('../ui/words.js').WordKey>} */
const STATES = { open: 'stateOpen', framed: 'stateFramed', cropped: 'stateCropped', saved: 'stateSaved' };

export class QueueList {
  /** Whether all are being saved, and whether the user has cancelled it. */
  isSaving = false;
  isStopped = false;

  /**
   * @param {import('../model/model.js').Model} model @param {CropView} view
   * @param {(asZip: boolean) => void} saveAll
   */
  constructor(model, view, saveAll) {
    this.model = model;
    this.view = view;
    const { queue } = model;
    this.place = node('span');
    this.dots = node('span.dots', { 'aria-hidden': 'true' });
    this.skip = chip('', () => model.opener.select(queue.at + 1));
    this.all = chip(words('queueAll'), () => this.#open(), { 'aria-haspopup': 'dialog' });
    this.root = node('div.queue', { role: 'group', 'aria-label': words('queueLabel'), hidden: true },
      this.place, this.dots, this.all, this.skip);
    this.list = node('ol');
    this.like = toggle(words('queueAlike'),
      () => this.#choose(queue.alike && !queue.alike.frame ? null : alikeIn(view)));
    const frame = (/** @type {boolean} */ isShare) => toggle(words(isShare ? 'queueFrameShares' : 'queueFramePixels'),
      () => this.#choose(queue.alike?.frame?.isShare === isShare ? null : frameIn(view, isShare)));
    this.frames = [frame(true), frame(false)];
    this.frame = node('div.chips', { role: 'group', 'aria-labelledby': 'queue-frame' }, ...this.frames);
    this.status = node('p.explain', { role: 'status' });
    this.progress = node('progress', { 'aria-label': words('queueSaveAll'), hidden: true });
    this.save = node('button.primary', { type: 'button', onclick: () => saveAll(false) },
      words('queueSaveAll'));
    // If the user can choose a folder, a single download is the alternative.
    this.zip = node('button.secondary', {
      type: 'button', onclick: () => saveAll(true),
    }, words('queueZip'));
    this.close = node('button.secondary', { type: 'button', onclick: () => {
      if (this.isSaving) this.#stop();
      else this.dialog.close();
    } });
    /** @type {HTMLDialogElement} */
    this.dialog = node('dialog.ask.queue-list', { 'aria-labelledby': 'queue-title' },
      node('h2', { id: 'queue-title' }, words('queueLabel')), this.list, this.like,
      node('h3', { id: 'queue-frame' }, words('queueFrame')), this.frame, this.progress,
      this.status, node('div.actions', {}, this.close, this.zip, this.save));
    this.dialog.addEventListener('close', () => this.isSaving && this.#stop());
    queue.addEventListener('change', () => this.#show());
  }

  /** @param {Alike | null} alike the crop to copy to the other photos */
  #choose(alike) {
    if (this.model.queue.choose(alike)) this.view.reset();
  }

  /** Gives the open photo the crop of the others. */
  makeAlike() {
    const { view, model: { queue } } = this;
    if (!queue.alike) return;
    const { frame, canvas, ratio: [w, h], side, width, height } = queue.alike;
    if (canvas) view.lay(canvas, !frame);
    if (frame) {
      const { core, pictureSize } = view;
      const recipe = core && pictureSize
        && sameFrame(core, frame.recipe, frame.image, pictureSize, frame.isShare);
      // If the crop does not fit a photo, the user decides.
      if (!recipe) return;
      view.recipe = acceptedRecipe(recipe);
      if (queue.current) queue.current.given = JSON.stringify(view.recipe);
      return;
    }
    if (w && h && !canvas) view.command('ratio', w, h);
    if (side) view.command('longestSide', side);
    else if (width && height) view.command('outputSize', width, height);
    // The marquee style has no initial crop.
    if (!view.valid) view.selectAll();
  }

  #open() {
    if (!this.dialog.isConnected) document.body.append(this.dialog);
    this.status.textContent = '';
    this.#show();
    this.dialog.showModal();
  }

  /** Cancels saving; finished crops are kept. */
  #stop() {
    this.isStopped = true;
    this.model.task.cancel();
  }

  /** Shows that all are being saved. */
  starts() {
    this.isSaving = true;
    this.isStopped = false;
    this.step(0, 1);
  }

  /** @param {string} said the outcome */
  ends(said) {
    this.isSaving = false;
    this.#show();
    this.status.textContent = said;
  }

  /** @param {number} done @param {number} total */
  step(done, total) {
    this.progress.max = Math.max(1, total);
    this.progress.value = done;
    this.#show();
    this.status.textContent = words('queueMaking', formatNumber(done), formatNumber(total));
  }

  /**
   * A thumbnail of a photo with its current or future crop.
   * @param {Item} item @param {HTMLElement} state shows if that crop does not fit
   */
  #look(item, state) {
    const frame = this.model.queue.alike?.frame;
    const box = node('i.frame', { hidden: true });
    const image = node('img', { alt: '', loading: 'lazy', decoding: 'async' });
    const place = () => {
      const { core } = this.view;
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
    const { isSaving, view, model: { queue } } = this;
    const { items, at, alike, current } = queue;
    if (!items.length) this.dialog.close();
    this.root.hidden = items.length < 2;
    this.place.textContent = words('queuePlace', formatNumber(at + 1), formatNumber(items.length));
    this.dots.replaceChildren(...items.slice(0, 12).map((item, index) =>
      node(`i.${stateOf(item)}${index === at ? '.now' : ''}`)));
    this.skip.textContent = words(current && stateOf(current) !== 'open' ? 'next' : 'queueSkip');
    this.skip.hidden = !queue.hasNext;
    setAttribute(this.like, 'aria-pressed', alike !== null && !alike.frame);
    this.frames.forEach((button, index) => {
      setAttribute(button, 'aria-pressed', alike?.frame?.isShare === (index === 0));
      button.disabled = isSaving || !view.valid || Boolean(view.recipe?.quad);
    });
    this.zip.hidden = !canChooseFolder() || queue.isOfLibrary;
    this.progress.hidden = !isSaving;
    this.list.inert = this.like.disabled = isSaving;
    for (const button of [this.save, this.zip]) button.disabled = isSaving || queue.savable.length === 0;
    this.close.textContent = words(isSaving ? 'cancel' : 'close');
    if (!this.dialog.isConnected) return;
    this.list.replaceChildren(...items.map((item, index) => {
      const known = stateOf(item);
      const state = node(`span.state.${known}`, {}, known === 'saved' && icon('check', 20), words(STATES[known]));
      return node('li', {}, node('button.item', {
        type: 'button', 'aria-current': index === at ? 'true' : null, onclick: () => {
          this.dialog.close();
          this.model.opener.select(index);
        },
      }, alike?.frame && this.#look(item, state), node('span.name', {}, item.file.name), state));
    }));
  }
}

/**
 * The crop to copy to other photos.
 * @param {CropView} view @returns {Alike}
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
 * @param {CropView} view @param {boolean} isShare
 * @returns {Alike | null}
 */
function frameIn(view, isShare) {
  const { recipe, pictureSize: image } = view;
  // Four corners belong to one photo.
  if (!recipe || recipe.quad || !image) return null;
  return { ...alikeIn(view), frame: { recipe, image, isShare } };
}
