// @ts-check
// The editor's shortcuts: they work wherever the keyboard is outside of a text field. The photo has
// more of its own while it has the keyboard.

import { node } from './dom.js';
import { setting } from './settings.js';
import { words } from './words.js';

/** @typedef {import('../Element/crop-view.js').CropView} CropView */
/** @typedef {import('./words.js').WordKey} WordKey */

const zoom = (/** @type {CropView} */ view, /** @type {1 | -1} */ way) =>
  view.zoomBy((view.constants?.zoomStep ?? 1) ** way);

/**
 * By `event.key`, after `ctrl+` and `shift+`; command is ctrl on a Mac.
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
 * What the photo itself hears.
 * @type {typeof LISTED}
 */
const OF_PHOTO = Object.freeze([
  ['Enter', 'crop'], ['← ↑ → ↓', 'keysMove'], ['Alt ← ↑ → ↓', 'keysResize'], ['Shift', 'keysLarger'],
  ['Tab', 'keysHandles'], ['Esc', 'keysCancel'],
]);

/** Keys without another one beside them may get in the way of speech input and of shaking hands. */
const SINGLE = setting('singleKeys', 'on');

/** Kinds of inputs that no text is typed into. */
const KEYLESS = new Set(['range', 'checkbox', 'radio', 'button', 'file', 'submit', 'reset', 'color']);

/** @param {EventTarget | undefined} target */
function takesText(target) {
  if (target instanceof HTMLInputElement) return !KEYLESS.has(target.type);
  return target instanceof HTMLElement
    && (target.isContentEditable || target.matches('textarea, select, [role="menuitem"]'));
}

/**
 * Hears the shortcuts while a screen is shown.
 * @param {CropView} view @param {() => boolean} isReady the screen is shown and nothing is under way
 */
export function listenForShortcuts(view, isReady) {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || event.altKey || !isReady()
      || takesText(event.composedPath()[0]) || document.querySelector('dialog[open]')) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const name = `${event.ctrlKey || event.metaKey ? 'ctrl+' : ''}${event.shiftKey ? 'shift+' : ''}${key}`;
    if (!name.startsWith('ctrl+') && SINGLE.get() !== 'on') return;
    if (name === '?' || name === 'shift+?') showShortcuts();
    else if (ACTIONS[name] && view.state) ACTIONS[name](view);
    else return;
    event.preventDefault();
  });
}

/** The list of shortcuts, over the page. */
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
  /** @type {HTMLDialogElement} */
  const dialog = node('dialog.ask.shortcuts', { 'aria-labelledby': 'shortcuts-title' },
    node('h2', { id: 'shortcuts-title' }, words('shortcuts')),
    ...list('shortcutsAnywhere', LISTED), ...list('shortcutsPhoto', OF_PHOTO),
    node('label.check', {}, single, words('singleKeys')),
    node('div.actions', {}, node('button.secondary', {
      type: 'button', onclick: () => dialog.close(),
    }, words('close'))));
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  dialog.addEventListener('close', () => {
    dialog.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  }, { once: true });
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {string} key as this system's keyboards have it */
function named(key) {
  return key === 'Ctrl' && /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : key;
}
