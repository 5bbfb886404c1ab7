// @ts-check
// Errors and progress: one card at a time, over the photo.

import { chip } from './chips.js';
import { node } from './dom.js';
import { icon } from './icons.js';
import { formatBytes, words } from './words.js';

/** Shorter work shows nothing: a card that flashes is worse than none. */
const PATIENCE = 350;

/** Uploads of at least this many bytes show their progress. */
const LARGE = 2_000_000;

/** Shows problems and progress within a screen. */
export class Notices {
  constructor() {
    this.host = node('div.notices', { 'aria-live': 'polite' });
    this.timer = 0;
    // A drag on the photo shows that the user continues, and the card may cover a handle.
    addEventListener('pointerdown', ({ target }) => {
      if (target instanceof Element && target.matches('crop-view')) this.#leave();
    }, { capture: true });
  }

  /** Removes the card of a problem. */
  #leave() {
    if (this.host.querySelector('.problem')) this.clear();
  }

  clear() {
    clearTimeout(this.timer);
    this.host.replaceChildren();
  }

  /**
   * Removes the card of a problem that is solved.
   * @param {string} title
   */
  settle(title) {
    if (this.host.querySelector('strong')?.textContent === title) this.clear();
  }

  /**
   * @param {string} title what happened @param {string} detail what to do
   * @param {{label: string, act: () => void}[]} [actions]
   */
  problem(title, detail, actions = []) {
    this.clear();
    const card = node('div.notice.problem', { role: 'alert' },
      icon('warning'),
      node('div.text', {}, node('strong', {}, title), detail && node('p', {}, detail)),
      node('button.quiet.square', {
        type: 'button', 'aria-label': words('dismiss'), onclick: () => this.clear(),
      }, icon('close', 20)));
    if (actions.length) {
      card.append(node('div.actions', {}, ...actions.map(({ label, act }) => chip(label, () => {
        this.clear();
        act();
      }))));
    }
    this.host.replaceChildren(card);
  }

  /**
   * @param {string} text @param {() => void} cancel
   * @returns {{ sent(done: number, total: number): void, say(text: string): void }}
   */
  work(text, cancel) {
    this.clear();
    const label = node('span', {}, text);
    const bar = node('progress', { max: 1, 'aria-label': text });
    const card = node('div.notice.work', {},
      node('div.text', {}, label, bar),
      chip(words('cancel'), cancel));
    this.timer = window.setTimeout(() => this.host.replaceChildren(card), PATIENCE);
    return {
      sent: (done, total) => {
        if (total < LARGE) return;
        if (done >= total) {
          bar.removeAttribute('value');
          label.textContent = text;
          return;
        }
        bar.value = done / total;
        label.textContent = words('sendingPart', formatBytes(done), formatBytes(total));
      },
      say: (next) => {
        label.textContent = next;
      },
    };
  }
}

/**
 * Says that the library's server can't be reached.
 * @param {() => void} again
 */
export function offlineBanner(again) {
  return node('div.banner', { role: 'status', hidden: true }, icon('offline', 20),
    node('span', {}, words('offlineLibrary')), chip(words('tryAgain'), again));
}
