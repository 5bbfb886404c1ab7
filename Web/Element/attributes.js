// @ts-check
// The element's attributes as commands of the core.

import { LOSSLESS, SHAPES } from './core.js';
import { Cover, Grammar, Ratio, Style } from './interface.js';
import { readRatio, readText } from './questions.js';
import { ratioTerms } from './ratio-name.js';

/** @typedef {[name: import('./interface.js').CommandName, a: number, b: number]} Step */
/** @typedef {import('./core.js').Core} Core */

export const STYLES = Object.freeze(Object.keys(Style));
export const COVERS = Object.freeze(Object.keys(Cover));

/**
 * The expected value of each attribute, and the commands for a value; null for an invalid one. An empty text means
 * the default, like a missing attribute. The order is that in which they are applied to a new image. `names`: the
 * possible values, if there are few; other values are parsed by the core.
 * @type {Readonly<Record<string, { takes: string, names?: readonly string[],
 *   steps(text: string, core: Core): Step[] | null }>>}
 */
const ATTRIBUTES = Object.freeze({
  'crop-style': choice('style', STYLES, 'studio'),
  cover: choice('cover', COVERS, 'fill'),
  'min-size': { takes: 'WIDTHxHEIGHT in pixels', steps: size('minimumSize') },
  'max-size': { takes: 'WIDTHxHEIGHT in pixels', steps: size('maximumSize') },
  'aspect-ratio': { takes: 'free, original, square, W:H or a number', steps: ratio },
  shape: { takes: 'rectangle, ellipse, rounded:PIXELS', steps: shape },
  margin: { takes: 'CSS pixels, 0 or more', steps: margin },
  'viewfinder-top': { takes: '0 to 1, or a percentage', steps: viewfinderTop },
  lossless: choice('lossless', LOSSLESS, 'exact'),
});

/**
 * Attributes with a few possible values that are not commands; the first value is the default.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const CHOICES = Object.freeze({ wheel: ['page', 'zoom'], 'value-type': ['recipe', 'file'] });

/** Attributes that turn into commands. */
export const OBSERVED = Object.freeze(Object.keys(ATTRIBUTES));

/**
 * @param {string} name @param {string | null} value null when the attribute was removed
 * @param {Core} core that has the defaults and parses texts
 * @returns {Step[]} empty for an invalid value
 */
export function attributeCommands(name, value, core) {
  return ATTRIBUTES[name]?.steps((value ?? '').trim(), core) ?? [];
}

/**
 * The error of an attribute; null if it is valid, and if the core, which parses it, is not loaded yet.
 * @param {string} name @param {string | null} value @param {Core | null} core
 */
export function attributeProblem(name, value, core) {
  const text = (value ?? '').trim();
  const attribute = ATTRIBUTES[name];
  const names = CHOICES[name] ?? attribute?.names;
  if (names ? text === '' || names.includes(text) : !core || !attribute || attribute.steps(text, core)) return null;
  return `${name}="${value}" is not understood; it takes ${names?.join(', ') ?? attribute.takes}`;
}

/**
 * The ratio of a session in the attribute's notation.
 * @param {Core} core @param {string} asked the attribute's value, returned if it means the same ratio
 * @param {Pick<import('./interface.js').State, 'ratioKind' | 'ratioWidth' | 'ratioHeight'>} state
 */
export function ratioText(core, asked, { ratioKind, ratioWidth, ratioHeight }) {
  const { kind, terms: [width, height] } = readRatio(core, asked) ?? { kind: Ratio.free, terms: [0, 0] };
  if (ratioKind === Ratio.free) return kind === Ratio.free ? asked : 'free';
  if (ratioKind === Ratio.original) return 'original';
  const isSame = kind === Ratio.fixed && Math.abs(width * ratioHeight / (height * ratioWidth) - 1) < 1e-3;
  return isSame ? asked : ratioTerms(ratioWidth, ratioHeight).join(':');
}

/**
 * @param {import('./interface.js').CommandName} command @param {readonly string[]} names @param {string} usual
 */
function choice(command, names, usual) {
  return {
    takes: names.join(', '), names,
    /** @param {string} text @returns {Step[] | null} */
    steps(text) {
      const code = names.indexOf(text || usual);
      return code < 0 ? null : [[command, code, 0]];
    },
  };
}

/** @param {string} text @param {Core} core @returns {Step[] | null} */
function margin(text, core) {
  const [isShare, points] = text ? readText(core, Grammar.length, text) ?? [1] : [0, core.constants.margin];
  return isShare || points < 0 ? null : [['margin', points, 0]];
}

/** @param {string} text @param {Core} core @returns {Step[] | null} */
function viewfinderTop(text, core) {
  const [isShare, number] = text ? readText(core, Grammar.length, text) ?? [0, -1] : [0, 0];
  const share = isShare ? number / 100 : number;
  return share >= 0 && share <= 1 ? [['viewfinderTop', share, text ? 1 : 0]] : null;
}

/** @param {string} text @param {Core} core @returns {Step[] | null} */
function shape(text, core) {
  // A circle would need a square, which is the matter of another attribute.
  const [code, radius] = (text !== 'circle' && readText(core, Grammar.shape, text || SHAPES[0])) || [];
  return code === undefined ? null : [['shape', code, radius]];
}

/** @param {string} text @param {Core} core @returns {Step[] | null} */
function ratio(text, core) {
  const said = readRatio(core, text);
  if (!said) return null;
  return [said.kind === Ratio.fixed ? ['ratio', ...said.terms]
    : [said.kind === Ratio.original ? 'ratioOriginal' : 'ratioFree', 0, 0]];
}

/** @param {'minimumSize' | 'maximumSize'} name */
function size(name) {
  return (/** @type {string} */ text, /** @type {Core} */ core) => {
    const sides = text ? readText(core, Grammar.size, text) : [0, 0];
    return sides && /** @type {Step[]} */ ([[name, ...sides]]);
  };
}
