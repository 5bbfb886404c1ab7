// @ts-check
// What `croppedBlob` and its like take. Anything else is refused: a misspelt option that is ignored gives
// another file than the page asked for.

import { LOSSLESS } from './core.js';

/** Media types that a canvas of every current browser, or of most, writes. */
export const TYPES = Object.freeze(['image/jpeg', 'image/png', 'image/webp']);

/** @param {unknown} value */
const isPositive = (value) => typeof value === 'number' && value > 0;

/**
 * What each option takes, and whether a value is that.
 * @type {Readonly<Record<string, [takes: string, fits: (value: unknown) => boolean]>>}
 */
const OPTIONS = Object.freeze({
  type: [TYPES.join(', '), (value) => typeof value === 'string' && TYPES.includes(value)],
  quality: ['a number from 0 to 1', (value) => typeof value === 'number' && value >= 0 && value <= 1],
  maxBytes: ['a number more than 0', isPositive],
  background: ['a CSS colour', (value) => typeof value === 'string' && CSS.supports('color', value)],
  maxSide: ['a whole number of pixels, 1 or more', (value) => Number.isInteger(value) && isPositive(value)],
  lossless: [`${LOSSLESS.join(', ')}, true or false`, (value) => typeof value === 'boolean'
    || LOSSLESS.some((mode) => mode === value)],
  strip: ['all, location', (value) => value === 'all' || value === 'location'],
  signal: ['an AbortSignal', (value) => value instanceof AbortSignal],
});

/**
 * @param {object} options @param {readonly string[]} [known]
 * @throws {RangeError} for an unknown option or a value that can't be; `undefined` is the default
 */
export function checkOptions(options, known = Object.keys(OPTIONS)) {
  for (const [name, value] of Object.entries(options)) {
    if (!known.includes(name)) {
      throw new RangeError(`there is no option "${name}"; known here: ${known.join(', ')}`);
    }
    const [takes, fits] = OPTIONS[name];
    if (value !== undefined && !fits(value)) {
      throw new RangeError(`${name} takes ${takes}, not ${typeof value === 'string' ? `"${value}"` : String(value)}`);
    }
  }
}
