// @ts-check
// Several photos at once: which one it is, and the way past it.

import { node } from './dom.js';
import { formatNumber, words } from './words.js';

export class Queue {
  /** @type {File[]} */ files = [];
  at = 0;

  /** @param {(file: File) => void} open */
  constructor(open) {
    this.open = open;
    this.place = node('span');
    this.bar = node('progress', { 'aria-hidden': 'true' });
    this.skip = node('button.chip', { type: 'button', onclick: () => this.next() });
    this.root = node('div.queue', { role: 'group', 'aria-label': words('queueLabel'), hidden: true },
      this.place, this.bar, this.skip);
  }

  /** @param {File[]} files */
  begin(files) {
    this.files = files;
    this.at = 0;
    this.#show();
    this.open(files[0]);
  }

  get hasNext() {
    return this.at + 1 < this.files.length;
  }

  /** What the way on is called. */
  get nextLabel() {
    return words('queueNext', formatNumber(this.at + 2), formatNumber(this.files.length));
  }

  next() {
    if (!this.hasNext) return;
    this.at += 1;
    this.#show();
    this.open(this.files[this.at]);
  }

  end() {
    this.files = [];
    this.at = 0;
    this.#show();
  }

  #show() {
    const { length } = this.files;
    this.root.hidden = length < 2;
    this.place.textContent = words('queuePlace', formatNumber(this.at + 1), formatNumber(length));
    this.bar.max = Math.max(1, length);
    this.bar.value = this.at + 1;
    this.skip.textContent = words('queueSkip');
    this.skip.hidden = !this.hasNext;
  }
}
