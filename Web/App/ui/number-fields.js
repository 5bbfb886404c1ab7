// @ts-check
// The selection as numbers.

import { node } from './dom.js';
import { sectionRoot } from './section.js';
import { valueField } from './value-field.js';
import { formatNumber, formatSize, isPercentage, readNumber, UNIT_OR_PERCENT, words } from './words.js';

/** @typedef {import('./section.js').Section} Section */
/** @typedef {import('../../Element/interface.js').CommandName} CommandName */
/** @typedef {import('../../Element/core.js').RectRecipe['rect']} Box */

/** @param {import('../../Element/crop-view.js').CropView} view @returns {Section} */
export function pixelFields(view) {
  const problem = node('p.explain.problem', { role: 'alert' });
  const say = (/** @type {string} */ text) => {
    problem.textContent = text;
  };
  const fields = /** @type {const} */ ([
    ['setX', 'letterX', 'fieldX', 'x', 'frameWidth'], ['setY', 'letterY', 'fieldY', 'y', 'frameHeight'],
    ['setWidth', 'letterW', 'fieldW', 'width', 'frameWidth'], ['setHeight', 'letterH', 'fieldH', 'height', 'frameHeight'],
  ]).map(([command, letter, label, side, whole]) => field(view, command, words(letter), words(label), say,
    (rect) => rect[side], () => view.state?.[whole] ?? 0));
  const follow = () => {
    const rect = view.recipe?.rect ?? null;
    for (const { update } of fields) update(rect);
  };
  return {
    tab: 'more',
    needs: ['setX', 'setY', 'setWidth', 'setHeight'],
    root: sectionRoot('pixels', 'pixels',
      node('div.fields', {}, ...fields.map(({ root }) => root)), problem),
    update: () => {
      follow();
      // The message is about the field with the focus.
      if (!fields.some(({ isTyped }) => isTyped())) say('');
    },
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
 * A field for pixels; a percentage is that of the frame's side.
 * @param {import('../../Element/crop-view.js').CropView} view @param {CommandName} command
 * @param {string} letter @param {string} label @param {(problem: string) => void} say empty text: there is none
 * @param {(rect: Box) => number} value @param {() => number} whole the frame's side in pixels
 */
function field(view, command, letter, label, say, value, whole) {
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
    const isOther = number !== null && shown !== null && Math.abs(value(shown) - number) >= 1;
    say(number === null ? words('fieldBad') : isOther && shown
      ? words('fieldNearest', formatNumber(number), formatNumber(value(shown))) : '');
    show();
  };
  const read = () => {
    const number = readNumber(input.value, true, UNIT_OR_PERCENT);
    return number !== null && isPercentage(input.value) ? Math.round(number / 100 * whole()) : number;
  };
  const input = valueField(label, {}, {
    commit: () => set(read()), restore: show,
    step: (way, isLarge) => shown && set(value(shown) + way * (isLarge ? 10 : 1)),
  });
  return {
    root: node('label.field', {}, node('span', { 'aria-hidden': 'true' }, letter), input),
    isTyped: () => input.matches(':focus'),
    /** @param {Box | null} rect */
    update: (rect) => {
      shown = rect;
      // Does not overwrite what the user is typing.
      if (!input.matches(':focus')) show();
    },
  };
}
