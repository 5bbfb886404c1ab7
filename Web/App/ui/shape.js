// @ts-check
// The shape of the crop, and the radius of rounded corners.

import { Shape } from '../../Element/interface.js';
import { choices, otherColor } from './chips.js';
import { node } from './dom.js';
import { WHITE } from './output.js';
import { sectionRoot } from './section.js';
import { showValue, valueField } from './value-field.js';
import { formatNumber, readNumber, words } from './words.js';

/** The initial radius, as a fraction of the shorter side. */
const FIRST_RADIUS = 1 / 8;

/** In the core's order. */
export const SHAPES = Object.freeze(/** @type {const} */ ([
  'shapeRectangle', 'shapeEllipse', 'shapeRounded']));

/**
 * @param {import('../../Element/crop-view.js').CropView} view
 * @param {import('./output.js').Encoding} encoding changed in place @param {() => void} changed
 * @returns {import('./section.js').Section}
 */
export function shapeSection(view, encoding, changed) {
  const around = aroundShape(encoding, changed);
  const input = valueField(words('radius'), { inputmode: 'numeric' }, { commit: () => {
    const radius = readNumber(input.value);
    if (radius !== null && radius >= 0) view.command('shape', Shape.rounded, radius);
    input.value = formatNumber(view.state?.radius ?? 0);
  } });
  const field = node('label.field', { hidden: true },
    node('span', { 'aria-hidden': 'true' }, words('letterR')), input);
  const options = choices(SHAPES.map((label, index) => [index, words(label)]),
    (index) => view.command('shape', index, index === Shape.rounded ? firstRadius(view) : 0));
  return {
    tab: 'shape',
    needs: ['shape'],
    root: sectionRoot('shape', 'shape', node('div.chips', {}, ...options.chips, field, around.root)),
    update: ({ shape, radius }) => {
      options.show(shape);
      field.hidden = shape !== Shape.rounded;
      showValue(input, formatNumber(radius));
      around.root.hidden = shape === Shape.rectangle;
      around.update();
    },
  };
}

/**
 * The area around the shape: transparent, or a color, which makes the result a JPEG.
 * @param {import('./output.js').Encoding} encoding changed in place @param {() => void} changed
 */
function aroundShape(encoding, changed) {
  const choose = (/** @type {string | undefined} */ color) => {
    if (color) encoding.background = color;
    else delete encoding.background;
    // The last choice wins: a JPEG can't be transparent.
    if (!color && encoding.format === 'jpeg') delete encoding.format;
    changed();
  };
  const other = otherColor(words('aroundOther'), choose);
  const options = choices([
    [undefined, words('aroundNothing')], [WHITE, words('aroundWhite')], ['#000000', words('aroundBlack')],
  ], choose);
  return {
    root: node('div.around', { role: 'group', 'aria-label': words('around') }, ...options.chips, other),
    update: () => {
      const isOffered = options.show(encoding.background ?? (encoding.format === 'jpeg' ? WHITE : undefined));
      other.classList.toggle('chosen', !isOffered);
    },
  };
}

/** @param {import('../../Element/crop-view.js').CropView} view @returns {number} pixels */
function firstRadius(view) {
  const size = view.recipe?.rect ?? view.pictureSize;
  return size ? Math.round(Math.min(size.width, size.height) * FIRST_RADIUS) : 0;
}
