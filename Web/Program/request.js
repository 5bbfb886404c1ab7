// @ts-check
// What to crop and how to write it: from options or recipes to texts for the module.

import { checkRecipe } from '../Element/recipe.js';
import { conflict, failure, misuse, needed } from './faults.js';
import { CropOption } from './interface.js';
import { WORDS } from './words.js';

/** @typedef {import('../Element/recipe.js').Recipe} Recipe */
/** @typedef {import('./faults.js').Reader} Reader */

/** @typedef {{ x: number, y: number, width: number, height: number }} Rect */
/** @typedef {readonly [x: number, y: number, width: number, height: number]} RectNumbers */

/**
 * What to crop; the names are those of `cropkit crop --help`.
 * @typedef {object} What
 * @property {string | RectNumbers | Rect} [rect] pixels of the upright image, or texts such as `10%,10%,80%,80%` and
 * `300x300`
 * @property {boolean} [clamp] cut a rectangle that is partly outside to the image
 * @property {string | number} [inset] what to cut off the sides: `20` or `5%,0,5%,10`
 * @property {string | number} [aspect] the largest rectangle with this ratio: `16:9` or 1.5
 * @property {string} [gravity] the position of a rectangle without one: `center`, `north`, `northeast` and so on
 * @property {string | readonly number[]} [focus] the point or area that such a rectangle should contain, in fractions
 * @property {boolean | number} [trim] only what is inside the uniform border of `pixels`, whose colors may differ by
 * this much, 0 to 255
 * @property {import('./pixels.js').Pixels} [pixels] the decoded photo, upright, for `trim`
 * @property {90 | 180 | 270} [rotate] clockwise, before cropping
 * @property {'horizontal' | 'vertical'} [flip] before rotating
 * @property {string | readonly [width: number, height: number]} [size] exactly this size, if no pixels must be resized;
 * on paper, such as `35x45mm`
 * @property {string} [bleed] what the result shows beyond a size on paper, such as `3mm`
 * @property {boolean} [enlarge] needs new pixels here
 * @property {number} [width] @property {number} [height] @property {number} [maxSide]
 * @property {Partial<Recipe> | string} [recipe] all of these instead, or its JSON
 */

/**
 * How to write the result.
 * @typedef {object} How
 * @property {'never' | 'exact' | 'snap' | 'strict' | 'outward'} [lossless] default: `exact`
 * @property {'all' | 'location' | 'none'} [strip] which metadata to remove
 * @property {'keep' | 'drop'} [hdr] the gain map of an HDR photo
 * @property {boolean} [bake] store the pixels upright, instead of setting the orientation flag
 * @property {boolean} [lenient] crop a truncated file, with a warning
 * @property {number} [maxBytes] fail if the result is larger
 * @property {number} [dpi] the pixels per inch that the result states, and that a size on paper needs
 * @property {number} [quality] has no effect: nothing is re-encoded @property {'jpeg'} [format]
 */

/** @typedef {What & How} Options */

/**
 * A request for the module.
 * @typedef {object} Request
 * @property {ReadonlyMap<string, string>} texts by option @property {Recipe | null} recipe
 * @property {import('./pixels.js').Pixels | null} pixels for `trim`
 * @property {NonNullable<How['lossless']>} mode @property {'all' | 'location' | 'none'} strip
 * @property {boolean} keepsMap @property {boolean} isBaked @property {boolean} isLenient @property {number} maxBytes
 * @property {number} dpi 0: none is asked for
 * @property {number | null} quality @property {boolean} isPlain whether no option asks for more than a copy
 */

/** The maximum length of an option's text for the module, in bytes. */
const MOST = 120;

const isRecipe = (/** @type {unknown} */ value) => typeof value === 'object' && value !== null && 'version' in value;

/**
 * Reads options, or a recipe and further options.
 * @param {Options | Partial<Recipe>} [what] @param {Options} [more] @param {Reader} [reader]
 * @returns {Request}
 * @throws {import('./faults.js').CropError}
 */
export function request(what = {}, more = {}, reader = 'javascript') {
  const { pixels = null, ...options } = isRecipe(what) ? { ...more, recipe: what } : { ...what, ...more };
  const isGiven = (/** @type {unknown} */ value) => value !== undefined && value !== null && value !== false;
  const given = new Map(Object.entries(options).filter(([, value]) => isGiven(value)));
  for (const name of given.keys()) checkName(name);
  if (given.has('cropFrom')) throw neededFor('cropFrom', reader);
  const recipe = given.has('recipe') ? readRecipe(given.get('recipe')) : null;
  /** @type {Map<string, string>} */ const texts = new Map();
  for (const { name } of WORDS.what) {
    if (name !== 'recipe' && given.has(name)) texts.set(name, textOf(name, given.get(name)));
  }
  checkTogether(texts, recipe !== null);
  if (pixels !== null && !texts.has('trim')) throw misuse('pixels are only used with trim');
  return { texts, recipe, pixels, ...readHow(given, reader) };
}

/** @param {string} name */
function checkName(name) {
  const known = [...WORDS.what, ...WORDS.how].map((one) => one.name);
  if (!known.includes(name)) throw misuse(`there is no option "${name}"; expected one of ${known.join(', ')}`);
}

/** @param {unknown} value */
function readRecipe(value) {
  let recipe = value;
  try {
    if (typeof value === 'string') recipe = JSON.parse(value);
    checkRecipe(recipe);
  } catch (error) {
    const detail = /** @type {Error} */ (error).message;
    throw failure('invalidRecipe', { file: 'the recipe', detail }, undefined, error);
  }
  return recipe;
}

/**
 * A value as the command takes it.
 * @param {string} name @param {unknown} value
 */
function textOf(name, value) {
  // An option that may be given without a value has a default.
  if (value === true) return WORDS.what.find((one) => one.name === name)?.isFlag ? 'true' : 'auto';
  if (name === 'size' && Array.isArray(value)) return value.join('x');
  if (Array.isArray(value)) return value.flatMap((one) => (isPoint(one) ? [one.x, one.y] : [one])).join(',');
  if (name === 'rect' && typeof value === 'object') {
    const { x, y, width, height } = /** @type {Record<string, unknown>} */ (value);
    return [x, y, width, height].join(',');
  }
  return String(value);
}

/** @param {unknown} value @returns {value is { x: number, y: number }} */
const isPoint = (value) => typeof value === 'object' && value !== null && 'x' in value && 'y' in value;

/** @param {ReadonlyMap<string, string>} texts @param {boolean} hasRecipe */
function checkTogether(texts, hasRecipe) {
  const option = (/** @type {string} */ name) => WORDS.what.find((one) => one.name === name)?.option ?? name;
  for (const names of WORDS.exclusive) {
    const [first, second] = names.filter((name) => texts.has(name));
    if (second) throw conflict('exclusive', option(first), option(second));
  }
  const other = hasRecipe && [...texts.keys()].find((name) => !WORDS.besideRecipe.includes(name));
  if (other) throw conflict('besideRecipe', option(other));
}

/**
 * The error for an option that needs the programs.
 * @param {string} name @param {Reader} reader
 */
function neededFor(name, reader) {
  const { option } = [...WORDS.what, ...WORDS.how].find((one) => one.name === name) ?? { option: name };
  return needed('option', 'the crop', reader, reader === 'command' ? `--${option}` : name);
}

/**
 * @param {string} name of an option @param {unknown} value that it does not take
 * @returns {import('./faults.js').CropError}
 */
export function invalid(name, value) {
  const { option = name, form = '' } = [...WORDS.what, ...WORDS.how].find((one) => one.name === name) ?? {};
  return misuse(`--${option} ${String(value)}: expected ${form}`);
}

/**
 * @param {ReadonlyMap<string, unknown>} given @param {Reader} reader
 * @returns {Omit<Request, 'texts' | 'recipe' | 'pixels'>}
 */
function readHow(given, reader) {
  const choice = (/** @type {string} */ name, /** @type {string} */ usual) => {
    const value = given.has(name) ? String(given.get(name)) : usual;
    if (!WORDS.how.find((one) => one.name === name)?.values.includes(value)) throw invalid(name, value);
    return value;
  };
  const flag = (/** @type {string} */ name) => {
    const value = given.get(name);
    if (value !== undefined && value !== true) throw invalid(name, value);
    return value === true;
  };
  const known = ['format', 'quality', 'maxBytes', 'lossless', 'strip', 'hdr', 'bake', 'lenient', 'dpi'];
  for (const { name, usual } of WORDS.how) {
    if (!known.includes(name) && given.has(name) && String(given.get(name)) !== usual) {
      throw neededFor(name, reader);
    }
  }
  checkFormat(given.get('format'), reader);
  return {
    mode: /** @type {Request['mode']} */ (choice('lossless', 'exact')),
    strip: /** @type {Request['strip']} */ (choice('strip', 'none')),
    keepsMap: choice('hdr', 'keep') === 'keep', isBaked: flag('bake'), isLenient: flag('lenient'),
    maxBytes: amount(given.get('maxBytes')), quality: whole(given, 'quality', 100) ?? null,
    dpi: whole(given, 'dpi', 65535) ?? 0,
    isPlain: !['quality', 'maxBytes', 'bake'].some((name) => given.has(name)),
  };
}

/** @param {unknown} value @param {Reader} reader */
function checkFormat(value, reader) {
  if (value === undefined) return;
  const format = WORDS.formats.find(({ name, extensions }) => name === value || extensions.includes(String(value)));
  if (!format) throw invalid('format', value);
  if (format.name !== 'jpeg') throw needed('output', 'the crop', reader, format.title);
}

/** @param {ReadonlyMap<string, unknown>} given @param {string} name @param {number} most */
function whole(given, name, most) {
  const value = given.get(name);
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1 || number > most) throw invalid(name, value);
  return number;
}

/**
 * A number of bytes, such as 200000, `200K` or `1.5M`.
 * @param {unknown} value
 */
function amount(value) {
  if (value === undefined) return Infinity;
  const [, digits, unit = ''] = /^(\d+|\d+(?:\.\d+)?(?=[KMG]$))([KMG]?)$/i.exec(String(value)) ?? [];
  const bytes = Math.floor(Number(digits) * 1024 ** (' KMG'.indexOf(unit.toUpperCase() || ' ')));
  if (!(bytes >= 1)) throw invalid('maxBytes', value);
  return bytes;
}

/**
 * The option that places a rectangle.
 * @param {Request} one
 */
export const placing = ({ texts }) => (texts.has('gravity') ? 'gravity' : 'focus');

/**
 * Sets the options of the module's next crop.
 * @param {import('./engine.js').Cutter} cutter @param {Request} asked
 */
export function set(cutter, { texts, recipe }) {
  cutter.reset();
  for (const [name, text] of texts) {
    const option = CropOption[/** @type {keyof typeof CropOption} */ (name)];
    const isShort = new TextEncoder().encode(text).length <= MOST;
    if (!isShort || !cutter.setOption({ option, text })) throw invalid(name, text);
  }
  if (recipe && !cutter.setRecipe(recipe)) {
    throw failure('invalidRecipe', { file: 'the recipe', detail: 'a number in it must be whole, or is too large' });
  }
}
