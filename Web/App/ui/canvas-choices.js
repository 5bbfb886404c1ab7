// @ts-check
// The settings of a canvas around a crop: its fill, the margin, and the position of the crop. For the photo in the
// editor, and for each of its targets.

import { PLACES } from '../../Element/canvas.js';
import { choices, otherColor } from './chips.js';
import { node } from './dom.js';
import { WHITE } from './output.js';
import { setting } from './settings.js';
import { valueField } from './value-field.js';
import { formatNumber, isPercentage, readNumber, UNIT_OR_PERCENT, words } from './words.js';

/** @typedef {import('../../Element/canvas.js').CanvasOptions} CanvasOptions */
/** @typedef {Pick<CanvasOptions, 'margin' | 'place' | 'fill'>} Choices */
/** @typedef {() => Choices | null} Get the current choices; null without a canvas */
/** @typedef {(changes: Choices) => void} Set */
/** @typedef {import('./words.js').WordKey} WordKey */

/** The offered margins, as percentages of the canvas's shorter side. */
const SHARES = Object.freeze([0, 5, 10]);

/** @type {Readonly<Record<typeof PLACES[number], WordKey>>} */
const PLACE_WORDS = Object.freeze({
  northwest: 'placeNorthwest', north: 'placeNorth', northeast: 'placeNortheast',
  west: 'placeWest', center: 'placeCenter', east: 'placeEast',
  southwest: 'placeSouthwest', south: 'placeSouth', southeast: 'placeSoutheast',
});

/** The last chosen canvas: the next photo with a canvas starts with its fill, margin and position. */
const LAST = setting('canvas', '{}');

/** @returns {Choices} */
export function lastCanvas() {
  const usual = { margin: '0', place: /** @type {const} */ ('center'), fill: '#ffffff' };
  try {
    const kept = JSON.parse(LAST.get());
    return typeof kept === 'object' && kept ? { ...usual, ...kept } : usual;
  } catch {
    return usual;
  }
}

/** @param {CanvasOptions} options */
export function rememberCanvas({ margin, place, fill }) {
  LAST.set(JSON.stringify({ margin, place, fill }));
}

/**
 * Whether the crop fills the ratio or size, or the complete photo is on a canvas of it.
 * @param {(isFitted: boolean) => void} choose
 */
export function fillOrFit(choose) {
  return choices([
    [false, words('fillRatio'), { title: words('fillRatioWhy') }],
    [true, words('fitRatio'), { title: words('fitRatioWhy') }],
  ], choose);
}

/** @param {Get} get @param {Set} set */
export function canvasChoices(get, set) {
  const fill = fillChoice(get, set);
  const margin = marginChoice(get, set);
  const place = placeChoice(get, set);
  return {
    parts: [fill.root, node('div.canvas-rest', {}, node('h3', {}, words('canvasMargin')), margin.root,
      node('h3', {}, words('canvasPlace')), place.root), margin.problem],
    update: () => {
      const options = get();
      for (const part of [fill, margin, place]) part.update(options);
    },
  };
}

/** @param {Get} get @param {Set} set */
function fillChoice(get, set) {
  const other = otherColor(words('canvasOther'), (fill) => set({ fill }));
  const swatch = (/** @type {string} */ fill) =>
    node(`i.swatch.${fill.replace('#', 'c')}`, { 'aria-hidden': 'true' });
  const options = choices(/** @type {[string, WordKey][]} */ ([
    [WHITE, 'aroundWhite'], ['#000000', 'aroundBlack'], ['transparent', 'aroundNothing'], ['edge', 'fillEdge'],
    ['blur', 'fillBlur']]).map(([fill, label]) => [fill, [swatch(fill), words(label)]]), (fill) => set({ fill }));
  return {
    root: node('div.chips.canvas-fill', { role: 'group', 'aria-label': words('canvasFill') }, ...options.chips, other),
    /** @param {Choices | null} now */
    update: (now) => {
      const isOther = !options.show(now?.fill) && now?.fill?.startsWith('#');
      other.classList.toggle('chosen', Boolean(isOther));
      if (isOther && now?.fill) other.value = now.fill;
    },
  };
}

/** @param {Get} get @param {Set} set */
function marginChoice(get, set) {
  const none = { 'aria-label': words('marginNone'), title: words('marginNone') };
  const options = choices(SHARES.map((share) => [share ? `${share}%` : '0', formatShare(share), share ? {} : none]),
    (margin) => set({ margin }));
  const problem = node('p.explain.problem', { role: 'alert' });
  const commit = () => {
    const margin = readMargin(input.value);
    problem.textContent = margin === null ? words('marginBad') : '';
    if (margin !== null && margin !== get()?.margin) set({ margin });
  };
  const input = valueField(words('marginField'), { inputmode: 'text', maxlength: 7, title: words('marginField'),
    placeholder: words('pixelsShort', formatNumber(40)) }, { commit });
  return {
    problem,
    root: node('div.chips.canvas-margin', { role: 'group', 'aria-label': words('canvasMargin') },
      ...options.chips, node('label.field', {}, input)),
    /** @param {Choices | null} now */
    update: (now) => {
      const margin = isNothing(now?.margin) ? '0' : String(now?.margin);
      const isOther = !options.show(margin);
      // Keeps what the user is typing.
      if (input.matches(':focus')) return;
      input.value = isOther ? marginText(margin) : '';
      input.parentElement?.classList.toggle('chosen', isOther);
      problem.textContent = '';
    },
  };
}

/** @param {unknown} margin */
const isNothing = (margin) => margin === undefined || Number.parseFloat(String(margin)) === 0;

/** @param {number} share in percent */
function formatShare(share) {
  return new Intl.NumberFormat(document.documentElement.lang || 'en', { style: 'percent', maximumFractionDigits: 2 })
    .format(share / 100);
}

/** @param {string} margin in the form of the options */
function marginText(margin) {
  return margin.endsWith('%') ? formatShare(Number.parseFloat(margin)) : formatNumber(Number(margin));
}

/**
 * Parses a margin that the user typed; null if it is invalid.
 * @param {string} text
 */
function readMargin(text) {
  const number = text.trim() === '' ? 0 : readNumber(text, false, UNIT_OR_PERCENT);
  const isShare = isPercentage(text);
  if (number === null || number < 0 || (isShare ? number >= 50 : number > 65_535)) return null;
  return isShare ? `${number}%` : String(Math.round(number));
}

/** @param {Get} get @param {Set} set */
function placeChoice(get, set) {
  const options = choices(Object.entries(PLACE_WORDS).map(([place, label]) => [
    /** @type {typeof PLACES[number]} */ (place), node(`i.${place}`, { 'aria-hidden': 'true' }),
    { 'aria-label': words(label), title: words(label) }]), (place) => set({ place }));
  return {
    // Left and right refer to the photo, so they do not swap with the reading direction.
    root: node('div.chips.canvas-place', { role: 'group', 'aria-label': words('canvasPlace'), dir: 'ltr' },
      ...options.chips),
    /** @param {Choices | null} now */
    update: (now) => void options.show(now?.place ?? 'center'),
  };
}
