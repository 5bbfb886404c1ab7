// @ts-check
// The result: the image, its properties, and the ways to save it.

import { formatName, named } from '../model/photo.js';
import { preview, PREVIEW_SIDE } from '../server/api.js';
import { explain } from '../server/explain.js';
import { chip } from '../ui/chips.js';
import { canChooseWhere, canCopy, canShare, copy, saveToDevice, share } from '../ui/device.js';
import { animate, hasDialog, node, setAttribute } from '../ui/dom.js';
import { icon, tool } from '../ui/icons.js';
import { Notices } from '../ui/notice.js';
import { listenForSwipes, PhotoNavigation } from '../ui/photo-navigation.js';
import { formatBytes, formatNumber, formatSize, words } from '../ui/words.js';

/** @typedef {import('../model/photo.js').Result} Result */

/** Results whose longest side has fewer pixels are shown enlarged. */
const TINY = 64;

export class ResultScreen {
  /** @param {import('../model/model.js').Model} model */
  constructor(model) {
    this.model = model;
    this.url = '';
    this.shownUrl = '';
    /** @type {File | undefined} */ this.file = undefined;
    /** @type {Result | undefined} */ this.result = undefined;
    this.notices = new Notices();
    this.name = node('h1', { dir: 'auto' });
    this.size = node('p');
    this.picture = node('img', { alt: words('resultAlt') });
    this.heading = node('h2');
    this.facts = node('dl.facts');
    this.note = node('p.note');
    this.light = node('p.note');
    this.warnings = node('ul.warnings', { hidden: true });
    this.status = node('p.unseen', { role: 'status' });
    this.save = node('a.primary', { onclick: () => this.#saved() }, words('save'));
    /** Shown instead of Save if there is nothing to save. */
    this.kept = node('span.kept', { hidden: true }, icon('check', 20), words('stateSaved'));
    /** The other ways to save, in view. */
    this.ways = node('div.row.ways', { role: 'group', 'aria-label': words('saveMenu') });
    this.another = node('button.secondary', { type: 'button', onclick: () => model.navigator.another() });
    this.next = node('button.primary.wide', { type: 'button', hidden: true,
      onclick: () => model.opener.select(model.queue.at + 1) });
    /** After the last photo of a queue. */
    this.all = node('button.primary.wide', { type: 'button', hidden: true, onclick: () => model.opener.saveAll() },
      words('queueSaveAll'));
    this.steps = new PhotoNavigation((way) => model.navigator.step(way));
    this.steps.root.classList.add('wide-only');
    const back = () => model.navigator.back();
    /** For a viewed photo of the library, instead of Save. */
    this.edit = node('button.primary', { type: 'button', onclick: () => model.navigator.edit() });
    this.back = tool('back', '', back, 'flips');
    this.keepEditing = node('button.secondary', { type: 'button', onclick: back }, words('keepEditing'));
    model.queue.addEventListener('change', () => this.#offer());
    const show = node('div.show', {}, this.picture);
    listenForSwipes(show, (way) => model.navigator.step(way));
    this.root = node('main.work.result', { id: 'result' },
      node('header.bar', {},
        this.back, node('div.title', {}, this.name, this.size),
        this.steps.root, this.kept, this.save, this.edit),
      node('div.stage', {}, show, this.notices.host, this.status),
      node('aside.side', { 'aria-label': words('result') },
        node('section.section.current', {},
          this.heading, this.facts, this.note, this.light, this.warnings, this.ways, this.steps.row,
          node('div.stack', {}, this.next, this.all, this.keepEditing, this.another))));
    addEventListener('keydown', (event) => this.#key(event));
  }

  /** @param {Result} result */
  show(result) {
    const { hasNext, at, items } = this.model.queue;
    this.clear();
    this.result = result;
    this.steps.set({});
    this.file = named(result.blob, result.name);
    this.url = URL.createObjectURL(this.file);
    this.#picture(result);
    const size = formatSize(result.width, result.height);
    this.name.textContent = result.name;
    this.size.textContent = `${size} · ${formatBytes(result.blob.size)}`;
    this.picture.width = result.width;
    this.picture.height = result.height;
    // A few pixels would hardly be visible.
    this.picture.classList.toggle('tiny', Math.max(result.width, result.height) < TINY);
    this.save.href = this.url;
    this.save.download = result.name;
    this.facts.replaceChildren(
      ...fact(words('resultFile'), result.name),
      ...fact(words('resultSize'), size),
      ...fact(words('resultFormat'), formatName(result.blob)),
      ...(result.frames && result.frames > 1
        ? fact(words('resultFrames'), formatNumber(result.frames)) : []),
      ...fact(words('resultBytes'), formatBytes(result.blob.size)));
    this.next.hidden = !result.made || !hasNext;
    this.next.textContent = words('queueNext', formatNumber(at + 2), formatNumber(items.length));
    this.another.textContent = words(result.made ? 'cropAnother' : 'toPhotos');
    const { edit } = result;
    this.edit.hidden = !edit;
    this.edit.textContent = words(edit ?? 'crop');
    this.keepEditing.hidden = edit !== undefined;
    const backTo = words(edit ? 'toPhotos' : 'keepEditing');
    setAttribute(this.back, 'aria-label', backTo);
    setAttribute(this.back, 'title', backTo);
    this.heading.textContent = words(result.made ? 'result' : 'photo');
    this.note.hidden = !result.made;
    this.note.textContent = !result.made ? ''
      : result.made === 'badgeBorder' ? words(result.made, formatNumber(result.requantized ?? 0)) : words(result.made);
    this.note.classList.toggle('lossless', result.made === 'noteLossless' || result.made === 'badgeBorder');
    this.light.hidden = !result.light;
    this.light.textContent = result.light ? words(result.light, formatName(result.blob)) : '';
    this.light.classList.toggle('lossless', result.light === 'hdrKept');
    const { warnings = [] } = result;
    this.warnings.hidden = warnings.length === 0;
    this.warnings.replaceChildren(...warnings.map((text) => node('li.note.warns', {}, text)));
    this.status.textContent = words('resultReady', formatNumber(result.width), formatNumber(result.height));
    this.#offer();
  }

  /** The button that continues a queue. */
  get onward() {
    return this.all.hidden ? this.next : this.all;
  }

  /**
   * Shows the result, or what it looks like until its own pixels are decoded.
   * @param {Result} result
   */
  #picture(result) {
    const { blob, shown } = result;
    this.shownUrl = shown === blob ? this.url : shown ? URL.createObjectURL(shown) : '';
    if (shown) this.picture.src = this.shownUrl;
    if (!shown || result.isDrawn) void this.#refine(result).catch(() => {});
  }

  /** @param {Result} result that the browser can't show */
  async #refine(result) {
    const shown = await preview(result.blob, 'result', PREVIEW_SIDE);
    const finer = URL.createObjectURL(shown);
    await load(finer);
    Object.assign(result, { shown, isDrawn: false });
    if (this.result !== result) return URL.revokeObjectURL(finer);
    this.picture.src = finer;
    if (this.shownUrl) URL.revokeObjectURL(this.shownUrl);
    this.shownUrl = finer;
  }

  /** Offers one way to save as a button and the others in the menu; nothing if it is already saved. */
  #offer() {
    const { result, file, model: { queue } } = this;
    if (!result || !file) return;
    this.all.hidden = !result.made || queue.hasNext || queue.savable.length < 2;
    // All may have been saved together.
    if (queue.current?.result === result && queue.current.isSaved) result.isSaved = true;
    // A result without this information existed before: it is in the library.
    const isSaved = result.isSaved || !result.made;
    this.save.hidden = isSaved;
    this.kept.hidden = !isSaved || result.edit !== undefined;
    const hasNext = !this.onward.hidden;
    this.save.className = hasNext ? 'secondary' : 'primary';
    this.another.className = isSaved && !hasNext && !result.edit ? 'primary' : 'secondary';
    const way = (/** @type {import('../ui/icons.js').IconName} */ glyph, /** @type {import('../ui/words.js').WordKey} */ label,
      /** @type {() => void} */ act, keys = '') => chip([icon(glyph, 20), words(label)], act, { 'aria-keyshortcuts': keys || null });
    this.ways.replaceChildren(
      ...(canCopy() ? [way('copy', 'copy', () => void this.#copy(file, result.shown), 'Control+C Meta+C')] : []),
      ...(canShare(file) ? [way('share', 'share', () => void share(file, this.notices))] : []),
      ...(isSaved ? [way('save', 'download', () => this.save.click())] : []),
      ...(canChooseWhere() ? [way('folder', 'saveAs', () => void this.keep())] : []));
    this.ways.hidden = this.ways.childElementCount === 0;
  }

  /**
   * Copies the image with the keys that copy text, unless some is selected.
   * @param {KeyboardEvent} event
   */
  #key(event) {
    const { file, result, root } = this;
    const isCopy = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'c';
    if (!isCopy || !file || !result || root.hidden || !root.isConnected || hasDialog() || !canCopy()) return;
    if (!getSelection()?.isCollapsed || event.defaultPrevented) return;
    event.preventDefault();
    void this.#copy(file, result.shown);
  }

  /** @param {File} file @param {Blob | null} shown */
  async #copy(file, shown) {
    if (await copy(file, shown ?? file, this.notices)) this.status.textContent = words('copied');
  }

  /** Updates the screen after saving. */
  #saved() {
    if (this.result) this.result.isSaved = true;
    // The queue's change already hides the button, which then has no focus.
    const hadKeyboard = document.activeElement === this.save;
    const { photo, queue: { current }, unsaved } = this.model;
    if (photo) unsaved.saved();
    else if (current) unsaved.savedOf([current]);
    this.#offer();
    this.status.textContent = words('stateSaved');
    if (hadKeyboard) (this.onward.hidden ? this.another : this.onward).focus({ preventScroll: true });
  }

  /**
   * Focuses the next action, and animates the image from its place in the editor.
   * @param {DOMRect | null} from
   */
  async arrive(from) {
    (this.onward.hidden ? this.save : this.onward).focus({ preventScroll: true });
    await this.picture.decode().catch(() => {});
    const to = this.picture.getBoundingClientRect();
    if (!from || !to.width || !to.height || !from.width) return;
    const x = from.x + from.width / 2 - (to.x + to.width / 2);
    const y = from.y + from.height / 2 - (to.y + to.height / 2);
    const scale = `${from.width / to.width}, ${from.height / to.height}`;
    await animate(this.picture, [
      { transform: `translate(${x}px, ${y}px) scale(${scale})` }, { transform: 'none' },
    ], 260);
  }

  /** Saves where the user chooses. */
  async keep() {
    if (!this.file) return;
    try {
      if (await saveToDevice(this.file)) this.#saved();
    } catch (error) {
      const { title, detail } = explain(error, this.file.name, 'problemSave', 'problemSaveDo');
      this.notices.problem(title, detail);
    }
  }

  clear() {
    this.notices.clear();
    for (const url of new Set([this.url, this.shownUrl])) if (url) URL.revokeObjectURL(url);
    this.url = '';
    this.shownUrl = '';
    this.picture.removeAttribute('src');
    this.file = undefined;
    this.result = undefined;
  }
}

/** @param {string} url of an image, so that it is decoded before it replaces another one */
async function load(url) {
  const image = new Image();
  image.src = url;
  await image.decode();
}

/** @param {string} term @param {string} value */
function fact(term, value) {
  return [node('dt', {}, term), node('dd', {}, value)];
}
