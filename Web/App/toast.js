// @ts-check
// What has just been done, and what can be done with it: a card over the controls, never over the
// photo. It leaves when the person goes on, and can be brought back.

import { animate, node } from './dom.js';
import { icon } from './icons.js';
import { words } from './words.js';

/** @typedef {{ label: string, act: () => void, href?: string, file?: string }} Action */

/**
 * @typedef {object} Content
 * @property {string} title @property {string} [detail]
 * @property {Blob} [picture] @property {DOMRect | null} [from] where the picture comes from
 * @property {Action[]} [actions]
 * @property {number} [seconds] after which it leaves by itself
 * @property {boolean} [isPassing] it tells of nothing that was saved, and does not come back
 */

/** How far a press moves at most, in CSS pixels. */
const DRAG = 10;

/** Keys that lead to the card, or do nothing alone. */
const WALKING = new Set(['Tab', 'Shift', 'Control', 'Alt', 'Meta']);

export class Toast {
  #url = '';
  #timer = 0;

  /** @type {Content | null} */ #last = null;

  /** @param {() => void} changed whether there is something to bring back, or the keyboard is free */
  constructor(changed) {
    this.changed = changed;
    this.host = node('div.toasts', { role: 'status' });
    // Whoever presses elsewhere goes on; the press itself does what it does.
    const goOn = (/** @type {Event} */ { target }) => {
      if (!this.host.contains(/** @type {Node} */ (target))) this.leave();
    };
    // Where the panel is pressed.
    /** @type {PointerEvent | null} */ let pressed = null;
    addEventListener('pointerdown', (event) => {
      // Without the card the panel may scroll: what is pressed stays where it is until it is let go.
      pressed = /** @type {Element} */ (event.target).closest?.('.panel') ? event : null;
      if (!pressed) goOn(event);
    }, { capture: true });
    addEventListener('pointerup', (event) => {
      // After a drag no click need follow.
      if (pressed && Math.hypot(event.x - pressed.x, event.y - pressed.y) > DRAG) goOn(pressed);
      pressed = null;
    }, { capture: true });
    addEventListener('click', goOn, { capture: true });
    addEventListener('keydown', (event) => {
      // In WebKitGTK Tab with Shift has no name, only its place.
      if (!WALKING.has(event.key) && event.code !== 'Tab') goOn(event);
    }, { capture: true });
  }

  /** @param {Content} content */
  show(content) {
    const { title, detail, picture, actions = [], from, seconds } = content;
    this.leave();
    if (!content.isPassing) this.#last = content;
    this.changed();
    const text = node('div.text', {}, node('strong', {}, title),
      detail && node('p', { title: detail }, detail));
    const buttons = actions.map(({ label, act, href, file }) => (href
      ? node('a.chip', { href, download: file }, label)
      : node('button.chip', { type: 'button', onclick: act }, label)));
    const image = picture && node('img', { alt: '', src: this.#url = URL.createObjectURL(picture) });
    const card = node('div.toast', {}, image, text,
      node('button.quiet.square', {
        type: 'button', 'aria-label': words('dismiss'), onclick: () => this.leave(),
      }, icon('close', 20)),
      buttons.length > 0 && node('div.actions', {}, ...buttons));
    this.host.append(card);
    if (seconds) this.#timer = window.setTimeout(() => this.leave(), seconds * 1000);
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

  /** Whether something was done that can be brought back. */
  get canReturn() {
    return this.#last !== null;
  }

  /** Brings the card back. */
  again() {
    if (this.#last) this.show({ ...this.#last, from: null });
  }

  /** Takes the card away. */
  leave() {
    clearTimeout(this.#timer);
    if (this.#url) URL.revokeObjectURL(this.#url);
    this.#url = '';
    const hadKeyboard = this.host.contains(document.activeElement);
    this.host.replaceChildren();
    // Somebody is to take it.
    if (hadKeyboard) this.changed();
  }

  /** Forgets what was done, as with another photo. */
  clear() {
    this.leave();
    this.#last = null;
    this.changed();
  }
}
