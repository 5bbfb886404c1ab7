// @ts-check
// What has just been done, and what can be done with it: over the photo, until it is put away.

import { animate, node } from './dom.js';
import { icon } from './icons.js';
import { words } from './words.js';

/** @typedef {{ label: string, act: () => void, href?: string, file?: string }} Action */

export class Toast {
  #url = '';
  #timer = 0;

  constructor() {
    this.host = node('div.toasts', { role: 'status' });
  }

  /**
   * @param {{ title: string, detail?: string, picture?: Blob, actions?: Action[],
   *   from?: DOMRect | null, seconds?: number }} content `from` is where the picture comes from;
   *   without `seconds` it stays
   */
  show({ title, detail, picture, actions = [], from, seconds }) {
    this.clear();
    const text = node('div.text', {}, node('strong', {}, title),
      detail && node('p', { title: detail }, detail));
    const buttons = actions.map(({ label, act, href, file }) => (href
      ? node('a.chip', { href, download: file }, label)
      : node('button.chip', { type: 'button', onclick: act }, label)));
    const image = picture && node('img', { alt: '', src: this.#url = URL.createObjectURL(picture) });
    const card = node('div.toast', {}, image, text,
      node('button.quiet.square', {
        type: 'button', 'aria-label': words('dismiss'), onclick: () => this.clear(),
      }, icon('close', 20)),
      buttons.length > 0 && node('div.actions', {}, ...buttons));
    this.host.append(card);
    if (seconds) this.#timer = window.setTimeout(() => this.clear(), seconds * 1000);
    if (image && from) this.#fly(image, from);
    else animate(card, [{ opacity: 0, transform: 'translateY(8px)' }, {}], 180);
  }

  /**
   * The result goes from where it was framed to where it is kept.
   * @param {HTMLImageElement} image @param {DOMRect} from
   */
  async #fly(image, from) {
    await image.decode().catch(() => {});
    const to = image.getBoundingClientRect();
    if (!to.width || !from.width) return;
    const x = from.x + from.width / 2 - (to.x + to.width / 2);
    const y = from.y + from.height / 2 - (to.y + to.height / 2);
    const scale = Math.min(from.width / to.width, from.height / to.height);
    await animate(image, [
      { transform: `translate(${x}px, ${y}px) scale(${scale})`, opacity: 0.9 },
      { transform: 'none', opacity: 1 },
    ], 280);
  }

  clear() {
    clearTimeout(this.#timer);
    if (this.#url) URL.revokeObjectURL(this.#url);
    this.#url = '';
    this.host.replaceChildren();
  }
}
