// @ts-check
// The targets of the open photo: loaded when their screen is opened, and stored with the photo when they change.

import { finest } from '../model/photo.js';
import { PREVIEW_SIDE } from '../server/api.js';
import { explain, isCancelled, showError } from '../server/explain.js';
import { fetchBlob, previewURL } from '../server/library-api.js';
import { keepTargets, keptTargets } from '../server/targets-api.js';
import { words } from '../ui/words.js';
import { saveAllTargets } from './target-saving.js';
import { TargetsScreen } from './targets-screen.js';

/** @typedef {import('../model/photo.js').Photo} Photo */
/** @typedef {import('../server/targets-api.js').TargetDocument} TargetDocument */

/** How long to wait after the last change before it is saved to the library, in milliseconds. */
const RESTING = 500;

export class Targets {
  /** @type {{ photo: Photo, document: TargetDocument } | null} changes that are not saved to the library yet */
  #unsaved = null;
  #timer = 0;

  /** @param {import('../model/model.js').Model} model */
  constructor(model) {
    this.model = model;
    /** @type {TargetsScreen} */
    this.screen = new TargetsScreen(model, {
      save: () => void saveAllTargets(this.screen), kept: (document) => this.#kept(document),
    });
    addEventListener('pagehide', () => void this.#save());
  }

  /**
   * Shows the targets of the open photo.
   * @param {Photo} photo
   */
  async open(photo) {
    const { screen, model: { task, view } } = this;
    await this.#save();
    const signal = task.begin();
    try {
      const kept = photo.targets ? { document: photo.targets, target: null }
        : photo.entry ? await keptTargets(photo.place ?? photo.entry.id, signal) : null;
      await this.#sharpen(photo, signal);
      signal.throwIfAborted();
      await screen.open(photo, kept?.document ?? null, view.recipe, kept?.target ?? '');
    } catch (error) {
      if (signal.aborted || isCancelled(error)) return;
      showError(screen.notices, error, photo.name);
    }
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
    const { photo } = this.screen;
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
      this.screen.notices.problem(words('targetsUnkept', name), `${title} ${detail}`);
    }
  }
}
