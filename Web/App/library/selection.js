// @ts-check
// Multiple selection: photos selected in the grid are cropped one by one, to one ratio or to several sizes, downloaded
// or moved to the trash.

import { albumHash, queueHash } from '../model/routes.js';
import { zipped } from '../model/zip.js';
import { notLoaded, showError } from '../server/explain.js';
import { cropToRatio, fetchFile, moveToTrash, restore } from '../server/library-api.js';
import { chip } from '../ui/chips.js';
import { download } from '../ui/device.js';
import { node } from '../ui/dom.js';
import { Menu } from '../ui/menu.js';
import { counted, formatNumber, words } from '../ui/words.js';

/** @typedef {import('../server/library-api.js').Entry} Entry */

const RATIOS = Object.freeze(/** @type {const} */ ([
  [1, 1], [4, 3], [3, 2], [16, 9], [3, 4], [2, 3], [9, 16]]));

export class Selection {
  /** Whether photos are being selected. */
  isOn = false;
  /** @type {Map<string, Entry>} */ #chosen = new Map();
  /** The index of the last clicked photo, where a range starts. */
  #last = -1;
  #isBusy = false;

  /**
   * @param {{ photos(): Entry[], changed(): void, notices: import('../ui/notice.js').Notices,
   *   encoding(): import('../server/api.js').Encoding }} parts
   */
  constructor(parts) {
    this.parts = parts;
    this.begin = chip(words('select'), () => this.toggle());
    this.count = node('span.count', { role: 'status' });
    this.crop = new Menu(words('cropAll'));
    this.crop.button.className = 'chip';
    this.crop.button.replaceChildren(words('cropAll'));
    this.crop.set(RATIOS.map(([width, height]) => ({
      label: width === height ? words('ratioSquare')
        : words('ratioValue', formatNumber(width), formatNumber(height)),
      act: () => void this.#cropAll(`${width}:${height}`),
    })));
    this.oneByOne = chip(words('cropOneByOne'), () => {
      const ids = [...this.#chosen.keys()];
      this.toggle();
      location.hash = queueHash(ids);
    });
    this.sizes = chip(words('targets'), () => {
      this.#makeSizes().catch((error) => showError(this.parts.notices, error, words('photos')));
    }, { 'aria-haspopup': 'dialog' });
    this.download = chip(words('download'), () => void this.#downloadAll());
    this.trash = chip(words('trashCrop'), () => void this.#trashAll());
    /** Undoes the last action. */
    this.putBack = node('button.chip', { type: 'button', hidden: true });
    /** Leads to the saved crops. */
    this.saved = node('a.chip', { href: albumHash('cropped'), hidden: true, onclick: () => this.toggle() },
      words('showAlbum'));
    this.root = node('div.selection', { role: 'toolbar', 'aria-label': words('select'), hidden: true },
      this.count, this.oneByOne, this.crop.root, this.sizes, this.download, this.trash, this.saved, this.putBack,
      node('button.primary', { type: 'button', onclick: () => this.toggle() }, words('done')));
    addEventListener('keydown', (event) => this.#key(event));
  }

  /**
   * Ctrl A selects all photos, wherever the focus is, except in a text field.
   * @param {KeyboardEvent} event
   */
  #key(event) {
    const isMeant = event.key === 'a' && (event.ctrlKey || event.metaKey);
    const isShown = this.root.getClientRects().length > 0;
    if (!isMeant || !isShown || /** @type {Element} */ (event.target).matches('input, textarea')) return;
    event.preventDefault();
    this.all();
  }

  /** Starts or ends the selection. */
  toggle() {
    this.isOn = !this.isOn;
    this.#chosen.clear();
    this.#last = -1;
    this.#forgetLast();
    this.root.hidden = !this.isOn;
    this.begin.hidden = this.isOn;
    this.#changed();
    if (!this.isOn) this.begin.focus({ preventScroll: true });
  }

  /** @param {string} id */
  has(id) {
    return this.#chosen.has(id);
  }

  /**
   * Handles a click on a photo.
   * @param {number} index @param {boolean} isRange selects all from the last clicked photo to this one
   */
  press(index, isRange) {
    if (this.#isBusy) return;
    const photos = this.parts.photos();
    const entry = photos[index];
    if (!entry) return;
    if (isRange && this.#last >= 0) {
      const [from, to] = [this.#last, index].sort((a, b) => a - b);
      for (const one of photos.slice(from, to + 1)) this.#chosen.set(one.id, one);
    } else if (!this.#chosen.delete(entry.id)) this.#chosen.set(entry.id, entry);
    this.#last = index;
    this.#forgetLast();
    this.#changed();
  }

  /** Selects all loaded photos. */
  all() {
    if (this.#isBusy) return;
    for (const entry of this.parts.photos()) this.#chosen.set(entry.id, entry);
    this.#changed();
  }

  #changed() {
    const { size } = this.#chosen;
    this.count.textContent = words('selectedCount', formatNumber(size));
    for (const button of [this.oneByOne, this.crop.button, this.sizes, this.download, this.trash]) {
      button.disabled = size === 0 || this.#isBusy;
    }
    this.parts.changed();
  }

  /**
   * Applies an action to each photo in turn, and shows the progress.
   * @param {(entry: Entry) => Promise<unknown>} act
   * @returns {Promise<Entry[]>} the photos for which it succeeded
   */
  async #each(act) {
    const all = [...this.#chosen.values()];
    /** @type {Entry[]} */ const done = [];
    this.#isBusy = true;
    this.#changed();
    for (const [at, entry] of all.entries()) {
      this.count.textContent = words('queuePlace', formatNumber(at + 1), formatNumber(all.length));
      try {
        await act(entry);
        done.push(entry);
      } catch (error) {
        showError(this.parts.notices, error, entry.name, 'problemCrop');
      }
    }
    this.#isBusy = false;
    // Keeps the failed ones selected.
    for (const { id } of done) this.#chosen.delete(id);
    this.#changed();
    return done;
  }

  /** @param {string} ratio such as 3:2 */
  async #cropAll(ratio) {
    /** @type {Entry[]} */ const crops = [];
    await this.#each(async (entry) => crops.push(await cropToRatio(entry, ratio)));
    this.#made(`${words('savedCrop')}: ${formatNumber(crops.length)}`, crops);
  }

  async #makeSizes() {
    const { askForSizes, saveSizes } = await import('./selected-sizes.js').catch(notLoaded);
    const targets = await askForSizes(this.#chosen.size);
    if (!targets.length) return;
    /** @type {import('../server/targets-api.js').SavedTarget[]} */ const files = [];
    await this.#each(async (entry) => files.push(...await saveSizes(entry, targets, this.parts.encoding())));
    // Files that existed before stay when this is undone.
    this.#made(counted('targetsSaved', files.length), files.filter((file) => file.new));
  }

  /**
   * Says what was saved, shows where, and offers to undo it.
   * @param {string} text @param {Entry[]} files
   */
  #made(text, files) {
    this.count.textContent = text;
    if (!files.length) return;
    this.saved.hidden = false;
    this.#offerUndo(words('undo'), async () => {
      for (const { id } of files) await moveToTrash(id);
      this.count.textContent = words('trashedCount', formatNumber(files.length));
    });
  }

  /** @param {string} label @param {() => Promise<void>} act */
  #offerUndo(label, act) {
    this.putBack.textContent = label;
    this.putBack.hidden = false;
    this.putBack.onclick = () => {
      this.#forgetLast();
      this.crop.button.focus({ preventScroll: true });
      act().catch((error) => showError(this.parts.notices, error, words('photos'), 'problemCrop'));
    };
    this.putBack.focus({ preventScroll: true });
  }

  /** Hides what belongs to the last action. */
  #forgetLast() {
    this.putBack.hidden = this.saved.hidden = true;
  }

  async #trashAll() {
    const gone = await this.#each(({ id }) => moveToTrash(id));
    if (!gone.length) return;
    this.count.textContent = words('trashedCount', formatNumber(gone.length));
    this.#offerUndo(words('restore'), () => this.#restoreAll(gone));
  }

  /** @param {Entry[]} gone */
  async #restoreAll(gone) {
    this.#chosen = new Map(gone.map((entry) => [entry.id, entry]));
    await this.#each(({ id }) => restore(id));
  }

  /** Downloads one file, or an archive of several. */
  async #downloadAll() {
    /** @type {File[]} */ const files = [];
    await this.#each(async (entry) => files.push(await fetchFile(entry)));
    for (const file of files.length > 1 ? await zipped(files, words('photos')) : files) download(file);
  }
}
