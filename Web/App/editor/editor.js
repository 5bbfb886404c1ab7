// @ts-check
// The editing screen: bar, photo, panel.

import { CropView } from '../../Element/crop-view.js';
import { Armed, Style } from '../../Element/interface.js';
import { headOf, isHDR } from '../model/photo.js';
import { printedHere, printOptions, shownPrint } from '../model/print.js';
import { resultFormat } from '../model/result-format.js';
import { photoHash } from '../model/routes.js';
import { notLoaded } from '../server/explain.js';
import { hasDialog, node } from '../ui/dom.js';
import { icon, tool } from '../ui/icons.js';
import { Menu } from '../ui/menu.js';
import { Notices } from '../ui/notice.js';
import { formatInstead, losslessOf } from '../ui/output.js';
import { narrow, Panel } from '../ui/panel.js';
import { PhotoNavigation } from '../ui/photo-navigation.js';
import { listenForShortcuts, showShortcuts } from '../ui/shortcuts.js';
import { flash } from '../ui/sound.js';
import { Toast } from '../ui/toast.js';
import { formatSize, words } from '../ui/words.js';
import { Badge } from './badge.js';
import { Cropping } from './cropping.js';
import { DocumentOffer } from './document-offer.js';
import { EarlierCrops } from './earlier-crops.js';
import { PhotoOpener } from './photo-opener.js';
import { QueueList } from './queue-list.js';
import { SizeEstimate } from './size-estimate.js';
import { writtenAs, writtenHere } from './written-as.js';

/**
 * How often the panel's numbers are updated during a drag, and the pause after which everything is updated,
 * in milliseconds.
 */
const RESTING = 100;

if (!customElements.get('crop-view')) customElements.define('crop-view', CropView);

export class Editor {
  /** @type {typeof import('./parts.js') | null} */ #parts = null;

  /** @param {import('../model/model.js').Model} model */
  constructor(model) {
    this.model = model;
    this.pending = 0;
    this.notices = new Notices();
    this.view = /** @type {CropView} */ (document.createElement('crop-view'));
    this.view.id = 'photo';
    this.view.setAttribute('crop-style', 'studio');
    this.view.setAttribute('wheel', 'zoom');
    this.badge = new Badge(this.view, () => this.#snap(), () => this.#formatAround());
    this.name = node('h1', { dir: 'auto' });
    this.facts = node('p');
    this.undo = tool('undo', words('undo'), () => this.view.undo(), 'flips');
    this.redo = tool('redo', words('redo'), () => this.view.redo(), 'flips');
    const arrow = icon('reset');
    arrow.classList.add('narrow-only');
    this.reset = node('button.quiet', {
      type: 'button', 'aria-label': words('reset'), title: words('reset'), onclick: () => this.view.reset(),
    }, arrow, node('span', {}, words('reset')));
    this.more = tool('more', words('more'), () => this.panel.toggleMore(), 'narrow-only');
    this.panel = new Panel('', this.more);
    this.steps = new PhotoNavigation((way) => model.navigator.step(way));
    this.steps.root.classList.add('wide-only');
    this.targets = node('button.quiet.wide-only.targets-button', {
      type: 'button', onclick: () => this.#enterTargets(),
    }, icon('targets'), node('span', {}, words('targets')));
    this.help = tool('help', words('shortcuts'), showShortcuts, 'wide-only');
    this.saving = new Menu(words('saveMenu'));
    this.toast = new Toast(() => this.offerToSave());
    this.crops = new EarlierCrops();
    this.cropping = new Cropping(model, this);
    this.opener = new PhotoOpener(model, this);
    this.queueList = new QueueList(model, this.view, (asZip) => void this.#parts?.saveAll(this, asZip));
    this.hint = node('p.pill', { hidden: true });
    this.offer = new DocumentOffer(this.view, () => this.#straighten());
    /** The size of the result on a canvas; the label at the crop frame has that of the crop. */
    this.laid = node('p.laid', { hidden: true });
    const [before, after] = this.steps.edges;
    this.above = node('div.above', {},
      node('div.over', {}, before,
        node('div.badges', {}, this.badge.pill, this.laid, this.badge.pillSnap, this.offer.root), after),
      this.hint, this.queueList.root);
    this.status = node('p.unseen', { role: 'status' });
    this.crop = node('button.primary', { type: 'button', onclick: () => void this.cropping.crop() }, words('crop'));
    this.placeholder = node('div.placeholder', { hidden: true });
    this.flash = node('div.flash', { hidden: true });
    this.estimate = new SizeEstimate(this);
    this.root = node('main.work', { id: 'editor', tabindex: -1 },
      node('header.bar', {},
        tool('close', words('closePhoto'), () => model.navigator.leave()), this.steps.root,
        node('div.title', {}, this.name, this.facts),
        this.undo, this.redo, this.reset, this.targets, this.help, this.saving.root, this.more, this.crop),
      // The message about a saved file comes after Crop in the Tab order.
      node('div.stage', {}, this.toast.host, this.view, this.placeholder, this.flash,
        this.estimate.peek.root, this.above, this.notices.host, this.status),
      node('aside.side', { 'aria-label': words('adjust') }, this.panel.root, this.panel.tabs,
        this.badge.root));
    this.#listen();
    this.update();
    model.view = this.view;
    model.opener = this.opener;
  }

  #listen() {
    // Escape cancels a pending drag mode from anywhere.
    this.root.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || event.defaultPrevented || !this.view.state?.armed) return;
      this.view.command('armDraw', 0);
      this.view.command('armLevel', 0);
    });
    this.view.addEventListener('statechange', () => {
      // Always current, and cheap: it changes nothing if its text is the same.
      this.badge.update();
      const { isHeld, state } = this.view;
      if (isHeld && state) this.panel.move(state);
      this.refresh();
    });
    this.view.addEventListener('input', () => this.refresh());
    listenForShortcuts(this.view, () => !this.root.hidden && !this.isBusy);
    this.view.addEventListener('croprequest', () => void this.cropping.crop());
    this.view.addEventListener('change', () => this.model.unsaved.changed());
    this.model.library.addEventListener('reach', () => this.update());
  }

  /**
   * Loads what only an open photo needs.
   * @throws {import('../server/api.js').Problem}
   */
  async prepare() {
    const parts = await import('./parts.js').catch(notLoaded);
    if (this.#parts) return;
    this.#parts = parts;
    this.estimate.peek.root.before(new parts.FlatPreview(this.view).root);
  }

  /**
   * Shows the file's name immediately, before the image is loaded.
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
    // While the file is read. A failure shows when the photo is opened.
    void this.prepare().catch(() => {});
  }

  /**
   * Shows a small version while the photo is loading.
   * @param {string} url
   */
  expect(url) {
    this.placeholder.replaceChildren(node('img', { src: url, alt: '' }));
  }

  /** @param {import('../model/photo.js').Photo} photo */
  async open(photo) {
    const size = formatSize(photo.width, photo.height);
    const facts = [size, photo.format, photo.gallery && words('galleryFrom', photo.gallery.gallery)];
    this.facts.textContent = facts.filter(Boolean).join(' · ');
    void isHDR(photo).then((found) => {
      if (found && this.model.photo === photo) this.facts.textContent += ' · HDR';
    });
    this.view.setAttribute('lossless', losslessOf(this.model.encoding));
    // First, so that the panel appears together with the photo.
    if (!this.#parts) await this.prepare();
    if (this.model.photo !== photo) throw new DOMException('the photo was closed', 'AbortError');
    await this.view.load(photo.shown, {
      width: photo.width, height: photo.height, file: photo.original ?? undefined,
      head: headOf(photo), isServed: this.model.hasServer,
    });
    if (this.view.animated && !this.model.hasServer) this.facts.textContent += ` · ${words('firstFrame')}`;
    this.placeholder.hidden = true;
    this.build();
    this.update();
    void this.offer.search();
  }

  /** Lays out the panel for the commands that this build of the core has. */
  build() {
    const parts = this.#parts;
    if (!parts) return;
    this.offerToSave();
    const sections = parts.editorSections(this.view, this.model.encoding, {
      changed: () => this.update(), trim: () => void parts.trimBorders(this),
      findCorners: () => void parts.findCorners(this), snap: () => this.#snap(),
    }, {
      canBake: this.model.hasServer, own: () => this.model.photo?.format ?? '', estimate: this.estimate,
      here: this.model.hasServer ? null : { instead: () => this.#instead, written: () => this.written },
    }, this.#printing);
    const [frame, ...others] = parts.TABS;
    this.panel.build([...sections, this.crops.section], [
      { ...frame, enter: () => this.#leaveDocument() },
      { tab: 'document', icon: 'document', label: 'documentTab', shows: 'frame', enter: () => this.#enterDocument() },
      ...others,
      { tab: 'targets', icon: 'targets', label: 'targets', act: () => this.#enterTargets() }]);
    this.reset.hidden = !this.view.commands.has('reset');
  }

  /** @type {number} the style to return to from four corners */
  #style = Style.studio;

  #enterDocument() {
    if (this.view.state?.style !== Style.quad) this.view.command('style', Style.quad);
  }

  #leaveDocument() {
    if (this.view.state?.style === Style.quad) this.view.command('style', this.#style);
  }

  /**
   * On phones, four corners have a tab, whichever way they were chosen.
   * @param {number} style
   */
  #followStyle(style) {
    const isDocument = style === Style.quad;
    if (!isDocument) this.#style = style;
    this.panel.home = isDocument ? 'document' : 'frame';
    if (['frame', 'document'].includes(this.panel.tab) && this.panel.tab !== this.panel.home) {
      this.panel.show(this.panel.home);
    }
  }

  /** Moves four corners to the document in the photo. */
  #straighten() {
    this.#enterDocument();
    void this.#parts?.findCorners(this);
  }

  /** The bar's menu: the other ways to save, and the last saved file. */
  offerToSave() {
    const { items } = this.cropping;
    const again = { label: words('showSaved'), act: () => this.toast.again() };
    this.crop.title = items.find(({ isChosen }) => isChosen)?.label ?? '';
    this.saving.set(this.toast.canReturn ? [again, ...items] : items);
    this.refresh();
  }

  /**
   * Updates once for any number of events. During a drag, the affected numbers are updated a few times a second;
   * everything else waits until the pointer rests or is released.
   */
  refresh() {
    const { isHeld } = this.view;
    this.hasMoved = isHeld;
    // Hides the hint while the user follows it.
    if (isHeld && !this.hint.hidden && this.view.valid) this.hint.hidden = true;
    if (isHeld && this.pending) return;
    if (!isHeld) this.crop.disabled = this.isBusy || !this.view.resultSize;
    clearTimeout(this.pending);
    this.pending = window.setTimeout(() => {
      this.pending = 0;
      if (this.hasMoved && this.view.isHeld) {
        const { state } = this.view;
        if (state) this.panel.follow(state);
        this.#showLaidSize();
        this.refresh();
        this.hasMoved = false;
      } else {
        this.update();
      }
    }, isHeld ? RESTING : 0);
  }

  /** Whether the pointer has moved since the last update. */
  hasMoved = false;

  isBusy = false;

  /** How the result is written, adapted to its shape. */
  get written() {
    const { view: { state, canvasOptions }, model: { encoding, hasServer } } = this;
    const asked = writtenAs(encoding, state, canvasOptions);
    const print = shownPrint(this.view, this.model.print, encoding.dpi);
    const written = hasServer ? { ...asked, ...(print && printOptions(print)) }
      : { ...writtenHere(asked, state, this.#instead), ...(print && printedHere(this.view, print, encoding.dpi)) };
    return this.model.photo?.isLenient ? { ...written, lenient: true } : written;
  }

  /**
   * The size of results on paper.
   * @returns {import('./print-size.js').Printing}
   */
  get #printing() {
    const { model } = this;
    return {
      print: () => model.print,
      setPrint: (print) => {
        model.print = print;
        this.update();
      },
      dpi: () => model.encoding.dpi,
      setDpi: (dpi) => {
        if (dpi === undefined) delete model.encoding.dpi;
        else model.encoding.dpi = dpi;
        this.update();
      },
      sheet: model.hasServer ? (paper) => void this.cropping.sheet(paper) : null,
    };
  }

  /** The format of a result if the browser can't write the photo's. */
  get #instead() {
    return formatInstead(this.model.photo?.format ?? '', this.view.picture?.translucent ?? false);
  }

  /** The format of a result that is transparent around its shape or crop; empty if a color is around it. */
  #formatAround() {
    const { format, background, fill } = this.written;
    if (background || (fill !== undefined && fill !== 'transparent')) return '';
    const { photo, hasServer } = this.model;
    return resultFormat(format, photo?.format ?? '', { isTransparent: true, hasServer });
  }

  /** @param {boolean} isBusy whether a task is running, so that the photo can't be edited */
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

  /** @type {HTMLElement | null} the element with keyboard focus before the work started */ #waiting = null;

  /** Keeps keyboard focus on the screen if the focused element is disabled or removed. */
  #keepFocus() {
    const { activeElement } = document;
    if (this.root.hidden || !activeElement) return;
    const isDead = activeElement === document.body || activeElement.matches(':disabled')
      || activeElement.closest('[inert]') !== null;
    if (isDead && !hasDialog()) this.root.focus({ preventScroll: true });
  }

  /** Moves keyboard focus to the photo as soon as possible: its elements are created with a frame. */
  focusPhoto() {
    let frames = 20;
    const step = () => {
      this.view.focus({ preventScroll: true });
      frames -= 1;
      // Keeps the focus if the user has moved it in the meantime.
      const { activeElement } = document;
      const isFree = activeElement === document.body || activeElement === this.root;
      if (isFree && frames > 0) requestAnimationFrame(step);
    };
    step();
  }

  /**
   * Announces a text to screen readers.
   * @param {string} text
   */
  say(text) {
    this.status.textContent = text;
  }

  update() {
    const { state } = this.view;
    const idle = !this.isBusy;
    this.undo.disabled = !(idle && state?.canUndo);
    this.redo.disabled = !(idle && state?.canRedo);
    this.reset.disabled = !(idle && state?.canReset);
    this.crop.disabled = !(idle && this.view.resultSize);
    this.targets.disabled = !(idle && state);
    this.panel.root.inert = !(idle && state);
    this.badge.update();
    this.#keepFocus();
    if (!state) {
      this.hint.hidden = true;
      return;
    }
    this.#followStyle(state.style);
    this.panel.update(state);
    this.offer.update();
    this.#showLaidSize();
    const isNew = state.armed !== this.#armed;
    this.#armed = state.armed;
    if (isNew && state.armed && this.panel.tab === 'more' && narrow.matches) {
      // The next drag is on the photo, so show it at full size.
      this.panel.show(this.panel.home);
      this.focusPhoto();
    }
    const hint = state.armed === Armed.level ? words('levelHint')
      : state.armed === Armed.draw ? words('drawAnewHint')
        : !state.valid ? words(state.gestureActive ? 'smallHint' : 'drawHint')
          : this.view.resultSize ? '' : words('canvasNoRoom');
    this.hint.hidden = hint === '' || this.isBusy || (this.view.isHeld && state.valid);
    if (hint && this.hint.textContent !== hint) this.hint.textContent = hint;
  }

  #showLaidSize() {
    const { laid, view: { isHeld, resultSize, canvasOptions } } = this;
    const text = canvasOptions && resultSize ? words('resultOf', formatSize(resultSize.width, resultSize.height)) : '';
    // A drag lays out nothing else: the pill keeps its place and its width.
    if (isHeld && !laid.hidden && !laid.style.inlineSize) laid.style.inlineSize = `${laid.offsetWidth}px`;
    if (!isHeld && laid.style.inlineSize) laid.style.inlineSize = '';
    if (!isHeld) laid.hidden = text === '';
    if (laid.textContent !== text) laid.textContent = text;
  }

  /** Moves the frame to a JPEG's blocks, as a step that can be undone. */
  #snap() {
    this.view.command('snapToGrid');
    this.update();
    // The button is hidden now.
    this.focusPhoto();
  }

  /** The drag mode that was pending at the last update. */
  #armed = 0;

  /** The flash of the shutter, in the crop frame. */
  shine() {
    return flash(this.flash, this.view.selectionBox);
  }

  #enterTargets() {
    const { photo } = this.model;
    if (!photo || this.isBusy || !this.view.state || this.refusesTargets()) return;
    // Adds a history entry, whose route shows the targets.
    location.hash = photo.entry ? `${photoHash(photo.place ?? photo.entry.id)}/targets` : '#/targets';
  }

  /** Reports that four corners can't have targets: a target's crop is a rectangle in the photo. */
  refusesTargets() {
    const isQuad = this.view.recipe?.quad !== undefined;
    if (isQuad) this.notices.problem(words('targetsNoQuad'), words('targetsNoQuadTodo'));
    return isQuad;
  }
}

/** The element with keyboard focus, also inside the photo's element. */
function focused() {
  const { activeElement } = document;
  return /** @type {HTMLElement | null} */ (activeElement?.shadowRoot?.activeElement ?? activeElement);
}
