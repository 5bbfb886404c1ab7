// @ts-check
// The way to a photo's targets and back: where they were left, and where they are kept.

import { explain, isCancelled } from './explain.js';
import { fetchAnswer, previewURL } from './library-api.js';
import { albumHash, photoHash } from './routes.js';
import { saveAllTargets } from './target-saving.js';
import { keepTargets, keptTargets } from './targets-api.js';
import { TargetsScreen } from './targets-screen.js';
import { words } from './words.js';

/** @typedef {import('./photo.js').Photo} Photo */
/** @typedef {import('./target-set.js').TargetDocument} TargetDocument */

/** How long a set rests before the library is told of it, in milliseconds. */
const RESTING = 500;

/** Pixels of the preview that the previews are made of. */
const PREVIEW_SIDE = 2048;

/**
 * @typedef {object} Parts
 * @property {import('./work.js').Work} work
 * @property {import('./editor.js').Editor} editor
 * @property {import('./keeping.js').Keeping} keeping
 * @property {import('./library.js').Library} library
 * @property {import('./places.js').Places} places
 */

export class Targets {
  /** @type {{ photo: Photo, document: TargetDocument } | null} what the library was not told of yet */
  #untold = null;
  #timer = 0;

  /**
   * @param {Parts} parts
   * @param {{ back(): void, show(): void, edit(): Promise<void>, entry(id: string): Promise<void> }} ways `edit`: to
   *   the photo's own place; `entry`: opens a photo of the library
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
    addEventListener('pagehide', () => void this.#tell());
  }

  /** From the photo to its targets. */
  enter() {
    const { work: { photo }, editor } = this.parts;
    if (!photo || editor.isBusy || !editor.view.state) return;
    // A place of its own in the history, which shows it.
    location.hash = photo.entry ? `${photoHash(photo.place ?? photo.entry.id)}/targets` : '#/targets';
  }

  /**
   * Shows what the address names.
   * @param {string} id of the library's photo, or of a crop of it; empty for the open file
   */
  async route(id) {
    const { work, editor, places } = this.parts;
    const isOpen = id ? work.photo?.place === id && work.photo.entry : work.photo && !work.photo.entry;
    if (!isOpen && !id) return this.ways.edit();
    if (!isOpen) await this.ways.entry(id);
    const { photo } = work;
    const { route } = places;
    if (!photo || route.place !== 'targets' || route.id !== id) return;
    places.rename(location.hash);
    if (!this.screen.root.isConnected) document.body.append(this.screen.root);
    this.ways.show();
    await this.#tell();
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

  /**
   * The editor may have had no more than a thumbnail yet.
   * @param {Photo} photo @param {AbortSignal} signal
   */
  async #sharpen(photo, signal) {
    if (!photo.entry) return;
    const blob = await (await fetchAnswer(previewURL(photo.entry, PREVIEW_SIDE), { signal })).blob();
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
    this.#untold = { photo, document };
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#tell(), RESTING);
  }

  /** Tells the library of the set that is to be kept. */
  async #tell() {
    clearTimeout(this.#timer);
    const untold = this.#untold;
    this.#untold = null;
    if (!untold?.photo.entry) return;
    const { photo: { entry, name }, document } = untold;
    try {
      await keepTargets(entry, document);
    } catch (error) {
      const { title, detail } = explain(error, name);
      this.screen.notices.problem(words('targetsUnkept', name), `${title} ${detail}`);
    }
  }
}
