// @ts-check
// The API for photos of galleries, such as Immich and Nextcloud: the server loads and saves them.

import { post, query } from './api.js';
import { call, fetchAnswer, received } from './library-api.js';

/** @typedef {import('../../Element/core.js').Recipe} Recipe */

/** @typedef {'edit' | 'stack' | 'beside' | 'replace'} Way how a crop is saved */

/**
 * @typedef {object} GalleryPhoto a photo in a gallery
 * @property {string} photo its name in the API, such as immich:ID or dav:PATH
 * @property {string} gallery the gallery's name for users
 * @property {string} name of the file
 * @property {string} version the only version that a save may overwrite
 * @property {Way[]} ways to save a crop, the default first
 * @property {Recipe | null} [recipe] its crop in the gallery
 * @property {string | null} [note] a message for the user
 */

/**
 * @typedef {object} Saved
 * @property {string | null} [name] of the new file @property {boolean} new
 * @property {string | null} [kept] the new name of the replaced file
 * @property {string | null} [version] the photo's new version
 */

/**
 * @param {string} photo @param {AbortSignal} signal
 * @returns {Promise<{ file: Blob, from: GalleryPhoto }>} the original
 */
export async function openFromGallery(photo, signal) {
  const answer = await fetchAnswer(`api/galleries/original?${query({ photo })}`, { signal });
  const from = JSON.parse(decodeURIComponent(answer.headers.get('CropKit-Photo') ?? 'null'));
  return { file: await received(answer.blob(), signal), from };
}

/**
 * Saves a crop as the gallery's own edit of a photo.
 * @param {GalleryPhoto} from @param {Recipe} recipe @param {{ width: number, height: number }} size upright pixels
 * @param {AbortSignal} signal @returns {Promise<Saved>}
 */
export function saveEdit({ photo, version }, recipe, { width, height }, signal) {
  return call(`api/galleries/edit?${query({ photo, version })}`, { signal, body: { recipe, width, height } });
}

/**
 * @param {GalleryPhoto} from @param {Way} way @param {Blob} blob the crop
 * @param {import('./api.js').Progress} options @returns {Promise<Saved>}
 */
export async function saveFile({ photo, version }, way, blob, options) {
  const { response } = await post(`api/galleries/file?${query({ photo, version, as: way })}`, blob, options);
  return JSON.parse(await response.text());
}
