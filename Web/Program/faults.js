// @ts-check
// Errors and warnings in the words of the programs.

import { Fault, MapOutcome } from './interface.js';
import { WORDS } from './words.js';

/**
 * An option of a crop.
 * @typedef {object} OptionWords
 * @property {string} name in JSON and JavaScript
 * @property {string} option of the command, without dashes
 * @property {boolean} isFlag @property {string} form of its values
 * @property {readonly string[]} values if there are few
 * @property {string} usual the default @property {string} value its name in the help @property {string} help
 */

/**
 * An error of Schema/errors.json.
 * @typedef {object} ErrorWords
 * @property {string} code @property {number} exit @property {string} text @property {string | null} otherwise
 * @property {Readonly<Record<string, string>> | null} advice by its reader
 */

/**
 * A format of images.
 * @typedef {object} FormatWords
 * @property {string} name @property {string} title @property {readonly string[]} extensions
 * @property {readonly (readonly [number, string])[]} signatures offsets, and bytes in hexadecimal
 */

/**
 * All messages, from Schema/.
 * @typedef {object} Words
 * @property {readonly OptionWords[]} what @property {readonly OptionWords[]} how
 * @property {readonly (readonly string[])[]} exclusive @property {readonly string[]} besideRecipe
 * @property {Readonly<Record<string, string>>} conflicts @property {Readonly<Record<string, readonly string[]>>} faults
 * @property {readonly string[]} damage @property {readonly string[]} features
 * @property {readonly string[]} recipeErrors @property {readonly number[]} outsideErrors
 * @property {Readonly<Record<string, ErrorWords>>} errors
 * @property {readonly FormatWords[]} formats
 * @property {string} programs @property {Readonly<Record<string, string>>} needs
 * @property {Readonly<Record<string, readonly string[]>>} warnings @property {readonly (readonly string[])[]} kinds
 * @property {Readonly<Record<string, string>>} mapFaults
 * @property {Readonly<Record<string, Readonly<Record<string, string>>>>} syntax
 */

/** @typedef {'command' | 'javascript'} Reader who reads messages */

/**
 * A problem with an image that was cropped anyway. `dropped`: the kinds of metadata that are left out.
 * @typedef {{ readonly code: string, readonly message: string, readonly dropped?: readonly string[] }} CropWarning
 */

/** Why a crop failed; the codes and exit statuses are those of the command `cropkit`. */
export class CropError extends Error {
  /**
   * @param {string} code stable, such as `truncated` @param {string} message @param {number} exitStatus
   * @param {unknown} [cause]
   */
  constructor(code, message, exitStatus, cause) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'CropError';
    this.code = code;
    this.exitStatus = exitStatus;
  }
}

/** @param {string} text with names in braces @param {Readonly<Record<string, unknown>>} values @returns {string} */
const filled = (text, values) =>
  text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));

/**
 * An error of Schema/errors.json.
 * @param {string} name @param {Readonly<Record<string, unknown>>} fields @param {Reader} [reader]
 * @param {unknown} [cause]
 */
export function failure(name, fields, reader = 'javascript', cause = undefined) {
  const { code, exit, text, otherwise, advice } = WORDS.errors[name];
  const said = filled(advice?.[reader] ?? advice?.command ?? '', fields);
  const list = WORDS.formats.map(({ title }) => title);
  const formats = `${list.slice(0, -1).join(', ')} and ${list.at(-1)}`;
  /** @type {Record<string, unknown>} */
  const values = { formats, advice: said, ...fields };
  const isLess = otherwise !== null && [...text.matchAll(/\{(\w+)\}/g)].some(([, one]) => values[one] == null);
  return new CropError(code, filled(isLess ? otherwise : text, values), exit, cause);
}

/**
 * An invalid option.
 * @param {string} detail
 */
export const misuse = (detail) => failure('usage', { detail });

/** @param {string} name of a conflict @param {...unknown} values */
export const conflict = (name, ...values) => misuse(filled(WORDS.conflicts[name], { ...values }));

/**
 * A crop that needs the programs.
 * @param {string} reason @param {string} file @param {Reader} reader @param {...unknown} values
 */
export function needed(reason, file, reader, ...values) {
  const { code, exit } = WORDS.errors.componentMissing;
  const named = { ...values, ...WORDS.syntax[reader], file, programs: WORDS.programs };
  return new CropError(code, filled(WORDS.needs[reason], named), exit);
}

/** @param {string} name of a warning @param {...unknown} values @returns {CropWarning} */
export function warning(name, ...values) {
  const [code, message] = WORDS.warnings[name];
  return { code, message: filled(message, { ...values }) };
}

/**
 * A warning about metadata that were left out; none without any.
 * @param {readonly number[]} kinds as the module numbers them @returns {CropWarning[]}
 */
export function dropped(kinds) {
  if (!kinds.length) return [];
  const found = kinds.map((kind) => WORDS.kinds[kind]);
  return [{ ...warning('metadataDropped', found.map(([, text]) => text).join(', ')), dropped: found.map(([name]) => name) }];
}

const OUTCOMES = Object.keys(MapOutcome);

/**
 * A warning about a gain map that was left out; none without one.
 * @param {number} outcome of MapOutcome @returns {CropWarning[]}
 */
export function mapDropped(outcome) {
  const reason = WORDS.mapFaults[OUTCOMES[outcome]];
  return reason ? [{ ...warning('mapDropped', reason), dropped: ['gain-map'] }] : [];
}

/**
 * The part of a rectangle that is inside the image, if another part is outside.
 * @param {readonly number[]} numbers of the error: the image's size, the rectangle, and the size after rotation if it differs
 */
function partInside([imageWidth, imageHeight, x, y, width, height, frameWidth = imageWidth, frameHeight = imageHeight]) {
  const [left, top] = [Math.max(0, x), Math.max(0, y)];
  const [right, bottom] = [Math.min(x + width, frameWidth), Math.min(y + height, frameHeight)];
  return right > left && bottom > top ? `${left},${top},${right - left},${bottom - top}` : null;
}

const FAULTS = Object.keys(Fault);

/**
 * What the module notes about a failed call.
 * @param {readonly number[]} fault @param {string} file @param {Reader} reader
 * @param {string} place the option that places a rectangle
 */
export function faultError([kind, ...numbers], file, reader, place) {
  const name = FAULTS[kind] ?? 'failed';
  if (name === 'recipe') {
    const [error, ...rest] = numbers;
    const inside = WORDS.outsideErrors.includes(error) ? partInside(rest) : null;
    return failure('invalidRecipe', { file, detail: filled(WORDS.recipeErrors[error], { ...rest }), inside }, reader);
  }
  if (name === 'printNeeded') return conflict(name, numbers[0] ? 'enlarge' : 'bleed');
  if (name in WORDS.conflicts) return name === 'placeNeedsArea' ? conflict(name, place) : conflict(name, ...numbers);
  const [error, text] = WORDS.faults[name];
  const detail = filled(text, { ...numbers, damage: WORDS.damage[numbers[0]], feature: WORDS.features[numbers[0]] });
  return failure(error, { file, detail, feature: detail }, reader);
}

/**
 * The error for a module that stopped; other errors are returned unchanged.
 * @param {unknown} error @param {string} name
 */
export function stopped(error, name) {
  // Its memory can't grow: RangeError.
  if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) return error;
  return failure('workerDied', { file: name, detail: `the module stopped: ${error.message}` }, undefined, error);
}
