// @ts-check
// The filmstrip of a queue: every photo with its crop frame; a click opens one.

import { stateOf } from '../model/queue.js';
import { revealInRow } from '../ui/chips.js';
import { node, setAttribute } from '../ui/dom.js';
import { icon } from '../ui/icons.js';
import { rovingTabindex, settle } from '../ui/roving-tabindex.js';
import { words } from '../ui/words.js';
import { QueueLook } from './queue-look.js';

/** @typedef {import('../model/queue.js').Item} Item */

/** @type {Record<import('../model/queue.js').ItemState, import('../ui/words.js').WordKey>} */
export const STATES = { open: 'stateOpen', framed: 'stateFramed', cropped: 'stateCropped', saved: 'stateSaved' };

/** @typedef {{ item: Item, look: QueueLook, button: HTMLButtonElement, mark: HTMLElement }} Thumb */

export class Filmstrip {
  /** @type {Thumb[]} */ #thumbs = [];
  /** @type {Item | undefined} */ #current;

  /**
   * @param {import('../model/model.js').Model} model @param {import('../../Element/crop-view.js').CropView} view
   * @param {import('./queue-look.js').QueueThumbnails} thumbnails
   */
  constructor(model, view, thumbnails) {
    this.model = model;
    this.parts = { model, view };
    this.thumbnails = thumbnails;
    this.root = node('div.filmstrip', { role: 'toolbar', 'aria-label': words('queueLabel') });
    rovingTabindex(this.root, '');
    /** @type {WeakMap<Element, QueueLook>} */ this.looks = new WeakMap();
    this.seen = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) void this.looks.get(target)?.load();
    }, { root: this.root, rootMargin: '0px 200px' });
  }

  /** Shows the current state of the queue. */
  update() {
    const { queue: { items, current } } = this.model;
    const isSame = items.length === this.#thumbs.length && items.every((item, at) => item === this.#thumbs[at].item);
    if (!isSame) this.#build(items);
    for (const { item, look, button, mark } of this.#thumbs) {
      const state = stateOf(item);
      const isCurrent = item === current;
      setAttribute(button, 'aria-pressed', isCurrent);
      setAttribute(button, 'aria-label', `${item.file.name}, ${words(look.update() ? STATES[state] : 'queueUnfit')}`);
      if (mark.dataset.state !== state) {
        mark.dataset.state = state;
        mark.replaceChildren(...(state === 'saved' ? [icon('check', 12)] : []));
      }
      if (isCurrent && item !== this.#current) revealInRow(button);
    }
    this.#current = current;
    settle(this.root);
  }

  /** @param {Item[]} items */
  #build(items) {
    this.seen.disconnect();
    this.#thumbs = items.map((item, at) => {
      const look = new QueueLook(item, this.thumbnails, this.parts);
      const mark = node('span.mark', { 'aria-hidden': 'true' });
      const button = node('button.thumb', { type: 'button', title: item.file.name,
        onclick: () => { if (at !== this.model.queue.at) this.model.opener.select(at); } }, look.root, mark);
      this.looks.set(button, look);
      this.seen.observe(button);
      return { item, look, button, mark };
    });
    this.#current = undefined;
    this.root.replaceChildren(...this.#thumbs.map(({ button }) => button));
  }
}
