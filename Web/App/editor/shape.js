// @ts-check
// The shape of the crop, and the radius of rounded corners.

import { Shape } from '../../Element/interface.js';
import { node, setAttribute } from '../ui/dom.js';
import { WHITE } from '../saving/output.js';
import { sectionRoot } from '../ui/section.js';
import { formatNumber, readNumber, words } from '../ui/words.js';

/** @typedef {import('../ui/words.js').WordKey} WordKey */

/** The initial radius, as a fraction of the shorter side. */
const FIRST_RADIUS = 1 / 8;

/** In the core's order. */
export const SHAPES = Object.freeze(/** @type {const} */ ([
  'shapeRectangle', 'shapeEllipse', 'shapeRounded']));

/**
 * @param {import('../../Element/crop-view.js').CropView} view
 * @param {import('../server/api.js').Encoding} encoding changed in place @param {() => void} changed
 * @returns {import('../ui/section.js').Section}
 */
export function shapeSection(view, encoding, changed) {
  const around = aroundShape(encoding, changed);
  const input = node('input', {
    type: 'text', inputmode: 'numeric', autocomplete: 'off', 'aria-label': words('radius'),
  });
  const field = node('label.field', { hidden: true },
    node('span', { 'aria-hidden': 'true' }, words('letterR')), input);
  input.addEventListener('focus', () => input.select());
  input.addEventListener('change', () => {
    const radius = readNumber(input.value);
    if (radius !== null && radius >= 0) view.command('shape', Shape.rounded, radius);
  });
  const options = SHAPES.map((label, index) => node('button.chip', {
    type: 'button', 'aria-pressed': 'false',
    onclick: () => view.command('shape', index, index === Shape.rounded ? firstRadius(view) : 0),
  }, words(label)));
  options[0].classList.add('usual');
  return {
    tab: 'shape',
    needs: ['shape'],
    root: sectionRoot('shape', 'shape', node('div.chips', {}, ...options, field, around.root)),
    update: ({ shape, radius }) => {
      options.forEach((option, index) => setAttribute(option, 'aria-pressed', index === shape));
      field.hidden = shape !== Shape.rounded;
      if (!input.matches(':focus')) input.value = formatNumber(radius);
      around.root.hidden = shape === Shape.rectangle;
      around.update();
    },
  };
}

/**
 * The area around the shape: transparent, or a colour, which makes the result a JPEG.
 * @param {import('../server/api.js').Encoding} encoding changed in place @param {() => void} changed
 */
function aroundShape(encoding, changed) {
  const choose = (/** @type {string | undefined} */ colour) => {
    if (colour) encoding.background = colour;
    else delete encoding.background;
    // The last choice wins: a JPEG can't be transparent.
    if (!colour && encoding.format === 'jpeg') delete encoding.format;
    changed();
  };
  const other = node('input', { type: 'color', value: '#808080', 'aria-label': words('aroundOther'),
    title: words('aroundOther') });
  other.addEventListener('input', () => choose(other.value));
  const options = /** @type {[WordKey, string | undefined][]} */ (
    [['aroundNothing', undefined], ['aroundWhite', WHITE], ['aroundBlack', '#000000']])
    .map(([label, colour]) => ({ colour, root: node('button.chip', {
      type: 'button', 'aria-pressed': 'false', onclick: () => choose(colour),
    }, words(label)) }));
  options[0].root.classList.add('usual');
  const update = () => {
    const now = encoding.background ?? (encoding.format === 'jpeg' ? WHITE : undefined);
    for (const { colour, root } of options) setAttribute(root, 'aria-pressed', colour === now);
    other.classList.toggle('chosen', options.every(({ colour }) => colour !== now));
  };
  return {
    root: node('div.around', { role: 'group', 'aria-label': words('around') },
      ...options.map(({ root }) => root), other),
    update,
  };
}

/** @param {import('../../Element/crop-view.js').CropView} view @returns {number} pixels */
function firstRadius(view) {
  const size = view.recipe?.rect ?? view.pictureSize;
  return size ? Math.round(Math.min(size.width, size.height) * FIRST_RADIUS) : 0;
}
