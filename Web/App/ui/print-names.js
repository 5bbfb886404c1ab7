// @ts-check
// The names of sizes on paper.

import { parsePrint } from '../../Element/questions.js';
import { decimalsOf } from '../../Element/ratio-name.js';
import { formatNumber, words } from './words.js';

/** The papers on which prints are repeated; their names are those of options. */
export const PAPERS = Object.freeze(['10x15cm', '13x18cm', '20x30cm', '4x6in', '5x7in', '8x10in', 'a4', 'letter']);

/** @param {number} length */
export const formatLength = (length) => formatNumber(length, decimalsOf(Number(length.toFixed(3))));

/** @param {{ width: number, height: number, unit: string }} size */
export const formatPrint = ({ width, height, unit }) =>
  `${words('size', formatLength(width), formatLength(height))} ${unit}`;

/**
 * A size such as `35x45mm`, for users.
 * @param {string} size
 */
export function printName(size) {
  const print = parsePrint(size);
  return print ? formatPrint(print) : size;
}

/** @param {string} paper of `PAPERS` */
export const paperName = (paper) => (
  paper === 'a4' ? words('ratioA4') : paper === 'letter' ? words('ratioLetter') : printName(paper));
