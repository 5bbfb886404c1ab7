// @ts-check
// What the editor and the targets say about prints, and the choice of paper for a sheet of them.

import { USUAL_DPI } from '../../Element/questions.js';
import { chip } from './chips.js';
import { node } from './dom.js';
import { PAPERS, paperName } from './print-names.js';
import { formatNumber, formatSize, words } from './words.js';

/**
 * The choice of paper, and a button that makes a sheet; hidden at first.
 * @param {(paper: string) => void} make
 */
export function sheetFields(make) {
  const paper = node('select', { 'aria-label': words('paper') },
    ...PAPERS.map((name) => node('option', { value: name }, paperName(name))));
  return node('div.fields', { hidden: true }, node('label.field', {}, paper), chip(words('printSheet'), () => make(paper.value)));
}

/**
 * How a crop is printed; a warning if it has too few pixels.
 * @param {import('../../Element/interface.js').PrintedCrop} print
 * @param {{ width: number, height: number } | null | undefined} crop @param {number} [asked] pixels per inch
 */
export function printText({ isShort, needed, size, dpi }, crop, asked = USUAL_DPI) {
  const has = formatNumber(Math.round(dpi));
  if (!isShort || !crop) return words('printFits', formatSize(size.width, size.height), has);
  return words('printShort', formatNumber(asked), formatSize(needed.width, needed.height), formatSize(crop.width, crop.height), has);
}
