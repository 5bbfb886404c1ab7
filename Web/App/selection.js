// @ts-check
// Several photos of the library at once: chosen in the grid, then cropped to one ratio, downloaded or put
// in the trash.

import { download } from './device.js';
import { node } from './dom.js';
import { explain } from './explain.js';
import { cropToRatio, fetchAnswer, moveToTrash, originalURL, restore } from './library-api.js';
import { Menu } from './menu.js';
import { formatNumber, words } from './words.js';
import { zipped } from './zip.js';

/** @typedef {import('./library-api.js').Entry} Entry */

const RATIOS = Object.freeze(/** @type {const} */ ([
  [1, 1], [4, 3], [3, 2], [16, 9], [3, 4], [2, 3], [9, 16]]));

export class Selection {
  /** Photos are being chosen. */
  isOn = false;
  /** @type {Map<string, Entry>} */ #chosen = new Map();
  /** The one that was pressed last: where a range begins. */
  #last = -1;
  #isBusy = false;

  /**
   * @param {{ photos(): Entry[], changed(): void, notices: import('./notice.js').Notices }} parts
   */
  constructor(parts) {
    this.parts = parts;
    const button = (/** @type {string} */ label, /** @type {() => void} */ act) =>
      node('button.chip', { type: 'button', onclick: act }, label);
    this.begin = button(words('select'), () => this.toggle());
    this.count = node('span.count', { role: 'status' });
    this.crop = new Menu(words('cropAll'));
    this.crop.button.className = 'chip';
    this.crop.button.replaceChildren(words('cropAll'));
    this.crop.set(RATIOS.map(([width, height]) => ({
      label: width === height ? words('ratioSquare')
        : words('ratioValue', formatNumber(width), formatNumber(height)),
      act: () => void this.#cropAll(`${width}:${height}`),
    })));
    this.download = button(words('download'), () => void this.#downloadAll());
    this.trash = button(words('trashCrop'), () => void this.#trashAll());
    this.putBack = node('button.chip', { type: 'button', hidden: true });
    this.root = node('div.selection', { role: 'toolbar', 'aria-label': words('select'), hidden: true },
      this.count, this.crop.root, this.download, this.trash, this.putBack,
      node('button.primary', { type: 'button', onclick: () => this.toggle() }, words('done')));
  }

  /** Begins or ends choosing. */
  toggle() {
    this.isOn = !this.isOn;
    this.#chosen.clear();
    this.#last = -1;
    this.putBack.hidden = true;
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
   * A photo was pressed.
   * @param {number} index @param {boolean} isRange all from the one that was pressed before
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
    this.putBack.hidden = true;
    this.#changed();
  }

  /** All that are known. */
  all() {
    for (const entry of this.parts.photos()) this.#chosen.set(entry.id, entry);
    this.#changed();
  }

  #changed() {
    const { size } = this.#chosen;
    this.count.textContent = words('selectedCount', formatNumber(size));
    for (const button of [this.crop.button, this.download, this.trash]) {
      button.disabled = size === 0 || this.#isBusy;
    }
    this.parts.changed();
  }

  /**
   * Does something with each, one after the other, and says how far it is.
   * @param {(entry: Entry) => Promise<unknown>} act
   * @returns {Promise<Entry[]>} those with which it went well
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
        const { title, detail } = explain(error, entry.name, 'problemCrop');
        this.parts.notices.problem(title, detail);
      }
    }
    this.#isBusy = false;
    // What went wrong stays chosen.
    for (const { id } of done) this.#chosen.delete(id);
    this.#changed();
    return done;
  }

  /** @param {string} ratio such as 3:2 */
  async #cropAll(ratio) {
    const { length } = await this.#each((entry) => cropToRatio(entry, ratio));
    this.count.textContent = `${words('savedCrop')}: ${formatNumber(length)}`;
    this.root.querySelector('button')?.focus({ preventScroll: true });
  }

  async #trashAll() {
    const gone = await this.#each(({ id }) => moveToTrash(id));
    if (!gone.length) return;
    this.count.textContent = words('trashedCount', formatNumber(gone.length));
    this.putBack.textContent = words('putBack');
    this.putBack.hidden = false;
    this.putBack.onclick = () => void this.#restoreAll(gone);
    this.putBack.focus({ preventScroll: true });
  }

  /** @param {Entry[]} gone */
  async #restoreAll(gone) {
    this.#chosen = new Map(gone.map((entry) => [entry.id, entry]));
    this.putBack.hidden = true;
    await this.#each(({ id }) => restore(id));
    this.crop.button.focus({ preventScroll: true });
  }

  /** One file, or one archive of several. */
  async #downloadAll() {
    /** @type {File[]} */ const files = [];
    await this.#each(async (entry) => {
      const blob = await (await fetchAnswer(originalURL(entry.id), {})).blob();
      files.push(new File([blob], entry.name, { type: blob.type }));
    });
    if (files.length === 1) return download(files[0]);
    for (const [at, archive] of (files.length ? await zipped(files) : []).entries()) {
      const name = `${words('photos')}${at ? ` ${at + 1}` : ''}.zip`;
      download(new File([archive], name, { type: 'application/zip' }));
    }
    return undefined;
  }
}
