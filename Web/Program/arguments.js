// @ts-check
// The arguments of the command.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { misuse, needed } from './faults.js';
import { unreadable } from './source.js';
import { WORDS } from './words.js';

/**
 * A command.
 * @typedef {object} Command
 * @property {readonly string[]} inputs paths; `-` is standard input
 * @property {string | null} output a path; `-` is standard output @property {string | null} directory
 * @property {boolean} isForced whether outputs are overwritten @property {boolean} isQuiet @property {boolean} isJSON
 * @property {import('./request.js').Options} options
 */

const OPTIONS = [...WORDS.what, ...WORDS.how];
const SHORT = new Map([['-o', '--output'], ['-d', '--directory'], ['-q', '--quiet'], ['-r', '--recursive']]);
const FLAGS = ['--force', '--quiet', '--json'];
const VALUES = ['--output', '--directory'];
/** Options of the programs that this command does not have. */
const OTHERS = ['--in-place', '--backup', '--drop-rest', '--name', '--recursive', '--keep-time', '--jobs', '--dry-run',
  ...['pixels', 'output', 'bytes', 'memory', 'scans', 'seconds'].map((name) => `--limit-${name}`)];

/**
 * @param {readonly string[]} words after the program's name
 * @returns {Command} @throws {import('./faults.js').CropError}
 */
export function parse(words) {
  const [name, ...rest] = words;
  if (name !== 'crop') throw unknownCommand(words);
  /** @type {string[]} */ const inputs = [];
  /** @type {Map<string, string | true>} */ const given = new Map();
  while (rest.length) {
    const word = /** @type {string} */ (rest.shift());
    if (word === '--') inputs.push(...rest.splice(0));
    else if (word === '-' || !word.startsWith('-')) inputs.push(word);
    else take(word, rest, given);
  }
  const text = (/** @type {string} */ one) => /** @type {string | undefined} */ (given.get(one)) ?? null;
  const command = {
    inputs, output: text('--output'), directory: text('--directory'), isForced: given.has('--force'),
    isQuiet: given.has('--quiet'), isJSON: given.has('--json'),
  };
  const chosen = OPTIONS.filter(({ option }) => given.has(`--${option}`));
  const options = Object.fromEntries(chosen.map(({ name: one, option }) => [one, given.get(`--${option}`)]));
  if (typeof options.recipe === 'string') options.recipe = fileText(options.recipe);
  return { ...command, inputs: inputs.flatMap(expanded), options };
}

/**
 * The error for a first word that is not a command here: an image, or a command of the programs.
 * @param {readonly string[]} words
 */
function unknownCommand([name, ...rest]) {
  const extension = extname(name).slice(1).toLowerCase();
  if (!WORDS.formats.some(({ extensions }) => extensions.includes(extension))) return needed('command', '', 'command', `the command ${name}`);
  const quoted = [name, ...rest].map((word) => (word.includes(' ') ? `'${word}'` : word)).join(' ');
  const hasOutput = ['-o', '-d', '--output', '--directory'].some((one) => rest.includes(one));
  return misuse(`${name} is not a command; use cropkit crop ${quoted}${hasOutput ? '' : ' -o OUT'}`);
}

/**
 * The files of a pattern such as `photos/*.jpg`, which the shells of Windows leave as it is; the name itself if there
 * are none.
 * @param {string} input
 */
function expanded(input) {
  const pattern = basename(input);
  if (!/[*?]/.test(pattern) || existsSync(input)) return [input];
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*').replaceAll('?', '.');
  const folder = dirname(input);
  try {
    const names = readdirSync(folder).filter((one) => new RegExp(`^(?!\\.)${escaped}$`, 'i').test(one));
    return names.length ? names.sort().map((one) => join(folder, one)) : [input];
  } catch {
    return [input];
  }
}

/**
 * Takes an option, and its value.
 * @param {string} word @param {string[]} rest @param {Map<string, string | true>} given
 */
function take(word, rest, given) {
  const found = /^(--[^=]+)=(.*)$/s.exec(word);
  const [long, value] = found ? [found[1], found[2]] : [SHORT.get(word) ?? word, undefined];
  const option = OPTIONS.find((one) => `--${one.option}` === long);
  if (OTHERS.includes(long)) throw needed('command', '', 'command', long);
  if (option?.isFlag || FLAGS.includes(long)) {
    given.set(long, true);
  } else if (option || VALUES.includes(long)) {
    const next = value ?? (long === '--trim' && !/^\d|^auto$/.test(rest[0] ?? '') ? 'auto' : rest.shift());
    if (next === undefined) throw misuse(`${long} needs a value${option?.form ? `: ${option.form}` : ''}`);
    given.set(long, next);
  } else {
    throw misuse(`unknown option ${long}`);
  }
}

/**
 * Checks combinations after all options are known to be valid.
 * @param {Command} command
 */
export function checkPlaces({ inputs, output, directory, isJSON }) {
  if (inputs.length === 0) throw misuse('missing <in>');
  if (output !== null && directory !== null) throw misuse("-o and -d can't be used together");
  if (output === null && directory === null) throw misuse('choose an output: -o FILE or -d FOLDER');
  if (output !== null && inputs.length > 1) {
    throw misuse(`-o takes one image, not ${inputs.length}; use -d FOLDER`);
  }
  if (inputs.includes('-') && output === null) throw misuse('-d needs file names; use -o with standard input');
  if (isJSON && output === '-') throw misuse("--json and -o - can't share standard output");
}

/** @param {string} path @returns {string} */
function fileText(path) {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    throw unreadable(path, error);
  }
}
