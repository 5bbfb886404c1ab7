// @ts-check
// Stores unsaved crops, restores them, and asks the user if the browser can't store them.

import { Drafts } from './drafts.js';
import { QueueStorage } from './queue-storage.js';
import { node } from '../ui/dom.js';
import { formatNumber, words } from '../ui/words.js';

/**
 * @typedef {object} Dependencies
 * @property {import('../shell/current-task.js').CurrentTask} work
 * @property {import('../editor/editor.js').Editor} editor
 * @property {import('../editor/queue.js').Queue} queue
 */

/**
 * The crop and its canvas, as text.
 * @param {import('../../Element/crop-view.js').CropView} view
 */
function framingOf({ recipe, canvasOptions }) {
  return JSON.stringify(canvasOptions ? [recipe, canvasOptions] : recipe);
}

export class SessionStorage {
  /** Whether photos were restored and this was not announced yet. */
  #isRestored = false;

  /**
   * @param {Dependencies} parts
   * @param {{ draft(draft: { id: string, name: string }): void, queue(key: string): void,
   *   gallery(photo: string): void, home(): void }} open
   */
  constructor(parts, open) {
    this.parts = parts;
    this.open = open;
    const changed = () => {
      if (!parts.work.photo) void this.show();
    };
    this.drafts = new Drafts((id) => parts.work.photo?.id === id, changed);
    this.queues = new QueueStorage(parts.queue, changed);
    this.list = node('ul.drafts-list');
    /** A card on the home screen with the unsaved work. */
    this.card = node('section.drafts', { 'aria-labelledby': 'drafts-title', hidden: true },
      node('div.heading', {}, node('h2', { id: 'drafts-title' }, words('draftsTitle')),
        node('button.chip', { type: 'button', onclick: () => void this.clear() }, words('clearNow'))),
      node('p.explain', {}, words('draftsText')), this.list);
    parts.editor.view.addEventListener('change', () => this.#changed());
    addEventListener('beforeunload', (event) => {
      if (this.drafts.hasUnsafe || this.queues.atRisk(parts.queue)) event.preventDefault();
    });
  }

  #changed() {
    const { work: { photo }, editor: { view }, queue } = this.parts;
    if (!photo?.id || !view.picture) return;
    const recipe = view.canReset ? view.recipe : null;
    queue.framed(recipe, recipe && view.canvasOptions);
    // It may be the saved crop again, or that of a saved photo that was opened again.
    if (framingOf(view) === photo.saved) queue.markSaved();
    else if (queue.current?.isSaved) photo.saved = framingOf(view);
    if (!recipe || framingOf(view) === photo.saved) {
      if (this.drafts.has(photo.id)) this.#drop(photo);
    // A queue is stored as a whole, unless its photos are in the library.
    } else if (!queue.current || photo.entry) this.#keep(photo, recipe);
  }

  /**
   * @param {import('../editor/photo.js').Photo} photo @param {import('../../Element/core.js').Recipe | null} recipe
   */
  #keep({ id = '', name, entry, original, targets, gallery }, recipe) {
    const canvas = recipe && this.parts.editor.view.canvasOptions;
    this.drafts.keep({ id, name, recipe, canvas, file: entry ? null : original, targets, gallery });
  }

  /**
   * Discards the crop's draft; the targets of a file are kept.
   * @param {import('../editor/photo.js').Photo} photo
   */
  #drop(photo) {
    if (photo.targets && !photo.entry) this.#keep(photo, null);
    else if (photo.id) void this.drafts.forget(photo.id);
  }

  /**
   * Stores a file's targets together with its crop.
   * @param {import('../editor/photo.js').Photo} photo
   */
  targets(photo) {
    const { view } = this.parts.editor;
    if (photo.id) this.#keep(photo, view.canReset ? view.recipe : null);
  }

  /**
   * Call this after a file's targets were saved.
   * @param {import('../editor/photo.js').Photo} photo
   */
  savedTargets(photo) {
    const { view } = this.parts.editor;
    const isFramed = view.canReset && framingOf(view) !== photo.saved;
    if (photo.id && !isFramed) void this.drafts.forget(photo.id);
  }

  /** Call this after the result of the crop was saved. */
  saved() {
    const { work: { photo }, editor: { view }, queue } = this.parts;
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
    const { work: { photo }, queue } = this.parts;
    if (!photo) return;
    photo.saved = framing;
    if (!framing) queue.markSaved(undefined, false);
    this.#changed();
  }

  /** @param {import('../editor/queue.js').Item[]} items that were saved */
  savedOf(items) {
    const { work: { photo }, editor: { view }, queue } = this.parts;
    queue.markSaved(items);
    if (photo && items.some(({ id }) => id === photo.id)) photo.saved = framingOf(view);
    for (const { id } of items) if (id) void this.drafts.forget(id);
  }

  /**
   * Restores a stored queue of photos.
   * @param {string} key @returns {Promise<boolean>} false if it is not stored any more
   */
  async restore(key) {
    const { queue } = this.parts;
    if (queue.key === key) return true;
    const kept = await this.queues.find(key);
    if (!kept) return false;
    queue.restore(key, kept);
    this.#isRestored = true;
    return true;
  }

  /** Ends a queue. Photos with changes stay stored, others do not. */
  endQueue() {
    const { queue } = this.parts;
    if (queue.key && !queue.unsaved.length) void this.queues.forget(queue.key);
    queue.end();
    this.#isRestored = false;
  }

  /** Whether ending the current queue would lose nothing, once it is written. */
  async isQueueSafe() {
    await this.queues.settled();
    return this.queues.atRisk(this.parts.queue) === 0;
  }

  /**
   * Reports that a crop or a queue was restored, and offers to discard it.
   * @param {boolean} [isOutdated] whether the photo's crop in its gallery has changed since
   */
  announceRestored(isOutdated = false) {
    const { work: { photo }, editor, queue } = this.parts;
    if (queue.current) {
      if (!this.#isRestored) return;
      this.#isRestored = false;
      editor.toast.show({ title: words('queueBack'), seconds: 10, isPassing: true,
        detail: words('queuePlace', formatNumber(queue.at + 1), formatNumber(queue.items.length)),
        actions: [{ label: words('clearNow'), act: () => {
          void this.queues.forget(queue.key);
          queue.end();
          this.open.home();
        } }] });
      return;
    }
    if (!photo?.id || !editor.view.canReset) return;
    const { id, name, gallery } = photo;
    const detail = gallery && isOutdated ? words('galleryNewer', gallery.gallery) : name;
    editor.toast.show({ title: words('draftBack'), detail, seconds: 10, isPassing: true, actions: [
      { label: words('clearNow'), act: () => {
        editor.toast.clear();
        void this.drafts.forget(id);
        if (gallery) this.open.gallery(gallery.photo);
        else editor.view.reset();
      } },
    ] });
  }

  /** Lists the unsaved work. */
  async show() {
    await this.queues.settled();
    const [queues, drafts] = await Promise.all([this.queues.list(), this.drafts.list()]);
    const ways = [
      ...queues.map(({ key, items }) => ({
        label: words('queueContinue', items[0].name, formatNumber(items.length - 1)),
        act: () => this.open.queue(key),
      })),
      ...drafts.map((draft) => ({
        label: words('draftContinue', draft.name), act: () => this.open.draft(draft),
      })),
    ];
    this.card.hidden = ways.length === 0;
    this.list.replaceChildren(...ways.slice(0, 6).map(({ label, act }) => node('li', {},
      node('button.secondary', { type: 'button', onclick: act, title: label }, label))));
  }

  async clear() {
    await Promise.all([this.drafts.clear(), this.queues.clear()]);
    await this.show();
  }
}
