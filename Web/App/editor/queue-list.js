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
import { Filmstrip, STATES } from './filmstrip.js';
import { QueueLook, QueueThumbnails } from './queue-look.js';

/** @typedef {import('../../Element/crop-view.js').CropView} CropView */
/** @typedef {import('../model/queue.js').Alike} Alike */
/** @typedef {import('../model/queue.js').Item} Item */

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
    this.thumbnails = new QueueThumbnails(model);
    this.strip = new Filmstrip(model, view, this.thumbnails);
    this.skip = chip('', () => model.opener.select(queue.at + 1));
    this.all = chip([icon('grid', 20), node('span', {}, words('queueAll'))], () => this.#open(), {
      'aria-haspopup': 'dialog', 'aria-label': words('queueAll'), title: words('queueAll'),
    });
    this.root = node('div.queue', { role: 'group', 'aria-label': words('queueLabel'), hidden: true },
      this.place, this.strip.root, this.all, this.skip);
    this.list = node('ol');
    this.like = toggle(words('queueAlike'),
      () => this.#choose(queue.alike && !queue.alike.frame ? null : alikeIn(view)));
    const frame = (/** @type {boolean} */ isShare) => toggle(words(isShare ? 'queueFrameShares' : 'queueFramePixels'),
      () => this.#choose(queue.alike?.frame?.isShare === isShare ? null : frameIn(view, isShare)));
    this.frames = [frame(true), frame(false)];
    this.frame = node('div.chips', { role: 'group', 'aria-labelledby': 'queue-frame', 'aria-describedby': 'queue-frame-why' },
      ...this.frames);
    this.like.setAttribute('aria-describedby', 'queue-alike-why');
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
      node('p.explain', { id: 'queue-alike-why' }, words('queueAlikeWhy')),
      node('h3', { id: 'queue-frame' }, words('queueFrame')), this.frame,
      node('p.explain', { id: 'queue-frame-why' }, words('queueFrameWhy')), this.progress,
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
    this.dialog.showModal();
    this.#show();
  }

  /** Shows the list, and saves all. */
  saveAll() {
    this.#open();
    this.save.click();
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

  /** @param {string} outcome */
  ends(outcome) {
    this.isSaving = false;
    this.#show();
    this.status.textContent = outcome;
  }

  /** @param {number} done @param {number} total */
  step(done, total) {
    this.progress.max = Math.max(1, total);
    this.progress.value = done;
    this.#show();
    this.status.textContent = words('queueMaking', formatNumber(done), formatNumber(total));
  }

  /** @type {WeakMap<Item, QueueLook>} the thumbnails in the list */ #looks = new WeakMap();

  /** @param {Item} item */
  #lookOf(item) {
    const look = this.#looks.get(item) ?? new QueueLook(item, this.thumbnails, this);
    this.#looks.set(item, look);
    return look;
  }

  #show() {
    const { isSaving, view, model: { queue } } = this;
    const { items, at, alike, current } = queue;
    if (!items.length) this.dialog.close();
    this.root.hidden = items.length < 2;
    this.place.textContent = words('queuePlace', formatNumber(at + 1), formatNumber(items.length));
    if (!this.root.hidden) this.strip.update();
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
    if (!this.dialog.open) return;
    this.list.replaceChildren(...items.map((item, index) => {
      const known = stateOf(item);
      const look = this.#lookOf(item);
      const state = node(`span.state.${known}`, {}, known === 'saved' && icon('check', 20), words(STATES[known]));
      void look.load().then(() => { if (!look.update()) state.textContent = words('queueUnfit'); });
      return node('li', {}, node('button.item', {
        type: 'button', 'aria-current': index === at ? 'true' : null, onclick: () => {
          this.dialog.close();
          this.model.opener.select(index);
        },
      }, look.root, node('span.name', {}, item.file.name), state));
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
