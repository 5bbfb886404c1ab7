// @ts-check
// Error messages: what happened, to which image, what to do.

import { CropError } from '../../Element/errors.js';
import { isWordKey, words } from '../ui/words.js';
import { isStatic, Problem } from './api.js';

/** @typedef {import('../ui/words.js').WordKey} WordKey */

/**
 * The page's names for errors of the element, if they differ.
 * @type {Partial<Record<import('../../Element/errors.js').ErrorCode, string>>}
 */
const OWN = Object.freeze({ 'no-module': 'no-core' });

/**
 * @param {unknown} error @param {string} name the image's
 * @param {WordKey} title the default, if there is no text for the error @param {WordKey} detail
 */
export function explain(error, name, title = 'problemUnreadable', detail = 'problemUnreadableDo') {
  const isProblem = error instanceof Problem;
  // Any other error is a fault of the page, of which only the default is known.
  const code = isProblem ? error.code : error instanceof CropError ? OWN[error.code] ?? error.code : '';
  // Nothing has to run on a host for files, so it is the connection.
  const key = isStatic && code === 'offline' ? 'no-connection' : code;
  const what = `${key}.what`;
  const todo = `${key}.todo`;
  // The server's message is better than none.
  const line = isProblem ? error.detail : '';
  return isWordKey(what)
    ? { title: words(what, name), detail: isWordKey(todo) ? words(todo) : line, code }
    : { title: words(title, name), detail: line || words(detail), code };
}

/**
 * Shows an error among a screen's cards.
 * @param {import('../ui/notice.js').Notices} notices @param {unknown} error @param {string} name the image's
 * @param {WordKey} [title] the default @param {{ label: string, act: () => void }[]} [actions]
 */
export function showError(notices, error, name, title, actions) {
  const explained = explain(error, name, title);
  notices.problem(explained.title, explained.detail, actions);
}

/**
 * Kinds of metadata of which users notice that they are missing.
 * @type {Readonly<Record<string, WordKey>>}
 */
const DROPPED = Object.freeze({
  regions: 'lossRegions', 'depth-map': 'loss.depth-map', 'multi-picture': 'loss.multi-picture',
  sequence: 'loss.sequence', video: 'loss.video', edits: 'lossEdits', credentials: 'lossCredentials',
  panorama: 'lossPanorama',
});

/**
 * What the engine's warnings mean.
 * @type {Readonly<Record<string, WordKey>>}
 */
const WARNINGS = Object.freeze({
  truncated: 'warnMissing', damaged: 'warnMissing', 'scans-missing': 'warnSmooth',
  'frames-dropped': 'warnFrames', 'alpha-flattened': 'warnFlattened', 'light-cut-off': 'warnLight',
  'low-density': 'warnDensity',
});

/**
 * The warnings about a result that matter to users, in words.
 * @param {readonly string[]} codes @param {readonly string[]} dropped the kinds of metadata that were left out
 */
export function warningTexts(codes, dropped) {
  const kinds = dropped.flatMap((kind) => (DROPPED[kind] ? [words(DROPPED[kind])] : []));
  const texts = codes.flatMap((code) => (WARNINGS[code] ? [words(WARNINGS[code])] : []));
  if (kinds.length) texts.push(words('warnDropped', [...new Set(kinds)].join(', ')));
  return [...new Set(texts)];
}

/**
 * Whether a part of the image may still be readable.
 * @param {string} code
 */
export function isDamage(code) {
  return code === 'truncated' || code === 'corrupt';
}

/**
 * Throws an error of the element as a problem for the user.
 * @param {unknown} error @returns {never}
 */
export function rethrow(error) {
  throw error instanceof CropError ? new Problem(error.code) : error;
}

/**
 * A script of the page could not be loaded, which another visit may solve.
 * @returns {never}
 */
export function notLoaded() {
  throw new Problem('no-core');
}

/** @param {unknown} error */
export function isCancelled(error) {
  return (error instanceof Problem && error.code === 'cancelled')
    || (error instanceof DOMException && error.name === 'AbortError');
}
