// @ts-check
// The editing screen: bar, photo, panel.

import { Armed } from '../Element/interface.js';
import { Badge } from './badge.js';
import { makeSections, savingSection, TABS } from './controls.js';
import { Crops } from './crops.js';
import '../Element/index.js';
import { animate, node, setAttribute } from './dom.js';
import { icon } from './icons.js';
import { Menu } from './menu.js';
import { Notices } from './notice.js';
import { losslessOf, writtenAs } from './output.js';
import { narrow, Panel } from './panel.js';
import { formatName, headOf } from './photo.js';
import { listenForShortcuts } from './shortcuts.js';
import { Steps } from './steps.js';
import { Toast } from './toast.js';
import { formatSize, words } from './words.js';

/** @typedef {import('./icons.js').IconName} IconName */
/** @typedef {import('./photo.js').Photo} Photo */

const FLASH = 200;
/** How often the panel's numbers follow a hand, and how long it rests before all else does, in milliseconds. */
const RESTING = 100;

export class Editor {
  /**
   * @param {import('./work.js').Work} work
   * @param {{ close(): void, crop(): void, step(way: 1 | -1): void,
   *   items(): import('./menu.js').Item[], targets(): void }} actions `items` are the other ways to save;
   *   `targets`: crops for several places
   */
  constructor(work, actions) {
    this.work = work;
    this.actions = actions;
    this.pending = 0;
    this.notices = new Notices();
    this.view = /** @type {import('../Element/crop-view.js').CropView} */ (
      document.createElement('crop-view'));
    this.view.setAttribute('crop-style', 'studio');
    this.view.setAttribute('scroll', 'zoom');
    this.badge = new Badge(this.view, () => this.#snap(), () => this.#formatAround());
    this.name = node('h1', { dir: 'auto' });
    this.facts = node('p');
    const tool = (/** @type {IconName} */ glyph, /** @type {string} */ label,
      /** @type {() => void} */ act) => node('button.quiet.square', {
      type: 'button', 'aria-label': label, title: label, onclick: act,
    }, icon(glyph));
    this.undo = tool('undo', words('undo'), () => this.view.undo());
    this.redo = tool('redo', words('redo'), () => this.view.redo());
    for (const button of [this.undo, this.redo]) button.classList.add('flips');
    const arrow = icon('reset');
    arrow.classList.add('narrow-only');
    this.reset = node('button.quiet', {
      type: 'button', 'aria-label': words('reset'), title: words('reset'), onclick: () => this.view.reset(),
    }, arrow, node('span', {}, words('reset')));
    this.more = tool('more', words('more'), () => this.panel.toggleMore());
    this.more.classList.add('narrow-only');
    this.panel = new Panel('', this.more);
    this.steps = new Steps(actions.step);
    this.steps.root.classList.add('wide-only');
    this.targets = node('button.quiet.wide-only.targets-button', {
      type: 'button', onclick: actions.targets,
    }, icon('targets'), node('span', {}, words('targets')));
    this.saving = new Menu(words('saveMenu'));
    this.saving.root.classList.add('wide-only');
    this.toast = new Toast(() => this.offerToSave());
    this.crops = new Crops();
    /** What stands over the photo from the outside, such as a queue. */
    this.hint = node('p.pill', { hidden: true });
    this.above = node('div.above', {},
      node('div.badges', {}, this.badge.pill, this.badge.pillSnap), this.hint);
    this.live = node('p.unseen', { role: 'status' });
    this.crop = node('button.primary', { type: 'button', onclick: actions.crop }, words('crop'));
    this.placeholder = node('div.placeholder', { hidden: true });
    this.flash = node('div.flash', { hidden: true });
    this.root = node('main.work', { id: 'editor', tabindex: -1 },
      node('header.bar', {},
        tool('close', words('closePhoto'), actions.close), this.steps.root,
        node('div.title', {}, this.name, this.facts),
        this.undo, this.redo, this.reset, this.targets, this.saving.root, this.more, this.crop),
      // What was just saved comes next after Crop for those who go by Tab.
      node('div.stage', {}, this.toast.host, this.view, this.placeholder, this.flash,
        this.above, this.notices.host, this.live),
      node('aside.side', { 'aria-label': words('adjust') }, this.panel.root, this.panel.tabs,
        this.badge.root));
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
    this.view.addEventListener('input', () => this.refresh());
    listenForShortcuts(this.view, () => !this.root.hidden && !this.isBusy);
    this.view.addEventListener('croprequest', actions.crop);
    this.update();
  }

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
      head: headOf(photo), isServed: this.work.hasServer,
    });
    this.placeholder.hidden = true;
    this.build();
    this.update();
  }

  /** Lays the panel out for what this build of the core can do. */
  build() {
    const items = this.offerToSave();
    const sections = makeSections(this.view, this.encoding, () => this.update());
    if (items.length) sections.push(savingSection(items, this.toast), this.steps.section);
    this.panel.build([...sections, this.crops.section], [...TABS,
      { tab: 'targets', icon: 'targets', label: 'targets', act: this.actions.targets }]);
    this.reset.hidden = !this.view.commands.has('reset');
  }

  /** What the bar's menu has: the other ways to save, and what was saved last. */
  offerToSave() {
    const items = this.actions.items();
    const again = { label: words('showSaved'), act: () => this.toast.again() };
    this.saving.set(this.toast.canReturn ? [again, ...items] : items);
    this.refresh();
    return items;
  }

  /**
   * Updates once, however many events there were. A hand that moves is followed by the numbers that it
   * changes, a few times a second; all else waits until it rests or lets go.
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
        const { state } = this.view;
        if (state) this.panel.follow(state);
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

  /**
   * How the result is written; it stays as it is from photo to photo.
   * @type {import('./api.js').Encoding}
   */
  encoding = {};

  /** How the result is written, as its shape wants it. */
  get written() {
    const written = writtenAs(this.encoding, this.view.state);
    return this.work.photo?.isLenient ? { ...written, lenient: true } : written;
  }

  /** The format of a result that is transparent around its shape; empty where a colour is around it. */
  #formatAround() {
    const { format, background } = this.written;
    const own = this.work.photo?.format ?? '';
    if (background) return '';
    // The browser by itself writes few formats.
    return format ? formatName({ type: `image/${format}` })
      : this.work.hasServer || own === 'WebP' ? own : 'PNG';
  }

  /** @param {boolean} isBusy work is under way; the photo waits */
  setBusy(isBusy) {
    if (isBusy && !this.isBusy) this.#waiting = focused();
    this.isBusy = isBusy;
    this.view.inert = isBusy;
    this.crop.classList.toggle('busy', isBusy);
    this.update();
    const isNowhere = [document.body, this.root].includes(
      /** @type {HTMLElement} */ (document.activeElement));
    if (!isBusy && isNowhere) this.#waiting?.focus({ preventScroll: true });
  }

  /**
   * What had the keyboard when work began.
   * @type {HTMLElement | null}
   */
  #waiting = null;

  /** What is disabled or gone would leave the keyboard to no one. */
  #keepFocus() {
    const { activeElement } = document;
    if (this.root.hidden || !activeElement) return;
    const isDead = activeElement === document.body || activeElement.matches(':disabled')
      || activeElement.closest('[inert]') !== null;
    if (isDead && !document.querySelector('dialog[open]')) this.root.focus({ preventScroll: true });
  }

  /** Gives the photo the keyboard as soon as it can take it: its elements come with a frame. */
  focusPhoto() {
    let frames = 20;
    const step = () => {
      this.view.focus({ preventScroll: true });
      frames -= 1;
      // Whoever has gone elsewhere meanwhile stays there.
      const { activeElement } = document;
      const isFree = activeElement === document.body || activeElement === this.root;
      if (isFree && frames > 0) requestAnimationFrame(step);
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
    this.targets.disabled = !(idle && state);
    this.panel.root.inert = !(idle && state);
    this.badge.update();
    this.#keepFocus();
    if (!state) {
      this.hint.hidden = true;
      return;
    }
    this.panel.update(state);
    const isNew = state.armed !== this.#armed;
    this.#armed = state.armed;
    if (isNew && state.armed && this.panel.tab === 'more' && narrow.matches) {
      // What is drawn next is drawn on the photo, which has the room again.
      this.panel.show('frame');
      this.focusPhoto();
    }
    const hint = state.armed === Armed.level ? words('levelHint')
      : state.armed === Armed.draw ? words('drawAnewHint')
        : state.valid ? '' : words(state.gestureActive ? 'smallHint' : 'drawHint');
    this.hint.hidden = hint === '' || this.isBusy || (this.view.isHeld && state.valid);
    if (hint && this.hint.textContent !== hint) this.hint.textContent = hint;
  }

  /** Lets the edges move to a JPEG's blocks, as the output's own choice does. */
  #snap() {
    this.encoding.lossless = 'outward';
    this.view.setAttribute('lossless', losslessOf(this.encoding));
    this.update();
    // The button has done its work and is gone.
    this.focusPhoto();
  }

  /** What waited for a drag when it was looked at last. */
  #armed = 0;

  /** The white flash of the press. */
  async shine() {
    this.flash.hidden = false;
    await this.flash.animate([{ opacity: 1 }, { opacity: 0 }],
      { duration: FLASH, easing: 'ease-out' }).finished.catch(() => {});
    this.flash.hidden = true;
  }
}

/** The element that has the keyboard, also one within the photo. */
function focused() {
  const { activeElement } = document;
  return /** @type {HTMLElement | null} */ (activeElement?.shadowRoot?.activeElement ?? activeElement);
}

/** @param {Element} element lets a screen come in softly */
export function appear(element) {
  return animate(element, [{ opacity: 0 }, { opacity: 1 }], 160);
}
