// @ts-check
// The panel's sections about targets: the list, the focus, and information about the chosen one.

import { isPattern } from '../model/file-names.js';
import { askedOf, labelOf, own, presets } from '../model/target-list.js';
import { canvasChoices, fillOrFit, lastCanvas, rememberCanvas } from '../ui/canvas-choices.js';
import { chip, toggle } from '../ui/chips.js';
import { node, setAttribute } from '../ui/dom.js';
import { printText, sheetFields } from '../ui/print-fields.js';
import { sectionRoot } from '../ui/section.js';
import { formatNumber, formatSize, readNumber, words } from '../ui/words.js';
import { marksOf } from './target-strip.js';

/** @typedef {import('../ui/section.js').Section} Section */
/** @typedef {import('./target-set.js').Target} Target */
/** @typedef {import('./target-set.js').TargetCrop} TargetCrop */

/** The longest allowed side of a size, in pixels. */
const LONGEST_SIDE = 65_535;
/** The longest name, in characters. */
const LONGEST_NAME = 40;

/**
 * The focus, which every crop should contain.
 * @param {() => boolean} hasFocus @param {() => void} clear @returns {Section}
 */
export function focusSection(hasFocus, clear) {
  const button = chip(words('targetClearFocus'), clear);
  return {
    tab: 'frame', needs: [],
    root: sectionRoot('focus', 'targetFocus', node('p.explain', {}, words('targetFocusHint')),
      node('div.row', {}, button)),
    update: () => {
      button.disabled = !hasFocus();
    },
  };
}

/**
 * The available targets: the built-in ones, the user's, and a form for another one.
 * @param {() => readonly Target[]} list the chosen ones
 * @param {(target: Target, isOn: boolean) => void} choose @returns {Section}
 */
export function listSection(list, choose) {
  const chips = node('div.chips');
  const form = targetForm((target) => choose(target, true),
    (name) => [...presets(), ...own(), ...list()].some((target) => target.name === name));
  const section = sectionRoot('list', 'targets', chips, form.row);
  /** @type {Map<string, HTMLButtonElement>} */ const buttons = new Map();
  return {
    tab: 'frame', needs: [], root: section,
    update: () => {
      const on = new Set(list().map(({ name }) => name));
      const known = new Map([...presets(), ...own(), ...list()].map((target) => [target.name, target]));
      const isNew = known.size !== buttons.size || [...known.keys()].some((name) => !buttons.has(name));
      if (isNew) {
        buttons.clear();
        for (const [name, target] of known) {
          buttons.set(name, toggle(labelOf(target),
            () => choose(target, buttons.get(name)?.getAttribute('aria-pressed') !== 'true'), { title: askedOf(target) }));
        }
        chips.replaceChildren(...buttons.values(), form.opener);
      }
      for (const [name, button] of buttons) setAttribute(button, 'aria-pressed', on.has(name));
    },
  };
}

/**
 * A chip that opens the form for another target.
 * @param {(target: Target) => void} add @param {(name: string) => boolean} isTaken
 */
function targetForm(add, isTaken) {
  const field = (/** @type {import('../ui/words.js').WordKey} */ label, /** @type {string} */ mode,
    /** @type {number} */ most) => node('input', {
    type: 'text', inputmode: mode, autocomplete: 'off', maxlength: most, placeholder: words(label),
    'aria-label': words(label),
  });
  const name = field('targetName', 'text', LONGEST_NAME);
  const [width, height] = [field('targetWidth', 'decimal', 7), field('targetHeight', 'decimal', 7)];
  const exact = node('input', { type: 'checkbox' });
  const problem = node('p.explain.problem', { role: 'alert' });
  const submit = () => {
    const [w, h] = [readNumber(width.value, false) ?? 0, readNumber(height.value, false) ?? 0];
    const typed = name.value.trim();
    const isWhole = Number.isInteger(w) && Number.isInteger(h) && Math.max(w, h) <= LONGEST_SIDE;
    const isGood = w > 0 && h > 0 && (exact.checked ? isWhole : Math.max(w / h, h / w) <= 100);
    problem.textContent = !isGood ? words('targetBadSize') : isTaken(typed) ? words('targetTaken', typed) : '';
    if (problem.textContent) return (isGood ? name : width).focus();
    const asked = exact.checked ? { size: { width: w, height: h } } : { ratio: `${w}:${h}` };
    const unnamed = exact.checked ? `${w}x${h}` : `${w}-${h}`;
    add({ name: typed || unnamed, ...asked });
    name.value = width.value = height.value = '';
    close();
  };
  const row = node('form.own', {
    hidden: true, onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      submit();
    },
  }, node('label.field', {}, name),
  node('div.custom', {}, node('label.field', {}, width),
    node('span', { 'aria-hidden': 'true' }, '×'), node('label.field', {}, height)),
  node('label.check', {}, exact, words('targetExact')), problem,
  node('button.chip', { type: 'submit' }, words('targetAdd')));
  const opener = chip(words('targetOwn'), () => {
    if (!row.hidden) return close();
    row.hidden = false;
    opener.setAttribute('aria-expanded', 'true');
    row.scrollIntoView({ block: 'nearest' });
    name.focus();
  }, { 'aria-expanded': 'false' });
  const close = () => {
    row.hidden = true;
    problem.textContent = '';
    opener.setAttribute('aria-expanded', 'false');
    opener.focus();
  };
  row.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    close();
  });
  return { opener, row };
}

/**
 * Information about the chosen target.
 * @param {() => { target: Target, crop: TargetCrop | null,
 *   result: ReturnType<import('./target-result.js').targetResult> } | null} chosen
 * @param {{ follow(): void, remove(): void, sheet: ((paper: string) => void) | null }} actions `follow`: derives its
 * crop from the focus again; `sheet`: makes a sheet of prints, if there is a server
 * @returns {Section}
 */
export function chosenSection(chosen, actions) {
  const facts = node('p.explain');
  const marks = node('ul.warnings');
  const follow = chip(words('targetFollow'), actions.follow);
  const sheet = sheetFields((paper) => actions.sheet?.(paper));
  const root = sectionRoot('chosen', 'targets', facts, marks, node('div.row', {},
    follow, chip(words('targetRemove'), actions.remove)), sheet);
  const title = /** @type {HTMLElement} */ (root.querySelector('h2'));
  const update = () => {
    const found = chosen();
    if (!found) return;
    const { target, crop, result } = found;
    title.textContent = labelOf(target);
    const size = result && formatSize(result.width, result.height);
    const file = size && words('savedDetail', words('pixelsOf', size), result.format);
    facts.textContent = [askedOf(target), file].filter(Boolean).join(' · ');
    const warnings = crop ? marksOf(crop) : [];
    marks.hidden = warnings.length === 0;
    marks.replaceChildren(...warnings.map(({ word, look }) => node(`li.note.${look}`, {},
      word !== 'targetSmall' ? words(word) : result?.print ? printText(result.print, crop?.rect, target.dpi)
        : target.size ? words('targetSmallSize', ...sizesOf(target)) : words(word))));
    sheet.hidden = !result?.print || !actions.sheet;
    follow.disabled = !crop?.isByHand;
  };
  return { tab: 'frame', needs: [], root, update, follow: update };
}

/**
 * Whether the crop fills the chosen target, or the complete photo is on a canvas, with the canvas's settings.
 * @param {() => Target | null} chosen @param {(target: Target) => void} change @returns {Section}
 */
export function fitSection(chosen, change) {
  const set = (/** @type {Partial<Target>} */ changes) => {
    const target = chosen();
    if (target) change({ ...target, ...changes });
  };
  const choose = (/** @type {boolean} */ isContained) => {
    const { margin: _, place: __, fill: ___, fit, ...rest } = chosen() ?? { name: '' };
    if ((fit === 'contain') === isContained) return;
    const { margin, place, fill } = lastCanvas();
    change(isContained ? { ...rest, fit: 'contain', margin: String(margin), place, fill } : rest);
  };
  const options = fillOrFit(choose);
  const now = () => {
    const target = chosen();
    return target?.fit === 'contain' ? target : null;
  };
  const choices = canvasChoices(now, ({ margin, ...changes }) => {
    set({ ...changes, ...(margin === undefined ? {} : { margin: String(margin) }) });
    rememberCanvas({ ...now() });
  });
  const canvas = node('div.canvas', {}, ...choices.parts);
  const root = sectionRoot('target-fit', 'fillOrFit', node('div.segments', {}, ...options.chips), canvas);
  return {
    tab: 'frame', needs: [], root,
    update: () => {
      const isFitted = now() !== null;
      options.show(isFitted);
      canvas.hidden = !isFitted;
      if (isFitted) choices.update();
    },
  };
}

/** @param {Target} target @returns {[string, string]} */
function sizesOf({ size, minimum = typeof size === 'object' ? size : undefined }) {
  return [formatNumber(minimum?.width ?? 0), formatNumber(minimum?.height ?? 0)];
}

/**
 * The names of the files.
 * @param {{ get(): string, set(value: string): void }} pattern @returns {Section}
 */
export function namesSection(pattern) {
  const input = node('input', {
    type: 'text', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', maxlength: 120,
    'aria-label': words('targetPattern'), dir: 'ltr',
  });
  input.value = pattern.get();
  const problem = node('p.explain.problem', { role: 'alert' });
  input.addEventListener('change', () => {
    const text = input.value.trim();
    const isGood = isPattern(text);
    problem.textContent = isGood ? '' : words('targetPatternBad');
    if (isGood) pattern.set(text);
  });
  return {
    tab: 'more', needs: [], update: () => {},
    root: sectionRoot('names', 'targetPattern', node('label.field', {}, input),
      node('p.explain', {}, words('targetPatternHint')), problem),
  };
}
