// @ts-check
// The library's API: albums, photos, saved crops.

import { post, Problem, problemIn, query } from './api.js';

/** @typedef {import('./api.js').Encoding} Encoding */
/** @typedef {import('../../Element/core.js').Recipe} Recipe */

/**
 * @typedef {object} Album
 * @property {string} id
 * @property {string} name the folder's name; the page has its own words for the built-in kinds
 * @property {'all' | 'recent' | 'camera' | 'cropped' | 'folder' | 'root'} kind `root`: photos in no folder
 * @property {number} count
 * @property {string | null} cover a photo's id
 */

/**
 * @typedef {object} Entry a photo of the library
 * @property {string} id @property {string} name
 * @property {string | null} format in the server's notation; null for a broken file
 * @property {number} width upright pixels, 0 for a broken file @property {number} height
 * @property {number} bytes
 * @property {string | null} captured ISO 8601 @property {string} modified ISO 8601
 * @property {string} version changes with the file
 * @property {{code: string, message: string} | null} problem why it can't be shown
 * @property {string | null} cropOf the id of the photo it was cropped from
 * @property {string} album the id of the album of its folder
 */

/** @typedef {Entry & {crops: Entry[], source: Entry | null, recipe: Recipe | null, canvas: import('../../Element/canvas.js').CanvasOptions | null, mark: import('./api.js').Mark | null, canRestore: boolean}} Details */

/**
 * @typedef {Entry & { lossless?: boolean, requantized?: number,
 *   notes?: { code: string, dropped?: string[] }[] }} SavedEntry a crop that was just saved, with its warnings
 */

/** @typedef {{ id: string, name: string, removed: string }} Removed a photo in the trash; `removed`: ISO 8601 */

/**
 * @typedef {'rawtherapee' | 'darktable' | 'lightroom'} MarkFormat a program that reads a crop next to the photo
 */

/** @typedef {{done: number, total: number} | null} Indexing */

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<{albums: Album[], indexing: Indexing, folder: string}>}
 */
export function listAlbums(signal) {
  return call('api/albums', { signal });
}

/**
 * A page of an album, newest first.
 * @param {string} album @param {string | null} after `next` of the last response
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

/**
 * @param {Entry} entry @param {number} maxSide pixels
 * @param {boolean} [isHDR] with its gain map, if it has one
 */
export function previewURL({ id, version }, maxSide, isHDR = false) {
  const values = { maxSide: String(maxSide), v: version, ...(isHDR ? { hdr: 'keep' } : {}) };
  return `${photoAddress(id)}/preview?${query(values)}`;
}

/** @param {string} id */
export function originalURL(id) {
  return `${photoAddress(id)}/original`;
}

/**
 * Downloads a photo.
 * @param {Pick<Entry, 'id' | 'name'>} entry @param {AbortSignal} [signal]
 */
export async function fetchFile({ id, name }, signal) {
  const blob = await fetchBlob(originalURL(id), { signal });
  return new File([blob], name, { type: blob.type });
}

/**
 * @param {Entry} entry @param {AbortSignal} signal
 * @returns {Promise<import('./api.js').Border>}
 */
export function photoBorder({ id, version }, signal) {
  return call(`${photoAddress(id)}/border?${query({ v: version })}`, { signal });
}

/**
 * @param {Entry} entry @param {Recipe} recipe @param {Encoding} encoding @param {AbortSignal} signal
 * @returns {Promise<SavedEntry>} the new photo
 */
export function saveCrop({ id, version }, recipe, encoding, signal) {
  return call(`${photoAddress(id)}/crops`, { signal, body: { recipe, encoding, version } });
}

/**
 * Saves the largest centered crop of a ratio.
 * @param {Entry} entry @param {string} aspect such as 3:2
 * @returns {Promise<Entry>} the new photo
 */
export function cropToRatio({ id, version }, aspect) {
  return call(`${photoAddress(id)}/crops`, { body: { aspect, version } });
}

/**
 * Saves the crop for another program; the photo is unchanged.
 * @param {Entry} entry @param {Recipe} recipe @param {MarkFormat} program
 * @param {AbortSignal} signal
 * @returns {Promise<{sidecar: string}>}
 */
export function markCrop({ id, version }, recipe, program, signal) {
  return call(`${photoAddress(id)}/mark`, { signal, body: { recipe, for: program, version } });
}

/**
 * Replaces the photo with its crop; the original is moved to the trash.
 * @param {Entry} entry @param {Recipe} recipe @param {Encoding} encoding @param {AbortSignal} signal
 * @param {boolean} [dropRest] accepts the loss of other data in the file, which is otherwise an error
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
 * Restores a photo from the trash, or undoes its last replacement.
 * @param {string} id @returns {Promise<Entry>}
 */
export function restore(id) {
  return call(`${photoAddress(id)}/restore`, { body: {} });
}

/**
 * The photos in the trash that can be restored, the last one first.
 * @returns {Promise<{ photos: Removed[] }>}
 */
export function listRemoved() {
  return call('api/trash', {});
}

/** @param {string} id of a photo in the trash */
export function removedURL(id) {
  return `api/trash/${encodeURIComponent(id)}/preview?maxSide=256`;
}

/**
 * Uploads a photo just taken to the album Camera.
 * @param {Blob} blob @param {string} name @param {import('./api.js').Progress} options
 * @returns {Promise<Entry>}
 */
export async function addPhoto(blob, name, options) {
  const answer = await post(`api/photos?${query({ name })}`, blob, options);
  return JSON.parse(await answer.response.text());
}

/**
 * The base URL of a photo's API calls.
 * @param {string} id
 */
export function photoAddress(id) {
  return `api/photos/${encodeURIComponent(id)}`;
}

/**
 * @template T
 * @param {string} url @param {{signal?: AbortSignal, body?: object}} options with a body, it is a POST request
 * @returns {Promise<T>} the response's JSON; null if it is empty
 */
export async function call(url, { signal, body }) {
  const answer = await fetchAnswer(url, { signal, ...(body && {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
  }) });
  return answer.status === 204 ? /** @type {T} */ (null) : received(answer.json(), signal);
}

/**
 * @param {string} url @param {RequestInit} options
 * @returns {Promise<Response>} rejects with a Problem, also if the response is not from CropKit
 */
export async function fetchAnswer(url, options) {
  const fail = () => {
    throw new Problem(options.signal?.aborted ? 'cancelled' : 'offline');
  };
  // A request that only reads is repeated once: another network, or waking up, breaks all connections.
  const again = () => (options.method || options.signal?.aborted ? fail() : fetch(url, options).catch(fail));
  const answer = await fetch(url, options).catch(again);
  if (!answer.ok) throw problemIn(answer.status, await received(answer.text(), options.signal));
  return answer;
}

/**
 * @param {string} url @param {RequestInit} options
 * @returns {Promise<Blob>} the body of the response; rejects as `fetchAnswer` does
 */
export async function fetchBlob(url, options) {
  return received((await fetchAnswer(url, options)).blob(), options.signal);
}

/**
 * Reads a response's body.
 * @template T
 * @param {Promise<T>} reading @param {AbortSignal | null} [signal]
 * @returns {Promise<T>} rejects with a Problem if the connection breaks
 */
export function received(reading, signal) {
  return reading.catch((error) => {
    if (signal?.aborted) throw new Problem('cancelled');
    throw error instanceof TypeError ? new Problem('offline') : error;
  });
}
