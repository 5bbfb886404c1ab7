// @ts-check
// Opens, leaves and saves a photo's targets.

import { explain, isCancelled } from '../server/explain.js';
import { fetchBlob, previewURL } from '../server/library-api.js';
import { albumHash, photoHash } from '../shell/routes.js';
import { saveAllTargets } from './target-saving.js';
import { keepTargets, keptTargets } from '../server/targets-api.js';
import { TargetsScreen } from './targets-screen.js';
import { words } from '../ui/words.js';

/** @typedef {import('../editor/photo.js').Photo} Photo */
/** @typedef {import('./target-set.js').TargetDocument} TargetDocument */

/** How long to wait after the last change before it is saved to the library, in milliseconds. */
const RESTING = 500;

/** The longer side of the image that the previews are made from, in pixels. */
const PREVIEW_SIDE = 2048;

/**
 * @typedef {object} Dependencies
 * @property {import('../shell/current-task.js').CurrentTask} work
 * @property {import('../editor/editor.js').Editor} editor
 * @property {import('../saving/session-storage.js').SessionStorage} keeping
 * @property {import('../library/library.js').Library} library
 * @property {import('../shell/history.js').ScreenHistory} places
 */

export class Targets {
  /** @type {{ photo: Photo, document: TargetDocument } | null} changes that are not saved to the library yet */
  #unsaved = null;
  #timer = 0;

  /**
   * @param {Dependencies} parts
   * @param {{ back(): void, show(): void, edit(): Promise<void>, entry(id: string): Promise<void> }} ways `edit`:
   * goes to the photo's own screen; `entry`: opens a photo of the library
   */
  constructor(parts, ways) {
    this.parts = parts;
    this.ways = ways;
    const album = () => {
      const found = parts.library.album('cropped');
      return found ? albumHash(found.id) : null;
    };
    /** @type {TargetsScreen} */
    this.screen = new TargetsScreen(parts.work, parts.editor.encoding, {
      back: ways.back,
      save: () => void saveAllTargets(this.screen, parts, { album }),
      kept: (document) => this.#kept(document),
    });
    addEventListener('pagehide', () => void this.#save());
  }

  /** Goes from the photo to its targets. */
  enter() {
    const { work: { photo }, editor } = this.parts;
    if (!photo || editor.isBusy || !editor.view.state || this.#isRefused()) return;
    // Adds a history entry, whose route shows the targets.
    location.hash = photo.entry ? `${photoHash(photo.place ?? photo.entry.id)}/targets` : '#/targets';
  }

  /**
   * Shows the targets for the address.
   * @param {string} id of a photo in the library, or of a crop of it; empty for the open file
   */
  async route(id) {
    const { work, editor, places } = this.parts;
    const isOpen = id ? work.photo?.place === id && work.photo.entry : work.photo && !work.photo.entry;
    if (!isOpen && !id) return this.ways.edit();
    if (!isOpen) await this.ways.entry(id);
    const { photo } = work;
    const { route } = places;
    if (!photo || route.place !== 'targets' || route.id !== id) return;
    if (this.#isRefused()) return this.ways.edit();
    places.rename(location.hash);
    if (!this.screen.root.isConnected) document.body.append(this.screen.root);
    this.ways.show();
    await this.#save();
    const signal = work.begin();
    try {
      const kept = photo.targets ? { document: photo.targets, target: null }
        : photo.entry ? await keptTargets(photo.place ?? photo.entry.id, signal) : null;
      if (photo.entry) await this.#sharpen(photo, signal);
      signal.throwIfAborted();
      await this.screen.open(photo, kept?.document ?? null, editor.view.recipe, kept?.target ?? '');
    } catch (error) {
      if (signal.aborted || isCancelled(error)) return;
      const { title, detail } = explain(error, photo.name);
      this.screen.notices.problem(title, detail);
    }
  }

  /** Reports that four corners can't have targets: a target's crop is a rectangle in the photo. */
  #isRefused() {
    const { editor } = this.parts;
    const isQuad = editor.view.recipe?.quad !== undefined;
    if (isQuad) editor.notices.problem(words('targetsNoQuad'), words('targetsNoQuadTodo'));
    return isQuad;
  }

  /**
   * Loads a better preview: the editor may only have a thumbnail so far.
   * @param {Photo} photo @param {AbortSignal} signal
   */
  async #sharpen(photo, signal) {
    if (!photo.entry) return;
    const blob = await fetchBlob(previewURL(photo.entry, PREVIEW_SIDE), { signal });
    if (blob.size === photo.shown.size) return;
    photo.shown = blob;
    await this.parts.editor.view.refine(blob);
  }

  /** @param {TargetDocument} document */
  #kept(document) {
    const { photo } = this.screen;
    if (!photo) return;
    photo.targets = document;
    if (!photo.entry) return this.parts.keeping.targets(photo);
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
