// @ts-check
// The targets of the open photo: loaded when their screen is opened, and stored with the photo when they change. The
// screen's script is loaded with the first photo.

import { finest } from '../model/photo.js';
import { PREVIEW_SIDE } from '../server/api.js';
import { explain, isCancelled, notLoaded, showError } from '../server/explain.js';
import { fetchBlob, previewURL } from '../server/library-api.js';
import { keepTargets, keptTargets } from '../server/targets-api.js';
import { node } from '../ui/dom.js';
import { Notices } from '../ui/notice.js';
import { words } from '../ui/words.js';

/** @typedef {import('../model/photo.js').Photo} Photo */
/** @typedef {import('../server/targets-api.js').TargetDocument} TargetDocument */

/** How long to wait after the last change before it is saved to the library, in milliseconds. */
const RESTING = 500;

export class Targets {
  notices = new Notices();
  root = node('main.work.targets', { id: 'targets' });
  /** @type {import('./targets-screen.js').TargetsScreen | null} null until its script is loaded */ #screen = null;
  /** @type {{ photo: Photo, document: TargetDocument } | null} changes that are not saved to the library yet */
  #unsaved = null;
  #timer = 0;

  /** @param {import('../model/model.js').Model} model */
  constructor(model) {
    this.model = model;
    addEventListener('pagehide', () => void this.#save());
  }

  /**
   * Loads the screen's script.
   * @throws {import('../server/api.js').Problem}
   */
  async prepare() {
    const { TargetsScreen } = await import('./targets-screen.js').catch(notLoaded);
    this.#screen ??= new TargetsScreen(this.model, this, (document) => this.#kept(document));
  }

  /**
   * Shows the targets of the open photo, after the script was loaded.
   * @param {Photo} photo
   */
  async open(photo) {
    const { notices, model: { task, view } } = this;
    await this.#save();
    const signal = task.begin();
    try {
      const kept = photo.targets ? { document: photo.targets, target: null }
        : photo.entry ? await keptTargets(photo.place ?? photo.entry.id, signal) : null;
      await this.#sharpen(photo, signal);
      signal.throwIfAborted();
      await this.#screen?.open(photo, kept?.document ?? null, view.recipe, kept?.target ?? '');
    } catch (error) {
      if (signal.aborted || isCancelled(error)) return;
      showError(notices, error, photo.name);
    }
  }

  /** Releases the image and leaves the screen. */
  close() {
    this.#screen?.close();
  }

  /**
   * Loads a better preview: the editor may only have a thumbnail so far.
   * @param {Photo} photo @param {AbortSignal} signal
   */
  async #sharpen(photo, signal) {
    const { entry, shown } = photo;
    const blob = entry ? await fetchBlob(previewURL(entry, PREVIEW_SIDE), { signal }) : await finest(photo);
    if (blob.size === shown.size) return;
    photo.shown = blob;
    await this.model.view.refine(blob);
  }

  /** @param {TargetDocument} document */
  #kept(document) {
    const photo = this.#screen?.photo;
    if (!photo) return;
    photo.targets = document;
    if (!photo.entry) return this.model.unsaved.targets(photo);
    this.#unsaved = { photo, document };
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#save(), RESTING);
  }

  /** Saves the pending changes to the library. */
  async #save() {
    clearTimeout(this.#timer);
    const unsaved = this.#unsaved;
    this.#unsaved = null;
    if (!unsaved?.photo.entry) return;
    const { photo: { entry, name }, document } = unsaved;
    try {
      await keepTargets(entry, document);
    } catch (error) {
      const { title, detail } = explain(error, name);
      this.notices.problem(words('targetsUnkept', name), `${title} ${detail}`);
    }
  }
}
