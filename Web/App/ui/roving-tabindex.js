// @ts-check
// Makes a group of buttons one Tab stop; arrow keys move between them, as in a toolbar.

import { setAttribute } from './dom.js';

/** @param {HTMLElement} group */
const buttonsOf = (group) =>
  [...group.querySelectorAll('button')].filter((button) => button.closest('[role]') === group
    && !button.disabled && !button.hidden && !button.parentElement?.hidden);

/**
 * @param {HTMLElement} group
 * @param {string} label the id of the group's label, if it has no name
 */
export function rovingTabindex(group, label) {
  if (!group.hasAttribute('role')) {
    group.setAttribute('role', 'toolbar');
    group.setAttribute('aria-labelledby', label);
  }
  group.addEventListener('focusin', () => settle(group));
  group.addEventListener('keydown', (event) => {
    const all = buttonsOf(group);
    const at = all.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const forward = getComputedStyle(group).direction === 'rtl' ? -1 : 1;
    const columns = all.filter(({ offsetTop }) => offsetTop === all[0].offsetTop).length;
    const step = { ArrowRight: forward, ArrowLeft: -forward, ArrowDown: columns, ArrowUp: -columns,
      Home: -at, End: all.length - 1 - at }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    all[Math.min(Math.max(at + step, 0), all.length - 1)].focus();
  });
  settle(group);
}

/**
 * Makes the focused button the Tab stop, or else the chosen one.
 * @param {HTMLElement} group
 */
export function settle(group) {
  const all = buttonsOf(group);
  const stop = all.find((button) => button === document.activeElement)
    ?? all.find((button) => button.getAttribute('aria-pressed') === 'true')
    ?? all[0];
  for (const button of all) setAttribute(button, 'tabindex', button === stop ? '0' : '-1');
}
