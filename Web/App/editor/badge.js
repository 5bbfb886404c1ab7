// @ts-check
// Shows whether the file would be cropped losslessly: a badge over the photo on phones, a line in the panel. It is
// updated with every frame of a drag.

import { Lossless, Shape } from '../../Element/interface.js';
import { node } from '../ui/dom.js';
import { sectionRoot } from '../ui/section.js';
import { formatNumber, words } from '../ui/words.js';

export class Badge {
  /** @type {string | undefined} */ #shown = undefined;

  /**
   * @param {import('../../Element/crop-view.js').CropView} view
   * @param {() => void} snap moves the frame to the nearest lossless position
   * @param {() => string} around the format of a result that is transparent around its shape; empty if a color is
   * around it
   */
  constructor(view, snap, around) {
    this.view = view;
    this.around = around;
    this.pill = node('p.badge', { hidden: true });
    /** The button over a phone's photo. */
    this.pillSnap = node('button.remedy', {
      type: 'button', title: words('snapLosslessWhy'), hidden: true, onclick: snap,
    }, words('snapLossless'));
    this.line = node('p.note');
    this.root = sectionRoot('made', 'result', this.line);
  }

  /** Cheap if nothing has changed. */
  update() {
    const { word, line, canSnap = false } = this.#known();
    const text = `${word} ${line}`;
    if (text === this.#shown) return;
    this.#shown = text;
    this.pill.hidden = this.root.hidden = word === '';
    this.pillSnap.hidden = !canSnap;
    if (word === '') return;
    this.pill.textContent = word;
    this.line.textContent = line;
    for (const element of [this.pill, this.line]) {
      element.classList.toggle('lossless', this.view.writing === 'lossless');
    }
  }

  /**
   * What is certain; for formats other than JPEG it depends on how the result is written.
   * @returns {{ word: string, line: string, canSnap?: boolean }}
   */
  #known() {
    const { state, writing } = this.view;
    if (state?.valid && this.view.canvasOptions && writing !== 'lossless') {
      const format = this.around();
      return { word: format ? words('badgeTransparent', format) : words('badgeEncoded'), line: words('badgeCanvas') };
    }
    if (state?.valid && state.shape !== Shape.rectangle) {
      const format = this.around();
      const word = format ? words('badgeTransparent', format) : words('badgeColor', 'JPEG');
      return { word, line: word };
    }
    if (writing === 'lossless') {
      const lost = state?.requantized ?? 0;
      if (lost) return { word: words('badgeLossless'), line: words('badgeBorder', formatNumber(lost)) };
      return { word: words('badgeLossless'), line: words('badgeLosslessLong') };
    }
    if (writing !== 'encoded' || !state?.isJPEG) return { word: '', line: '' };
    const word = words('badgeEncoded');
    if (state.lossless === Lossless.never) return { word, line: words('badgeEncodedLong') };
    return state.isOffGrid ? { word, line: words('badgeOffGrid'), canSnap: true }
      : { word, line: words('badgeNewPixels') };
  }
}
