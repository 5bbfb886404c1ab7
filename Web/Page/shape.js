// @ts-check
// The shape of the crop, and the radius of rounded corners.

import { sectionRoot } from './controls.js';
import { node, setAttribute } from './dom.js';
import { formatNumber, readNumber, words } from './words.js';

const ROUNDED = 2;

/** The radius first offered, as a part of the shorter side. */
const FIRST_RADIUS = 1 / 8;

/** @typedef {import('./words.js').WordKey} WordKey */

/** @param {import('./crop-view.js').CropView} view @returns {import('./controls.js').Section} */
export function shapeSection(view) {
  const input = node('input', {
    type: 'text', inputmode: 'numeric', autocomplete: 'off', 'aria-label': words('radius'),
  });
  const field = node('label.field', { hidden: true },
    node('span', { 'aria-hidden': 'true' }, words('letterR')), input);
  input.addEventListener('focus', () => input.select());
  input.addEventListener('change', () => {
    const radius = readNumber(input.value);
    if (radius !== null && radius >= 0) view.command('shape', ROUNDED, radius);
  });
  const options = /** @type {WordKey[]} */ (['shapeRectangle', 'shapeEllipse', 'shapeRounded'])
    .map((label, index) => node('button.chip', {
      type: 'button', 'aria-pressed': 'false',
      onclick: () => view.command('shape', index, index === ROUNDED ? firstRadius(view) : 0),
    }, words(label)));
  return {
    tab: 'shape',
    needs: ['shape'],
    root: sectionRoot('shape', 'shape', node('div.chips', {}, ...options), field),
    update: ({ shape, radius }) => {
      options.forEach((option, index) => setAttribute(option, 'aria-pressed', index === shape));
      field.hidden = shape !== ROUNDED;
      if (!input.matches(':focus')) input.value = formatNumber(radius);
    },
  };
}

/** @param {import('./crop-view.js').CropView} view pixels */
function firstRadius(view) {
  const size = view.recipe?.rect ?? view.pictureSize;
  return size ? Math.round(Math.min(size.width, size.height) * FIRST_RADIUS) : 0;
}
