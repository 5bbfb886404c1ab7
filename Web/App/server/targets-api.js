// @ts-check
// The API for a photo's targets: their files, and the document that is stored with a photo.

import { post, Problem, query } from './api.js';
import { call, fetchAnswer, photoAddress } from './library-api.js';

/** @typedef {import('./api.js').Encoding} Encoding */
/** @typedef {import('./library-api.js').Entry} Entry */
/** @typedef {import('../../Element/questions.js').Size} Size */

/**
 * A place where the photo is shown: it has either a ratio or a size.
 * @typedef {object} Target
 * @property {string} name @property {string} [ratio] such as 16:9 @property {Size} [size] in pixels
 * @property {Size} [minimum] the required size in pixels
 * @property {import('../../Element/core.js').RectRecipe} [recipe] made by hand
 * @property {'cover' | 'contain'} [fit] whether the complete photo is on a canvas of the ratio or size
 * @property {string} [margin] of the canvas @property {import('../../Element/canvas.js').CanvasOptions['place']} [place]
 * @property {string} [fill] of the canvas
 */

/**
 * A document in the format of the command line and the server.
 * @typedef {object} TargetDocument
 * @property {1} version @property {import('../../Element/questions.js').PictureTransform} picture
 * @property {import('../../Element/questions.js').Box | null} focus in fractions of the upright image @property {Target[]} targets
 */

/**
 * A saved file of a target.
 * @typedef {Entry & { target: string, new: boolean }} SavedTarget
 */

/**
 * Makes the files of all targets of an image, in one archive.
 * @param {Blob} picture @param {string} name @param {TargetDocument} document @param {string} pattern
 * @param {Encoding} encoding @param {import('./api.js').Progress} options
 * @returns {Promise<Blob>}
 */
export async function targetFiles(picture, name, document, pattern, encoding, options) {
  // Without a zone: an archive has local times.
  const time = new Date().toLocaleString('sv').replace(' ', 'T');
  const values = { name, targets: JSON.stringify(document), pattern, encoding: JSON.stringify(encoding), time };
  return (await post(`api/targets?${query(values)}`, picture, options)).response;
}

/**
 * Saves all targets in the library.
 * @param {Entry} entry @param {TargetDocument} document @param {string} pattern @param {Encoding} encoding
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ saved: SavedTarget[], failed: { target: string, message: string }[] }>}
 */
export function saveTargets({ id, version }, document, pattern, encoding, signal) {
  return call(`${photoAddress(id)}/targets`, { signal, body: { document, pattern, encoding, version } });
}

/**
 * Loads the targets that are stored with a photo, or with the photo that a crop is of.
 * @param {string} id @param {AbortSignal} [signal]
 * @returns {Promise<{ photo: string | null, target: string | null, document: TargetDocument } | null>} null if
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
 * Stores the targets; the request is completed even if the page is closed.
 * @param {Entry} entry @param {TargetDocument} document
 */
export async function keepTargets({ id, version }, document) {
  await fetchAnswer(`${photoAddress(id)}/targets?${query({ version })}`, {
    method: 'PUT', keepalive: true, headers: { 'content-type': 'application/json' },
    body: JSON.stringify(document),
  });
}
