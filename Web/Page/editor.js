// @ts-check
// The editing screen: bar, photo, panel.

import { Badge } from './badge.js';
import { makeSections, savingSection, TABS } from './controls.js';
import { Crops } from './crops.js';
import './crop-view.js';
import { animate, node, setAttribute } from './dom.js';
import { icon } from './icons.js';
import { Menu } from './menu.js';
import { Notices } from './notice.js';
import { losslessOf } from './output.js';
import { headOf } from './photo.js';
import { Toast } from './toast.js';
import { formatSize, words } from './words.js';

/** @typedef {import('./controls.js').Section} Section */
/** @typedef {import('./icons.js').IconName} IconName */
/** @typedef {import('./photo.js').Photo} Photo */

const FLASH = 200;
/** How long a hand rests before the panel's numbers follow it, in milliseconds. */
const RESTING = 120;

/** As page.css has it: the panel shows one tab at a time. */
const narrow = matchMedia(
  'not ((min-width: 760px) or ((min-width: 560px) and (max-height: 520px)))');

export class Editor {
  /**
   * @param {{ close(): void, crop(): void, items(): import('./menu.js').Item[] }} actions `items`
   *   are the other ways to save
   */
  constructor(actions) {
    this.actions = actions;
    /** @type {Section[]} */
    this.sections = [];
    this.pending = 0;
    this.notices = new Notices();
    this.view = /** @type {import('./crop-view.js').CropView} */ (
      document.createElement('crop-view'));
    this.view.setAttribute('crop-style', 'studio');
    this.badge = new Badge(this.view);
    this.name = node('h1');
    this.facts = node('p');
    const tool = (/** @type {IconName} */ glyph, /** @type {string} */ label,
      /** @type {() => void} */ act) => node('button.quiet.square', {
      type: 'button', 'aria-label': label, title: label, onclick: act,
    }, icon(glyph));
    this.undo = tool('undo', words('undo'), () => this.view.undo());
    this.redo = tool('redo', words('redo'), () => this.view.redo());
    for (const button of [this.undo, this.redo]) button.classList.add('flips');
    this.reset = node('button.quiet', { type: 'button', onclick: () => this.view.reset() },
      words('reset'));
    this.more = tool('more', words('more'), () => this.showTab(this.tab === 'more' ? 'frame' : 'more'));
    this.more.classList.add('narrow-only');
    this.more.id = 'tab-more';
    this.saving = new Menu(words('saveMenu'));
    this.saving.root.classList.add('wide-only');
    this.toast = new Toast();
    this.crops = new Crops();
    /** What stands over the photo from the outside, such as a queue. */
    this.above = node('div.above', {}, this.badge.pill);
    this.live = node('p.unseen', { role: 'status' });
    this.crop = node('button.primary', { type: 'button', onclick: actions.crop }, words('crop'));
    this.hint = node('p.pill', { hidden: true });
    this.placeholder = node('div.placeholder', { hidden: true });
    this.flash = node('div.flash', { hidden: true });
    this.panel = node('div.panel', { id: 'panel' });
    this.tabs = node('div.tabs', { role: 'tablist', 'aria-label': words('adjust') });
    this.root = node('main.work', { id: 'editor' },
      node('header.bar', {},
        tool('close', words('closePhoto'), actions.close),
        node('div.title', {}, this.name, this.facts),
        this.undo, this.redo, this.reset, this.saving.root, this.more, this.crop),
      // What was just saved comes next after Crop for those who go by Tab.
      node('div.stage', {}, this.toast.host, this.view, this.placeholder, this.hint, this.flash,
        this.above, this.notices.host, this.live),
      node('aside.side', { 'aria-label': words('adjust') }, this.panel, this.tabs,
        this.badge.root));
    this.tabs.addEventListener('keydown', (event) => this.walkTabs(event));
    narrow.addEventListener('change', () => this.namePanel());
    // What waits for a drag can be called off from wherever it was asked for.
    this.root.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || event.defaultPrevented || !this.view.state?.armed) return;
      this.view.command('armDraw', 0);
      this.view.command('armLevel', 0);
    });
    this.view.addEventListener('statechange', () => {
      // It says what will be, at every moment; only another word costs something.
      this.badge.update();
      this.refresh();
    });
    this.view.addEventListener('recipechange', () => this.refresh());
    this.view.addEventListener('croprequest', actions.crop);
    this.update();
  }

  /** @type {import('./controls.js').Tab} */
  tab = 'frame';

  /**
   * Shows the file's name at once, before anything of the picture is known.
   * @param {string} name
   */
  begin(name) {
    this.view.unload();
    this.name.textContent = name;
    this.facts.textContent = words('opening');
    this.placeholder.hidden = false;
    this.placeholder.replaceChildren();
    this.toast.clear();
    this.saving.set([]);
    this.crops.show([]);
    this.notices.clear();
    this.update();
  }

  /**
   * A small picture of what is coming, over which the real one will lie.
   * @param {string} url
   */
  expect(url) {
    this.placeholder.replaceChildren(node('img', { src: url, alt: '' }));
  }

  /** @param {Photo} photo */
  async open(photo) {
    const size = formatSize(photo.width, photo.height);
    this.facts.textContent = photo.format ? `${size} · ${photo.format}` : size;
    this.view.setAttribute('lossless', losslessOf(this.encoding));
    await this.view.load(photo.shown, {
      width: photo.width, height: photo.height, file: photo.original ?? undefined,
      head: headOf(photo), isServed: this.hasServer,
    });
    this.placeholder.hidden = true;
    this.build();
    this.update();
  }

  /** Lays the panel out for what this build of the core can do. */
  build() {
    const items = this.actions.items();
    this.saving.set(items);
    this.sections = makeSections(this.view, this.encoding);
    if (items.length) this.sections.push(savingSection(items));
    this.panel.replaceChildren(...this.sections.map(({ root, tab }) => {
      root.dataset.tab = tab;
      return root;
    }), this.crops.root);
    const has = (/** @type {string} */ tab) => this.sections.some((section) => section.tab === tab);
    const tabs = TABS.filter(({ tab }) => has(tab));
    this.tabs.replaceChildren(...tabs.map(({ tab, icon: glyph, label }) => {
      const button = node('button.tab', {
        type: 'button', role: 'tab', id: `tab-${tab}`, 'aria-controls': 'panel',
        onclick: () => this.showTab(tab),
      }, icon(glyph), node('span', {}, words(label)));
      button.dataset.tab = tab;
      return button;
    }));
    this.tabs.hidden = tabs.length < 2;
    this.more.hidden = !has('more');
    this.reset.hidden = !this.view.commands.has('reset');
    this.showTab(has('frame') ? 'frame' : tabs[0]?.tab ?? 'more');
  }

  /** @param {import('./controls.js').Tab} tab */
  showTab(tab) {
    this.tab = tab;
    for (const { root, tab: own } of this.sections) {
      // The ruler stays above every tab, so that the photo keeps its place.
      const isRuler = root.classList.contains('straighten') && tab !== 'more';
      root.classList.toggle('current', own === tab || isRuler);
    }
    this.crops.root.classList.toggle('current', tab === 'more');
    for (const button of this.tabs.querySelectorAll('button')) {
      const isCurrent = button.dataset.tab === tab;
      setAttribute(button, 'aria-selected', isCurrent);
      button.tabIndex = isCurrent || tab === 'more' ? 0 : -1;
    }
    this.more.setAttribute('aria-expanded', String(tab === 'more'));
    this.namePanel();
  }

  /** One tab at a time is called after its button; where everything shows there is no tab. */
  namePanel() {
    if (narrow.matches) {
      this.panel.setAttribute('role', this.tab === 'more' ? 'group' : 'tabpanel');
      this.panel.setAttribute('aria-labelledby', `tab-${this.tab}`);
    } else {
      this.panel.removeAttribute('role');
      this.panel.removeAttribute('aria-labelledby');
    }
  }

  /**
   * Arrow keys go from tab to tab, as the reading direction has it.
   * @param {KeyboardEvent} event
   */
  walkTabs(event) {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const all = [...this.tabs.querySelectorAll('button')];
    const at = all.findIndex((button) => button === document.activeElement);
    if (!step || at < 0) return;
    const forward = getComputedStyle(this.tabs).direction === 'rtl' ? -step : step;
    const next = all[(at + forward + all.length) % all.length];
    next.focus();
    next.click();
  }

  /**
   * Updates once, however many events there were. Under a hand that moves, numbers can't be read and
   * cost a layout each: they wait until it rests or lets go.
   */
  refresh() {
    const { isHeld } = this.view;
    this.hasMoved = isHeld;
    // What to do need not be said while it is done.
    if (isHeld && !this.hint.hidden && this.view.valid) this.hint.hidden = true;
    if (isHeld && this.pending) return;
    if (!isHeld) this.crop.disabled = this.isBusy || !this.view.valid;
    clearTimeout(this.pending);
    this.pending = window.setTimeout(() => {
      this.pending = 0;
      if (this.hasMoved && this.view.isHeld) {
        this.refresh();
        this.hasMoved = false;
      } else {
        this.update();
      }
    }, isHeld ? RESTING : 0);
  }

  /** Whether a hand has moved since the last look. */
  hasMoved = false;

  isBusy = false;

  /** Set before a photo is opened. */
  hasServer = false;

  /**
   * How the result is written; it stays as it is from photo to photo.
   * @type {import('./api.js').Encoding}
   */
  encoding = {};

  /** @param {boolean} isBusy work is under way; the photo waits */
  setBusy(isBusy) {
    this.isBusy = isBusy;
    this.view.inert = isBusy;
    this.crop.classList.toggle('busy', isBusy);
    this.update();
  }

  /** Gives the photo the keyboard as soon as it can take it: its elements come with a frame. */
  focusPhoto() {
    let frames = 20;
    const step = () => {
      this.view.focus({ preventScroll: true });
      frames -= 1;
      // Whoever has gone elsewhere meanwhile stays there.
      if (document.activeElement === document.body && frames > 0) requestAnimationFrame(step);
    };
    step();
  }

  /**
   * Says something to those who listen.
   * @param {string} text
   */
  say(text) {
    this.live.textContent = text;
  }

  update() {
    const { state } = this.view;
    const idle = !this.isBusy;
    this.undo.disabled = !(idle && state?.canUndo);
    this.redo.disabled = !(idle && state?.canRedo);
    this.reset.disabled = !(idle && state?.canReset);
    this.crop.disabled = !(idle && state?.valid);
    this.panel.inert = !(idle && state);
    this.badge.update();
    if (!state) {
      this.hint.hidden = true;
      return;
    }
    for (const { update } of this.sections) update(state);
    const hint = state.armed === 2 ? words('levelHint')
      : state.armed === 1 ? words('drawAnewHint')
        : state.valid ? '' : words(state.gestureActive ? 'smallHint' : 'drawHint');
    this.hint.hidden = hint === '' || this.isBusy || (this.view.isHeld && state.valid);
    if (hint && this.hint.textContent !== hint) this.hint.textContent = hint;
  }

  /** The white flash of the press. */
  async shine() {
    this.flash.hidden = false;
    await this.flash.animate([{ opacity: 1 }, { opacity: 0 }],
      { duration: FLASH, easing: 'ease-out' }).finished.catch(() => {});
    this.flash.hidden = true;
  }
}

/** @param {Element} element lets a screen come in softly */
export function appear(element) {
  return animate(element, [{ opacity: 0 }, { opacity: 1 }], 160);
}
