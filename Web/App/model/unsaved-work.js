// @ts-check
// Stores unsaved crops until they are saved, and restores them.

import { Drafts } from './drafts.js';
import { QueueStorage } from './queue-storage.js';
import { ratioLock } from './ratio-lock.js';

/** @typedef {import('./photo.js').Photo} Photo */

/**
 * The crop and its canvas, as text.
 * @param {import('./model.js').View} view
 */
function framingOf({ recipe, canvasOptions }) {
  return JSON.stringify(canvasOptions ? [recipe, canvasOptions] : recipe);
}

/** Dispatches `change` after another page of this browser has deleted unsaved work. */
export class UnsavedWork extends EventTarget {
  /** Whether a queue was restored and this was not announced yet. */
  isRestored = false;
  #model;

  /** @param {import('./model.js').Model} model */
  constructor(model) {
    super();
    this.#model = model;
    const { queue } = model;
    const changed = () => this.dispatchEvent(new Event('change'));
    this.drafts = new Drafts((id) => model.photo?.id === id, changed);
    this.queues = new QueueStorage(queue, changed);
    queue.addEventListener('change', () => {
      if (queue.key && queue.items.length > 1) this.queues.keep(queue);
    });
    addEventListener('beforeunload', (event) => {
      if (this.drafts.hasUnsafe || this.queues.atRisk(queue)) event.preventDefault();
    });
  }

  /** Call this after the crop in the editor has changed. */
  changed() {
    const { photo, view, queue } = this.#model;
    if (!photo?.id || !view.picture) return;
    const recipe = view.canReset ? view.recipe : null;
    queue.framed(recipe, recipe && view.canvasOptions, recipe && ratioLock(view));
    // It may be the saved crop again, or that of a saved photo that was opened again.
    if (framingOf(view) === photo.saved) queue.markSaved();
    else if (queue.current?.isSaved) photo.saved = framingOf(view);
    if (!recipe || framingOf(view) === photo.saved) {
      if (this.drafts.has(photo.id)) this.#drop(photo);
    // A queue is stored as a whole, unless its photos are in the library.
    } else if (!queue.current || photo.entry) this.#keep(photo, recipe);
  }

  /** @param {Photo} photo @param {import('../../Element/core.js').Recipe | null} recipe */
  #keep({ id = '', name, entry, original, targets, gallery }, recipe) {
    const { view } = this.#model;
    this.drafts.keep({
      id, name, recipe, canvas: recipe && view.canvasOptions, ratio: recipe && ratioLock(view),
      file: entry ? null : original, targets, gallery,
    });
  }

  /**
   * Discards the crop's draft; the targets of a file are kept.
   * @param {Photo} photo
   */
  #drop(photo) {
    if (photo.targets && !photo.entry) this.#keep(photo, null);
    else if (photo.id) void this.drafts.forget(photo.id);
  }

  /**
   * Stores a file's targets together with its crop.
   * @param {Photo} photo
   */
  targets(photo) {
    const { view } = this.#model;
    if (photo.id) this.#keep(photo, view.canReset ? view.recipe : null);
  }

  /**
   * Call this after a file's targets were saved.
   * @param {Photo} photo
   */
  savedTargets(photo) {
    const { view } = this.#model;
    const isFramed = view.canReset && framingOf(view) !== photo.saved;
    if (photo.id && !isFramed) void this.drafts.forget(photo.id);
  }

  /** Call this after the result of the crop was saved. */
  saved() {
    const { photo, view, queue } = this.#model;
    queue.markSaved();
    if (!photo?.id) return;
    photo.saved = framingOf(view);
    this.#drop(photo);
  }

  /**
   * Call this after the saved crop of the open photo was deleted or restored.
   * @param {string} [framing] the saved crop; none if it was deleted
   */
  savedAs(framing) {
    const { photo, queue } = this.#model;
    if (!photo) return;
    photo.saved = framing;
    if (!framing) queue.markSaved(undefined, false);
    this.changed();
  }

  /** @param {import('./queue.js').Item[]} items that were saved */
  savedOf(items) {
    const { photo, view, queue } = this.#model;
    queue.markSaved(items);
    if (photo && items.some(({ id }) => id === photo.id)) photo.saved = framingOf(view);
    for (const { id } of items) if (id) void this.drafts.forget(id);
  }

  /**
   * Restores a stored queue of photos.
   * @param {string} key @param {AbortSignal} [signal]
   * @returns {Promise<boolean>} false if it is not stored any more, or not wanted
   */
  async restore(key, signal) {
    const { queue } = this.#model;
    if (queue.key === key) return true;
    const kept = await this.queues.find(key);
    if (!kept || signal?.aborted) return false;
    queue.restore(key, kept);
    this.isRestored = true;
    return true;
  }

  /** Ends a queue. Photos with changes stay stored, others do not. */
  endQueue() {
    const { queue } = this.#model;
    if (queue.key && !queue.unsaved.length) void this.queues.forget(queue.key);
    queue.end();
    this.isRestored = false;
  }

  /** Whether ending the current queue would lose nothing, once it is written. */
  async isQueueSafe() {
    await this.queues.settled();
    return this.queues.atRisk(this.#model.queue) === 0;
  }

  /** The stored queues and drafts, newest first. */
  async list() {
    await this.queues.settled();
    const [queues, drafts] = await Promise.all([this.queues.list(), this.drafts.list()]);
    return { queues, drafts };
  }

  /**
   * Discards the crop of a photo.
   * @param {string} id @returns {Promise<() => void>} stores it again
   */
  async discardDraft(id) {
    const draft = await this.drafts.find(id);
    await this.drafts.forget(id);
    return () => draft && this.drafts.keep(draft);
  }

  /**
   * Discards a queue.
   * @param {string} key @returns {Promise<() => void>} stores it again
   */
  async discardQueue(key) {
    const kept = await this.queues.find(key);
    await this.queues.forget(key);
    return () => kept && this.queues.keep({ key, ...kept });
  }
}
