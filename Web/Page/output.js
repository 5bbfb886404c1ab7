// @ts-check
// How the result is written: format, quality, and what of the metadata stays.

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

/**
 * @param {Encoding} encoding changed in place
 * @param {boolean} hasServer the browser's own results carry no metadata to choose from
 * @returns {import('./controls.js').Section}
 */
export function outputSection(encoding, hasServer) {
  const update = () => {
    FORMATS.forEach(({ format }, index) => {
      setAttribute(formats[index], 'aria-pressed', encoding.format === format);
    });
    STRIPS.forEach(({ strip }, index) => {
      setAttribute(strips[index], 'aria-pressed', encoding.strip === strip);
    });
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
      hasServer && node('div.chips', { role: 'group', 'aria-label': words('details') }, ...strips)),
    update: () => {},
  };
}
