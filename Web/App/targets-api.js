// @ts-check
// The calls about one photo for several places: files of all of them, and the set that is kept with a photo.

import { post, Problem, query } from './api.js';
import { call, fetchAnswer, photoAddress } from './library-api.js';

/** @typedef {import('./api.js').Encoding} Encoding */
/** @typedef {import('./library-api.js').Entry} Entry */
/** @typedef {import('./target-set.js').TargetDocument} TargetDocument */

/**
 * A file that was saved of a target.
 * @typedef {Entry & { target: string, new: boolean }} SavedTarget
 */

/**
 * All targets of a picture, in one archive.
 * @param {Blob} picture @param {string} name @param {TargetDocument} document @param {string} pattern
 * @param {Encoding} encoding @param {import('./api.js').Progress} options
 * @returns {Promise<Blob>}
 */
export async function targetFiles(picture, name, document, pattern, encoding, options) {
  const values = { name, targets: JSON.stringify(document), pattern, encoding: JSON.stringify(encoding) };
  return (await post(`api/targets?${query(values)}`, picture, options)).response;
}

/**
 * Saves all targets in the library.
 * @param {Entry} entry @param {TargetDocument} document @param {string} pattern @param {Encoding} encoding
 * @param {AbortSignal} signal
 * @returns {Promise<{ saved: SavedTarget[], failed: { target: string, message: string }[] }>}
 */
export function saveTargets({ id, version }, document, pattern, encoding, signal) {
  return call(`${photoAddress(id)}/targets`, { signal, body: { document, pattern, encoding, version } });
}

/**
 * The set that is kept with a photo, or with what a crop was cut from.
 * @param {string} id @param {AbortSignal} signal
 * @returns {Promise<{ photo: string | null, target: string | null, document: TargetDocument } | null>} null where
 *   there is none
 */
export async function keptTargets(id, signal) {
  try {
    return await call(`${photoAddress(id)}/targets`, { signal });
  } catch (error) {
    if (error instanceof Problem && ['no-targets', 'not-found'].includes(error.code)) return null;
    throw error;
  }
}

/**
 * Keeps the set; it reaches the server also when the page is left.
 * @param {Entry} entry @param {TargetDocument} document
 */
export async function keepTargets({ id, version }, document) {
  await fetchAnswer(`${photoAddress(id)}/targets?${query({ version })}`, {
    method: 'PUT', keepalive: true, headers: { 'content-type': 'application/json' },
    body: JSON.stringify(document),
  });
}
