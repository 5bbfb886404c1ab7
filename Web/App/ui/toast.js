// @ts-check
// The last action and what can be done about it: a card over the controls, never over the photo. It disappears
// when the user continues, and can be shown again.

import { chip } from './chips.js';
import { animate, node } from './dom.js';
import { icon } from './icons.js';
import { words } from './words.js';

/** @typedef {{ label: string, act: () => void, href?: string, file?: string }} Action */

/**
 * @typedef {object} Content
 * @property {string} title @property {string} [detail] @property {string} [facts] another line
 * @property {Blob} [picture] one that the browser can show
 * @property {DOMRect | null} [from] where the image's animation starts
 * @property {string[]} [notes] warnings @property {Action[]} [actions]
 * @property {number} [seconds] after which it disappears
 * @property {boolean} [isPassing] whether it is not about a saved file and is not shown again
 */

/** The maximum movement of a click, in CSS pixels. */
const DRAG = 10;

/** Keys that move the focus to the card, and modifier keys. */
const FOCUS_KEYS = new Set(['Tab', 'Shift', 'Control', 'Alt', 'Meta']);

export class Toast {
  #url = '';

  /** @type {Content | null} */ #last = null;

  /**
   * @param {() => void} changed called when the card can be shown again or not, and when it had the focus and is
   * gone
   */
  constructor(changed) {
    this.changed = changed;
    this.host = node('div.toasts', { role: 'status' });
    new ResizeObserver(() => {
      const screen = /** @type {HTMLElement | null} */ (this.host.closest('.work'));
      screen?.style.setProperty('--ck-toast', `${this.host.offsetHeight}px`);
    }).observe(this.host);
    // A click elsewhere dismisses the card, and has its usual effect.
    const goOn = (/** @type {Event} */ { target }) => {
      if (!this.host.contains(/** @type {Node} */ (target))) this.leave();
    };
    // The event of a click on the panel.
    /** @type {PointerEvent | null} */ let pressed = null;
    addEventListener('pointerdown', (event) => {
      // Without the card the panel may scroll, which would move the control under the pointer: wait for the
      // release.
      pressed = /** @type {Element} */ (event.target).closest?.('.panel') ? event : null;
      if (!pressed) goOn(event);
    }, { capture: true });
    addEventListener('pointerup', (event) => {
      // A drag need not be followed by a click.
      if (pressed && Math.hypot(event.x - pressed.x, event.y - pressed.y) > DRAG) goOn(pressed);
      pressed = null;
    }, { capture: true });
    addEventListener('click', goOn, { capture: true });
    addEventListener('keydown', (event) => {
      // In WebKitGTK, Shift+Tab has a different key name; only its code is the same.
      if (!FOCUS_KEYS.has(event.key) && event.code !== 'Tab') goOn(event);
    }, { capture: true });
  }

  /** @param {Content} content */
  show(content) {
    const { title, detail, facts, picture, notes = [], actions = [], from, seconds } = content;
    this.leave();
    if (!content.isPassing) this.#last = content;
    this.changed();
    const text = node('div.text', {}, node('strong', {}, title),
      detail && node('p', { title: detail }, detail), facts && node('p', {}, facts));
    const buttons = actions.map(({ label, act, href, file }) => (href
      ? node('a.chip', { href, download: file }, label)
      : chip(label, act)));
    const image = picture && node('img', { alt: '', src: this.#url = URL.createObjectURL(picture) });
    image?.addEventListener('error', () => image.remove());
    const card = node('div.toast', {}, image, text,
      node('button.quiet.square', {
        type: 'button', 'aria-label': words('dismiss'), onclick: () => this.leave(),
      }, icon('close', 20)),
      ...notes.map((text) => node('p.warning', {}, text)),
      buttons.length > 0 && node('div.actions', {}, ...buttons));
    this.host.append(card);
    if (seconds) {
      // An animation, so that the style can pause it.
      card.style.setProperty('--ck-stay', `${seconds}s`);
      card.classList.add('passing');
      card.addEventListener('animationend', () => this.leave());
    }
    if (image && from) this.#fly(image, from);
    else animate(card, [{ opacity: 0, transform: 'translateY(8px)' }, {}], 180);
  }

  /**
   * Animates the result from its place in the editor to the card.
   * @param {HTMLImageElement} image @param {DOMRect} from
   */
  async #fly(image, from) {
    await image.decode().catch(() => {});
    const to = image.getBoundingClientRect();
    if (!to.width || !from.width) return;
    const x = from.x + from.width / 2 - (to.x + to.width / 2);
    const y = from.y + from.height / 2 - (to.y + to.height / 2);
    // Both have the shape of the crop.
    const scale = `${from.width / to.width}, ${from.height / to.height}`;
    await animate(image, [{ transform: `translate(${x}px, ${y}px) scale(${scale})` }, { transform: 'none' }], 280);
  }

  /** Whether there is a card that can be shown again. */
  get canReturn() {
    return this.#last !== null;
  }

  /** Shows the card again. */
  again() {
    if (this.#last) this.show({ ...this.#last, from: null });
  }

  /** Removes the card. */
  leave() {
    if (this.#url) URL.revokeObjectURL(this.#url);
    this.#url = '';
    const hadKeyboard = this.host.contains(document.activeElement);
    this.host.replaceChildren();
    // Moves the focus elsewhere.
    if (hadKeyboard) this.changed();
  }

  /** Forgets the card, for example when another photo is opened. */
  clear() {
    this.leave();
    this.#last = null;
    this.changed();
  }
}
