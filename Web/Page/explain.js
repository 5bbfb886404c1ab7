// @ts-check
// What went wrong, in words: what happened, to which picture, what to do.

import { Problem } from './api.js';
import { isWordKey, words } from './words.js';

/** @typedef {import('./words.js').WordKey} WordKey */

/**
 * @param {unknown} error @param {string} name the picture's
 * @param {WordKey} title where there are no words for the error @param {WordKey} detail
 */
export function explain(error, name, title = 'problemUnreadable', detail = 'problemUnreadableDo') {
  const isProblem = error instanceof Problem;
  const code = isProblem ? error.code
    : error instanceof RangeError ? 'too-large'
      : error instanceof TypeError ? 'offline'
        : String(error).includes('cropcore.wasm') ? 'no-core' : '';
  const what = `${code}.what`;
  const todo = `${code}.todo`;
  // The server's own line is better than none.
  const line = isProblem ? error.detail : '';
  return isWordKey(what)
    ? { title: words(what, name), detail: isWordKey(todo) ? words(todo) : line, code }
    : { title: words(title, name), detail: line || words(detail), code };
}

/** @param {unknown} error */
export function isCancelled(error) {
  return (error instanceof Problem && error.code === 'cancelled')
    || (error instanceof DOMException && error.name === 'AbortError');
}
