// @ts-check
// A ratio or, for a canvas, an exact size that the user types.

import { parseRatio } from '../../Element/interface.js';
import { decimalsOf, ratioTerms } from '../../Element/ratio-name.js';
import { extentOf, isExactSize, isTiny } from '../model/canvas-extent.js';
import { toggle } from '../ui/chips.js';
import { node } from '../ui/dom.js';
import { chosen } from '../ui/menu.js';
import { formatNumber, formatSize, plainDigits, readNumber, words } from '../ui/words.js';
import { changeCanvas, ratioState } from './fit.js';

/** @typedef {import('../../Element/interface.js').State} State */

/**
 * A chip that opens two fields. The field for the result's exact size is in the output's section.
 * @param {import('../../Element/crop-view.js').CropView} view @param {() => boolean} isFitted whether the ratio is
 * the canvas's
 */
export function customRatio(view, isFitted) {
  const field = (/** @type {string} */ label) => node('input', {
    type: 'text', inputmode: 'decimal', autocomplete: 'off', maxlength: 11, 'aria-label': label,
  });
  const width = field(words('ratioWidth'));
  const height = field(words('ratioHeight'));
  const exact = node('input', { type: 'checkbox' });
  const pixels = node('label.check', { hidden: true }, exact, words('targetExact'));
  const problem = node('p.explain.problem', { role: 'alert' });
  const row = node('div.custom', { hidden: true },
    node('label.field', {}, width), node('span', { 'aria-hidden': 'true' }, ':'),
    node('label.field', {}, height), pixels, problem);
  const write = (/** @type {readonly number[] | null} */ terms) => {
    [width, height].forEach((input, at) => {
      input.value = terms ? formatNumber(terms[at], decimalsOf(terms[at])) : '';
    });
  };
  const show = (/** @type {State | null} */ state) => {
    pixels.hidden = !isFitted();
    exact.checked = isFitted() && isExactSize(view.canvasOptions?.canvas);
    write(!state?.ratioWidth ? null
      : exact.checked ? [state.ratioWidth, state.ratioHeight] : ratioTerms(state.ratioWidth, state.ratioHeight));
  };
  const showNow = () => show(view.state && ratioState(view, view.state));
  const say = (/** @type {boolean} */ isBad) => {
    problem.textContent = isBad ? words('ratioBad') : '';
  };

  /** The typed terms; null if they are not two numbers. */
  const typed = () => {
    // Both terms can be typed into one field, as 16:9 or 16/9.
    const both = [width.value, height.value].map(plainDigits).find((text) => /\d\s*[:/x×]\s*\d/.test(text));
    const parsed = both && view.core && parseRatio(view.core, { text: both.replace('/', ':').replace('×', 'x') });
    if (parsed) return parsed.kind === 'fixed' ? [parsed.ratio.width, parsed.ratio.height] : null;
    const terms = [width, height].map(({ value }) => readNumber(value, false) ?? 0);
    return terms.every((term) => term > 0) ? terms : null;
  };

  /** Whether the fields have changed since their values were applied, and whether the user is asked about them. */
  let isChanged = false;
  let isAsking = false;

  /** @param {number} w @param {number} h */
  const size = async (w, h) => {
    isAsking = true;
    const answer = !isTiny(w, h) ? 'size' : await chosen(words('tinyTitle', formatSize(w, h)), words('tinyText'), [
      ['ratio', words('tinyRatio', words('ratioValue', formatNumber(w), formatNumber(h)))],
      ['size', words('tinySize', formatSize(w, h))]]);
    isAsking = isChanged = false;
    if (answer) changeCanvas(view, { canvas: extentOf(w, h, answer === 'size') });
    showNow();
  };

  const apply = () => {
    if (isAsking) return;
    isChanged = false;
    // The user may still type the other term.
    if (!width.value || !height.value) {
      if (![width, height].some(({ value }) => /[:/x×]/.test(value))) return;
    }
    const terms = typed();
    const [w, h] = terms ?? [0, 0];
    const isSize = isFitted() && exact.checked;
    say(!terms || (isSize && ![w, h].every(Number.isInteger)));
    if (problem.textContent || !terms) return showNow();
    if (isSize && extentOf(w, h, true) === view.canvasOptions?.canvas) return showNow();
    if (isSize) return void size(w, h);
    if (isFitted()) changeCanvas(view, { canvas: extentOf(w, h, false) });
    else if (!view.command('ratio', w, h)) say(true);
    showNow();
  };
  for (const input of [width, height]) {
    input.addEventListener('change', () => {
      isChanged = true;
    });
  }
  exact.addEventListener('change', () => {
    const { resultSize } = view;
    const terms = exact.checked ? [resultSize?.width ?? 0, resultSize?.height ?? 0] : typed() ?? [1, 1];
    // The fields start with the current size, not with the terms of the ratio.
    const canvas = exact.checked ? extentOf(terms[0], terms[1], true)
      : ratioTerms(terms[0], terms[1]).join(':');
    changeCanvas(view, { canvas });
    showNow();
  });
  row.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.target === exact) return;
    // Otherwise the key would also press the first button of the question.
    event.preventDefault();
    apply();
  });
  row.addEventListener('focusout', ({ relatedTarget }) => {
    // The other term may follow.
    if (row.contains(/** @type {Node | null} */ (relatedTarget)) || isAsking) return;
    if (isChanged) apply();
    // What the fields did not show while the user was typing.
    else showNow();
  });
  const chip = toggle(words('ratioCustom'), () => {
    row.hidden = !row.hidden;
    chip.setAttribute('aria-expanded', String(!row.hidden));
    if (row.hidden) return;
    say(false);
    showNow();
    width.focus();
    width.select();
    row.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, { 'aria-expanded': 'false' });
  return { chip, row, show };
}
