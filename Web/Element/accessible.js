// @ts-check
// The scene's accessible elements as focusable DOM nodes over the canvas, and the live region.

import { Action, Element, ElementRole, Rule, Shape } from './interface.js';
import { inEnglish } from './words.js';

/** @typedef {import('./words.js').ElementWords} ElementWords */

/** The suffixes of the words' keys, by the codes of elements, announcements and rules. */
const HANDLES = capitalized(Element);
const ROLES = Object.keys(ElementRole);
const RULES = capitalized(Rule);

/**
 * The words for a shape, by its code.
 * @type {Readonly<Record<number, import('./words.js').WordKey>>}
 */
const SHAPES = Object.freeze({
  [Shape.rectangle]: 'shapeRectangle', [Shape.ellipse]: 'shapeEllipse', [Shape.rounded]: 'shapeRounded',
});

/** How far a focus ring reaches around its node, in CSS pixels, as in the style. */
const RING = 6;

/** @typedef {import('./interface.js').AccessibleItem} Item */

/**
 * Keeps one focusable node for each element of the core.
 *
 * Handles are range inputs, since assistive technology on touch screens can adjust no other kind of focusable
 * element. The image and the selection move in two directions, so they are application elements, and arrow keys
 * reach the core.
 */
export class Accessible {
  /**
   * @param {HTMLElement} root @param {HTMLElement} live
   * @param {{ focused(): void, focus(key: number): void, adjust(key: number, up: boolean): void }} actions
   */
  constructor(root, live, actions) {
    this.root = root;
    this.live = live;
    this.actions = actions;
    /** @type {Map<number, HTMLElement>} */
    this.nodes = new Map();
    this.saying = 0;
    this.words = inEnglish;
    root.addEventListener('focusin', (event) => {
      actions.focused();
      const key = keyOf(event.target);
      if (key !== null) actions.focus(key);
    });
    root.addEventListener('focusout', (event) => {
      if (!root.contains(/** @type {Node | null} */ (event.relatedTarget))) actions.focus(-1);
    });
    // Events of the inner fields must not be mistaken for the element's own.
    root.addEventListener('change', (event) => event.stopPropagation());
    root.addEventListener('input', (event) => {
      event.stopPropagation();
      const input = /** @type {HTMLInputElement} */ (event.target);
      const before = Number(input.defaultValue);
      const key = keyOf(input);
      if (key !== null && Number(input.value) !== before) {
        actions.adjust(key, Number(input.value) > before);
      }
    });
  }

  /**
   * Uses other words from now on.
   * @param {ElementWords} words
   */
  speak(words) {
    this.words = words;
    this.clear();
  }

  /** Removes all nodes; the next update recreates them. */
  clear() {
    this.root.replaceChildren();
    this.nodes.clear();
  }

  /** The key of the focused element, or null. */
  get focusedKey() {
    const root = /** @type {ShadowRoot} */ (this.root.getRootNode());
    return keyOf(root.activeElement);
  }

  /** The node of the selection or, without one, of the image; undefined without an image. */
  get main() {
    return this.nodes.get(Element.selection) ?? this.nodes.get(Element.picture);
  }

  /** Takes the focus after a pointer press, without a visible ring or scrolling. */
  takeFocus() {
    if (this.focusedKey === null) this.main?.focus({ preventScroll: true });
  }

  /** @param {readonly Item[]} items */
  update(items) {
    const focused = this.focusedKey;
    const keys = new Set(items.map((item) => item.key));
    const hasSelection = keys.has(Element.selection);
    for (const item of items) this.place(item, hasSelection);
    for (const [key, node] of this.nodes) {
      if (keys.has(key)) continue;
      this.nodes.delete(key);
      node.remove();
    }
    if (focused === null) return;
    const wanted = items.find((item) => item.isFocused)?.key
      ?? (keys.has(focused) ? focused : Element.picture);
    if (wanted !== this.focusedKey) this.nodes.get(wanted)?.focus({ preventScroll: true });
  }

  /** @param {Item} item @param {boolean} hasSelection */
  place(item, hasSelection) {
    let node = this.nodes.get(item.key);
    if (!node) {
      node = makeNode(item, this.words);
      this.nodes.set(item.key, node);
      // The document order is the Tab order: the image, the selection, the handles clockwise.
      const next = [...this.root.children].find((other) => (keyOf(other) ?? 0) > item.key);
      this.root.insertBefore(node, next ?? null);
    }
    const { style } = node;
    // The image and the selection may be larger than the view.
    const isHandle = item.key >= Element.topLeft;
    [style.left, style.width] = span(item.frame.x, item.frame.width, isHandle);
    [style.top, style.height] = span(item.frame.y, item.frame.height, isHandle);
    describe(node, item, hasSelection, this.words);
  }

  /** @param {import('./interface.js').Announcement | null} announcement */
  announce(announcement) {
    const text = announcement && announced(announcement, this.words);
    if (text === null) return;
    // Held keys change the selection many times a second; only the final value is announced.
    clearTimeout(this.saying);
    this.saying = window.setTimeout(() => {
      this.live.textContent = text;
    }, 250);
  }
}

/**
 * The text of an announcement; null if it has none.
 * @param {import('./interface.js').Announcement} announcement @param {ElementWords} words
 */
export function announced(announcement, words) {
  const { kind, ...values } = announcement;
  const detail = announcement.kind === 'violatedRule' ? RULES[announcement.rule]
    : announcement.kind === 'ratio' && announcement.width === 0 ? 'Free' : '';
  const key = `said${capitalized({ [kind]: 0 })[0]}${detail}`;
  if (!words.has(key)) return null;
  if (announcement.kind === 'shape') return words.phrase(key, words.phrase(SHAPES[announcement.shape]));
  return words.phrase(key, ...Object.values(values).map((value) => spoken(value, words)));
}

/**
 * Capitalized names by code.
 * @param {Readonly<Record<string, number>>} codes
 */
function capitalized(codes) {
  /** @type {string[]} */
  const names = [];
  for (const [name, code] of Object.entries(codes)) names[code] = name[0].toUpperCase() + name.slice(1);
  return Object.freeze(names);
}

/** @param {number} value @param {ElementWords} words */
function spoken(value, words) {
  return words.number(value, Number.isInteger(value) ? 0 : 1);
}

/**
 * The position and the size of a node in one direction, in CSS.
 * @param {number} start @param {number} size @param {boolean} keepsRing whether it leaves room for the focus ring at
 *   the edges of the view
 */
function span(start, size, keepsRing) {
  if (!keepsRing) return [`${start}px`, `${size}px`];
  const [first, last] = [start, start + size].map((place) => `clamp(${RING}px, ${place}px, 100% - ${RING}px)`);
  return [first, `calc(${last} - ${first})`];
}

/** @param {EventTarget | null} node */
function keyOf(node) {
  return node instanceof HTMLElement && node.dataset.key ? Number(node.dataset.key) : null;
}

/** @param {Item} item @param {ElementWords} words */
function makeNode(item, words) {
  const adjustable = (item.actions & Action.increment) !== 0 && item.role === ElementRole.handle;
  const node = document.createElement(adjustable ? 'input' : 'div');
  node.dataset.key = String(item.key);
  node.className = ROLES[item.role] ?? 'handle';
  node.setAttribute('part', node.className);
  node.tabIndex = 0;
  if (node instanceof HTMLInputElement) {
    node.type = 'range';
    node.min = '0';
  } else {
    node.setAttribute('role', 'application');
    const key = item.role === ElementRole.picture ? 'rolePicture' : 'roleSelection';
    node.setAttribute('aria-roledescription', words.phrase(key));
  }
  return node;
}

/**
 * @param {HTMLElement} node @param {Item} item @param {boolean} hasSelection
 * @param {ElementWords} words
 */
function describe(node, item, hasSelection, words) {
  const { width, height, x, y } = item.value;
  const values = [width, height, x, y].map((value) => spoken(value, words));
  const name = `handle${HANDLES[item.key]}`;
  if (item.key === Element.picture) {
    const size = words.phrase('picture', ...values);
    node.setAttribute('aria-label', hasSelection ? size : `${size}. ${words.phrase('pictureHint')}`);
  } else if (item.key === Element.selection) {
    node.setAttribute('aria-label', words.phrase('selection', ...values));
  } else if (words.has(name)) {
    node.setAttribute('aria-label', words.phrase(name));
  }
  if (!(node instanceof HTMLInputElement)) return;
  // A number would not be informative; the text describes the complete selection.
  const value = Math.max(0, Math.round(width));
  node.max = String(value * 2 + 2);
  node.defaultValue = String(value);
  node.value = String(value);
  node.setAttribute('aria-valuetext', words.phrase('place', ...values));
}
