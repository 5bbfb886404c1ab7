// @ts-check
// A card on the home screen with the unsaved work.

import { chip } from '../ui/chips.js';
import { node } from '../ui/dom.js';
import { formatNumber, words } from '../ui/words.js';

export class UnsavedCard {
  /**
   * @param {import('../model/model.js').Model} model
   * @param {{ draft(draft: { id: string, name: string }): void, queue(key: string): void }} open
   */
  constructor(model, open) {
    this.model = model;
    this.open = open;
    this.list = node('ul.drafts-list');
    this.root = node('section.drafts', { 'aria-labelledby': 'drafts-title', hidden: true },
      node('div.heading', {}, node('h2', { id: 'drafts-title' }, words('draftsTitle')),
        chip(words('clearNow'), () => void this.#clear())),
      node('p.explain', {}, words('draftsText')), this.list);
    model.unsaved.addEventListener('change', () => {
      if (!model.photo) void this.show();
    });
  }

  async show() {
    const { queues, drafts } = await this.model.unsaved.list();
    const choices = [
      ...queues.map(({ key, items }) => ({
        label: words('queueContinue', items[0].name, formatNumber(items.length - 1)),
        act: () => this.open.queue(key),
      })),
      ...drafts.map((draft) => ({
        label: words('draftContinue', draft.name), act: () => this.open.draft(draft),
      })),
    ];
    this.root.hidden = choices.length === 0;
    this.list.replaceChildren(...choices.slice(0, 6).map(({ label, act }) => node('li', {},
      node('button.secondary', { type: 'button', onclick: act, title: label }, label))));
  }

  async #clear() {
    await this.model.unsaved.clear();
    await this.show();
  }
}
