// @ts-check
// The result: the picture itself, what it is, and where it can go.

import { canChooseWhere, saveToDevice, shared } from './device.js';
import { animate, node } from './dom.js';
import { explain } from './explain.js';
import { icon } from './icons.js';
import { Notices } from './notice.js';
import { formatName } from './photo.js';
import { formatBytes, formatNumber, formatSize, words } from './words.js';

/**
 * @typedef {object} Result
 * @property {Blob} blob @property {string} name
 * @property {Blob} shown what the browser can draw of it
 * @property {number} width @property {number} height
 * @property {'noteHere' | 'noteLossless' | 'noteEncoded'} [made] how, where that is known
 * @property {number} [frames] of an animation
 * @property {string} [next] the way on to another photo
 */

export class ResultScreen {
  /** @param {{ back(): void, another(): void, next(): void }} actions */
  constructor(actions) {
    this.url = '';
    this.shownUrl = '';
    /** @type {File | undefined} */
    this.file = undefined;
    this.notices = new Notices();
    this.name = node('h1');
    this.size = node('p');
    this.picture = node('img', { alt: words('resultAlt') });
    this.facts = node('dl.facts');
    this.note = node('p.note');
    this.live = node('p.unseen', { role: 'status' });
    this.save = node('a.primary', {}, words('save'));
    this.share = node('button.quiet.square', {
      type: 'button', 'aria-label': words('share'), title: words('share'),
    }, icon('share'));
    this.share.addEventListener('click', () => this.sendAway());
    this.saveAs = node('button.secondary', { type: 'button', hidden: true,
      onclick: () => this.keep() }, words('saveAs'));
    this.another = node('button.secondary', { type: 'button', onclick: actions.another });
    this.next = node('button.primary.wide', { type: 'button', hidden: true, onclick: actions.next });
    this.root = node('main.work.result', { id: 'result' },
      node('header.bar', {},
        node('button.quiet.square.flips', {
          type: 'button', 'aria-label': words('keepEditing'), title: words('keepEditing'),
          onclick: actions.back,
        }, icon('back')),
        node('div.title', {}, this.name, this.size),
        this.share, this.save),
      node('div.stage', {}, node('div.show', {}, this.picture), this.notices.host, this.live),
      node('aside.side', { 'aria-label': words('result') },
        node('section.section.current', {},
          node('h2', {}, words('result')), this.facts, this.note,
          node('div.stack', {}, this.next, this.saveAs,
            node('button.secondary', { type: 'button', onclick: actions.back },
              words('keepEditing')),
            this.another))));
  }

  /** @param {Result} result */
  show(result) {
    this.clear();
    this.file = new File([result.blob], result.name, { type: result.blob.type });
    this.url = URL.createObjectURL(this.file);
    this.shownUrl = result.shown === result.blob ? this.url : URL.createObjectURL(result.shown);
    const size = formatSize(result.width, result.height);
    this.name.textContent = result.name;
    this.size.textContent = `${size} · ${formatBytes(result.blob.size)}`;
    this.picture.src = this.shownUrl;
    this.picture.width = result.width;
    this.picture.height = result.height;
    this.save.href = this.url;
    this.save.download = result.name;
    this.share.hidden = !navigator.canShare?.({ files: [this.file] });
    this.facts.replaceChildren(
      ...fact(words('resultFile'), result.name),
      ...fact(words('resultSize'), size),
      ...fact(words('resultFormat'), formatName(result.blob)),
      ...(result.frames && result.frames > 1
        ? fact(words('resultFrames'), formatNumber(result.frames)) : []),
      ...fact(words('resultBytes'), formatBytes(result.blob.size)));
    this.saveAs.hidden = !canChooseWhere();
    this.next.hidden = !result.next;
    this.next.textContent = result.next ?? '';
    this.another.textContent = words(result.made ? 'cropAnother' : 'toPhotos');
    this.note.hidden = !result.made;
    this.note.textContent = result.made ? words(result.made) : '';
    this.note.classList.toggle('lossless', result.made === 'noteLossless');
    this.live.textContent = words('resultReady', formatNumber(result.width), formatNumber(result.height));
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
      await saveToDevice(this.file);
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
  }
}

/** @param {string} term @param {string} value */
function fact(term, value) {
  return [node('dt', {}, term), node('dd', {}, value)];
}
