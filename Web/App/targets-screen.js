// @ts-check
// One photo for several places: the focus on the photo, live previews under it, and each crop by hand where a
// person wants that.

import { Style } from '../Element/interface.js';
import { relaying } from '../Element/offscreen.js';
import { focusFrame, focusOf, termsOf } from '../Element/questions.js';
import { takeable } from '../Element/shown-recipe.js';
import { makeSections, TABS } from './controls.js';
import { animate, node } from './dom.js';
import { icon } from './icons.js';
import { Notices } from './notice.js';
import { losslessOf, outputSaid, outputSection } from './output.js';
import { folding } from './fold.js';
import { headOf } from './photo.js';
import { Panel } from './panel.js';
import { listenForShortcuts } from './shortcuts.js';
import { setting } from './settings.js';
import { chosen, forget, remember } from './target-list.js';
import { chosenSection, focusSection, listSection, namesSection } from './target-sections.js';
import { AS_STORED, TargetSet } from './target-set.js';
import { sourceOf, TargetStrip } from './target-strip.js';
import { Toast } from './toast.js';
import { counted, words } from './words.js';

/** @typedef {import('./photo.js').Photo} Photo */
/** @typedef {import('./target-set.js').Target} Target */
/** @typedef {import('./target-set.js').TargetCrop} TargetCrop */
/** @typedef {import('./target-set.js').TargetDocument} TargetDocument */
/** @typedef {import('../Element/core.js').Recipe} Recipe */

/** How much darker what is not the focus is, where 1 is what is cut away. */
const FOCUS_SHADE = '0.45';

/** Keys that turn and mirror: every crop of a set lies as the photo does. */
const LAYING_KEYS = new Set(['r', 'h', 'v']);

export const FILE_NAMES = setting('targetNames', '{name}-{target}');

export class TargetsScreen {
  set = new TargetSet();
  /** @type {Photo | null} whose targets these are */ photo = null;
  /** The target that is edited by itself; empty while the focus is. */
  #name = '';
  /** How a crop is framed by hand, until another style is chosen. */
  #style = Style.studio;
  /** What the element was given: until it shows something else, nothing has changed. */
  #given = '';
  /** @type {import('./target-strip.js').Source | null} */ #source = null;
  /** @type {'' | 'focus' | 'target'} what the panel was laid out for */ #layout = '';
  /** The element is being given something else: what it tells meanwhile is no doing of a person. */
  #isGiving = false;
  isBusy = false;

  /**
   * @param {import('./work.js').Work} work
   * @param {import('./api.js').Encoding} encoding how results are written, also those of one crop
   * @param {{ back(): void, save(): void, kept(document: TargetDocument): void }} actions `kept`: there
   *   is another set to be kept with the photo
   */
  constructor(work, encoding, actions) {
    this.work = work;
    this.encoding = encoding;
    this.actions = actions;
    this.notices = new Notices();
    this.view = /** @type {import('../Element/crop-view.js').CropView} */ (
      document.createElement('crop-view'));
    this.view.setAttribute('scroll', 'zoom');
    const tool = (/** @type {import('./icons.js').IconName} */ glyph, /** @type {string} */ label,
      /** @type {() => void} */ act) => node('button.quiet.square', {
      type: 'button', 'aria-label': label, title: label, onclick: act,
    }, icon(glyph));
    const back = tool('back', words('targetsBack'), actions.back);
    this.undo = tool('undo', words('undo'), () => this.#step('undo'));
    this.redo = tool('redo', words('redo'), () => this.#step('redo'));
    for (const button of [back, this.undo, this.redo]) button.classList.add('flips');
    this.more = tool('more', words('more'), () => this.panel.toggleMore());
    this.more.classList.add('narrow-only');
    this.panel = new Panel('targets-', this.more);
    this.name = node('h1', { dir: 'auto' });
    this.facts = node('p');
    this.save = node('button.primary', { type: 'button', onclick: actions.save }, words('queueSaveAll'));
    this.strip = new TargetStrip((name) => this.choose(name));
    this.toast = new Toast(() => {});
    this.hint = node('p.pill', { hidden: true });
    this.live = node('p.unseen', { role: 'status' });
    this.flash = node('div.flash', { hidden: true });
    this.root = node('main.work.targets', { id: 'targets' },
      node('header.bar', {}, back, node('div.title', {}, this.name, this.facts),
        this.undo, this.redo, this.more, this.save),
      node('div.stage', {}, this.toast.host, this.view, this.flash, node('div.above', {}, this.hint),
        this.notices.host, this.live),
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
   * @param {Photo} photo @param {TargetDocument | null} kept as they were left
   * @param {Recipe | null} recipe what is framed of it: every crop lies as that does
   * @param {string} [name] the target to begin with
   */
  async open(photo, kept, recipe, name = '') {
    const isSame = this.photo?.id === photo.id && this.view.picture !== null;
    this.#isGiving = true;
    this.photo = photo;
    this.name.textContent = photo.name;
    this.notices.clear();
    if (!isSame) {
      this.toast.clear();
      this.view.setAttribute('lossless', losslessOf(this.encoding));
      await this.view.load(photo.shown, {
        width: photo.width, height: photo.height, file: photo.original ?? undefined,
        head: headOf(photo), isServed: this.work.hasServer,
      });
      if (this.photo !== photo || !this.view.picture) return;
      this.#source?.bitmap.close();
      this.#source = await sourceOf(this.view.picture);
    }
    const { quarterTurns, mirrored, tilt } = recipe ?? kept?.picture ?? AS_STORED;
    const picture = { quarterTurns, mirrored, tilt };
    const document = kept ?? { version: 1, picture, focus: null, targets: chosen() };
    this.set.open({ ...document, picture });
    const targets = await this.#relaid(document.targets);
    if (this.photo !== photo) return;
    this.set.open({ ...document, picture, targets });
    this.choose(name);
    this.#summarise(false);
  }

  /** Lets the picture go, and the screen. */
  close() {
    this.photo = null;
    this.root.remove();
    this.view.unload();
    this.toast.clear();
    this.#source?.bitmap.close();
    this.#source = null;
  }

  /**
   * The targets, whose crops by hand lie as the photo does now; those of another photo go.
   * @param {Target[]} targets @returns {Promise<Target[]>}
   */
  async #relaid(targets) {
    const { core, picture } = this.view;
    const { picture: laying } = this.set.document;
    const image = this.#size;
    if (!core || !picture || !image || targets.every(({ recipe }) => !recipe)) return targets;
    const relaid = await relaying(picture);
    return targets.map((target) => (target.recipe
      ? this.set.withCrop(core, image, target, relaid(target.recipe, laying, termsOf(core, target))) : target));
  }

  /** @param {string} name of the target to edit by itself; empty for the focus */
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

  /** What the element shows, to be compared. */
  get #shown() {
    return JSON.stringify(this.view.recipe);
  }

  /** @param {Target} target */
  #showTarget(target) {
    const { view } = this;
    const crop = this.#cropOf(target);
    view.command('style', this.#style);
    if (view.core) view.command('ratio', ...termsOf(view.core, target));
    if (!crop) return view.clear();
    view.recipe = takeable({ ...crop.recipe });
  }

  /** The photo as it lies, but level: a focus has no tilt. */
  #showFocus() {
    const { view } = this;
    const whole = this.#whole;
    if (!whole) return;
    const { focus, picture } = this.set.document;
    view.command('style', Style.marquee);
    view.command('ratioFree');
    view.recipe = takeable({
      version: 1, ...picture, tilt: 0, shape: 'rectangle', output: null, rect: whole.visible,
    });
    if (!focus) view.clear();
  }

  /** Upright pixels. */
  get #size() {
    return this.view.pictureSize;
  }

  get #whole() {
    const { picture, focus } = this.set.document;
    return this.view.core && this.#size && focusFrame(this.view.core, this.#size, picture, focus);
  }

  /** @param {Target} target @returns {TargetCrop | null} */
  #cropOf(target) {
    const { core } = this.view;
    return core && this.#size && this.set.crop(core, this.#size, target);
  }

  /** The crops of all targets, by their names. */
  get crops() {
    return new Map(this.set.document.targets.map((target) => [target.name, this.#cropOf(target)]));
  }

  /**
   * Whether a crop lies as the photo does.
   * @param {Recipe} recipe
   */
  #liesRight({ quarterTurns, mirrored, tilt }) {
    const { picture } = this.set.document;
    return quarterTurns === picture.quarterTurns && mirrored === picture.mirrored && tilt === picture.tilt;
  }

  /** Whether what the element shows is another than what it was given. */
  get #isByHand() {
    return this.photo !== null && !this.isBusy && !this.#isGiving && this.#shown !== this.#given;
  }

  /** A hand moves, or has moved, the focus or the crop of a target: the previews follow. */
  #followed() {
    const { core, recipe } = this.view;
    if (!this.#isByHand || !core || !this.#size) return;
    const target = this.set.find(this.#name);
    const { picture } = this.set.document;
    if (!target) {
      this.set.follow({ focus: recipe && focusOf(core, this.#size, picture, recipe.rect) });
    } else if (recipe && this.#liesRight(recipe)) {
      this.set.follow({ targets: this.set.with(this.set.withCrop(core, this.#size, target, recipe)) });
    }
    this.#draw();
  }

  #changed() {
    if (!this.#isByHand) return;
    const { recipe } = this.view;
    if (this.#name && recipe && !this.#liesRight(recipe)) {
      // Fingers that twisted: the tilt is every crop's.
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
    this.actions.kept(this.set.document);
    this.#summarise(true);
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
    const { view, set } = this;
    const changed = () => this.#showState();
    const sections = layout === 'focus' ? [
      focusSection(() => set.document.focus !== null, () => view.clear()),
      listSection(() => set.document.targets, (target, isOn) => this.#list(target, isOn)),
      folding('output', outputSection(view, this.encoding, changed), () => outputSaid(this.encoding)),
      folding('names', namesSection(FILE_NAMES)),
    ] : [
      chosenSection(() => {
        const target = set.find(this.#name);
        return target ? { target, crop: this.#cropOf(target) } : null;
      }, { follow: () => this.#followAgain(), remove: () => this.#remove() }),
      ...makeSections(view, this.encoding, changed, true),
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
    this.strip.draw(this.#source, { ...whole, focus }, this.crops);
  }

  /** @param {boolean} isSpoken */
  #summarise(isSpoken) {
    const all = [...this.crops.values()];
    const cut = all.filter((crop) => crop?.cutsFocus).length;
    const small = all.filter((crop) => crop?.isTooSmall).length;
    const parts = [counted('targetsCount', all.length), cut > 0 && counted('targetsCut', cut),
      small > 0 && counted('targetsSmall', small)].filter((part) => part !== false);
    this.facts.textContent = parts.join(' · ');
    if (isSpoken) this.live.textContent = parts.join(', ');
  }

  /**
   * Steps back and forth are the set's; what the photo hears itself must not turn one crop alone.
   * @param {KeyboardEvent} event
   */
  #key(event) {
    const at = /** @type {Element} */ (event.composedPath()[0]);
    const isText = at instanceof HTMLInputElement && !['range', 'checkbox'].includes(at.type);
    if (!this.#isShown || isText || event.altKey || document.querySelector('dialog[open]')) return;
    const key = event.key.toLowerCase();
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && key === 'z') this.#step(event.shiftKey ? 'redo' : 'undo');
    else if (isCommand && key === 'y') this.#step('redo');
    else if (isCommand || !LAYING_KEYS.has(key)) return;
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

  /** The white flash of the press. */
  async shine() {
    this.flash.hidden = false;
    await animate(this.flash, [{ opacity: 1 }, { opacity: 0 }], 200);
    this.flash.hidden = true;
  }
}
