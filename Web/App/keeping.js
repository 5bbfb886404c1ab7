// @ts-check
// Keeps what was framed, brings it back, and asks where the browser can't keep it.

import { Drafts } from './drafts.js';
import { KeptQueues } from './kept-queues.js';
import { node } from './dom.js';
import { formatNumber, words } from './words.js';

/**
 * @typedef {object} Parts
 * @property {import('./work.js').Work} work
 * @property {import('./editor.js').Editor} editor
 * @property {import('./queue.js').Queue} queue
 */

export class Keeping {
  drafts = new Drafts();
  queues = new KeptQueues();
  /** Whether photos were brought back and nobody was told yet. */
  #isUntold = false;

  /**
   * @param {Parts} parts
   * @param {{ draft(draft: { id: string, name: string }): void, queue(key: string): void,
   *   home(): void }} open
   */
  constructor(parts, open) {
    this.parts = parts;
    this.open = open;
    this.list = node('ul.drafts-list');
    /** On the first screen: what waits to be gone on with. */
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
    const { recipe } = view;
    if (!photo?.id || !view.picture) return;
    if (!recipe || !view.canReset) {
      queue.framed(null);
      if (this.drafts.has(photo.id)) this.#drop(photo);
    } else if (JSON.stringify(recipe) !== photo.saved) {
      queue.framed(recipe);
      // A queue is kept as a whole, unless the library keeps its photos.
      if (queue.current && (!photo.entry || queue.current.isSaved)) return;
      this.#keep(photo, recipe);
    }
  }

  /**
   * @param {import('./photo.js').Photo} photo @param {import('../Element/core.js').Recipe | null} recipe
   */
  #keep({ id = '', name, entry, original, targets }, recipe) {
    this.drafts.keep({ id, name, recipe, file: entry ? null : original, targets });
  }

  /**
   * What is framed need not be kept; the targets of a file still are.
   * @param {import('./photo.js').Photo} photo
   */
  #drop(photo) {
    if (photo.targets && !photo.entry) this.#keep(photo, null);
    else if (photo.id) void this.drafts.forget(photo.id);
  }

  /**
   * Keeps a file's targets, beside what is framed of it.
   * @param {import('./photo.js').Photo} photo
   */
  targets(photo) {
    const { view } = this.parts.editor;
    if (photo.id) this.#keep(photo, view.canReset ? view.recipe : null);
  }

  /**
   * A file's targets are where the person wants them.
   * @param {import('./photo.js').Photo} photo
   */
  savedTargets(photo) {
    const { view } = this.parts.editor;
    const isFramed = view.canReset && JSON.stringify(view.recipe) !== photo.saved;
    if (photo.id && !isFramed) void this.drafts.forget(photo.id);
  }

  /** The result of what is framed is where the person wants it. */
  saved() {
    const { work: { photo }, editor: { view }, queue } = this.parts;
    queue.markSaved();
    if (!photo?.id) return;
    photo.saved = JSON.stringify(view.recipe);
    this.#drop(photo);
  }

  /** @param {import('./queue.js').Item[]} items are where the person wants them */
  savedOf(items) {
    this.parts.queue.markSaved(items);
    for (const { id } of items) if (id) void this.drafts.forget(id);
  }

  /**
   * Brings several photos back that were kept.
   * @param {string} key @returns {Promise<boolean>} false where they are not there any more
   */
  async restore(key) {
    const { queue } = this.parts;
    if (queue.key === key) return true;
    const kept = await this.queues.find(key);
    if (!kept) return false;
    queue.restore(key, kept);
    this.#isUntold = true;
    return true;
  }

  /** Ends a queue: what was done to it stays kept, and nothing else. */
  endQueue() {
    const { queue } = this.parts;
    if (queue.key && !queue.unsaved.length) void this.queues.forget(queue.key);
    queue.end();
    this.#isUntold = false;
  }

  /** Whether nothing would be lost with the present queue, once it is written. */
  async isQueueSafe() {
    await this.queues.settled();
    return this.queues.atRisk(this.parts.queue) === 0;
  }

  /** Says that a frame, or several photos, were brought back, and lets them go. */
  told() {
    const { work: { photo }, editor, queue } = this.parts;
    if (queue.current) {
      if (!this.#isUntold) return;
      this.#isUntold = false;
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
    const { id, name } = photo;
    editor.toast.show({ title: words('draftBack'), detail: name, seconds: 10, isPassing: true, actions: [
      { label: words('clearNow'), act: () => {
        editor.toast.clear();
        void this.drafts.forget(id);
        editor.view.reset();
      } },
    ] });
  }

  /** Lists what waits to be gone on with. */
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
