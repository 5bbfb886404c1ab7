// @ts-check
// The selection as numbers.

import { node } from './dom.js';
import { sectionRoot } from './section.js';
import { valueField } from './value-field.js';
import { formatNumber, formatSize, readNumber, words } from './words.js';

/** @typedef {import('./section.js').Section} Section */
/** @typedef {import('../../Element/interface.js').CommandName} CommandName */
/** @typedef {import('../../Element/core.js').RectRecipe['rect']} Box */

/** @param {import('../../Element/crop-view.js').CropView} view @returns {Section} */
export function pixelFields(view) {
  const fields = [
    field(view, 'setX', words('letterX'), words('fieldX'), (rect) => rect.x),
    field(view, 'setY', words('letterY'), words('fieldY'), (rect) => rect.y),
    field(view, 'setWidth', words('letterW'), words('fieldW'), (rect) => rect.width),
    field(view, 'setHeight', words('letterH'), words('fieldH'), (rect) => rect.height),
  ];
  const follow = () => {
    const rect = view.recipe?.rect ?? null;
    for (const { update } of fields) update(rect);
  };
  return {
    tab: 'more',
    needs: ['setX', 'setY', 'setWidth', 'setHeight'],
    root: sectionRoot('pixels', 'pixels',
      node('div.fields', {}, ...fields.map(({ root }) => root))),
    update: follow,
    follow,
  };
}

/**
 * The selection's size, in one line.
 * @param {import('../../Element/crop-view.js').CropView} view
 */
export function pixelsText(view) {
  const rect = view.recipe?.rect;
  return { text: rect ? formatSize(rect.width, rect.height) : '', isChanged: false };
}

/**
 * @param {import('../../Element/crop-view.js').CropView} view @param {CommandName} command
 * @param {string} letter @param {string} label
 * @param {(rect: Box) => number} value
 */
function field(view, command, letter, label, value) {
  /** @type {Box | null} */ let shown = null;
  const show = () => {
    input.disabled = shown === null;
    const number = shown ? value(shown) : null;
    const text = number === null ? '' : formatNumber(number, Number.isInteger(number) ? 0 : 1);
    if (input.value !== text) input.value = text;
  };
  const set = (/** @type {number | null} */ number) => {
    if (number !== null && shown && number !== value(shown)) view.command(command, number);
    shown = view.recipe?.rect ?? null;
    show();
  };
  const input = valueField(label, {}, {
    commit: () => set(readNumber(input.value)), restore: show,
    step: (way, isLarge) => shown && set(value(shown) + way * (isLarge ? 10 : 1)),
  });
  return {
    root: node('label.field', {}, node('span', { 'aria-hidden': 'true' }, letter), input),
    /** @param {Box | null} rect */
    update: (rect) => {
      shown = rect;
      // Does not overwrite what the user is typing.
      if (!input.matches(':focus')) show();
    },
  };
}
