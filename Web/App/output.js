// @ts-check
// How the result is written: format, quality, with or without loss, and what of the metadata stays.

import { Shape } from '../Element/interface.js';
import { node, setAttribute } from './dom.js';
import { sectionRoot } from './section.js';
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
  { lossless: 'outward', label: 'losslessSnap', hint: 'losslessSnapHint' },
  { lossless: 'never', label: 'losslessNever', hint: 'losslessNeverHint' },
]));

/**
 * The element's attribute for an encoding: only a JPEG can be cut without loss.
 * @param {Encoding} encoding
 */
export function losslessOf({ format, lossless }) {
  if (format && format !== 'jpeg') return 'never';
  return lossless === 'outward' ? 'snap' : lossless ?? 'exact';
}

/** What lies around a shape in a format that can't be transparent, unless a colour was chosen. */
export const WHITE = '#ffffff';

/**
 * How a result is written: what a shape leaves open is transparent, or of the colour that was chosen.
 * @param {Encoding} encoding as it was chosen @param {import('../Element/interface.js').State | null} state
 * @returns {Encoding}
 */
export function writtenAs({ background, ...encoding }, state) {
  if (!state || state.shape === Shape.rectangle) return encoding;
  if (background || encoding.format === 'jpeg') {
    return { ...encoding, format: 'jpeg', background: background ?? WHITE };
  }
  return state.isJPEG ? { ...encoding, format: encoding.format ?? 'png' } : encoding;
}

/**
 * How the result is written, in a line.
 * @param {Encoding} encoding
 */
export function outputSaid({ format, quality, lossless, strip }) {
  const name = FORMATS.find((known) => known.format === format)?.label ?? 'formatSame';
  const text = quality && format !== 'png'
    ? `${words(name)} · ${formatNumber(quality)}` : words(name);
  return { text, isChanged: [format, quality, lossless, strip].some((value) => value !== undefined) };
}

/**
 * @param {import('../Element/crop-view.js').CropView} view
 * @param {Encoding} encoding changed in place @param {() => void} changed
 * @returns {import('./section.js').Section}
 */
export function outputSection(view, encoding, changed) {
  const update = () => {
    // Only of a JPEG, and only where the result is one, can bits be copied.
    choice.hidden = !view.state?.isJPEG || (encoding.format ?? 'jpeg') !== 'jpeg';
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
    quality.classList.toggle('changed', encoding.quality !== undefined);
  };
  const chip = (/** @type {import('./words.js').WordKey} */ label, /** @type {() => void} */ act) =>
    node('button.chip', {
      type: 'button', 'aria-pressed': 'false',
      onclick: () => {
        act();
        changed();
      },
    }, words(label));
  const formats = FORMATS.map(({ format, label }) => chip(label, () => {
    encoding.format = format;
    // A colour around a shape is for JPEGs.
    if (format !== 'jpeg') delete encoding.background;
  }));
  const strips = STRIPS.map(({ strip, label }) => chip(label, () => {
    encoding.strip = strip;
  }));
  const modes = MODES.map(({ lossless, label }) => chip(label, () => {
    encoding.lossless = lossless;
  }));
  for (const [usual] of [formats, strips, modes]) usual.classList.add('usual');
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
    update,
  };
}
