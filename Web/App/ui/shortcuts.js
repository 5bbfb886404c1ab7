// @ts-check
// The editor's shortcuts. They work whenever the focus is outside a text field; the photo has more while it is
// focused.

import { hasDialog, node } from './dom.js';
import { showDialog } from './menu.js';
import { setting } from './settings.js';
import { words } from './words.js';

/** @typedef {import('../../Element/crop-view.js').CropView} CropView */
/** @typedef {import('./words.js').WordKey} WordKey */

const zoom = (/** @type {CropView} */ view, /** @type {1 | -1} */ way) =>
  view.zoomBy((view.constants?.zoomStep ?? 1) ** way);

/**
 * Actions by `event.key`, with the prefixes `ctrl+` and `shift+`; command counts as ctrl on a Mac.
 * @type {Readonly<Record<string, (view: CropView) => unknown>>}
 */
const ACTIONS = Object.freeze({
  'ctrl+z': (view) => view.undo(),
  'ctrl+shift+z': (view) => view.redo(),
  'ctrl+y': (view) => view.redo(),
  r: (view) => view.turn(1),
  'shift+r': (view) => view.turn(-1),
  h: (view) => view.mirror('horizontal'),
  v: (view) => view.mirror('vertical'),
  '+': (view) => zoom(view, 1),
  'shift++': (view) => zoom(view, 1),
  '=': (view) => zoom(view, 1),
  '-': (view) => zoom(view, -1),
  0: (view) => view.command('fit'),
});

/** @type {readonly (readonly [keys: string, label: WordKey])[]} */
const LISTED = Object.freeze([
  ['Ctrl Z', 'undo'], ['Ctrl Shift Z', 'redo'],
  ['R', 'turnRight'], ['Shift R', 'turnLeft'], ['H', 'mirrorAcross'], ['V', 'mirrorDown'],
  ['+', 'zoomIn'], ['-', 'zoomOut'], ['0', 'zoomFit'],
  ['PgUp', 'photoBefore'], ['PgDn', 'photoAfter'], ['?', 'shortcuts'],
]);

/**
 * The shortcuts that the photo itself handles.
 * @type {typeof LISTED}
 */
const OF_PHOTO = Object.freeze([
  ['Enter', 'crop'], ['← ↑ → ↓', 'keysMove'], ['Alt ← ↑ → ↓', 'keysResize'], ['Shift', 'keysLarger'],
  ['Tab', 'keysHandles'], ['Esc', 'keysCancel'],
]);

/**
 * Whether shortcuts without a modifier key are on: they may interfere with speech input or be typed accidentally.
 */
const SINGLE = setting('singleKeys', 'on');

/** Types of inputs without text. */
const KEYLESS = new Set(['range', 'checkbox', 'radio', 'button', 'file', 'submit', 'reset', 'color']);

/** @param {EventTarget | undefined} target */
function takesText(target) {
  if (target instanceof HTMLInputElement) return !KEYLESS.has(target.type);
  return target instanceof HTMLElement
    && (target.isContentEditable || target.matches('textarea, select, [role="menuitem"]'));
}

/**
 * Handles the shortcuts while a screen is shown.
 * @param {CropView} view @param {() => boolean} isReady whether the screen is shown and no task is running
 */
export function listenForShortcuts(view, isReady) {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || event.altKey || !isReady()
      || takesText(event.composedPath()[0]) || hasDialog()) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const name = `${event.ctrlKey || event.metaKey ? 'ctrl+' : ''}${event.shiftKey ? 'shift+' : ''}${key}`;
    if (!name.startsWith('ctrl+') && SINGLE.get() !== 'on') return;
    if (name === '?' || name === 'shift+?') showShortcuts();
    else if (ACTIONS[name] && view.state) ACTIONS[name](view);
    else return;
    event.preventDefault();
  });
}

/** Shows the list of shortcuts over the page. */
export function showShortcuts() {
  const row = (/** @type {readonly [string, WordKey]} */ [keys, label]) => [
    node('dt', { dir: 'ltr' }, ...keys.split(' ').map((key) => node('kbd', {}, named(key)))),
    node('dd', {}, words(label)),
  ];
  const list = (/** @type {WordKey} */ title, /** @type {typeof LISTED} */ rows) => [
    node('h3', {}, words(title)), node('dl.keys', {}, ...rows.flatMap(row))];
  const single = node('input', { type: 'checkbox' });
  single.checked = SINGLE.get() === 'on';
  single.addEventListener('change', () => SINGLE.set(single.checked ? 'on' : 'off'));
  const before = document.activeElement;
  const dialog = showDialog('shortcuts', words('shortcuts'),
    ...list('shortcutsAnywhere', LISTED), ...list('shortcutsPhoto', OF_PHOTO),
    node('label.check', {}, single, words('singleKeys')),
    node('div.actions', {}, node('button.secondary', {
      type: 'button', onclick: () => dialog.close(),
    }, words('close'))));
  dialog.classList.add('shortcuts');
  // The first focusable element is at the end of the list.
  const heading = dialog.querySelector('h2');
  if (heading) heading.tabIndex = -1;
  heading?.focus();
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  dialog.addEventListener('close', () => {
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  }, { once: true });
}

/** @param {string} key @returns {string} its name on this system's keyboards */
function named(key) {
  return key === 'Ctrl' && /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : key;
}
