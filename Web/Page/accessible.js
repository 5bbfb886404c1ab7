// @ts-check
// The scene's accessible elements as focusable DOM over the canvas, and the live region.

import { formatNumber, isWordKey, words } from './words.js';

const PICTURE = 0;
const SELECTION = 1;

/** The codes of announcements whose value is not always a number to be read: a ratio, where any will
 * do; the rule that gave way; a shape. */
const [RATIO, GAVE_WAY, SHAPED] = [8, 10, 11];

/** The words for a shape, by its code. */
const SHAPES = Object.freeze(
  /** @type {const} */ (['shapeRectangle', 'shapeEllipse', 'shapeRounded']));

/** Actions an element offers, as bits. */
const INCREMENT = 1;

/** @typedef {{ key: number, role: number, x: number, y: number, width: number, height: number,
 *   isFocused: boolean, actions: number, values: Float64Array }} Item */

/**
 * Keeps one focusable node for each element of the core.
 *
 * Handles are range inputs: assistive technology on touch screens can then adjust them, which no
 * other focusable element allows. The picture and the selection move in two directions and are
 * application elements, so that arrow keys reach the core.
 */
export class Accessible {
  /**
   * @param {HTMLElement} root @param {HTMLElement} live
   * @param {{ focus(key: number): void, adjust(key: number, up: boolean): void }} actions
   */
  constructor(root, live, actions) {
    this.root = root;
    this.live = live;
    this.actions = actions;
    /** @type {Map<number, HTMLElement>} */
    this.nodes = new Map();
    this.saying = 0;
    root.addEventListener('focusin', (event) => {
      const key = keyOf(event.target);
      if (key !== null) actions.focus(key);
    });
    root.addEventListener('focusout', (event) => {
      if (!root.contains(/** @type {Node | null} */ (event.relatedTarget))) actions.focus(-1);
    });
    root.addEventListener('input', (event) => {
      const input = /** @type {HTMLInputElement} */ (event.target);
      const before = Number(input.defaultValue);
      const key = keyOf(input);
      if (key !== null && Number(input.value) !== before) {
        actions.adjust(key, Number(input.value) > before);
      }
    });
  }

  /** The key of the focused element, or null. */
  get focusedKey() {
    const root = /** @type {ShadowRoot} */ (this.root.getRootNode());
    return keyOf(root.activeElement);
  }

  /** Takes the keyboard after a press with a pointer, without a visible ring or a scroll. */
  takeFocus() {
    if (this.focusedKey === null) {
      (this.nodes.get(SELECTION) ?? this.nodes.get(PICTURE))?.focus({ preventScroll: true });
    }
  }

  /** @param {Float64Array} numbers the core's element list */
  update(numbers) {
    const focused = this.focusedKey;
    const items = parse(numbers);
    const keys = new Set(items.map((item) => item.key));
    const hasSelection = keys.has(SELECTION);
    for (const item of items) this.place(item, hasSelection);
    for (const [key, node] of this.nodes) {
      if (keys.has(key)) continue;
      this.nodes.delete(key);
      node.remove();
    }
    if (focused === null) return;
    const wanted = items.find((item) => item.isFocused)?.key
      ?? (keys.has(focused) ? focused : PICTURE);
    if (wanted !== this.focusedKey) this.nodes.get(wanted)?.focus({ preventScroll: true });
  }

  /** @param {Item} item @param {boolean} hasSelection */
  place(item, hasSelection) {
    let node = this.nodes.get(item.key);
    if (!node) {
      node = makeNode(item);
      this.nodes.set(item.key, node);
      // Document order is the order of Tab: the picture, the selection, the handles clockwise.
      const next = [...this.root.children].find((other) => (keyOf(other) ?? 0) > item.key);
      this.root.insertBefore(node, next ?? null);
    }
    const { style } = node;
    style.left = `${item.x}px`;
    style.top = `${item.y}px`;
    style.width = `${item.width}px`;
    style.height = `${item.height}px`;
    describe(node, item, hasSelection);
  }

  /** @param {Float64Array} numbers key, count, values … */
  announce(numbers) {
    const text = announced(numbers);
    if (text === null) return;
    // Held keys change the selection many times a second; only where it ends is said.
    clearTimeout(this.saying);
    this.saying = window.setTimeout(() => {
      this.live.textContent = text;
    }, 250);
  }
}

/**
 * What is said of an announcement; nothing of one without words.
 * @param {Float64Array} numbers key, count, values …
 */
export function announced(numbers) {
  const [code, , first] = numbers;
  const key = code === GAVE_WAY ? `said${code}rule${first}`
    : code === RATIO && first === 0 ? 'said8free' : `said${code}`;
  if (!isWordKey(key)) return null;
  if (code === SHAPED) return words(key, words(SHAPES[first] ?? SHAPES[0]));
  return words(key, ...[...numbers.subarray(2)].map((value) => spoken(value)));
}

/** @param {number} value */
function spoken(value) {
  return formatNumber(value, Number.isInteger(value) ? 0 : 1);
}

/** @param {EventTarget | null} node */
function keyOf(node) {
  return node instanceof HTMLElement && node.dataset.key ? Number(node.dataset.key) : null;
}

/** @param {Item} item */
function makeNode(item) {
  const adjustable = (item.actions & INCREMENT) !== 0 && item.role === 2;
  const node = document.createElement(adjustable ? 'input' : 'div');
  node.dataset.key = String(item.key);
  node.className = ['picture', 'selection', 'handle'][item.role] ?? 'handle';
  node.tabIndex = 0;
  if (node instanceof HTMLInputElement) {
    node.type = 'range';
    node.min = '0';
  } else {
    node.setAttribute('role', 'application');
    const key = item.role === 0 ? 'rolePicture' : 'roleSelection';
    node.setAttribute('aria-roledescription', words(key));
  }
  return node;
}

/** @param {HTMLElement} node @param {Item} item @param {boolean} hasSelection */
function describe(node, item, hasSelection) {
  const values = [...item.values].map((value) => spoken(value));
  const name = `handle${item.key}`;
  if (item.key === PICTURE) {
    const size = words('picture', ...values);
    node.setAttribute('aria-label', hasSelection ? size : `${size}. ${words('pictureHint')}`);
  } else if (item.key === SELECTION) {
    node.setAttribute('aria-label', words('selection', ...values));
  } else if (isWordKey(name)) {
    node.setAttribute('aria-label', words(name));
  }
  if (!(node instanceof HTMLInputElement)) return;
  // A number alone would say little; the text has the whole selection.
  const value = Math.max(0, Math.round(item.values[0]));
  node.max = String(value * 2 + 2);
  node.defaultValue = String(value);
  node.value = String(value);
  node.setAttribute('aria-valuetext', words('place', ...values));
}

/** @param {Float64Array} numbers @returns {Item[]} */
function parse(numbers) {
  /** @type {Item[]} */
  const items = [];
  for (let at = 0; at + 8 < numbers.length;) {
    const [key, role, x, y, width, height, focused, actions, count] = numbers.subarray(at, at + 9);
    items.push({
      key, role, x, y, width, height, actions, isFocused: focused !== 0,
      values: numbers.slice(at + 9, at + 9 + count),
    });
    at += 9 + count;
  }
  return items;
}
