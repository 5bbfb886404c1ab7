// @ts-check
// The panel beside a photo: its sections on the desktop, one tab at a time on phones.

import { revealInRow } from './chips.js';
import { node, setAttribute } from './dom.js';
import { icon } from './icons.js';
import { rovingTabindex, settle } from './roving-tabindex.js';
import { words } from './words.js';

/** @typedef {import('./section.js').Section} Section */
/** @typedef {import('./section.js').Tab} Tab */
/** @typedef {import('../../Element/interface.js').State} State */

/** As in page.css: the panel shows one tab at a time. */
export const narrow = matchMedia(
  'not (((min-width: 760px) and (min-aspect-ratio: 6/5)) or ((min-width: 560px) and (max-height: 520px)))');

/**
 * @typedef {object} TabButton
 * @property {Tab} tab @property {import('./icons.js').IconName} icon
 * @property {import('./words.js').WordKey} label
 * @property {() => void} [act] for a button that leads elsewhere instead of showing a tab
 * @property {Tab} [shows] the tab whose sections it shows, if that is another one
 * @property {() => void} [enter] called when the user chooses it
 */

export class Panel {
  /** @type {Section[]} */ sections = [];
  /** @type {Tab} */ tab = 'frame';
  /** @type {Tab} the one to return to from "more" */ home = 'frame';
  /** @type {Map<Tab, Tab>} the tabs that show another one's sections */ #shared = new Map();
  /** @type {HTMLElement[]} */ #groups = [];

  /**
   * @param {string} name prefix of its elements' ids
   * @param {HTMLButtonElement} more in the bar: opens the tab of that name on phones
   */
  constructor(name, more) {
    this.name = name;
    this.more = more;
    this.root = node('div.panel', { id: `${name}panel` });
    this.list = node('div.tablist', { role: 'tablist', 'aria-label': words('adjust') });
    /** On phones: the tabs, and the buttons that lead elsewhere. */
    this.tabs = node('div.tabs', {}, this.list);
    more.id = this.#idOf('more');
    this.tabs.addEventListener('keydown', (event) => this.#walk(event));
    narrow.addEventListener('change', () => this.#name());
  }

  /**
   * Builds the layout.
   * @param {Section[]} sections in the order of the desktop's panel @param {readonly TabButton[]} known
   */
  build(sections, known) {
    this.sections = sections;
    this.#groups = sections.flatMap(({ root }) => {
      const groups = [.../** @type {NodeListOf<HTMLElement>} */ (
        root.querySelectorAll('.chips, .fill-fit, .ratio-tools, .segments, .row'))];
      for (const group of groups) rovingTabindex(group, root.getAttribute('aria-labelledby') ?? '');
      return groups;
    });
    this.root.replaceChildren(...sections.map(({ root, tab }) => {
      root.dataset.tab = tab;
      return root;
    }));
    const has = (/** @type {string} */ tab) => sections.some((section) => section.tab === tab);
    this.#shared = new Map(known.flatMap(({ tab, shows }) => (shows ? [[tab, shows]] : [])));
    const tabs = known.filter(({ tab, act, shows }) => act || has(shows ?? tab));
    const buttons = tabs.map(({ tab, icon: glyph, label, act, enter }) => {
      const choose = () => {
        this.show(tab);
        enter?.();
      };
      const button = node('button.tab', {
        type: 'button', role: act ? null : 'tab', id: this.#idOf(tab),
        'aria-controls': act ? null : this.root.id, onclick: act ?? choose,
      }, icon(glyph), node('span', {}, words(label)));
      button.dataset.tab = tab;
      return button;
    });
    const own = buttons.filter((button) => button.getAttribute('role') === 'tab');
    this.list.replaceChildren(...own);
    // All buttons have the same width.
    this.list.style.flexGrow = String(own.length);
    this.tabs.replaceChildren(this.list, ...buttons.filter((button) => button.getAttribute('role') !== 'tab'));
    this.tabs.hidden = tabs.length < 2;
    this.more.hidden = !has('more');
    this.show(has('frame') ? this.home : tabs.find(({ act }) => !act)?.tab ?? 'more');
  }

  /** @param {Tab} tab */
  show(tab) {
    this.tab = tab;
    const shown = this.#shared.get(tab) ?? tab;
    for (const { root, tab: own } of this.sections) {
      // The ruler stays above every tab, so that the photo keeps its place.
      const isRuler = root.classList.contains('straighten') && tab !== 'more';
      root.classList.toggle('current', own === shown || isRuler);
      // A row that was not shown has not scrolled.
      if (own === shown && narrow.matches) root.querySelectorAll('.chips > [aria-pressed="true"]').forEach(revealInRow);
    }
    for (const button of this.#buttons) {
      const isCurrent = button.dataset.tab === tab;
      setAttribute(button, 'aria-selected', isCurrent);
      button.tabIndex = isCurrent || tab === 'more' ? 0 : -1;
    }
    this.more.setAttribute('aria-expanded', String(tab === 'more'));
    this.#name();
  }

  /** The bar's button opens and closes the tab "more". */
  toggleMore() {
    this.show(this.tab === 'more' ? this.home : 'more');
  }

  /**
   * Updates all sections.
   * @param {State} state
   */
  update(state) {
    for (const { update } of this.sections) update(state);
    this.#groups.forEach(settle);
  }

  /**
   * Updates the values that a drag changes, while it changes them.
   * @param {State} state
   */
  follow(state) {
    for (const { follow } of this.sections) follow?.(state);
  }

  /**
   * Moves what follows a drag.
   * @param {State} state
   */
  move(state) {
    for (const { move } of this.sections) move?.(state);
  }

  get #buttons() {
    return /** @type {HTMLButtonElement[]} */ ([...this.list.children]);
  }

  /** @param {Tab} tab */
  #idOf(tab) {
    return `${this.name}tab-${tab}`;
  }

  /** A panel that shows one tab at a time is labelled by the tab's button; otherwise there are no tabs. */
  #name() {
    if (narrow.matches) {
      this.root.setAttribute('role', this.tab === 'more' || this.tabs.hidden ? 'group' : 'tabpanel');
      this.root.setAttribute('aria-labelledby', this.#idOf(this.tab));
    } else {
      this.root.removeAttribute('role');
      this.root.removeAttribute('aria-labelledby');
    }
  }

  /**
   * Arrow keys move between tabs, in the reading direction.
   * @param {KeyboardEvent} event
   */
  #walk(event) {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const all = this.#buttons;
    const at = all.findIndex((button) => button === document.activeElement);
    if (!step || at < 0) return;
    const forward = getComputedStyle(this.list).direction === 'rtl' ? -step : step;
    const next = all[(at + forward + all.length) % all.length];
    next.focus();
    next.click();
  }
}
