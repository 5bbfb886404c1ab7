// @ts-check
// The size of the result in pixels: the selection's, a longest side, or an exact size.

import { node, setAttribute } from '../ui/dom.js';
import { sectionRoot } from '../ui/section.js';
import { formatNumber, formatSize, readNumber, words } from '../ui/words.js';

const SIDES = Object.freeze([1080, 1600, 2048]);

/** @typedef {import('../../Element/core.js').Recipe['output']} OutputSize */

/** @param {import('../../Element/crop-view.js').CropView} view @returns {import('../ui/section.js').Section} */
export function sizeSection(view) {
  const chip = (/** @type {string} */ label, /** @type {() => void} */ act) =>
    node('button.chip', { type: 'button', 'aria-pressed': 'false', onclick: act }, label);
  const none = chip(words('outputAll'), () => {
    open(null);
    view.command('longestSide', 0);
  });
  none.classList.add('usual');
  const sides = SIDES.map((side) => {
    const button = chip(words('pixelsShort', formatNumber(side)), () => {
      open(null);
      view.command('longestSide', side);
    });
    button.title = words('outputSideOf', formatNumber(side));
    button.setAttribute('aria-label', button.title);
    return button;
  });
  const { longest, width, height, fill } = sizeFields(view);
  const sideRow = node('div.fields.one', { hidden: true }, longest.root);
  const sizeRow = node('div.fields', { hidden: true }, width.root, height.root);
  const other = chip(words('outputOther'), () => open(sideRow.hidden ? sideRow : null));
  const exact = chip(words('outputExact'), () => open(sizeRow.hidden ? sizeRow : null));
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
      node('div.chips', {}, none, ...sides, other, exact), sideRow, sizeRow),
    update: ({ output }) => {
      const side = output && 'maxSide' in output ? output.maxSide : 0;
      setAttribute(none, 'aria-pressed', output === null);
      sides.forEach((button, index) => setAttribute(button, 'aria-pressed', SIDES[index] === side));
      setAttribute(other, 'aria-pressed', side > 0 && !SIDES.includes(side));
      setAttribute(exact, 'aria-pressed', output !== null && 'width' in output);
      fill(output, false);
    },
  };
}

/**
 * The fields for a longest side and an exact size, which set them.
 * @param {import('../../Element/crop-view.js').CropView} view
 */
function sizeFields(view) {
  const largest = view.constants?.largestSide ?? 0;
  const longest = field(words('outputSide'), words('outputSideShort'), largest);
  const width = field(words('outputWidth'), words('letterW'), largest);
  const height = field(words('outputHeight'), words('letterH'), largest);

  /** @param {OutputSize} output @param {boolean} isOffer whether empty fields get the selection's size */
  function fill(output, isOffer) {
    const rect = isOffer ? view.recipe?.rect : undefined;
    const size = output && 'width' in output ? output : rect;
    const side = output && 'maxSide' in output ? output.maxSide
      : rect && Math.max(rect.width, rect.height);
    if (size) {
      width.show(size.width);
      height.show(size.height);
    }
    if (side) longest.show(side);
  }

  longest.onCommit(() => {
    const side = longest.value();
    if (side !== null) view.command('longestSide', side);
  });
  for (const { onCommit } of [width, height]) {
    onCommit(() => {
      const [w, h] = [width.value(), height.value()];
      if (w !== null && h !== null) view.command('outputSize', w, h);
    });
  }
  return { longest, width, height, fill };
}

/**
 * The result's size in one line.
 * @param {OutputSize} output
 */
export function sizeText(output) {
  const text = !output ? words('outputAll')
    : 'maxSide' in output ? words('pixelsShort', formatNumber(output.maxSide))
      : formatSize(output.width, output.height);
  return { text, isChanged: output !== null };
}

/**
 * A field for a number of pixels.
 * @param {string} label @param {string} letter @param {number} largest
 */
function field(label, letter, largest) {
  const input = node('input', {
    type: 'text', inputmode: 'numeric', autocomplete: 'off', maxlength: 7, 'aria-label': label,
  });
  input.addEventListener('focus', () => input.select());
  return {
    root: node('label.field', {}, node('span', { 'aria-hidden': 'true' }, letter), input),
    // Does not overwrite what the user is typing.
    show: (/** @type {number} */ number) => {
      if (!input.matches(':focus')) input.value = formatNumber(number);
    },
    value: () => {
      const number = Math.round(readNumber(input.value) ?? 0);
      return number >= 1 && number <= largest ? number : null;
    },
    onCommit: (/** @type {() => void} */ act) => {
      input.addEventListener('change', act);
      input.addEventListener('keydown', (event) => {
        if (event.key !== 'Enter') return;
        act();
        input.select();
      });
    },
  };
}
