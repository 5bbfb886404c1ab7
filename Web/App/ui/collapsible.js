// @ts-check
// Sections that collapse to one line, which shows the chosen value; the browser remembers which are open.

import { node, setAttribute } from './dom.js';
import { icon } from './icons.js';
import { setting } from './settings.js';

/** @typedef {import('./section.js').Section} Section */

const OPEN = setting('open');

/**
 * @param {string} name of a section
 * @param {Section} section
 * @param {(state: import('../../Element/interface.js').State) => { text: string, isChanged: boolean }} [summary]
 * the chosen value, and whether it differs from the default
 * @returns {Section}
 */
export function collapsible(name, section, summary) {
  const { root, update } = section;
  const [title, ...rest] = root.children;
  const body = node('div.body', { id: `body-${name}` }, ...rest);
  // Changes the text of an existing node: inserting a node would re-evaluate every rule with :has().
  const shown = new Text();
  const value = node('span.value', { id: `value-${name}`, 'aria-hidden': 'true' }, node('span.shown', {}, shown));
  const label = node('span', { id: `fold-${name}` }, title.textContent);
  const button = node('button.fold', {
    type: 'button', 'aria-controls': body.id, 'aria-describedby': summary && value.id,
    onclick: () => {
      const open = new Set(OPEN.get().split(' '));
      if (!open.delete(name)) open.add(name);
      OPEN.set([...open].filter(Boolean).join(' '));
      show();
      // Of a section that is opened at the lower edge, the panel would show its title alone.
      if (open.has(name)) root.scrollIntoView({ block: 'nearest' });
    },
  }, label, value, icon('fold', 16));
  const show = () => {
    const isOpen = OPEN.get().split(' ').includes(name);
    root.classList.toggle('open', isOpen);
    button.setAttribute('aria-expanded', String(isOpen));
  };
  title.replaceChildren(button);
  root.classList.add('folds');
  // The chosen value describes the section but is not part of its name.
  root.setAttribute('aria-labelledby', label.id);
  root.append(body);
  show();
  /** @param {import('../../Element/interface.js').State} state */
  const summarize = (state) => {
    if (!summary) return;
    const { text, isChanged } = summary(state);
    if (shown.data !== text) shown.data = text;
    if (value.classList.contains('changed') !== isChanged) {
      value.classList.toggle('changed', isChanged);
    }
    setAttribute(value, 'title', text);
  };
  return {
    ...section,
    update: (state) => {
      update(state);
      summarize(state);
    },
    follow: section.follow && ((state) => {
      section.follow?.(state);
      summarize(state);
    }),
  };
}
