// @ts-check
// Whether the file that would be written now is cut without loss: a word over the photo on a phone, a
// line in the panel. It is always true, so it follows every frame of a drag.

import { Lossless, Shape } from '../Element/interface.js';
import { node } from './dom.js';
import { sectionRoot } from './section.js';
import { words } from './words.js';

export class Badge {
  /** @type {string | undefined} */
  #shown = undefined;

  /**
   * @param {import('../Element/crop-view.js').CropView} view
   * @param {() => void} snap lets the edges move to where nothing is lost
   * @param {() => string} around the format of a result that is transparent around its shape; empty
   *   where a colour is around it
   */
  constructor(view, snap, around) {
    this.view = view;
    this.around = around;
    const remedy = (/** @type {'button.chip' | 'button.remedy'} */ look) => node(look, {
      type: 'button', title: words('snapLosslessWhy'), onclick: snap,
    }, words('snapLossless'));
    this.snap = remedy('button.chip');
    this.pill = node('p.badge', { hidden: true });
    /** The same over a phone's photo. */
    this.pillSnap = remedy('button.remedy');
    this.pillSnap.hidden = true;
    this.line = node('p.note');
    this.root = sectionRoot('made', 'result', this.line, this.snap);
  }

  /** Costs nothing while nothing changes. */
  update() {
    const { word, line, canSnap = false } = this.#known();
    const told = `${word} ${line}`;
    if (told === this.#shown) return;
    this.#shown = told;
    this.pill.hidden = this.root.hidden = word === '';
    this.pillSnap.hidden = !canSnap;
    // In the panel its place stays free, so that nothing moves while a frame is dragged.
    this.snap.hidden = this.view.state?.lossless !== Lossless.exact;
    this.snap.classList.toggle('away', !canSnap);
    if (word === '') return;
    this.pill.textContent = word;
    this.line.textContent = line;
    for (const element of [this.pill, this.line]) {
      element.classList.toggle('lossless', this.view.writing === 'lossless');
    }
  }

  /**
   * What is known to be true; of other files than JPEGs it depends on how the result is written.
   * @returns {{ word: string, line: string, canSnap?: boolean }}
   */
  #known() {
    const { state, writing } = this.view;
    if (state?.valid && state.shape !== Shape.rectangle) {
      const format = this.around();
      const word = format ? words('badgeTransparent', format) : words('badgeColour', 'JPEG');
      return { word, line: word };
    }
    if (writing === 'lossless') {
      return { word: words('badgeLossless'), line: words('badgeLosslessLong') };
    }
    if (writing !== 'encoded' || !state?.isJPEG) return { word: '', line: '' };
    const word = words('badgeEncoded');
    if (state.lossless === Lossless.never) return { word, line: words('badgeEncodedLong') };
    return state.isOffGrid ? { word, line: words('badgeOffGrid'), canSnap: true }
      : { word, line: words('badgeNewPixels') };
  }
}
