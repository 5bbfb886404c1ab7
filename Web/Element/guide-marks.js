// @ts-check
// The marks of guides by their names.

import { GUIDES, INSET, SAFE, TRIM } from './guide-table.js';

/** @typedef {import('./interface.js').GuideMark} GuideMark */

/** A cut line: what is cut off at each edge, as a percentage of the shorter side. */
const CUT = /^trim:(\d+(?:\.\d+)?)%$/;
/** The largest percentage: the area that is safe from the cut is inset twice as far. */
const MOST_TRIM = 24;
/** As many marks as the core takes at a time. */
const MOST_MARKS = 21;

/**
 * The marks of guides.
 * @param {string} text names, separated by spaces
 * @returns {{ marks: GuideMark[], problem: string | null }} without marks if there is a problem
 */
export function guideMarks(text) {
  const marks = text.split(/\s+/).map(marksOf);
  const isKnown = marks.every((list) => list !== null);
  const all = marks.flatMap((list) => list ?? []);
  if (isKnown && all.length <= MOST_MARKS) return { marks: all, problem: null };
  const takes = isKnown ? 'fewer guides at a time' : `${Object.keys(GUIDES).join(', ')}, trim:PERCENT%`;
  return { marks: [], problem: `guides="${text}" is not understood; it takes ${takes}` };
}

/** @param {string} name @returns {GuideMark[] | null} null for an unknown guide */
function marksOf(name) {
  const [, percent] = CUT.exec(name) ?? [];
  if (percent) {
    const x = Number(percent) / 100;
    const isPossible = x > 0 && x <= MOST_TRIM / 100;
    const inset = { shape: INSET, y: 0, width: 0, height: 0 };
    return isPossible ? [{ ...inset, x, label: TRIM }, { ...inset, x: 2 * x, label: SAFE }] : null;
  }
  if (!Object.hasOwn(GUIDES, name)) return null;
  return GUIDES[name].map(([shape, x, y, width, height, label]) => ({ shape, x, y, width, height, label }));
}
