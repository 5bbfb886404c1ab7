// @ts-check
// Whether the file that would be written now is cut without loss: a word over the photo on a phone, a
// line in the panel. It is always true, so it follows every frame of a drag.

import { sectionRoot } from './controls.js';
import { node } from './dom.js';
import { words } from './words.js';

/** @typedef {import('./words.js').WordKey} WordKey */

export class Badge {
  /** @type {'lossless' | 'encoded' | null | undefined} */
  #shown = undefined;
  #why = '';

  /** @param {import('./crop-view.js').CropView} view */
  constructor(view) {
    this.view = view;
    this.pill = node('p.badge', { hidden: true });
    this.line = node('p.note');
    this.root = sectionRoot('made', 'result', this.line);
  }

  /** Costs nothing while nothing changes. */
  update() {
    const { writing } = this.view;
    const why = writing === 'encoded' ? this.#reason() : '';
    if (writing === this.#shown && why === this.#why) return;
    [this.#shown, this.#why] = [writing, why];
    this.pill.hidden = writing === null;
    this.root.hidden = writing === null;
    if (writing === null) return;
    const isLossless = writing === 'lossless';
    this.pill.textContent = words(isLossless ? 'badgeLossless' : 'badgeEncoded');
    this.line.textContent = isLossless ? words('badgeLosslessLong') : why;
    for (const element of [this.pill, this.line]) {
      element.classList.toggle('lossless', isLossless);
    }
  }

  #reason() {
    const { state } = this.view;
    if (!state?.isJPEG || state.lossless === 0) return words('badgeEncodedLong');
    return words(state.isOffGrid ? 'badgeOffGrid' : 'badgeNewPixels');
  }
}
