// @ts-check
// Shows whether the file would be cropped losslessly: a badge over the photo on phones, a line in the panel. It is
// updated with every frame of a drag.

import { Lossless, Shape } from '../../Element/interface.js';
import { node } from '../ui/dom.js';
import { sectionRoot } from '../ui/section.js';
import { formatNumber, words } from '../ui/words.js';

/** What the frame of a JPEG can become in a drag. */
const SHORTS = Object.freeze(/** @type {const} */ (['badgeLossless', 'badgeEncoded']));
const LONGS = Object.freeze(/** @type {const} */ (['badgeLosslessLong', 'badgeOffGrid', 'badgeNewPixels']));
/** The most pixels at the edge that are in a block of which only a part is kept. */
const LAST = 15;

/** The texts that a drag can show, laid out in one place: it only changes which of them is visible. */
class Texts {
  /** @type {Map<string, HTMLElement>} */ #spans = new Map();
  /** @type {HTMLElement | undefined} */ #shown;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    root.classList.add('texts');
  }

  /** @param {string[]} texts that may be shown next */
  offer(texts) {
    if (texts.length === this.#spans.size && texts.every((text) => this.#spans.has(text))) return;
    this.#spans.clear();
    this.root.replaceChildren();
    texts.forEach((text) => this.#add(text));
  }

  /** @param {string} text */
  show(text) {
    const span = this.#spans.get(text) ?? this.#add(text);
    if (span === this.#shown) return;
    this.#shown?.classList.remove('shown');
    span.classList.add('shown');
    this.#shown = span;
  }

  /** @param {string} text */
  #add(text) {
    const span = node('span', {}, text);
    this.#spans.set(text, span);
    this.root.append(span);
    return span;
  }
}

export class Badge {
  /** What was shown last. */ #shown = '';

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
    this.words = new Texts(this.pill);
    this.lines = new Texts(this.line);
  }

  /** Cheap if nothing has changed. A drag lays out nothing, unless it makes the first selection. */
  update() {
    const { isHeld } = this.view;
    const { word, line, canSnap = false } = this.#known();
    const key = `${word} ${line} ${canSnap} ${isHeld}`;
    if (key === this.#shown) return;
    this.#shown = key;
    const isFirst = this.pill.hidden && word !== '';
    if (!isHeld || isFirst) {
      this.pill.hidden = this.root.hidden = word === '';
      this.#offer(word, line);
    }
    // Nobody can click it during a drag.
    if (!isHeld) this.pillSnap.hidden = !canSnap;
    for (const element of [this.pill, this.line]) {
      element.classList.toggle('unknown', word === '');
      element.classList.toggle('lossless', this.view.writing === 'lossless');
    }
    if (word === '') return;
    this.words.show(word);
    this.lines.show(line);
  }

  /**
   * Prepares what a drag from here can show.
   * @param {string} word @param {string} line
   */
  #offer(word, line) {
    const { state } = this.view;
    const canChange = state?.isJPEG && state.shape === Shape.rectangle && !this.view.canvasOptions;
    const shorts = canChange ? SHORTS.map((key) => words(key)) : [];
    const longs = canChange ? LONGS.map((key) => words(key)) : [];
    for (let count = 1; canChange && count <= LAST; count += 1) longs.push(words('badgeBorder', formatNumber(count)));
    this.words.offer([...new Set([word, ...shorts])]);
    this.lines.offer([...new Set([line, ...longs])]);
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
