// @ts-check
// The size of the result: the selection's, a longest side, or an exact size in pixels or on paper.

import { choices, toggle } from '../ui/chips.js';
import { node, setAttribute } from '../ui/dom.js';
import { formatPrint } from '../ui/print-names.js';
import { sectionRoot } from '../ui/section.js';
import { showValue, valueField } from '../ui/value-field.js';
import { formatNumber, formatSize, readNumber, words } from '../ui/words.js';
import { printSize } from './print-size.js';

const SIDES = Object.freeze([1080, 1600, 2048]);

/** @typedef {import('../../Element/core.js').Recipe['output']} OutputSize */

/**
 * @param {import('../../Element/crop-view.js').CropView} view @param {import('./print-size.js').Printing} printing
 * @returns {import('../ui/section.js').Section}
 */
export function sizeSection(view, printing) {
  const none = toggle(words('outputAll'), () => {
    open(null);
    view.command('longestSide', 0);
  });
  const sides = choices(SIDES.map((side) => {
    const title = words('outputSideOf', formatNumber(side));
    return [side, words('pixelsShort', formatNumber(side)), { title, 'aria-label': title }];
  }), (side) => {
    open(null);
    view.command('longestSide', side);
  });
  const { longest, width, height, fill, problem } = sizeFields(view);
  const note = node('p.explain', { role: 'status' });
  const sideRow = node('div.fields.one', { hidden: true }, longest.root);
  const paper = printSize(view, node('div.fields', {}, width.root, height.root), printing);
  const sizeRow = paper.root;
  sizeRow.hidden = true;
  const other = toggle(words('outputOther'), () => open(sideRow.hidden ? sideRow : null));
  const exact = toggle(words('outputExact'), () => open(sizeRow.hidden ? sizeRow : null));
  const rows = [{ row: sideRow, button: other }, { row: sizeRow, button: exact }];
  for (const { button } of rows) button.setAttribute('aria-expanded', 'false');

  /** @param {HTMLElement | null} wanted the row to show; the others are hidden */
  function open(wanted) {
    for (const { row, button } of rows) {
      row.hidden = row !== wanted;
      button.setAttribute('aria-expanded', String(!row.hidden));
    }
    if (!wanted) return;
    fill(view.state?.output ?? null, true);
    wanted.querySelector('input')?.focus();
  }

  return {
    tab: 'more',
    needs: ['outputSize', 'longestSide'],
    root: sectionRoot('output-size', 'outputSize',
      node('div.chips', {}, none, ...sides.chips, other, exact), sideRow, sizeRow, problem, note),
    update: ({ output }) => {
      const isPrint = paper.shown() !== null;
      const side = output && 'maxSide' in output && !isPrint ? output.maxSide : 0;
      setAttribute(none, 'aria-pressed', output === null);
      setAttribute(other, 'aria-pressed', !sides.show(side) && side > 0);
      setAttribute(exact, 'aria-pressed', isPrint || (output !== null && 'width' in output));
      fill(output, false);
      paper.update();
      // A print says it in its own words.
      const text = isPrint ? '' : enlargementText(output, view.recipe?.rect);
      if (note.textContent !== text) note.textContent = text;
    },
  };
}

/**
 * What happens if a size exceeds that of the crop; empty if it does not, or if the crop has no rectangle.
 * @param {OutputSize} output @param {import('../../Element/core.js').RectRecipe['rect'] | undefined} rect
 */
function enlargementText(output, rect) {
  if (!output || !rect) return '';
  if ('maxSide' in output) {
    const longest = Math.max(rect.width, rect.height);
    return output.maxSide > longest ? words('sizeNotEnlarged', formatNumber(longest)) : '';
  }
  return output.width > rect.width ? words('sizeEnlarged', formatSize(rect.width, rect.height)) : '';
}

/**
 * The fields for a longest side and an exact size, which set them.
 * @param {import('../../Element/crop-view.js').CropView} view
 */
function sizeFields(view) {
  const largest = view.constants?.largestSide ?? 0;
  const problem = node('p.explain.problem', { role: 'alert' });
  /** @param {boolean} isGood */
  const say = (isGood) => {
    problem.textContent = isGood ? '' : words('sizeBad', formatNumber(largest));
    // Shows the size that is kept.
    if (!isGood) fill(view.state?.output ?? null, true, true);
  };
  const setSize = () => {
    const [w, h] = [width.value(), height.value()];
    say(w !== null && h !== null);
    if (w !== null && h !== null) view.command('outputSize', w, h);
  };
  const longest = field(words('outputSide'), words('outputSideShort'), largest, (side) => {
    say(side !== null);
    if (side !== null) view.command('longestSide', side);
  });
  const width = field(words('outputWidth'), words('letterW'), largest, setSize);
  const height = field(words('outputHeight'), words('letterH'), largest, setSize);

  /**
   * @param {OutputSize} output @param {boolean} isOffer whether empty fields get the selection's size
   * @param {boolean} [isForced] also replaces what the user is typing
   */
  function fill(output, isOffer, isForced = false) {
    const rect = isOffer ? view.recipe?.rect : undefined;
    const size = output && 'width' in output ? output : rect;
    const side = output && 'maxSide' in output ? output.maxSide
      : rect && Math.max(rect.width, rect.height);
    if (size) {
      width.show(size.width, isForced);
      height.show(size.height, isForced);
    }
    if (side) longest.show(side, isForced);
  }

  return { longest, width, height, fill, problem };
}

/**
 * The result's size in one line.
 * @param {OutputSize} output @param {import('../model/print.js').Print | null} print its size on paper
 */
export function sizeText(output, print) {
  const text = print ? formatPrint(print) : !output ? words('outputAll')
    : 'maxSide' in output ? words('pixelsShort', formatNumber(output.maxSide))
      : formatSize(output.width, output.height);
  return { text, isChanged: output !== null };
}

/**
 * A field for a number of pixels.
 * @param {string} label @param {string} letter @param {number} largest
 * @param {(pixels: number | null) => void} act with the typed number; null if it is invalid
 */
function field(label, letter, largest, act) {
  const input = valueField(label, { inputmode: 'numeric', maxlength: 7 }, { commit: () => act(value()) });
  const value = () => {
    const number = Math.round(readNumber(input.value) ?? 0);
    return number >= 1 && number <= largest ? number : null;
  };
  return {
    root: node('label.field', {}, node('span', { 'aria-hidden': 'true' }, letter), input),
    show: (/** @type {number} */ number, /** @type {boolean} */ isForced) => {
      if (isForced) input.value = formatNumber(number);
      else showValue(input, formatNumber(number));
    },
    value,
  };
}
