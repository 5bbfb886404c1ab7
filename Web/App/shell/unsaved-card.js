// @ts-check
// A card on the home screen with the unsaved work.

import { chip } from '../ui/chips.js';
import { node } from '../ui/dom.js';
import { tool } from '../ui/icons.js';
import { formatNumber, words } from '../ui/words.js';

/**
 * @typedef {object} Choice
 * @property {string} label @property {string} name of the photo
 * @property {() => void} open @property {() => Promise<() => void>} discard returns what undoes it
 */

/** The number of crops that are listed at first. */
const FIRST = 6;

export class UnsavedCard {
  #isComplete = false;

  /**
   * @param {import('../model/model.js').Model} model
   * @param {{ draft(draft: { id: string, name: string }): void, queue(key: string): void }} open
   */
  constructor(model, open) {
    this.model = model;
    this.open = open;
    this.list = node('ul.drafts-list');
    this.all = chip(words('draftsAll'), () => {
      this.#isComplete = true;
      void this.show();
    });
    this.root = node('section.drafts', { 'aria-labelledby': 'drafts-title', hidden: true },
      node('div.heading', {}, node('h2', { id: 'drafts-title' }, words('draftsTitle'))),
      node('p.explain', {}, words('draftsText')), this.list, this.all);
    model.unsaved.addEventListener('change', () => {
      if (!model.photo) void this.show();
    });
  }

  async show() {
    const { unsaved } = this.model;
    const { queues, drafts } = await unsaved.list();
    /** @type {Choice[]} */
    const choices = [
      ...queues.map(({ key, items }) => ({
        label: words('queueContinue', items[0].name, formatNumber(items.length - 1)), name: items[0].name,
        open: () => this.open.queue(key), discard: () => unsaved.discardQueue(key),
      })),
      ...drafts.map((draft) => ({
        label: words('draftContinue', draft.name), name: draft.name,
        open: () => this.open.draft(draft), discard: () => unsaved.discardDraft(draft.id),
      })),
    ];
    this.root.hidden = choices.length === 0;
    const shown = this.#isComplete ? choices : choices.slice(0, FIRST);
    this.all.hidden = shown.length === choices.length;
    this.list.replaceChildren(...shown.map((choice) => this.#item(choice)));
  }

  /** @param {Choice} choice */
  #item({ label, name, open, discard }) {
    /** @type {HTMLElement} */
    const item = node('li', {}, node('button.secondary', { type: 'button', onclick: open, title: label }, label),
      tool('trash', words('draftDiscard', name), () => void this.#discard(item, name, discard)));
    return item;
  }

  /**
   * Discards an entry, and offers to undo that in its place.
   * @param {HTMLElement} item @param {string} name @param {Choice['discard']} discard
   */
  async #discard(item, name, discard) {
    const restore = await discard();
    const undo = chip(words('undo'), () => {
      restore();
      void this.show();
    });
    item.replaceChildren(node('span', { role: 'status' }, words('draftDiscarded', name)), undo);
    undo.focus({ preventScroll: true });
  }
}
