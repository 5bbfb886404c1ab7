// @ts-check
// The result: the picture itself, what it is, and where it can go.

import { canChooseWhere, canShare, saveToDevice, shared } from './device.js';
import { animate, node } from './dom.js';
import { explain } from './explain.js';
import { icon } from './icons.js';
import { Menu } from './menu.js';
import { Notices } from './notice.js';
import { formatName } from './photo.js';
import { Steps } from './steps.js';
import { formatBytes, formatNumber, formatSize, words } from './words.js';

/**
 * @typedef {object} Result
 * @property {Blob} blob @property {string} name
 * @property {Blob} shown what the browser can draw of it
 * @property {number} width @property {number} height
 * @property {'noteHere' | 'noteLossless' | 'noteEncoded'} [made] how, where that is known
 * @property {number} [frames] of an animation
 * @property {string} [key] what it was made of and how
 * @property {boolean} [isSaved] it is where the person wants it
 */

/** Longest side, in pixels, of what is shown enlarged. */
const TINY = 64;

export class ResultScreen {
  /**
   * @param {{ back(): void, another(): void, next(): void, saved(): void,
   *   step(way: 1 | -1): void }} actions `saved`: it is
   *   where the person wants it
   */
  constructor(actions) {
    this.url = '';
    this.shownUrl = '';
    /** @type {File | undefined} */
    this.file = undefined;
    /** @type {Result | undefined} */
    this.result = undefined;
    this.notices = new Notices();
    this.name = node('h1', { dir: 'auto' });
    this.size = node('p');
    this.picture = node('img', { alt: words('resultAlt') });
    this.heading = node('h2');
    this.facts = node('dl.facts');
    this.note = node('p.note');
    this.live = node('p.unseen', { role: 'status' });
    this.actions = actions;
    this.save = node('a.primary', { onclick: () => this.#saved() }, words('save'));
    /** In its place where there is nothing to save. */
    this.kept = node('span.kept', { hidden: true }, icon('check', 20), words('stateSaved'));
    this.menu = new Menu(words('saveMenu'));
    this.another = node('button.secondary', { type: 'button', onclick: actions.another });
    this.next = node('button.primary.wide', { type: 'button', hidden: true, onclick: actions.next });
    this.steps = new Steps(actions.step);
    this.steps.root.classList.add('wide-only');
    this.root = node('main.work.result', { id: 'result' },
      node('header.bar', {},
        node('button.quiet.square.flips', {
          type: 'button', 'aria-label': words('keepEditing'), title: words('keepEditing'),
          onclick: actions.back,
        }, icon('back')),
        node('div.title', {}, this.name, this.size),
        this.steps.root, this.menu.root, this.kept, this.save),
      node('div.stage', {}, node('div.show', {}, this.picture), this.notices.host, this.live),
      node('aside.side', { 'aria-label': words('result') },
        node('section.section.current', {},
          this.heading, this.facts, this.note, this.steps.row,
          node('div.stack', {}, this.next,
            node('button.secondary', { type: 'button', onclick: actions.back },
              words('keepEditing')),
            this.another))));
  }

  /** @param {Result} result @param {string} [next] the way on to another photo */
  show(result, next) {
    this.clear();
    this.result = result;
    this.steps.set({});
    this.file = new File([result.blob], result.name, { type: result.blob.type });
    this.url = URL.createObjectURL(this.file);
    this.shownUrl = result.shown === result.blob ? this.url : URL.createObjectURL(result.shown);
    const size = formatSize(result.width, result.height);
    this.name.textContent = result.name;
    this.size.textContent = `${size} · ${formatBytes(result.blob.size)}`;
    this.picture.src = this.shownUrl;
    this.picture.width = result.width;
    this.picture.height = result.height;
    // A few pixels would not be seen.
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
    this.next.hidden = !next;
    this.next.textContent = next ?? '';
    this.another.textContent = words(result.made ? 'cropAnother' : 'toPhotos');
    this.heading.textContent = words(result.made ? 'result' : 'photo');
    this.note.hidden = !result.made;
    this.note.textContent = result.made ? words(result.made) : '';
    this.note.classList.toggle('lossless', result.made === 'noteLossless');
    this.live.textContent = words('resultReady', formatNumber(result.width), formatNumber(result.height));
    this.#offer();
  }

  /** One way to save comes first, the others are in the menu; after it there is nothing to save. */
  #offer() {
    const { result, file } = this;
    if (!result || !file) return;
    // What has no story was made before: it is in the library.
    const isSaved = result.isSaved || !result.made;
    this.save.hidden = isSaved;
    this.kept.hidden = !isSaved;
    const hasNext = !this.next.hidden;
    this.save.className = hasNext ? 'secondary' : 'primary';
    this.another.className = isSaved && !hasNext ? 'primary' : 'secondary';
    this.menu.set([
      ...(isSaved ? [{ label: words('download'), act: () => this.save.click() }] : []),
      ...(canChooseWhere() ? [{ label: words('saveAs'), act: () => void this.keep() }] : []),
      ...(canShare(file) ? [{ label: words('share'), act: () => void this.sendAway() }] : []),
    ]);
  }

  /** It is where the person wants it. */
  #saved() {
    if (this.result) this.result.isSaved = true;
    this.actions.saved();
    const hadKeyboard = document.activeElement === this.save;
    this.#offer();
    this.live.textContent = words('stateSaved');
    if (hadKeyboard) (this.next.hidden ? this.another : this.next).focus({ preventScroll: true });
  }

  /**
   * The picture moves from where it was framed to where it is shown.
   * @param {DOMRect | null} from
   */
  async arrive(from) {
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

  async sendAway() {
    if (this.file && !await shared(this.file)) this.notices.problem(words('problemShare'), '');
  }

  /** Saves where the person says. */
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

/** @param {string} term @param {string} value */
function fact(term, value) {
  return [node('dt', {}, term), node('dd', {}, value)];
}
