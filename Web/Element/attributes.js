// @ts-check
// The element's attributes as commands of the core.

import { LOSSLESS, SHAPES } from './core.js';
import { Cover, Ratio, Style } from './interface.js';
import { saidRatio, simpleRatio } from './ratio-name.js';

/** @typedef {[name: import('./interface.js').CommandName, a: number, b: number]} Step */
/** @typedef {Pick<import('./interface.js').Constants, 'margin'>} Defaults */

export const STYLES = Object.freeze(Object.keys(Style));
export const COVERS = Object.freeze(Object.keys(Cover));

/**
 * What each can be, and the commands it stands for; null for a value that can't be understood. An empty
 * text, as without the attribute, stands for the default. In the order they are applied to a new picture.
 * @type {Readonly<Record<string, { takes: string,
 *   steps(text: string, defaults: Defaults): Step[] | null }>>}
 */
const ATTRIBUTES = Object.freeze({
  'crop-style': {
    takes: STYLES.join(', '),
    steps: (text) => choice('style', STYLES, text || 'studio'),
  },
  cover: { takes: COVERS.join(', '), steps: (text) => choice('cover', COVERS, text || 'fill') },
  'min-size': { takes: 'WIDTHxHEIGHT in pixels', steps: (text) => size('minimumSize', text) },
  'max-size': { takes: 'WIDTHxHEIGHT in pixels', steps: (text) => size('maximumSize', text) },
  'aspect-ratio': { takes: 'free, original, square, W:H or a number', steps: ratio },
  shape: { takes: 'rectangle, ellipse, rounded:PIXELS', steps: shape },
  margin: {
    takes: 'CSS pixels, 0 or more',
    steps: (text, { margin }) => number('margin', text ? Number(text) : margin, Infinity),
  },
  'viewfinder-top': { takes: '0 to 1, or a percentage', steps: viewfinderTop },
  lossless: {
    takes: LOSSLESS.join(', '),
    steps: (text) => choice('lossless', LOSSLESS, text || 'exact'),
  },
});

/**
 * Attributes that take one of a few words and are no commands; the first is the default.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const CHOICES = Object.freeze({ scroll: ['page', 'zoom'], 'value-type': ['recipe', 'file'] });

/** Attributes that turn into commands. */
export const OBSERVED = Object.freeze(Object.keys(ATTRIBUTES));

/**
 * @param {string} name @param {string | null} value null when the attribute was removed
 * @param {Defaults} defaults the core's
 * @returns {Step[]} nothing for a value that can't be understood
 */
export function attributeCommands(name, value, defaults) {
  return ATTRIBUTES[name]?.steps((value ?? '').trim(), defaults) ?? [];
}

/**
 * What is wrong with an attribute; null where nothing is.
 * @param {string} name @param {string | null} value
 */
export function attributeProblem(name, value) {
  const text = (value ?? '').trim();
  const [words, attribute] = [CHOICES[name], ATTRIBUTES[name]];
  if (words ? text === '' || words.includes(text) : !attribute || attribute.steps(text, { margin: 0 })) return null;
  return `${name}="${value}" is not understood; it takes ${words?.join(', ') ?? attribute.takes}`;
}

/**
 * The ratio that a session has, as the attribute would say it.
 * @param {string} asked what the attribute says; kept where it means the same
 * @param {Pick<import('./interface.js').State, 'ratioKind' | 'ratioWidth' | 'ratioHeight'>} state
 */
export function ratioText(asked, { ratioKind, ratioWidth, ratioHeight }) {
  const [[command, width, height]] = ratio(asked) ?? [['ratioFree', 0, 0]];
  if (ratioKind === Ratio.free) return command === 'ratioFree' ? asked : 'free';
  if (ratioKind === Ratio.original) return 'original';
  const isSame = command === 'ratio' && Math.abs(width * ratioHeight / (height * ratioWidth) - 1) < 1e-3;
  return isSame ? asked : saidRatio(ratioWidth, ratioHeight).join(':');
}

/**
 * @param {import('./interface.js').CommandName} command @param {readonly string[]} names
 * @param {string} text @returns {Step[] | null}
 */
function choice(command, names, text) {
  const code = names.indexOf(text);
  return code < 0 ? null : [[command, code, 0]];
}

/**
 * @param {import('./interface.js').CommandName} command @param {number} value
 * @param {number} most @returns {Step[] | null}
 */
function number(command, value, most) {
  return value >= 0 && value <= most && Number.isFinite(value) ? [[command, value, 0]] : null;
}

/** @param {string} text @returns {Step[] | null} */
function shape(text) {
  const [kind, radius = '0'] = text.split(':');
  const code = SHAPES.indexOf(kind || 'rectangle');
  const pixels = Number(radius);
  return code < 0 || !(pixels >= 0) || !Number.isFinite(pixels) ? null : [['shape', code, pixels]];
}

/** @param {string} text @returns {Step[] | null} */
function viewfinderTop(text) {
  const share = Number(text.replace(/%$/, '')) / (text.endsWith('%') ? 100 : 1);
  return share >= 0 && share <= 1 ? [['viewfinderTop', share, text ? 1 : 0]] : null;
}

/** @param {string} text @returns {Step[] | null} */
function ratio(text) {
  if (text === '' || text === 'free') return [['ratioFree', 0, 0]];
  if (text === 'original') return [['ratioOriginal', 0, 0]];
  if (text === 'square') return [['ratio', 1, 1]];
  const terms = /^(\d+(?:\.\d+)?)(?:\s*[:/]\s*(\d+(?:\.\d+)?))?$/.exec(text);
  if (!terms) return null;
  const [width, height] = terms[2] ? [Number(terms[1]), Number(terms[2])] : simpleRatio(Number(text));
  return width > 0 && height > 0 ? [['ratio', width, height]] : null;
}

/** @param {'minimumSize' | 'maximumSize'} name @param {string} text @returns {Step[] | null} */
function size(name, text) {
  if (text === '') return [[name, 0, 0]];
  const sides = /^([1-9]\d*)\s*[x×]\s*([1-9]\d*)$/i.exec(text);
  return sides ? [[name, Number(sides[1]), Number(sides[2])]] : null;
}
