// @ts-check
// The settings of a canvas around a crop: its fill, the margin, and the position of the crop. For the photo in the
// editor, and for each of its targets.

import { PLACES } from '../../Element/canvas.js';
import { node, setAttribute } from '../ui/dom.js';
import { WHITE } from '../saving/output.js';
import { formatNumber, readNumber, words } from '../ui/words.js';

/** @typedef {import('../../Element/canvas.js').CanvasOptions} CanvasOptions */
/** @typedef {Pick<CanvasOptions, 'margin' | 'place' | 'fill'>} Choices */
/** @typedef {() => Choices | null} Get the current choices; null without a canvas */
/** @typedef {(changes: Choices) => void} Set */
/** @typedef {import('../ui/words.js').WordKey} WordKey */

/** The offered margins, as percentages of the canvas's shorter side. */
const SHARES = Object.freeze([0, 5, 10]);

/** @type {Readonly<Record<typeof PLACES[number], WordKey>>} */
const PLACE_WORDS = Object.freeze({
  northwest: 'placeNorthwest', north: 'placeNorth', northeast: 'placeNortheast',
  west: 'placeWest', center: 'placeCenter', east: 'placeEast',
  southwest: 'placeSouthwest', south: 'placeSouth', southeast: 'placeSoutheast',
});

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
  const other = node('input', { type: 'color', value: '#808080', 'aria-label': words('canvasOther'),
    title: words('canvasOther') });
  other.addEventListener('input', () => set({ fill: other.value }));
  const options = /** @type {[WordKey, string][]} */ ([
    ['aroundWhite', WHITE], ['aroundBlack', '#000000'], ['aroundNothing', 'transparent'], ['fillEdge', 'edge'],
    ['fillBlur', 'blur']])
    .map(([label, fill]) => ({ fill, root: node('button.chip', {
      type: 'button', 'aria-pressed': 'false', onclick: () => set({ fill }),
    }, node(`i.swatch.${fill.replace('#', 'c')}`, { 'aria-hidden': 'true' }), words(label)) }));
  return {
    root: node('div.chips.canvas-fill', { role: 'group', 'aria-label': words('canvasFill') },
      ...options.map(({ root }) => root), other),
    /** @param {Choices | null} now */
    update: (now) => {
      for (const { fill, root } of options) setAttribute(root, 'aria-pressed', fill === now?.fill);
      const isOther = now?.fill?.startsWith('#') && options.every(({ fill }) => fill !== now.fill);
      other.classList.toggle('chosen', Boolean(isOther));
      if (isOther && now?.fill) other.value = now.fill;
    },
  };
}

/** @param {Get} get @param {Set} set */
function marginChoice(get, set) {
  const options = SHARES.map((share) => ({ margin: share ? `${share}%` : '0', root: node('button.chip', {
    type: 'button', 'aria-pressed': 'false', onclick: () => set({ margin: share ? `${share}%` : '0' }),
    ...(share ? {} : { 'aria-label': words('marginNone'), title: words('marginNone') }),
  }, formatShare(share)) }));
  const input = node('input', {
    type: 'text', inputmode: 'text', autocomplete: 'off', maxlength: 7, 'aria-label': words('marginField'),
    title: words('marginField'), placeholder: words('pixelsShort', formatNumber(40)),
  });
  const problem = node('p.explain.problem', { role: 'alert' });
  const commit = () => {
    const said = readMargin(input.value);
    problem.textContent = said === null ? words('marginBad') : '';
    if (said !== null && said !== get()?.margin) set({ margin: said });
  };
  input.addEventListener('focus', () => input.select());
  input.addEventListener('change', commit);
  input.addEventListener('keydown', (event) => event.key === 'Enter' && commit());
  return {
    problem,
    root: node('div.chips.canvas-margin', { role: 'group', 'aria-label': words('canvasMargin') },
      ...options.map(({ root }) => root), node('label.field', {}, input)),
    /** @param {Choices | null} now */
    update: (now) => {
      const margin = isNothing(now?.margin) ? '0' : String(now?.margin);
      for (const option of options) setAttribute(option.root, 'aria-pressed', option.margin === margin);
      // Keeps what the user is typing.
      if (input.matches(':focus')) return;
      const isOther = options.every((option) => option.margin !== margin);
      input.value = isOther ? marginText(margin) : '';
      input.parentElement?.classList.toggle('chosen', isOther);
      problem.textContent = '';
    },
  };
}

/** @param {unknown} margin */
const isNothing = (margin) => margin === undefined || Number.parseFloat(String(margin)) === 0;

/** @param {number} share in per cent */
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
  const number = text.trim() === '' ? 0 : readNumber(text, false);
  const isShare = /[%٪﹪％]/.test(text);
  if (number === null || number < 0 || (isShare ? number >= 50 : number > 65_535)) return null;
  return isShare ? `${number}%` : String(Math.round(number));
}

/** @param {Get} get @param {Set} set */
function placeChoice(get, set) {
  const options = Object.entries(PLACE_WORDS).map(([name, label]) => {
    const place = /** @type {typeof PLACES[number]} */ (name);
    return { place, root: node('button.chip', {
      type: 'button', 'aria-pressed': 'false', 'aria-label': words(label), title: words(label),
      onclick: () => set({ place }),
    }, node(`i.${place}`, { 'aria-hidden': 'true' })) };
  });
  return {
    // Left and right refer to the photo, so they do not swap with the reading direction.
    root: node('div.chips.canvas-place', { role: 'group', 'aria-label': words('canvasPlace'), dir: 'ltr' },
      ...options.map(({ root }) => root)),
    /** @param {Choices | null} now */
    update: (now) => {
      for (const { place, root } of options) setAttribute(root, 'aria-pressed', place === (now?.place ?? 'center'));
    },
  };
}
