// @ts-check
// Several photos at once: what has become of each, the way between them, and what is done to all.

import { canChooseFolder } from './device.js';
import { node, setAttribute } from './dom.js';
import { icon } from './icons.js';
import { formatNumber, words } from './words.js';

/** @typedef {import('../Element/core.js').Recipe} Recipe */
/** @typedef {'open' | 'framed' | 'cropped' | 'saved'} ItemState */

/**
 * @typedef {object} Item
 * @property {File} file
 * @property {string} id of its content, once it was opened
 * @property {Recipe | null} recipe
 * @property {import('./result.js').Result | null} result of that recipe
 * @property {boolean} isSaved
 * @property {string} [entry] a photo of the library by its id; of `file` there is then its name alone
 */

/**
 * What "alike" means: how the photo is framed that it was chosen on.
 * @typedef {{ ratio: [number, number], side: number, width: number, height: number }} Alike
 */

/**
 * @typedef {{ alike: Alike | null, items: (Omit<Item, 'file' | 'result'> & { name: string })[] }} Entries
 */

/** @type {Record<ItemState, import('./words.js').WordKey>} */
const STATES = { open: 'stateOpen', framed: 'stateFramed', cropped: 'stateCropped', saved: 'stateSaved' };

export class Queue {
  /** @type {Item[]} */ items = [];
  at = 0;
  /** What it is kept by; empty while there is none. */
  key = '';
  /** @type {Alike | null} how a photo begins that was not framed yet; null: each as it is */
  alike = null;
  /** Whether all are being saved, and whether the person has called that off. */
  isSaving = false;
  isStopped = false;

  /** @param {{ open(item: Item, isNext: boolean): void, saveAll(asZip: boolean): void, stop(): void,
   *   changed(): void, view: import('../Element/crop-view.js').CropView }} actions */
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
    this.like = node('button.chip', { type: 'button', 'aria-pressed': 'false', onclick: () => {
      this.alike = this.alike ? null : alikeIn(actions.view);
      this.#show();
    } }, words('queueAlike'));
    this.live = node('p.explain', { role: 'status' });
    this.progress = node('progress', { 'aria-label': words('queueSaveAll'), hidden: true });
    this.save = node('button.primary', { type: 'button', onclick: () => actions.saveAll(false) },
      words('queueSaveAll'));
    // Where a folder can be chosen, one file to download is the other way.
    this.zip = node('button.secondary', {
      type: 'button', onclick: () => actions.saveAll(true),
    }, words('queueZip'));
    this.close = node('button.secondary', { type: 'button', onclick: () => {
      if (this.isSaving) this.stop();
      else this.dialog.close();
    } });
    /** @type {HTMLDialogElement} */
    this.dialog = node('dialog.ask.queue-list', { 'aria-labelledby': 'queue-title' },
      node('h2', { id: 'queue-title' }, words('queueLabel')), this.list, this.like, this.progress,
      this.live, node('div.actions', {}, this.close, this.zip, this.save));
    this.dialog.addEventListener('close', () => this.isSaving && this.stop());
  }

  /** @param {File[]} files */
  begin(files) {
    this.#begin(files.map((file) => ({ file })), `${Date.now()}-${Math.random()}`);
  }

  /**
   * Photos of the library, which keeps them: each has its draft, and its crops are saved there.
   * @param {{ id: string, name: string }[]} entries
   */
  beginWith(entries) {
    this.#begin(entries.map(({ id, name }) => ({ file: new File([], name), entry: id })), '');
  }

  /** @param {{ file: File, entry?: string }[]} items @param {string} key */
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
   * What a place in the history remembers of photos of the library, which no queue is kept for; null for others.
   * @returns {Entries | null}
   */
  get entries() {
    if (!this.isOfLibrary) return null;
    const items = this.items.map(({ file, result, ...rest }) => ({ ...rest, name: file.name }));
    return { alike: this.alike, items };
  }

  /**
   * Goes on with photos of the library, as after a reload.
   * @param {Entries} entries
   */
  restoreEntries({ alike, items }) {
    this.restore('', {
      at: 0, alike, items: items.map(({ name, ...rest }) => ({ ...rest, file: new File([], name), result: null })),
    });
  }

  /** @param {string} id a photo's of the library @returns {number} -1 where none of them is it */
  indexOfEntry(id) {
    return this.items.findIndex(({ entry }) => entry === id);
  }

  /**
   * Goes on with one that was kept.
   * @param {string} key @param {{ at: number, alike: Alike | null, items: Item[] }} kept
   */
  restore(key, { at, alike, items }) {
    Object.assign(this, { key, at, alike, items });
    this.#show();
  }

  /**
   * What the present photo is known by.
   * @param {string} id
   */
  named(id) {
    const { current } = this;
    if (!current || current.id === id) return;
    current.id = id;
    this.#show();
  }

  /** @returns {Item | undefined} the one that is open */
  get current() {
    return this.items[this.at];
  }

  get hasNext() {
    return this.at + 1 < this.items.length;
  }

  /** Photos that something was done to and that are nowhere but here. */
  get unsaved() {
    return this.items.filter((item) => ['framed', 'cropped'].includes(stateOf(item)));
  }

  /** What "Save all" would save: without a frame of its own only what is to be like the others. */
  get savable() {
    return this.alike ? this.items.filter(({ isSaved }) => !isSaved) : this.unsaved;
  }

  /** @param {import('../Element/crop-view.js').CropView} view frames a photo as the others are */
  makeAlike(view) {
    if (!this.alike) return;
    const { ratio: [w, h], side, width, height } = this.alike;
    if (w && h) view.command('ratio', w, h);
    if (side) view.command('longestSide', side);
    else if (width && height) view.command('outputSize', width, height);
    // A marquee has nothing framed yet.
    if (!view.valid) view.selectAll();
  }

  /** What the way on is called. */
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

  /** @param {number} index of the one that is open now */
  select(index) {
    this.at = index;
    this.#show();
  }

  /** @param {string} id @returns {number} -1 where none of them is it */
  indexOf(id) {
    return this.items.findIndex((item) => item.id !== '' && item.id === id);
  }

  /**
   * What is framed now.
   * @param {Recipe | null} recipe
   */
  framed(recipe) {
    const { current } = this;
    if (!current || JSON.stringify(current.recipe) === JSON.stringify(recipe)) return;
    Object.assign(current, { recipe, result: null, isSaved: false });
    this.#show();
  }

  /** @param {import('./result.js').Result} result */
  cropped(result) {
    if (this.current) this.current.result = result;
    this.#show();
  }

  /** @param {Item[]} [items] unless said, the one that is open */
  markSaved(items = this.items.slice(this.at, this.at + 1)) {
    for (const item of items) item.isSaved = true;
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

  /** Calls saving off; what is made already is kept. */
  stop() {
    this.isStopped = true;
    this.actions.stop();
  }

  begins() {
    this.isSaving = true;
    this.isStopped = false;
    this.step(0, 1);
  }

  /** @param {string} said what came of it */
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

  #show() {
    const { items, at } = this;
    this.root.hidden = items.length < 2;
    this.place.textContent = words('queuePlace', formatNumber(at + 1), formatNumber(items.length));
    this.dots.replaceChildren(...items.slice(0, 12).map((item, index) =>
      node(`i.${stateOf(item)}${index === at ? '.now' : ''}`)));
    this.skip.textContent = words(this.current && stateOf(this.current) !== 'open' ? 'next' : 'queueSkip');
    this.skip.hidden = !this.hasNext;
    setAttribute(this.like, 'aria-pressed', this.alike !== null);
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
      const state = stateOf(item);
      return node('li', {}, node('button.item', {
        type: 'button', 'aria-current': index === at ? 'true' : null, onclick: () => this.moveTo(index),
      }, node('span.name', {}, item.file.name),
      node(`span.state.${state}`, {}, state === 'saved' && icon('check', 20), words(STATES[state]))));
    }));
  }
}

/** @param {Item} item @returns {ItemState} */
export function stateOf({ isSaved, result, recipe }) {
  return isSaved ? 'saved' : result ? 'cropped' : recipe ? 'framed' : 'open';
}

/**
 * What other photos are to be like.
 * @param {import('../Element/crop-view.js').CropView} view @returns {Alike}
 */
function alikeIn({ state, recipe }) {
  const output = recipe?.output;
  const { width = 0, height = 0 } = state?.ratioWidth
    ? { width: state.ratioWidth, height: state.ratioHeight } : recipe?.rect ?? {};
  return {
    ratio: [width, height], side: output && 'maxSide' in output ? output.maxSide : 0,
    width: output && 'width' in output ? output.width : 0,
    height: output && 'height' in output ? output.height : 0,
  };
}
