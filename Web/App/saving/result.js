// @ts-check
// The result: the image, its properties, and the ways to save it.

import { canChooseWhere, canShare, saveToDevice, shared } from './device.js';
import { animate, node } from '../ui/dom.js';
import { explain } from '../server/explain.js';
import { icon, tool } from '../ui/icons.js';
import { Menu } from '../ui/menu.js';
import { Notices } from '../ui/notice.js';
import { formatName } from '../editor/photo.js';
import { PhotoNavigation } from '../editor/photo-navigation.js';
import { formatBytes, formatNumber, formatSize, words } from '../ui/words.js';

/**
 * @typedef {object} Result
 * @property {Blob} blob @property {string} name of the file
 * @property {Blob} shown a version that the browser can draw
 * @property {number} width @property {number} height
 * @property {'noteHere' | 'noteLossless' | 'badgeBorder' | 'noteEncoded'} [made] how it was made, if known
 * @property {number} [requantized] the number of columns or rows at an edge that were requantized in a lossless
 * result
 * @property {'hdrKept' | 'hdrLost' | 'hdrLostHere'} [light] the outcome for the gain map of an HDR photo
 * @property {number} [frames] of an animation
 * @property {string} [key] identifies its source and options
 * @property {boolean} [isSaved] whether it has been saved
 */

/** Results whose longest side has fewer pixels are shown enlarged. */
const TINY = 64;

export class ResultScreen {
  /**
   * @param {{ back(): void, another(): void, next(): void, saved(): void, step(way: 1 | -1): void }} actions
   * `saved`: called when it has been saved
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
    this.light = node('p.note');
    this.live = node('p.unseen', { role: 'status' });
    this.actions = actions;
    this.save = node('a.primary', { onclick: () => this.#saved() }, words('save'));
    /** Shown instead of Save if there is nothing to save. */
    this.kept = node('span.kept', { hidden: true }, icon('check', 20), words('stateSaved'));
    this.menu = new Menu(words('saveMenu'));
    this.another = node('button.secondary', { type: 'button', onclick: actions.another });
    this.next = node('button.primary.wide', { type: 'button', hidden: true, onclick: actions.next });
    this.steps = new PhotoNavigation(actions.step);
    this.steps.root.classList.add('wide-only');
    this.root = node('main.work.result', { id: 'result' },
      node('header.bar', {},
        tool('back', words('keepEditing'), actions.back, 'flips'),
        node('div.title', {}, this.name, this.size),
        this.steps.root, this.menu.root, this.kept, this.save),
      node('div.stage', {}, node('div.show', {}, this.picture), this.notices.host, this.live),
      node('aside.side', { 'aria-label': words('result') },
        node('section.section.current', {},
          this.heading, this.facts, this.note, this.light, this.steps.row,
          node('div.stack', {}, this.next,
            node('button.secondary', { type: 'button', onclick: actions.back },
              words('keepEditing')),
            this.another))));
  }

  /** @param {Result} result @param {string} [next] label of the button for the next photo */
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
    this.next.hidden = !next;
    this.next.textContent = next ?? '';
    this.another.textContent = words(result.made ? 'cropAnother' : 'toPhotos');
    this.heading.textContent = words(result.made ? 'result' : 'photo');
    this.note.hidden = !result.made;
    this.note.textContent = !result.made ? ''
      : result.made === 'badgeBorder' ? words(result.made, formatNumber(result.requantized ?? 0)) : words(result.made);
    this.note.classList.toggle('lossless', result.made === 'noteLossless' || result.made === 'badgeBorder');
    this.light.hidden = !result.light;
    this.light.textContent = result.light ? words(result.light, formatName(result.blob)) : '';
    this.light.classList.toggle('lossless', result.light === 'hdrKept');
    this.live.textContent = words('resultReady', formatNumber(result.width), formatNumber(result.height));
    this.#offer();
  }

  /** Offers one way to save as a button and the others in the menu; nothing if it is already saved. */
  #offer() {
    const { result, file } = this;
    if (!result || !file) return;
    // A result without this information existed before: it is in the library.
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

  /** Updates the screen after saving. */
  #saved() {
    if (this.result) this.result.isSaved = true;
    this.actions.saved();
    const hadKeyboard = document.activeElement === this.save;
    this.#offer();
    this.live.textContent = words('stateSaved');
    if (hadKeyboard) (this.next.hidden ? this.another : this.next).focus({ preventScroll: true });
  }

  /**
   * Animates the image from its place in the editor.
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

/** @param {string} term @param {string} value */
function fact(term, value) {
  return [node('dt', {}, term), node('dd', {}, value)];
}
