// @ts-check
// The element's attributes as commands of the core.

import { LOSSLESS, SHAPES } from './core.js';
import { Cover, Ratio, Style } from './interface.js';
import { readRatio } from './questions.js';
import { saidRatio } from './ratio-name.js';

/** @typedef {[name: import('./interface.js').CommandName, a: number, b: number]} Step */
/** @typedef {import('./core.js').Core} Core */

export const STYLES = Object.freeze(Object.keys(Style));
export const COVERS = Object.freeze(Object.keys(Cover));

/**
 * What each can be, and the commands it stands for; null for a value that can't be understood. An empty
 * text, as without the attribute, stands for the default. In the order they are applied to a new picture.
 * @type {Readonly<Record<string, { takes: string,
 *   steps(text: string, core: Core | null): Step[] | null }>>}
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
    steps: (text, core) => number('margin', text ? Number(text) : core?.constants.margin ?? 0, Infinity),
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
 * @param {Core} core whose defaults hold and which reads ratios
 * @returns {Step[]} nothing for a value that can't be understood
 */
export function attributeCommands(name, value, core) {
  return ATTRIBUTES[name]?.steps((value ?? '').trim(), core) ?? [];
}

/**
 * What is wrong with an attribute; null where nothing is, and for a ratio before the core is there, which reads it.
 * @param {string} name @param {string | null} value @param {Core | null} core
 */
export function attributeProblem(name, value, core) {
  const text = (value ?? '').trim();
  const [words, attribute] = [CHOICES[name], ATTRIBUTES[name]];
  if (words ? text === '' || words.includes(text) : !attribute || attribute.steps(text, core)) return null;
  return `${name}="${value}" is not understood; it takes ${words?.join(', ') ?? attribute.takes}`;
}

/**
 * The ratio that a session has, as the attribute would say it.
 * @param {Core} core @param {string} asked what the attribute says; kept where it means the same
 * @param {Pick<import('./interface.js').State, 'ratioKind' | 'ratioWidth' | 'ratioHeight'>} state
 */
export function ratioText(core, asked, { ratioKind, ratioWidth, ratioHeight }) {
  const { kind, terms: [width, height] } = readRatio(core, asked) ?? { kind: Ratio.free, terms: [0, 0] };
  if (ratioKind === Ratio.free) return kind === Ratio.free ? asked : 'free';
  if (ratioKind === Ratio.original) return 'original';
  const isSame = kind === Ratio.fixed && Math.abs(width * ratioHeight / (height * ratioWidth) - 1) < 1e-3;
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

/** @param {string} text @param {Core | null} core without it, nothing is to be done yet @returns {Step[] | null} */
function ratio(text, core) {
  if (!core) return [];
  const said = readRatio(core, text);
  if (!said) return null;
  return [said.kind === Ratio.fixed ? ['ratio', ...said.terms]
    : [said.kind === Ratio.original ? 'ratioOriginal' : 'ratioFree', 0, 0]];
}

/** @param {'minimumSize' | 'maximumSize'} name @param {string} text @returns {Step[] | null} */
function size(name, text) {
  if (text === '') return [[name, 0, 0]];
  const sides = /^([1-9]\d*)\s*[x×]\s*([1-9]\d*)$/i.exec(text);
  return sides ? [[name, Number(sides[1]), Number(sides[2])]] : null;
}
