// @ts-check
// The names of a photo's target files: the syntax of name patterns, for a page without a server.

import { setting } from '../ui/settings.js';

/** The pattern that the user chose. */
export const FILE_NAMES = setting('targetNames', '{name}-{target}');

/** The allowed placeholders, apart from `.{ext}` at the end. */
const PARTS = Object.freeze(['name', 'target', 'number', 'width', 'height']);

const MOST_BYTES = 200;

/** @param {string} pattern */
const stemOf = (pattern) => pattern.replace(/\.\{ext\}$/, '');

/** @param {string} text a valid pattern gives each target's file a different name without folders */
export function isPattern(text) {
  const stem = stemOf(text);
  const rest = stem.replaceAll(/\{(\w+)\}/g, (whole, part) => (PARTS.includes(part) ? '' : whole));
  return /\{(target|number)\}/.test(stem) && !/[{}/\\]/.test(rest) && new TextEncoder().encode(stem).length <= MOST_BYTES;
}

/**
 * @param {string} pattern @param {string} ending of the file, with the dot
 * @param {{ name: string, target: string, number: number, width: number, height: number }} values
 */
export function fileName(pattern, ending, values) {
  const stem = stemOf(pattern)
    .replaceAll(/\{(\w+)\}/g, (whole, part) => String(/** @type {Record<string, unknown>} */ (values)[part] ?? whole));
  // A name that starts with a dot is hidden.
  return `${stem.replace(/[/\\:*?"<>|\u0000-\u001f]/g, '_').replace(/^\.+/, '') || 'photo'}${ending}`;
}
