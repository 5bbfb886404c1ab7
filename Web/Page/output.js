// @ts-check
// How the result is written: format, quality, with or without loss, and what of the metadata stays.

import { sectionRoot } from './controls.js';
import { node, setAttribute } from './dom.js';
import { formatNumber, words } from './words.js';

/** @typedef {import('./api.js').Encoding} Encoding */

const DEFAULT_QUALITY = 90;

/** `undefined` is the original's own format. */
const FORMATS = Object.freeze(/** @type {const} */ ([
  { format: undefined, label: 'formatSame' },
  { format: 'jpeg', label: 'formatJPEG' },
  { format: 'png', label: 'formatPNG' },
  { format: 'webp', label: 'formatWebP' },
]));

const STRIPS = Object.freeze(/** @type {const} */ ([
  { strip: undefined, label: 'detailsKeep' },
  { strip: 'location', label: 'detailsNoPlace' },
  { strip: 'all', label: 'detailsNone' },
]));

const MODES = Object.freeze(/** @type {const} */ ([
  { lossless: undefined, label: 'losslessExact', hint: 'losslessExactHint' },
  { lossless: 'snap', label: 'losslessSnap', hint: 'losslessSnapHint' },
  { lossless: 'never', label: 'losslessNever', hint: 'losslessNeverHint' },
]));

/**
 * The element's attribute for an encoding: only a JPEG can be cut without loss.
 * @param {Encoding} encoding
 */
export function losslessOf({ format, lossless }) {
  return format && format !== 'jpeg' ? 'never' : lossless ?? 'exact';
}

/**
 * @param {import('./crop-view.js').CropView} view
 * @param {Encoding} encoding changed in place
 * @returns {import('./controls.js').Section}
 */
export function outputSection(view, encoding) {
  /** @param {boolean} isJPEG only of one, and only where the result is one, can bits be copied */
  const show = (isJPEG) => {
    choice.hidden = !isJPEG || (encoding.format ?? 'jpeg') !== 'jpeg';
  };
  const update = () => {
    show(view.state?.isJPEG ?? false);
    FORMATS.forEach(({ format }, index) => {
      setAttribute(formats[index], 'aria-pressed', encoding.format === format);
    });
    STRIPS.forEach(({ strip }, index) => {
      setAttribute(strips[index], 'aria-pressed', encoding.strip === strip);
    });
    MODES.forEach(({ lossless, hint: text }, index) => {
      const isChosen = encoding.lossless === lossless;
      setAttribute(modes[index], 'aria-pressed', isChosen);
      if (isChosen) hint.textContent = words(text);
    });
    setAttribute(view, 'lossless', losslessOf(encoding));
    const value = encoding.quality ?? DEFAULT_QUALITY;
    slider.value = String(value);
    number.textContent = formatNumber(value);
    quality.hidden = encoding.format === 'png';
  };
  const chip = (/** @type {import('./words.js').WordKey} */ label, /** @type {() => void} */ act) =>
    node('button.chip', {
      type: 'button', 'aria-pressed': 'false',
      onclick: () => {
        act();
        update();
      },
    }, words(label));
  const formats = FORMATS.map(({ format, label }) => chip(label, () => {
    encoding.format = format;
  }));
  const strips = STRIPS.map(({ strip, label }) => chip(label, () => {
    encoding.strip = strip;
  }));
  const modes = MODES.map(({ lossless, label }) => chip(label, () => {
    encoding.lossless = lossless;
  }));
  const hint = node('p.explain', { id: 'lossless-hint' });
  const choice = node('div.lossless-choice', {},
    node('h3', { id: 'lossless-title' }, words('lossless')),
    node('div.chips', { role: 'group', 'aria-labelledby': 'lossless-title',
      'aria-describedby': 'lossless-hint' }, ...modes), hint);
  const number = node('output');
  const slider = node('input', { type: 'range', min: 40, max: 100, step: 1 });
  slider.addEventListener('input', () => {
    encoding.quality = Number(slider.value);
    update();
  });
  const quality = node('label.slider', {}, node('span', {}, words('quality')), slider, number);
  update();
  return {
    tab: 'more',
    needs: [],
    root: sectionRoot('output', 'output', node('div.chips.four', {}, ...formats), quality,
      choice, node('div.chips', { role: 'group', 'aria-label': words('details') }, ...strips)),
    update: ({ isJPEG }) => show(isJPEG),
  };
}
