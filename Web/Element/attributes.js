// @ts-check
// The element's attributes as commands of the core.

import { LOSSLESS } from './core.js';
import { optionProblem } from './cut-options.js';
import { Cover, Ratio, parseLength, parseRatio, parseShape, parseSize, Shape, Style } from './interface.js';
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

/**
 * Attributes for the file of the result, and the options that they are the defaults of.
 * @type {Readonly<Record<string, 'maxSide' | 'maxBytes' | 'type' | 'quality'>>}
 */
export const FILE = Object.freeze({ 'max-side': 'maxSide', 'max-bytes': 'maxBytes', type: 'type', quality: 'quality' });

/** Attributes that turn into commands. */
export const OBSERVED = Object.freeze(Object.keys(ATTRIBUTES));

/**
 * The value of an attribute as an option; undefined for none.
 * @param {string} name of `FILE` @param {string | null} value
 */
function fileOption(name, value) {
  const text = (value ?? '').trim();
  return text === '' ? undefined : name === 'type' ? text : Number(text);
}

/**
 * The options that the attributes of an element set, without invalid values, which are reported when they are set.
 * @param {Element} element
 * @returns {Pick<import('./cut.js').CutOptions, 'maxSide' | 'maxBytes' | 'type' | 'quality'>}
 */
export function fileOptions(element) {
  return Object.fromEntries(Object.entries(FILE)
    .map(([name, option]) => [option, fileOption(name, element.getAttribute(name))])
    .filter(([option, value]) => value !== undefined && optionProblem(String(option), value) === null));
}

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
  if (Object.hasOwn(FILE, name)) {
    const option = fileOption(name, value);
    const takes = option === undefined ? null : optionProblem(FILE[name], option);
    return takes && misunderstood(name, text, takes);
  }
  const attribute = ATTRIBUTES[name];
  const names = CHOICES[name] ?? attribute?.names;
  if (names ? text === '' || names.includes(text) : !core || !attribute || attribute.steps(text, core)) return null;
  return misunderstood(name, value ?? '', names?.join(', ') ?? attribute.takes);
}

/** @param {string} name @param {string} value @param {string} takes */
const misunderstood = (name, value, takes) => `${name}="${value}" is not understood; it takes ${takes}`;

/**
 * The errors of attributes that were set before the core was loaded, which parses them.
 * @param {Element} element @param {Core} core
 * @returns {string[]}
 */
export function lateProblems(element, core) {
  return OBSERVED.flatMap((name) => {
    const value = element.getAttribute(name);
    const problem = attributeProblem(name, value, core);
    return problem && !attributeProblem(name, value, null) ? [problem] : [];
  });
}

/**
 * The ratio of a session in the attribute's notation.
 * @param {Core} core @param {string} asked the attribute's value, returned if it means the same ratio
 * @param {Pick<import('./interface.js').State, 'ratioKind' | 'ratioWidth' | 'ratioHeight'>} state
 */
export function ratioText(core, asked, { ratioKind, ratioWidth, ratioHeight }) {
  const parsed = parseRatio(core, { text: asked }) ?? { kind: 'free' };
  if (ratioKind === Ratio.free) return parsed.kind === 'free' ? asked : 'free';
  if (ratioKind === Ratio.original) return 'original';
  const isSame = parsed.kind === 'fixed'
    && Math.abs(parsed.ratio.width * ratioHeight / (parsed.ratio.height * ratioWidth) - 1) < 1e-3;
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
  const length = text ? parseLength(core, { text }) : { kind: 'pixels', value: core.constants.margin };
  return length?.kind === 'pixels' && length.value >= 0 ? [['margin', length.value, 0]] : null;
}

/** @param {string} text @param {Core} core @returns {Step[] | null} */
function viewfinderTop(text, core) {
  if (!text) return [['viewfinderTop', 0, 0]];
  const { kind, value } = parseLength(core, { text }) ?? { kind: 'pixels', value: -1 };
  const share = kind === 'percent' ? value / 100 : value;
  return share >= 0 && share <= 1 ? [['viewfinderTop', share, 1]] : null;
}

/** @param {string} text @param {Core} core @returns {Step[] | null} */
function shape(text, core) {
  // A circle would need a square, which is the matter of another attribute.
  const parsed = text === 'circle' ? null : parseShape(core, { text: text || 'rectangle' });
  if (parsed === null) return null;
  return [typeof parsed === 'string' ? ['shape', Shape[parsed], 0] : ['shape', Shape.rounded, parsed.roundedRectangle]];
}

/** @param {string} text @param {Core} core @returns {Step[] | null} */
function ratio(text, core) {
  const parsed = parseRatio(core, { text });
  if (!parsed) return null;
  return [parsed.kind === 'fixed' ? ['ratio', parsed.ratio.width, parsed.ratio.height]
    : [parsed.kind === 'original' ? 'ratioOriginal' : 'ratioFree', 0, 0]];
}

/** @param {'minimumSize' | 'maximumSize'} name */
function size(name) {
  return (/** @type {string} */ text, /** @type {Core} */ core) => {
    const parsed = text ? parseSize(core, { text }) : { width: 0, height: 0 };
    return parsed && /** @type {Step[]} */ ([[name, parsed.width, parsed.height]]);
  };
}
