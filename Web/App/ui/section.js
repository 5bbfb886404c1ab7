// @ts-check
// The type of the panel's sections, and common kinds.

import { chip, choices } from './chips.js';
import { node, setAttribute } from './dom.js';
import { icon } from './icons.js';
import { words } from './words.js';

/** @typedef {import('../../Element/interface.js').CommandName} CommandName */
/** @typedef {import('../../Element/interface.js').State} State */
/** @typedef {import('../../Element/crop-view.js').CropView} CropView */
/** @typedef {import('./words.js').WordKey} WordKey */

/** @typedef {'frame' | 'document' | 'shape' | 'grid' | 'targets' | 'more'} Tab */

/**
 * @typedef {object} Section
 * @property {Tab} tab the tab that shows it on phones
 * @property {CommandName[]} needs at least one of these commands; empty if none is needed
 * @property {HTMLElement} root
 * @property {(state: State) => void} update
 * @property {(state: State) => void} [follow] shows what a drag changes, a few times a second while it changes
 * @property {(state: State) => void} [move] shows with a transform what a drag changes, in every frame
 */

/**
 * @param {string} name a class for the section's own layout
 * @param {WordKey} title @param {...(Node | false)} children
 */
export function sectionRoot(name, title, ...children) {
  const id = `section-${name}`;
  return node(`section.section.${name}`, { 'aria-labelledby': id },
    node('h2', { id }, words(title)), ...children);
}

/**
 * A choice of one option: the command takes its index; the first one is the default.
 * @param {CropView} view @param {Tab} tab @param {WordKey} title
 * @param {CommandName} command @param {WordKey[]} labels
 * @param {(state: State) => number} chosen @param {'segments' | 'chips'} look
 * @returns {Section}
 */
export function choice(view, tab, title, command, labels, chosen, look) {
  const options = choices(labels.map((label, index) => [index, words(label)]), (index) => view.command(command, index));
  return {
    tab,
    needs: [command],
    root: sectionRoot(command, title, node(`div.${look}`, {}, ...options.chips)),
    update: (state) => void options.show(chosen(state)),
  };
}

/**
 * @typedef {object} Button
 * @property {WordKey} label
 * @property {import('./icons.js').IconName} [icon]
 * @property {CommandName} needs
 * @property {() => void} act
 * @property {(state: State) => boolean} [enabled]
 * @property {(state: State) => boolean} [chosen] for a toggle button
 * @property {boolean} [isNarrow] whether it is only there on phones, since it is elsewhere in wide windows
 */

/**
 * @param {CropView} view @param {Tab} tab @param {WordKey} title @param {Button[]} list
 * @returns {Section}
 */
export function buttons(view, tab, title, list) {
  const made = list.filter(({ needs }) => view.commands.has(needs)).map((button) => ({
    ...button,
    root: button.icon
      ? node('button.tool', {
        type: 'button', 'aria-label': words(button.label), title: words(button.label),
        onclick: button.act,
      }, icon(button.icon))
      : chip(words(button.label), button.act, { class: button.isNarrow ? 'chip narrow-only' : 'chip' }),
  }));
  return {
    tab,
    needs: list.map(({ needs }) => needs),
    root: sectionRoot(`${title}-buttons`, title,
      node('div.row', {}, ...made.map(({ root }) => root))),
    update: (state) => {
      for (const { root, enabled, chosen } of made) {
        root.disabled = enabled ? !enabled(state) : false;
        if (chosen) setAttribute(root, 'aria-pressed', chosen(state));
      }
    },
  };
}
