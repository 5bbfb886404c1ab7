// @ts-check
// Sizes of several photos at once: which ones, and their files in the library.

import { FILE_NAMES } from '../model/file-names.js';
import { AS_STORED, askedOf, chosen, labelOf, own, presets, remember } from '../model/target-list.js';
import { Problem } from '../server/api.js';
import { keptTargets, saveTargets } from '../server/targets-api.js';
import { toggle } from '../ui/chips.js';
import { node, setAttribute } from '../ui/dom.js';
import { showDialog } from '../ui/menu.js';
import { formatNumber, words } from '../ui/words.js';

/** @typedef {import('../server/library-api.js').Entry} Entry */
/** @typedef {import('../server/targets-api.js').Target} Target */

/**
 * Asks which sizes the photos should have.
 * @param {number} count of photos @returns {Promise<Target[]>} none if the user cancelled
 */
export function askForSizes(count) {
  const known = [...presets(), ...own()];
  const on = new Set(chosen().map(({ name }) => name));
  const buttons = known.map((target) => toggle(labelOf(target), () => {
    if (!on.delete(target.name)) on.add(target.name);
    show();
  }, { title: askedOf(target) }));
  const save = node('button.primary', { type: 'button', onclick: () => dialog.close('save') }, words('queueSaveAll'));
  const show = () => {
    known.forEach(({ name }, at) => setAttribute(buttons[at], 'aria-pressed', on.has(name)));
    save.disabled = on.size === 0;
  };
  show();
  const dialog = showDialog('sizes', words('targets'), node('p', {}, words('selectedCount', formatNumber(count))),
    node('div.chips', { role: 'group', 'aria-labelledby': 'sizes-title' }, ...buttons),
    node('div.actions', {},
      node('button.secondary', { type: 'button', onclick: () => dialog.close() }, words('cancel')), save));
  dialog.classList.add('sizes');
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      const targets = dialog.returnValue === 'save' ? known.filter(({ name }) => on.has(name)) : [];
      if (targets.length) remember(targets);
      resolve(targets);
    }, { once: true });
  });
}

/**
 * Saves sizes of a photo, around its stored focus if it has one.
 * @param {Entry} entry @param {Target[]} targets @param {import('../server/api.js').Encoding} encoding
 * @returns {Promise<import('../server/targets-api.js').SavedTarget[]>}
 */
export async function saveSizes(entry, targets, encoding) {
  const kept = (await keptTargets(entry.id))?.document;
  const made = new Map(kept?.targets.map((target) => [target.name, target]));
  const { saved, failed } = await saveTargets(entry, {
    version: 1, picture: AS_STORED, focus: null, ...kept,
    targets: targets.map((target) => made.get(target.name) ?? target),
  }, FILE_NAMES.get(), encoding);
  if (failed.length) throw new Problem('invalid-targets', failed[0].message);
  return saved;
}
