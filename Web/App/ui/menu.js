// @ts-check
// A menu for rare or destructive actions, and a confirmation dialog.

import { node } from './dom.js';
import { icon } from './icons.js';
import { words } from './words.js';

/**
 * @typedef {{ label: string, act: () => void, isChosen?: boolean }} Item `isChosen`: whether it is the main
 * button's action
 */

let count = 0;

/** A button that opens a list of actions. */
export class Menu {
  /** @param {string} label */
  constructor(label) {
    const id = `menu-${count += 1}`;
    this.list = node('div.menu', { id, role: 'menu', 'aria-label': label, hidden: true });
    this.button = node('button.quiet.square', {
      type: 'button', 'aria-label': label, title: label, 'aria-haspopup': 'menu',
      'aria-expanded': 'false', 'aria-controls': id,
      onclick: () => (this.list.hidden ? this.open() : this.close()),
    }, icon('dots'));
    this.root = node('div.menu-host', {}, this.button, this.list);
    this.root.addEventListener('keydown', (event) => this.#key(event));
    this.root.addEventListener('focusout', ({ relatedTarget }) => {
      if (this.#isChanging || this.root.contains(/** @type {Node | null} */ (relatedTarget))) return;
      this.close(false);
    });
    addEventListener('pointerdown', ({ target }) => {
      if (!this.root.contains(/** @type {Node} */ (target))) this.close(false);
    });
  }

  /** Whether items are replaced, which takes the focus from them. */
  #isChanging = false;

  /**
   * Replaces the items. If the menu is open, it stays open, and the focus stays on the same action.
   * @param {Item[]} items an empty list hides the button
   */
  set(items) {
    const { list } = this;
    const at = document.activeElement;
    const focused = list.contains(at) && at?.textContent;
    this.#isChanging = true;
    this.root.hidden = items.length === 0;
    list.replaceChildren(...items.map(({ label, act, isChosen }) => node('button', {
      type: 'button', role: 'menuitem', tabindex: -1, 'aria-current': isChosen ? 'true' : null,
      onclick: () => {
        this.close();
        act();
      },
    }, label)));
    const buttons = /** @type {HTMLElement[]} */ ([...list.children]);
    if (focused) (buttons.find(({ textContent }) => textContent === focused) ?? buttons[0])?.focus();
    this.#isChanging = false;
  }

  open() {
    this.list.hidden = false;
    this.button.setAttribute('aria-expanded', 'true');
    /** @type {HTMLElement | null} */ (this.list.firstElementChild)?.focus();
  }

  close(takesFocus = true) {
    if (this.list.hidden) return;
    this.list.hidden = true;
    this.button.setAttribute('aria-expanded', 'false');
    if (takesFocus) this.button.focus();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (this.list.hidden) return;
    const items = /** @type {HTMLElement[]} */ ([...this.list.children]);
    const at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (event.key === 'Escape') this.close();
    else if (to !== undefined) items[(to + items.length) % items.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/**
 * Shows a dialog over the page, and removes it when it is closed.
 * @param {string} name prefix of its elements' ids @param {string} title
 * @param {...(Node | false)} children
 * @returns {HTMLDialogElement}
 */
export function showDialog(name, title, ...children) {
  /** @type {HTMLDialogElement} */
  const dialog = node('dialog.ask', { 'aria-labelledby': `${name}-title` },
    node('h2', { id: `${name}-title` }, title), ...children);
  dialog.addEventListener('close', () => dialog.remove(), { once: true });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Asks the user to confirm an action.
 * @param {string} title @param {string} text @param {string} label of the action
 * @returns {Promise<boolean>}
 */
export async function confirmed(title, text, label) {
  return await chosen(title, text, [['yes', label]]) === 'yes';
}

/**
 * Asks the user to choose an action.
 * @template {string} Answer
 * @param {string} title @param {string} text
 * @param {readonly (readonly [Answer, string])[]} choices each with its label
 * @returns {Promise<Answer | null>} null if cancelled
 */
export function chosen(title, text, choices) {
  const button = (/** @type {'primary' | 'secondary' | 'quiet'} */ look, /** @type {string} */ name,
    /** @type {string} */ answer) =>
    node(`button.${look}`, { type: 'button', onclick: () => dialog.close(answer) }, name);
  const actions = choices.length > 1
    ? node('div.actions.several', {}, ...choices.map(([answer, label]) => button('secondary', label, answer)),
      button('quiet', words('cancel'), ''))
    : node('div.actions', {}, button('secondary', words('cancel'), ''),
      ...choices.map(([answer, label]) => button('primary', label, answer)));
  const dialog = showDialog('ask', title, node('p', { id: 'ask-text' }, text), actions);
  dialog.setAttribute('aria-describedby', 'ask-text');
  return new Promise((resolve) => {
    dialog.addEventListener('close', () =>
      resolve(choices.find(([answer]) => answer === dialog.returnValue)?.[0] ?? null), { once: true });
  });
}
