// @ts-check
// How the result is written: format, quality, lossless or not, and which metadata to keep.

import { choices } from './chips.js';
import { node, setAttribute } from './dom.js';
import { FORMATS } from './file-formats.js';
import { sectionRoot } from './section.js';
import { formatNumber, words } from './words.js';

/**
 * How the result is written; missing options keep the original's properties.
 * @typedef {Writing & import('../../Element/canvas.js').CanvasOptions} Encoding
 */

/**
 * @typedef {object} Writing
 * @property {string} [format] the name of a format
 * @property {number} [quality] 1 to 100
 * @property {'snap' | 'never'} [lossless] how a JPEG is cropped; default: lossless if possible without moving the
 * crop
 * @property {boolean} [bake] rotates pixels instead of setting the orientation flag
 * @property {'all' | 'location'} [strip]
 * @property {boolean} [lenient] accepts the readable part of a damaged image
 * @property {string} [background] #RRGGBB, the color behind transparent areas of a JPEG
 */

/**
 * The results of a browser.
 * @typedef {object} Here
 * @property {() => Encoding['format']} instead the format instead of the photo's, if the browser can't write that
 * @property {() => Encoding} written how the current result is written
 */

/**
 * Shows the estimated size of the file. `slide` is called while the quality is changed, `rest` afterwards.
 * @typedef {{ root: HTMLElement, update(): void, slide(): void, rest(): void }} Estimate
 */

const DEFAULT_QUALITY = 90;

/** The formats whose results always have the quality of the original unless another one is chosen. */
export const OWN_QUALITY = new Set(['HEIC', 'AVIF']);

/** The formats that browsers can encode. */
const ENCODED_HERE = new Set(['jpeg', 'png', 'webp']);

/** @param {string | undefined} format a name; undefined for the original's */
const formatTitle = (format) => FORMATS.find(({ name }) => name === format)?.title ?? words('formatSame');

/** @param {string | undefined} format */
const hasQuality = (format) => FORMATS.find(({ name }) => name === format)?.hasQuality ?? true;

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

/**
 * The same for the element's own results.
 * @param {Encoding} encoding
 */
export function elementOptions({ format, quality, strip, background }) {
  const type = format && ENCODED_HERE.has(format) ? /** @type {'image/jpeg'} */ (`image/${format}`) : undefined;
  return { type, quality: quality && quality / 100, strip, background };
}

/** @type {boolean | undefined} */ let canWriteWebP;

/** Whether the browser's canvas can write WebP; that of Safari can't. */
function writesWebP() {
  if (canWriteWebP === undefined) {
    const canvas = node('canvas', { width: 1, height: 1 });
    canWriteWebP = canvas.toDataURL('image/webp').startsWith('data:image/webp');
  }
  return canWriteWebP;
}

/**
 * The format of a browser's results instead of one that it can't write: JPEG for an opaque photo in a lossy format,
 * PNG for any other.
 * @param {string} own the photo's format for users, such as HEIC @param {boolean} isTranslucent
 * @returns {'jpeg' | 'png' | undefined} undefined for a photo's format that it can write
 */
export function formatInstead(own, isTranslucent) {
  const format = FORMATS.find(({ title }) => title === own);
  if (own === 'JPEG' || own === 'PNG' || (own === 'WebP' && writesWebP())) return undefined;
  return format?.hasQuality && !isTranslucent ? 'jpeg' : 'png';
}

/** The background of a shape in a format without transparency, unless a color was chosen. */
export const WHITE = '#ffffff';

/**
 * The encoding of the result, in one line.
 * @param {Encoding} encoding @param {Encoding['format']} [instead] the format if none is chosen; default: the photo's
 */
export function outputText({ format, quality, lossless, bake, strip }, instead) {
  const written = format ?? instead;
  const name = formatTitle(written);
  const text = quality && hasQuality(written) ? `${name} · ${formatNumber(quality)}` : name;
  return { text, isChanged: [format, quality, lossless, bake, strip].some((value) => value !== undefined) };
}

/**
 * @param {import('../../Element/crop-view.js').CropView} view
 * @param {Encoding} encoding changed in place @param {() => void} changed
 * @param {{ own(): string, canBake?: boolean, here?: Here | null, estimate?: Estimate }} options `own`: the title of
 * the original's format; `canBake`: whether pixels may be rotated instead of setting the orientation flag; `here`: if
 * the browser makes the results, which it can write in fewer ways; `estimate`: of the file's size
 * @returns {import('./section.js').Section}
 */
export function outputSection(view, encoding, changed, { own, canBake = false, here = null, estimate }) {
  const update = () => {
    const instead = here?.instead();
    const keepsDetails = !here || (view.state?.isJPEG && (here.written().format ?? 'jpeg') === 'jpeg');
    // Only if original and result are JPEGs, the crop can be lossless.
    choice.hidden = !view.state?.isJPEG || (encoding.format ?? 'jpeg') !== 'jpeg';
    formats.show(encoding.format ?? instead);
    same.hidden = instead !== undefined;
    details.hidden = !keepsDetails;
    lost.hidden = !details.hidden;
    bake.root.hidden = !canBake || !view.state?.canRotate;
    bake.box.checked = encoding.bake === true;
    strips.show(encoding.strip);
    modes.show(encoding.lossless);
    hint.textContent = words(MODES.find(({ lossless }) => lossless === encoding.lossless)?.hint ?? 'losslessExactHint');
    setAttribute(view, 'lossless', losslessOf(encoding));
    quality.update();
    estimate?.update();
  };
  const offered = FORMATS.map(({ name }) => name)
    .filter((name) => !here || (ENCODED_HERE.has(name) && (name !== 'webp' || writesWebP())));
  const formats = choices([undefined, ...offered].map((format) => [format, formatTitle(format)]), (format) => {
    encoding.format = format;
    // The color around a shape only applies to JPEG.
    if (format !== 'jpeg') delete encoding.background;
    changed();
  });
  const strips = choices(STRIPS.map(({ strip, label }) => [strip, words(label)]), (strip) => {
    encoding.strip = strip;
    changed();
  });
  const modes = choices(MODES.map(({ lossless, label }) => [lossless, words(label)]), (lossless) => {
    encoding.lossless = lossless;
    changed();
  });
  const hint = node('p.explain', { id: 'lossless-hint' });
  const bake = bakeChoice(encoding, changed);
  const choice = node('div.lossless-choice', {},
    node('h3', { id: 'lossless-title' }, words('lossless')),
    node('div.chips', { role: 'group', 'aria-labelledby': 'lossless-title',
      'aria-describedby': 'lossless-hint' }, ...modes.chips), hint, bake.root);
  const quality = qualitySlider(encoding, () => encoding.format ?? here?.instead(), own, estimate);
  const [same] = formats.chips;
  const details = node('div.chips', { role: 'group', 'aria-label': words('details') }, ...strips.chips);
  const lost = node('p.explain', {}, words('detailsLostHere'));
  update();
  return {
    tab: 'more',
    needs: [],
    root: sectionRoot('output', 'output', node('div.chips.four', {}, ...formats.chips), quality.root,
      estimate?.root ?? false, choice, details, lost),
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

/**
 * @param {Encoding} encoding changed in place @param {() => Encoding['format']} written the format of the result
 * @param {() => string} own the title of the original's format @param {Estimate} [estimate]
 */
function qualitySlider(encoding, written, own, estimate) {
  const number = node('output');
  const slider = node('input', { type: 'range', min: 40, max: 100, step: 1 });
  const root = node('label.slider', {}, node('span', {}, words('quality')), slider, number);
  const update = () => {
    const value = encoding.quality ?? DEFAULT_QUALITY;
    const isOwn = encoding.quality === undefined && OWN_QUALITY.has(own())
      && (written() === undefined || formatTitle(written()) === own());
    const text = isOwn ? words('qualityOriginal') : formatNumber(value);
    slider.value = String(value);
    setAttribute(slider, 'aria-valuetext', text);
    number.textContent = text;
    root.hidden = !hasQuality(written());
    root.classList.toggle('changed', encoding.quality !== undefined);
  };
  slider.addEventListener('input', () => {
    encoding.quality = Number(slider.value);
    update();
    estimate?.slide();
  });
  slider.addEventListener('change', () => estimate?.rest());
  return { root, update };
}
