// @ts-check
// How the result is written: format, quality, lossless or not, and which metadata to keep.

import { Shape } from '../../Element/interface.js';
import { node, setAttribute } from '../ui/dom.js';
import { sectionRoot } from '../ui/section.js';
import { formatNumber, words } from '../ui/words.js';

/** @typedef {import('../server/api.js').Encoding} Encoding */

const DEFAULT_QUALITY = 90;

/** `undefined` means the original's format. */
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
 * The element's attribute for an encoding: only JPEGs can be cropped losslessly.
 * @param {Encoding} encoding
 */
export function losslessOf({ format, lossless }) {
  if (format && format !== 'jpeg') return 'never';
  return lossless ?? 'exact';
}

/** The background of a shape in a format without transparency, unless a colour was chosen. */
export const WHITE = '#ffffff';

/**
 * The encoding of a result. The area around a shape is transparent or has the chosen colour. A canvas fills the
 * area around its shape. Pixels are only rotated if that is lossless.
 * @param {Encoding} encoding as chosen @param {import('../../Element/interface.js').State | null} state
 * @param {import('../../Element/canvas.js').CanvasOptions | null} canvas of the result
 * @returns {Encoding}
 */
export function writtenAs({ background, ...encoding }, state, canvas) {
  if (canvas || !state?.canRotate || losslessOf(encoding) === 'never') delete encoding.bake;
  if (canvas && state) {
    const laid = { ...encoding, ...canvas };
    if (canvas.fill !== 'transparent') return laid;
    if (encoding.format === 'jpeg') return { ...laid, background: background ?? WHITE };
    return state.isJPEG ? { ...laid, format: encoding.format ?? 'png' } : laid;
  }
  if (!state || state.shape === Shape.rectangle) return encoding;
  if (background || encoding.format === 'jpeg') {
    return { ...encoding, format: 'jpeg', background: background ?? WHITE };
  }
  return state.isJPEG ? { ...encoding, format: encoding.format ?? 'png' } : encoding;
}

/**
 * The encoding of the result, in one line.
 * @param {Encoding} encoding
 */
export function outputText({ format, quality, lossless, bake, strip }) {
  const name = FORMATS.find((known) => known.format === format)?.label ?? 'formatSame';
  const text = quality && format !== 'png'
    ? `${words(name)} · ${formatNumber(quality)}` : words(name);
  return { text, isChanged: [format, quality, lossless, bake, strip].some((value) => value !== undefined) };
}

/**
 * @param {import('../../Element/crop-view.js').CropView} view
 * @param {Encoding} encoding changed in place @param {() => void} changed
 * @param {boolean} canBake whether pixels may be rotated instead of setting the orientation flag
 * @returns {import('../ui/section.js').Section}
 */
export function outputSection(view, encoding, changed, canBake) {
  const update = () => {
    // Only if original and result are JPEGs, the crop can be lossless.
    choice.hidden = !view.state?.isJPEG || (encoding.format ?? 'jpeg') !== 'jpeg';
    FORMATS.forEach(({ format }, index) => {
      setAttribute(formats[index], 'aria-pressed', encoding.format === format);
    });
    bake.root.hidden = !canBake || !view.state?.canRotate;
    bake.box.checked = encoding.bake === true;
    STRIPS.forEach(({ strip }, index) => {
      setAttribute(strips[index], 'aria-pressed', encoding.strip === strip);
    });
    MODES.forEach(({ lossless, hint: text }, index) => {
      const isChosen = encoding.lossless === lossless;
      setAttribute(modes[index], 'aria-pressed', isChosen);
      if (isChosen) hint.textContent = words(text);
    });
    setAttribute(view, 'lossless', losslessOf(encoding));
    quality.update();
  };
  const chip = (/** @type {import('../ui/words.js').WordKey} */ label, /** @type {() => void} */ act) =>
    node('button.chip', {
      type: 'button', 'aria-pressed': 'false',
      onclick: () => {
        act();
        changed();
      },
    }, words(label));
  const formats = FORMATS.map(({ format, label }) => chip(label, () => {
    encoding.format = format;
    // The colour around a shape only applies to JPEG.
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
  const bake = bakeChoice(encoding, changed);
  const choice = node('div.lossless-choice', {},
    node('h3', { id: 'lossless-title' }, words('lossless')),
    node('div.chips', { role: 'group', 'aria-labelledby': 'lossless-title',
      'aria-describedby': 'lossless-hint' }, ...modes), hint, bake.root);
  const quality = qualitySlider(encoding);
  update();
  return {
    tab: 'more',
    needs: [],
    root: sectionRoot('output', 'output', node('div.chips.four', {}, ...formats), quality.root,
      choice, node('div.chips', { role: 'group', 'aria-label': words('details') }, ...strips)),
    update,
  };
}

/** @param {Encoding} encoding changed in place @param {() => void} changed */
function bakeChoice(encoding, changed) {
  const box = node('input', { type: 'checkbox', 'aria-describedby': 'bake-hint' });
  box.addEventListener('change', () => {
    if (box.checked) encoding.bake = true;
    else delete encoding.bake;
    changed();
  });
  const root = node('div', {}, node('label.check', {}, box, node('span', {}, words('rotatePixels'))),
    node('p.explain', { id: 'bake-hint' }, words('rotatePixelsHint')));
  return { root, box };
}

/** @param {Encoding} encoding changed in place */
function qualitySlider(encoding) {
  const number = node('output');
  const slider = node('input', { type: 'range', min: 40, max: 100, step: 1 });
  const root = node('label.slider', {}, node('span', {}, words('quality')), slider, number);
  const update = () => {
    const value = encoding.quality ?? DEFAULT_QUALITY;
    slider.value = String(value);
    number.textContent = formatNumber(value);
    root.hidden = encoding.format === 'png';
    root.classList.toggle('changed', encoding.quality !== undefined);
  };
  slider.addEventListener('input', () => {
    encoding.quality = Number(slider.value);
    update();
  });
  return { root, update };
}
