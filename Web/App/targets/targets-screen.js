// @ts-check
// One photo for several targets: the focus on the photo, live previews below, and each crop by hand if desired.

import { focusFrame, focusOf, Style } from '../../Element/interface.js';
import { reorienting } from '../../Element/offscreen.js';
import { termsOf } from '../../Element/questions.js';
import { acceptedRecipe } from '../../Element/shown-recipe.js';
import { FILE_NAMES } from '../model/file-names.js';
import { headOf } from '../model/photo.js';
import { AS_STORED, chosen, forget, remember } from '../model/target-list.js';
import { collapsible } from '../ui/collapsible.js';
import { actionSections, available, selectionSections, styleSection, TABS } from '../ui/crop-sections.js';
import { hasDialog, node } from '../ui/dom.js';
import { hasGuide } from '../ui/grid-section.js';
import { tool } from '../ui/icons.js';
import { losslessOf, outputText, outputSection } from '../ui/output.js';
import { Panel } from '../ui/panel.js';
import { listenForShortcuts } from '../ui/shortcuts.js';
import { flash } from '../ui/sound.js';
import { Toast } from '../ui/toast.js';
import { counted, words } from '../ui/words.js';
import { saveAllTargets, saveSheet, writtenHere } from './target-saving.js';
import { chosenSection, fitSection, focusSection, listSection, namesSection } from './target-sections.js';
import { targetResult } from './target-result.js';
import { canvasOf, TargetSet } from './target-set.js';
import { sourceOf, TargetStrip } from './target-strip.js';

/** @typedef {import('../model/photo.js').Photo} Photo */
/** @typedef {import('./target-set.js').Target} Target */
/** @typedef {import('./target-set.js').TargetCrop} TargetCrop */
/** @typedef {import('./target-set.js').TargetDocument} TargetDocument */
/** @typedef {import('../../Element/core.js').Recipe} Recipe */

/** How dark the area outside the focus is; 1 is as dark as outside a crop. */
const FOCUS_SHADE = '0.45';

/** Keys that turn and mirror, which are disabled since all crops have the photo's orientation. */
const ORIENTATION_KEYS = new Set(['r', 'h', 'v']);

export class TargetsScreen {
  set = new TargetSet();
  /** @type {Photo | null} the photo with these targets */ photo = null;
  /** The target that is edited separately; empty while the focus is edited. */
  #name = '';
  /** @type {number} the style for crops made by hand, until another one is chosen */
  #style = Style.studio;
  /** The recipe that was set in the element: while it shows this, nothing has changed. */
  #given = '';
  /** @type {import('./target-strip.js').Source | null} */ #source = null;
  /** @type {'' | 'focus' | 'target'} the current layout of the panel */ #layout = '';
  /** Whether the element is being set up: its events are not the user's changes. */
  #isGiving = false;
  isBusy = false;

  /**
   * @param {import('../model/model.js').Model} model
   * @param {{ root: HTMLElement, notices: import('../ui/notice.js').Notices }} place `root`: where it is built
   * @param {(document: TargetDocument) => void} onKept called when the targets to store with the photo have changed
   */
  constructor(model, { root, notices }, onKept) {
    this.model = model;
    this.onKept = onKept;
    this.root = root;
    this.notices = notices;
    this.view = /** @type {import('../../Element/crop-view.js').CropView} */ (
      document.createElement('crop-view'));
    this.view.setAttribute('wheel', 'zoom');
    const back = tool('back', words('targetsBack'), () => model.navigator.back(), 'flips');
    this.undo = tool('undo', words('undo'), () => this.#step('undo'), 'flips');
    this.redo = tool('redo', words('redo'), () => this.#step('redo'), 'flips');
    this.more = tool('more', words('more'), () => this.panel.toggleMore(), 'narrow-only');
    this.panel = new Panel('targets-', this.more);
    this.name = node('h1', { dir: 'auto' });
    this.facts = node('p');
    this.save = node('button.primary', { type: 'button', onclick: () => void saveAllTargets(this) }, words('queueSaveAll'));
    this.strip = new TargetStrip((name) => this.choose(name));
    this.toast = new Toast(() => {});
    this.hint = node('p.pill', { hidden: true });
    this.status = node('p.unseen', { role: 'status' });
    this.flash = node('div.flash', { hidden: true });
    root.append(
      node('header.bar', {}, back, node('div.title', {}, this.name, this.facts),
        this.undo, this.redo, this.more, this.save),
      node('div.stage', {}, this.toast.host, this.view, this.flash, node('div.above', {}, this.hint),
        this.notices.host, this.status),
      this.strip.root,
      node('aside.side', { 'aria-label': words('adjust') }, this.panel.root, this.panel.tabs));
    this.view.addEventListener('input', () => this.#followed());
    this.view.addEventListener('change', () => this.#changed());
    this.view.addEventListener('statechange', () => this.#showState());
    this.view.addEventListener('croprequest', () => this.strip.focus());
    new ResizeObserver(() => this.#draw()).observe(this.strip.root);
    addEventListener('keydown', (event) => this.#key(event), { capture: true });
    listenForShortcuts(this.view, () => this.#isShown);
  }

  get #isShown() {
    return !this.root.hidden && !this.isBusy && this.photo !== null;
  }

  /**
   * Shows a photo's targets.
   * @param {Photo} photo @param {TargetDocument | null} kept the stored targets
   * @param {Recipe | null} recipe its crop, whose transform all targets use
   * @param {string} [name] the initial target
   */
  async open(photo, kept, recipe, name = '') {
    const isSame = this.photo?.id === photo.id && this.view.picture !== null;
    this.#isGiving = true;
    this.photo = photo;
    this.name.textContent = photo.name;
    this.notices.clear();
    if (!isSame) {
      this.toast.clear();
      this.view.setAttribute('lossless', losslessOf(this.model.encoding));
      await this.view.load(photo.shown, {
        width: photo.width, height: photo.height, file: photo.original ?? undefined,
        head: headOf(photo), isServed: this.model.hasServer,
      });
      if (this.photo !== photo || !this.view.picture) return;
      this.#source?.bitmap.close();
      this.#source = await sourceOf(this.view.picture);
    }
    const { quarterTurns, mirrored, tilt } = recipe ?? kept?.picture ?? AS_STORED;
    const picture = { quarterTurns, mirrored, tilt };
    const document = kept ?? { version: 1, picture, focus: null, targets: chosen() };
    this.set.open({ ...document, picture });
    const targets = await this.#reoriented(document.targets);
    if (this.photo !== photo) return;
    this.set.open({ ...document, picture, targets });
    this.choose(name);
    this.#summarize(false);
  }

  /** Releases the image and leaves the screen. */
  close() {
    this.photo = null;
    this.root.remove();
    this.view.unload();
    this.toast.clear();
    this.#source?.bitmap.close();
    this.#source = null;
  }

  /**
   * Adapts crops made by hand to the photo's current orientation; those of a different photo are removed.
   * @param {Target[]} targets @returns {Promise<Target[]>}
   */
  async #reoriented(targets) {
    const { core, picture } = this.view;
    const { picture: transform } = this.set.document;
    const image = this.#size;
    if (!core || !picture || !image || targets.every(({ recipe }) => !recipe)) return targets;
    const reoriented = await reorienting(picture);
    return targets.map((target) => (target.recipe
      ? this.set.withCrop(core, image, target, reoriented(target.recipe, transform,
        target.fit === 'contain' ? null : termsOf(core, target))) : target));
  }

  /** @param {string} name of the target to edit separately; empty for the focus */
  choose(name) {
    const { core, picture } = this.view;
    if (!core || !picture) return;
    const target = this.set.find(name);
    if (this.#name && this.view.state) this.#style = this.view.state.style;
    this.#name = target ? name : '';
    this.#layPanel(target ? 'target' : 'focus');
    this.view.style.setProperty('--ck-shade', target ? '1' : FOCUS_SHADE);
    this.view.restyle();
    this.#isGiving = true;
    if (target) this.#showTarget(target);
    else this.#showFocus();
    this.#isGiving = false;
    this.#given = this.#shown;
    this.strip.list(this.set.document.targets, this.#name);
    this.strip.reveal();
    this.#draw();
    this.#showState();
  }

  /** What the element shows, as text for comparison. */
  get #shown() {
    return JSON.stringify(this.view.recipe);
  }

  /** @param {Target} target */
  #showTarget(target) {
    const { view } = this;
    const crop = this.#cropOf(target);
    view.command('style', this.#style);
    view.guides = hasGuide(target.name) ? target.name : '';
    const canvas = canvasOf(target);
    // A crop on a canvas may have any ratio.
    if (canvas) view.command('ratioFree');
    else if (view.core) view.command('ratio', ...termsOf(view.core, target));
    this.#setCanvas(canvas);
    if (!crop) return view.clear();
    view.recipe = acceptedRecipe({ ...crop.recipe });
  }

  /** @param {import('../../Element/canvas.js').CanvasOptions | null} canvas of the shown target */
  #setCanvas(canvas) {
    try {
      this.view.lay(canvas);
    } catch {
      // Saving reports an invalid canvas of an imported set.
      this.view.lay(null);
    }
  }

  /** Shows the photo in its orientation but without tilt: a focus has no tilt. */
  #showFocus() {
    const { view } = this;
    const whole = this.#whole;
    if (!whole) return;
    const { focus, picture } = this.set.document;
    this.#setCanvas(null);
    view.guides = '';
    view.command('style', Style.marquee);
    view.command('ratioFree');
    view.recipe = acceptedRecipe({
      version: 1, ...picture, tilt: 0, shape: 'rectangle', output: null, rect: whole.visible,
    });
    if (!focus) view.clear();
  }

  /** The photo's size in upright pixels. */
  get #size() {
    return this.view.pictureSize;
  }

  get #whole() {
    const { picture, focus } = this.set.document;
    return this.view.core && this.#size && focusFrame(this.view.core, { image: this.#size, transform: picture, focus });
  }

  /** @param {Target} target @returns {TargetCrop | null} */
  #cropOf(target) {
    const { core } = this.view;
    return core && this.#size && this.set.crop(core, this.#size, target);
  }

  /** @param {Target} target @param {TargetCrop} crop */
  #resultOf(target, crop) {
    const { view: { core }, model: { encoding, hasServer }, photo } = this;
    return core && targetResult(core, target, crop, { encoding, own: photo?.format ?? '', hasServer });
  }

  /** The crops of all targets, by their names. */
  get crops() {
    return new Map(this.set.document.targets.map((target) => [target.name, this.#cropOf(target)]));
  }

  /**
   * Whether a crop has the photo's orientation.
   * @param {Recipe} recipe
   */
  #hasOrientation({ quarterTurns, mirrored, tilt }) {
    const { picture } = this.set.document;
    return quarterTurns === picture.quarterTurns && mirrored === picture.mirrored && tilt === picture.tilt;
  }

  /** Whether the user has changed what the element shows. */
  get #isByHand() {
    return this.photo !== null && !this.isBusy && !this.#isGiving && this.#shown !== this.#given;
  }

  /** Updates the previews while the user changes the focus or a target's crop. */
  #followed() {
    const { core, recipe } = this.view;
    if (!this.#isByHand || !core || !this.#size) return;
    const target = this.set.find(this.#name);
    const { picture } = this.set.document;
    if (!target) {
      this.set.follow({ focus: recipe?.rect ? focusOf(core, { image: this.#size, transform: picture, rect: recipe.rect }) : null });
    } else if (recipe && this.#hasOrientation(recipe)) {
      this.set.follow({ targets: this.set.with(this.set.withCrop(core, this.#size, target, recipe)) });
    }
    this.#draw();
  }

  #changed() {
    if (!this.#isByHand) return;
    const { recipe } = this.view;
    if (this.#name && recipe && !this.#hasOrientation(recipe)) {
      // Two fingers changed the tilt, which applies to all crops.
      this.#isGiving = true;
      this.view.tilt = this.set.document.picture.tilt;
      this.#isGiving = false;
      this.#followed();
    }
    this.#given = this.#shown;
    this.#settle();
  }

  /** @param {Partial<TargetDocument>} [changes] */
  #settle(changes) {
    if (!this.set.settle(changes)) return;
    this.#keep();
  }

  #keep() {
    remember(this.set.document.targets);
    this.onKept(this.set.document);
    this.#summarize(true);
    this.#showState();
  }

  /** @param {'undo' | 'redo'} way */
  #step(way) {
    if (!this.#isShown || !this.set[way === 'undo' ? 'canUndo' : 'canRedo']) return;
    this.set[way]();
    this.choose(this.#name);
    this.#keep();
  }

  /** @param {Target} target @param {boolean} isOn */
  #list(target, isOn) {
    const { targets } = this.set.document;
    const rest = targets.filter(({ name }) => name !== target.name);
    this.#settle({ targets: isOn ? [...rest, target] : rest });
    this.choose(isOn ? '' : this.#name);
  }

  #remove() {
    const name = this.#name;
    const { targets } = this.set.document;
    this.#settle({ targets: targets.filter((target) => target.name !== name) });
    forget(name);
    this.choose('');
    this.strip.focus();
  }

  /** @param {Target} changed the chosen target with another canvas, or without one */
  #fit(changed) {
    const before = this.set.find(this.#name);
    if (!before) return;
    const isOther = changed.fit !== before.fit;
    // A crop made by hand for the ratio does not fit a canvas, nor vice versa.
    const { recipe: _, ...rest } = changed;
    this.#settle({ targets: this.set.with(isOther ? rest : changed) });
    if (isOther) this.choose(this.#name);
    else {
      this.#setCanvas(canvasOf(changed));
      this.strip.list(this.set.document.targets, this.#name);
      this.#draw();
      this.#showState();
    }
  }

  #followAgain() {
    const target = this.set.find(this.#name);
    if (!target) return;
    const { recipe: _, ...rest } = target;
    this.#settle({ targets: this.set.with(rest) });
    this.choose(this.#name);
  }

  /** @param {'focus' | 'target'} layout */
  #layPanel(layout) {
    if (this.#layout === layout) return;
    this.#layout = layout;
    const { view, set, model: { encoding, hasServer } } = this;
    const changed = () => {
      this.#draw();
      this.#showState();
    };
    const written = () => writtenHere(this);
    const here = hasServer ? null : { instead: () => written().format, written };
    const output = { here, own: () => this.photo?.format ?? '' };
    const sections = layout === 'focus' ? [
      focusSection(() => set.document.focus !== null, () => view.clear()),
      listSection(() => set.document.targets, (target, isOn) => this.#list(target, isOn)),
      collapsible('output', outputSection(view, encoding, changed, output), () => outputText(encoding, here?.instead())),
      collapsible('names', namesSection(FILE_NAMES)),
    ] : [
      chosenSection(() => {
        const target = set.find(this.#name);
        const crop = target && this.#cropOf(target);
        return target ? { target, crop: crop ?? null, result: crop ? this.#resultOf(target, crop) : null } : null;
      }, {
        follow: () => this.#followAgain(), remove: () => this.#remove(),
        sheet: hasServer ? (paper) => {
          const target = set.find(this.#name);
          if (target) void saveSheet(this, target, paper);
        } : null,
      }),
      fitSection(() => set.find(this.#name) ?? null, (changed) => this.#fit(changed)),
      // A target's crop is a rectangle, and the photo's orientation applies to all.
      ...available(view, [
        styleSection(view, Style.studio), ...selectionSections(view, encoding, changed, { isTarget: true }),
        ...actionSections(view),
      ]),
    ];
    this.panel.build(sections, TABS);
  }

  #showState() {
    const { state, isHeld } = this.view;
    if (!state || this.photo === null) return;
    this.undo.disabled = this.isBusy || !this.set.canUndo;
    this.redo.disabled = this.isBusy || !this.set.canRedo;
    this.save.disabled = this.isBusy || this.set.document.targets.length === 0;
    this.panel.root.inert = this.isBusy;
    const hint = this.#name || state.valid || isHeld ? '' : words('targetFocusHint');
    this.hint.hidden = hint === '';
    if (this.hint.textContent !== hint) this.hint.textContent = hint;
    if (isHeld) this.panel.follow(state);
    else this.panel.update(state);
  }

  #draw() {
    const whole = this.#whole;
    if (!this.#source || !whole || !this.#size || this.root.hidden) return;
    const focus = this.set.document.focus && whole.focus;
    if (!this.view.core) return;
    this.strip.draw(this.view.core, this.#source, { ...whole, focus }, this.crops,
      (target, crop) => this.#resultOf(target, crop));
  }

  /** @param {boolean} isSpoken */
  #summarize(isSpoken) {
    const all = [...this.crops.values()];
    const cut = all.filter((crop) => crop?.cutsFocus).length;
    const small = all.filter((crop) => crop?.isTooSmall).length;
    const parts = [counted('targetsCount', all.length), cut > 0 && counted('targetsCut', cut),
      small > 0 && counted('targetsSmall', small)].filter((part) => part !== false);
    this.facts.textContent = parts.join(' · ');
    if (isSpoken) this.status.textContent = parts.join(', ');
  }

  /**
   * Undo and redo belong to the set, and the element's shortcuts must not turn a single crop.
   * @param {KeyboardEvent} event
   */
  #key(event) {
    const at = /** @type {Element} */ (event.composedPath()[0]);
    const isText = at instanceof HTMLInputElement && !['range', 'checkbox'].includes(at.type);
    if (!this.#isShown || isText || event.altKey || hasDialog()) return;
    const key = event.key.toLowerCase();
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && key === 'z') this.#step(event.shiftKey ? 'redo' : 'undo');
    else if (isCommand && key === 'y') this.#step('redo');
    else if (isCommand || !ORIENTATION_KEYS.has(key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {boolean} isBusy */
  setBusy(isBusy) {
    this.isBusy = isBusy;
    this.view.inert = this.strip.root.inert = isBusy;
    this.save.classList.toggle('busy', isBusy);
    this.#showState();
    if (!isBusy && document.activeElement === document.body) this.save.focus({ preventScroll: true });
  }

  /** The flash of the shutter, in the focus or the target's crop. */
  async shine() {
    const { selectionBox } = this.view;
    if (selectionBox) await flash(this.flash, selectionBox);
  }
}
