// @ts-check
// The library's calls: albums, photos, saved crops.

import { post, Problem, problemIn, query } from './api.js';

/** @typedef {import('./api.js').Encoding} Encoding */
/** @typedef {import('../Element/core.js').Recipe} Recipe */

/**
 * @typedef {object} Album
 * @property {string} id
 * @property {string} name as the folder is called; the built-in kinds have words of the page's own
 * @property {'all' | 'recent' | 'camera' | 'cropped' | 'folder'} kind
 * @property {number} count
 * @property {string | null} cover a photo's id
 */

/**
 * @typedef {object} Entry a photo of the library
 * @property {string} id @property {string} name
 * @property {string | null} format as the server calls it; null when broken
 * @property {number} width upright pixels, 0 when broken @property {number} height
 * @property {number} bytes
 * @property {string | null} captured ISO 8601 @property {string} modified ISO 8601
 * @property {string} version changes with the file
 * @property {{code: string, message: string} | null} problem why it can't be shown
 * @property {string | null} cropOf the photo it was cut from
 */

/** @typedef {Entry & {crops: Entry[], source: Entry | null, recipe: Recipe | null}} Details */

/** @typedef {{done: number, total: number} | null} Indexing */

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<{albums: Album[], indexing: Indexing, folder: string}>}
 */
export function listAlbums(signal) {
  return call('api/albums', { signal });
}

/**
 * A part of an album, newest first.
 * @param {string} album @param {string | null} after the last answer's `next`
 * @param {number} limit 1 to 1000 @param {AbortSignal} [signal]
 * @returns {Promise<{photos: Entry[], next: string | null}>}
 */
export function listPhotos(album, after, limit, signal) {
  const values = { limit: String(limit), ...(after === null ? {} : { after }) };
  return call(`api/albums/${encodeURIComponent(album)}/photos?${query(values)}`, { signal });
}

/** @param {string} id @param {AbortSignal} [signal] @returns {Promise<Details>} */
export function photoDetails(id, signal) {
  return call(photoAddress(id), { signal });
}

/** @param {{id: string, version?: string}} photo @param {'large' | 'x-large'} size 256 or 512 pixels */
export function thumbnailURL({ id, version }, size) {
  return `${photoAddress(id)}/thumbnail?${query({ size, ...(version ? { v: version } : {}) })}`;
}

/** @param {Entry} entry @param {number} maxSide pixels */
export function previewURL({ id, version }, maxSide) {
  return `${photoAddress(id)}/preview?${query({ maxSide: String(maxSide), v: version })}`;
}

/** @param {string} id */
export function originalURL(id) {
  return `${photoAddress(id)}/original`;
}

/**
 * @param {Entry} entry @param {Recipe} recipe @param {Encoding} encoding @param {AbortSignal} signal
 * @returns {Promise<Entry & {lossless?: boolean}>} the new photo
 */
export function saveCrop({ id, version }, recipe, encoding, signal) {
  return call(`${photoAddress(id)}/crops`, { signal, body: { recipe, encoding, version } });
}

/**
 * The largest part of a ratio, in the middle.
 * @param {Entry} entry @param {string} aspect such as 3:2
 * @returns {Promise<Entry>} the new photo
 */
export function cropToRatio({ id, version }, aspect) {
  return call(`${photoAddress(id)}/crops`, { body: { aspect, version } });
}

/**
 * The photo becomes its crop; what it was goes to the trash.
 * @param {Entry} entry @param {Recipe} recipe @param {Encoding} encoding @param {AbortSignal} signal
 * @param {boolean} [dropRest] what else the file holds may be lost; otherwise that is refused
 * @returns {Promise<Entry>}
 */
export function replaceOriginal({ id, version }, recipe, encoding, signal, dropRest = false) {
  return call(`${photoAddress(id)}/replace`,
    { signal, body: { recipe, encoding, version, dropRest } });
}

/** @param {string} id @returns {Promise<null>} */
export function moveToTrash(id) {
  return call(`${photoAddress(id)}/trash`, { body: {} });
}

/**
 * Undoes the trash, or the last replacement.
 * @param {string} id @returns {Promise<Entry>}
 */
export function restore(id) {
  return call(`${photoAddress(id)}/restore`, { body: {} });
}

/**
 * A picture that was taken, into the album Camera.
 * @param {Blob} blob @param {string} name @param {import('./api.js').Progress} options
 * @returns {Promise<Entry>}
 */
export async function addPhoto(blob, name, options) {
  const answer = await post(`api/photos?${query({ name })}`, blob, options);
  return JSON.parse(await answer.response.text());
}

/**
 * Where a photo's calls begin.
 * @param {string} id
 */
export function photoAddress(id) {
  return `api/photos/${encodeURIComponent(id)}`;
}

/**
 * @template T
 * @param {string} url @param {{signal?: AbortSignal, body?: object}} options a body is posted
 * @returns {Promise<T>} the answer's JSON, null where there is none
 */
export async function call(url, { signal, body }) {
  const answer = await fetchAnswer(url, { signal, ...(body && {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
  }) });
  return answer.status === 204 ? /** @type {T} */ (null) : answer.json();
}

/**
 * @param {string} url @param {RequestInit} options
 * @returns {Promise<Response>} rejects with a Problem, also where no server of ours answers
 */
export async function fetchAnswer(url, options) {
  let answer;
  try {
    answer = await fetch(url, options);
  } catch {
    throw new Problem(options.signal?.aborted ? 'cancelled' : 'offline');
  }
  if (!answer.ok) throw problemIn(answer.status, await answer.text());
  return answer;
}
