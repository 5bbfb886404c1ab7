// @ts-check
// The options of `croppedBlob` and similar methods. Unknown options are errors: ignoring a misspelt one would give
// another file than requested.

import { CANVAS_OPTIONS } from './canvas.js';
import { LOSSLESS } from './core.js';

/** File extensions by media type, of those that a canvas can encode in every current browser, or in most. */
export const ENDINGS = new Map([['image/jpeg', 'jpg'], ['image/png', 'png'], ['image/webp', 'webp']]);

/** @param {unknown} value */
const isPositive = (value) => typeof value === 'number' && value > 0;

/**
 * The expected value of each option, and a check.
 * @type {Readonly<Record<string, [takes: string, fits: (value: unknown) => boolean]>>}
 */
const OPTIONS = Object.freeze({
  type: [[...ENDINGS.keys()].join(', '), (value) => typeof value === 'string' && ENDINGS.has(value)],
  quality: ['a number from 0 to 1', (value) => typeof value === 'number' && value >= 0 && value <= 1],
  maxBytes: ['a number more than 0', isPositive],
  background: ['a CSS color', (value) => typeof value === 'string' && CSS.supports('color', value)],
  maxSide: ['a whole number of pixels, 1 or more', (value) => Number.isInteger(value) && isPositive(value)],
  dpi: ['a whole number from 1 to 65535', (value) => Number.isInteger(value) && isPositive(value) && Number(value) <= 65_535],
  lossless: [`${LOSSLESS.join(', ')}, true or false`, (value) => typeof value === 'boolean'
    || LOSSLESS.some((mode) => mode === value)],
  hdr: ['keep, drop', (value) => value === 'keep' || value === 'drop'],
  strip: ['all, location', (value) => value === 'all' || value === 'location'],
  // The core parses these.
  ...Object.fromEntries(CANVAS_OPTIONS.map((name) => [name, ['', () => true]])),
  signal: ['an AbortSignal', (value) => value instanceof AbortSignal],
});

/**
 * The values that an option takes, if it does not take this one; otherwise null.
 * @param {string} name @param {unknown} value
 */
export function optionProblem(name, value) {
  const [takes, fits] = OPTIONS[name];
  return fits(value) ? null : takes;
}

/**
 * @param {unknown} options @param {readonly string[]} [known]
 * @throws {RangeError} unless it is an object, for an unknown option or an invalid value; `undefined` means the default
 */
export function checkOptions(options, known = Object.keys(OPTIONS)) {
  if (typeof options !== 'object' || options === null) {
    throw new RangeError(`options must be an object, such as { quality: 0.8 }, not ${String(options)}`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (!known.includes(name)) {
      throw new RangeError(`there is no option "${name}"; expected one of ${known.join(', ')}`);
    }
    const takes = value === undefined ? null : optionProblem(name, value);
    if (takes !== null) {
      throw new RangeError(`${name} takes ${takes}, not ${typeof value === 'string' ? `"${value}"` : String(value)}`);
    }
  }
}
