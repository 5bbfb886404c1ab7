// @ts-check
// The size of the result on paper: its unit, density and bleed, common sizes, and a sheet of prints.

import { MILLIMETERS, parsePrint, printed, USUAL_DPI } from '../../Element/questions.js';
import { shownPrint, showPrint, trimGuide } from '../model/print.js';
import { node } from '../ui/dom.js';
import { hasGuide, titleOfGuide } from '../ui/grid-section.js';
import { PRINTS } from '../ui/presets.js';
import { printText, sheetFields } from '../ui/print-fields.js';
import { formatLength, printName } from '../ui/print-names.js';
import { showValue, valueField } from '../ui/value-field.js';
import { formatNumber, readNumber, words } from '../ui/words.js';

/** @typedef {import('../model/print.js').Print} Print */
/** @typedef {import('../model/print.js').Unit} Unit */

/** The largest density, in pixels per inch. */
const MOST_DPI = 65_535;

/**
 * What the fields change.
 * @typedef {object} Printing
 * @property {() => Print | null} print @property {(print: Print | null) => void} setPrint
 * @property {() => number | undefined} dpi @property {(dpi: number | undefined) => void} setDpi
 * @property {((paper: string) => void) | null} sheet makes a sheet of prints; null if only a server can
 */

/**
 * @param {import('../../Element/crop-view.js').CropView} view @param {HTMLElement} pixels the fields for pixels
 * @param {Printing} printing
 */
export function printSize(view, pixels, printing) {
  const problem = node('p.explain.problem', { role: 'alert' });
  const note = node('p.explain.print-note', { role: 'status' });
  /** @type {Unit | 'px'} */ let unit = 'px';
  /** The guide that a size has shown. */ let ownGuide = '';

  const lengths = /** @type {const} */ (['width', 'height', 'bleed']);
  const fields = Object.fromEntries(lengths.map((name) => [name, lengthField(name, () => commit())]));
  const density = valueField(words('dpiLong'), { inputmode: 'numeric', maxlength: 5, placeholder: String(USUAL_DPI) },
    { commit: () => setDpi() });
  /** @type {HTMLSelectElement} */
  const units = node('select', { 'aria-label': words('unit'), onchange: () => setUnit(/** @type {Unit | 'px'} */ (units.value)) },
    ...['px', ...Object.keys(MILLIMETERS)].map((name) => node('option', { value: name }, name)));
  /** @type {HTMLSelectElement} */
  const presets = node('select', { onchange: () => choose(presets.value) }, node('option', { value: '' }, words('ratioCustom')),
    ...PRINTS.map(({ name, print }) => node('option', { value: name }, titleOfGuide(name) || printName(print))));
  const sheet = sheetFields((paper) => printing.sheet?.(paper));

  const paperFields = node('div.fields', { hidden: true }, fields.width.root, fields.height.root);
  const bleed = node('div.fields.one', { hidden: true }, fields.bleed.root);
  const dpiField = node('label.field', { title: words('dpiLong') }, node('span', { 'aria-hidden': 'true' }, 'dpi'), density);
  const root = node('div.print', {},
    node('label.field.guide', {}, node('span', {}, words('printSize')), presets), pixels, paperFields,
    node('div.fields', {}, node('label.field', {}, units), dpiField), bleed, problem, note, sheet);

  /** @param {Unit | 'px'} chosen */
  function setUnit(chosen) {
    const before = printing.print();
    unit = chosen;
    problem.textContent = '';
    if (chosen === 'px') {
      if (before) view.command('longestSide', 0);
      printing.setPrint(null);
      guide('');
    } else if (before) {
      const factor = MILLIMETERS[before.unit] / MILLIMETERS[chosen];
      const length = (/** @type {number} */ value) => Number((value * factor).toFixed(3));
      printing.setPrint({ ...before, unit: chosen, width: length(before.width), height: length(before.height) });
    } else offer(chosen);
    refresh(true);
  }

  /**
   * Shows the size of the crop on paper, which the user can change.
   * @param {Unit} chosen
   */
  function offer(chosen) {
    const rect = view.recipe?.rect;
    if (!rect) return;
    const length = (/** @type {number} */ side) => side / (printing.dpi() ?? USUAL_DPI) * 25.4 / MILLIMETERS[chosen];
    for (const name of /** @type {const} */ (['width', 'height'])) {
      fields[name].show(Number(length(rect[name]).toFixed(chosen === 'mm' ? 0 : 1)), true);
    }
  }

  /** @param {string} name of a preset */
  function choose(name) {
    const preset = PRINTS.find((one) => one.name === name);
    const print = preset && parsePrint(preset.print);
    if (!print) return;
    ({ unit } = print);
    set({ ...print, bleed: 0 }, hasGuide(name) ? name : '');
    refresh(true);
  }

  function commit() {
    if (unit === 'px') return;
    const [width, height] = [fields.width.value(), fields.height.value()];
    if (width === null || height === null) problem.textContent = words('printBad');
    else set({ width, height, unit, bleed: fields.bleed.value() ?? 0 }, '');
  }

  /** @param {Print} print @param {string} guideName of a guide for this size */
  function set(print, guideName) {
    const isPossible = showPrint(view, print, printing.dpi());
    problem.textContent = isPossible ? '' : words('printBad');
    if (!isPossible) return;
    printing.setPrint(print);
    guide(guideName || trimGuide(print));
  }

  /**
   * Shows a guide for the size, instead of the last one of a size.
   * @param {string} name
   */
  function guide(name) {
    if (!name && view.guides !== ownGuide) return;
    view.guides = ownGuide = name;
  }

  function setDpi() {
    const number = density.value.trim() === '' ? undefined : readNumber(density.value) ?? 0;
    const isGood = number === undefined || (Number.isInteger(number) && number >= 1 && number <= MOST_DPI);
    problem.textContent = isGood ? '' : words('dpiBad');
    if (!isGood) return;
    const print = shown();
    printing.setDpi(number);
    if (print) showPrint(view, print, number);
  }

  const shown = () => shownPrint(view, printing.print(), printing.dpi());

  /** @param {boolean} [isForced] also replaces what the user is typing */
  function refresh(isForced = false) {
    const print = shown();
    if (print && unit === 'px') ({ unit } = print);
    const isPaper = unit !== 'px';
    units.value = unit;
    [pixels.hidden, paperFields.hidden, bleed.hidden] = [isPaper, !isPaper, !isPaper];
    if (print) {
      fields.width.show(print.width, isForced);
      fields.height.show(print.height, isForced);
      fields.bleed.show(print.bleed, isForced);
    }
    const preset = print && PRINTS.find((one) => one.print === `${print.width}x${print.height}${print.unit}`
      && (one.name === presets.value || one.name === view.guides || !hasGuide(one.name)));
    presets.value = preset?.name ?? '';
    const dpi = printing.dpi();
    showValue(density, dpi === undefined ? '' : formatNumber(dpi));
    const rect = view.recipe?.rect;
    const made = print && view.core && rect && printed(view.core, print, dpi, rect);
    const text = made ? printText(made, rect, dpi) : '';
    if (note.textContent !== text) note.textContent = text;
    note.classList.toggle('problem', made?.isShort ?? false);
    sheet.hidden = !print || !printing.sheet;
  }

  return { root, shown, update: () => refresh() };
}

/** The fields' words for screen readers, and the shown ones. */
const LABELS = Object.freeze(/** @type {const} */ ({
  width: ['printWidth', 'letterW'], height: ['printHeight', 'letterH'], bleed: ['bleedLong', 'bleed'],
}));

/**
 * A field for a length.
 * @param {'width' | 'height' | 'bleed'} name @param {() => void} commit
 */
function lengthField(name, commit) {
  const [label, shown] = LABELS[name];
  const input = valueField(words(label), { inputmode: 'decimal', maxlength: 7 }, { commit });
  return {
    root: node('label.field', {}, node('span', { 'aria-hidden': 'true' }, words(shown)), input),
    value: () => {
      const number = readNumber(input.value, false) ?? 0;
      return number > 0 ? Number(number.toFixed(3)) : null;
    },
    show: (/** @type {number} */ length, /** @type {boolean} */ isForced) => {
      const text = name === 'bleed' && length === 0 ? '' : formatLength(length);
      if (isForced) input.value = text;
      else showValue(input, text);
    },
  };
}
