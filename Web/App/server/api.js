// @ts-check
// The server's API. Without a server the page still works; see photo.js and app.js.

import { showsHDR } from '../../Element/gain-map.js';

/** @typedef {import('../../Element/core.js').Recipe} Recipe */
/** @typedef {import('../ui/output.js').Encoding} Encoding */

/** An error for the user: what happened, and what to do. */
export class Problem extends Error {
  /**
   * @param {string} code stable; the page itself uses `offline` and `cancelled`
   * @param {string} [detail] the server's message, for codes that the page has no words for
   * @param {{code: string, name: string}[]} [losses] the data that would be lost, if that is the problem
   */
  constructor(code, detail = '', losses = []) {
    super(code);
    this.code = code;
    this.detail = detail;
    this.losses = losses;
  }
}

/**
 * A sample photo.
 * @typedef {object} Sample
 * @property {string} name the file's name
 * @property {string} title
 * @property {string} url
 * @property {string} thumbnail
 * @property {number} width upright pixels @property {number} height
 */

/**
 * Whether this copy of the page is on a host that only has its files (Scripts/site.sh), so that no part of it calls a
 * server. A page whose server can't be reached is another case: it may come back.
 */
export const isStatic = globalThis.document?.documentElement.dataset?.server === 'none';

/** The longer side of a preview in pixels: about the screen's size, or as fine as the element zooms. */
export const PREVIEW_SIDE = 2048;
export const FINE_SIDE = 4096;

/** The longer side of a tile in pixels: sharp on high-density screens, but still a small file. */
const TILE_SIDE = 800;

/** @returns {Promise<Sample[] | null>} null if there is no answer from CropKit */
export async function listSamples() {
  try {
    const address = isStatic ? 'samples.json' : 'api/samples';
    const response = await fetch(address, { headers: { accept: 'application/json' } });
    const isOurs = response.headers.get('content-type')?.includes('json');
    if (!response.ok || !isOurs) return isOurs ? [] : null;
    /** @type {{samples: (Sample & {id: string})[]}} */
    const { samples } = await response.json();
    if (isStatic) return samples;
    return samples.map(({ id, ...rest }) => {
      const url = `api/samples/${encodeURIComponent(id)}`;
      return { ...rest, url, thumbnail: `${url}/preview?maxSide=${TILE_SIDE}` };
    });
  } catch {
    return null;
  }
}

/**
 * Reads information from the image's header, and the thumbnail that a HEIC or AVIF contains.
 * @param {Blob} blob @param {string} name @param {Progress & Leniency} [options]
 * @returns {Promise<{width: number, height: number, orientation: number, format: string, mark: Mark | null,
 *   thumbnail: Blob | null}>}
 */
export async function info(blob, name, options = {}) {
  const answer = await send(`api/info?${query({ name, thumbnail: 'true', ...lenient(options) })}`, blob, options);
  const { shown, orientation, format, mark, thumbnail } = JSON.parse(await answer.text());
  const bytes = thumbnail && Uint8Array.from(atob(thumbnail), (character) => character.charCodeAt(0));
  return { width: shown.width, height: shown.height, orientation, format, mark,
    thumbnail: bytes ? new Blob([bytes], { type: 'image/jpeg' }) : null };
}

/**
 * The crop that another program stored for a photo.
 * @typedef {object} Mark
 * @property {keyof typeof PROGRAMS} program
 * @property {Recipe} recipe
 */

/** Programs that store a crop next to the photo, and their names for users. */
export const PROGRAMS = Object.freeze({
  lightroom: 'Lightroom', 'camera-raw': 'Camera Raw', rawtherapee: 'RawTherapee',
  darktable: 'darktable', 'apple-photos': 'Apple Photos',
});

/**
 * A preview that every browser can show.
 * @param {Blob} blob @param {string} name @param {number} maxSide pixels
 * @param {Progress & Leniency} [options]
 */
export function preview(blob, name, maxSide, options = {}) {
  const values = {
    maxSide: String(maxSide), name, ...lenient(options), ...(showsHDR() ? { hdr: 'keep' } : {}),
  };
  return send(`api/preview?${query(values)}`, blob, options);
}

/** @param {Leniency} options @returns {Record<string, string>} */
function lenient({ isLenient }) {
  return isLenient ? { lenient: 'true' } : {};
}

/**
 * The area inside the uniform border of an image, in upright pixels.
 * @typedef {{ x: number, y: number, width: number, height: number, found: boolean }} Border
 */

/**
 * @param {Blob} blob @param {string} name @param {Progress & Leniency} [options]
 * @returns {Promise<Border>}
 */
export async function border(blob, name, options = {}) {
  return JSON.parse(await (await send(`api/border?${query({ name, ...lenient(options) })}`, blob, options)).text());
}

/**
 * Crops the original.
 * @param {Blob} blob the original's bytes @param {string} name @param {Recipe} recipe
 * @param {Encoding} encoding @param {Progress} [options]
 */
export async function crop(blob, name, recipe, encoding, options) {
  const values = { recipe: JSON.stringify(recipe), encoding: JSON.stringify(encoding), name };
  const answer = await post(`api/crop?${query(values)}`, blob, options);
  const isLossless = answer.getResponseHeader('CropKit-Lossless') === 'true';
  const edges = (answer.getResponseHeader('CropKit-Requantized') ?? '').split(',').map(Number);
  const frames = Number(answer.getResponseHeader('CropKit-Frames') ?? 1);
  const list = (/** @type {string} */ name) => (answer.getResponseHeader(name) ?? '').split(', ').filter(Boolean);
  return {
    blob: /** @type {Blob} */ (answer.response), isLossless, requantized: Math.max(...edges), frames,
    warnings: list('CropKit-Warnings'), dropped: list('CropKit-Dropped'),
  };
}

/**
 * Encodes all characters in percent notation: forms encode a space as a plus sign, which means something else
 * here.
 * @param {Record<string, string>} values
 */
export function query(values) {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
}

/**
 * @typedef {object} Leniency
 * @property {boolean} [isLenient] accepts the readable part of a damaged image
 */

/**
 * @typedef {object} Progress
 * @property {(sent: number, total: number) => void} [onProgress] in bytes; both are equal in the last call
 * @property {AbortSignal} [signal]
 */

/**
 * @param {string} address @param {Blob} body @param {Progress} [options]
 * @returns {Promise<Blob>}
 */
async function send(address, body, options) {
  return (await post(address, body, options)).response;
}

/**
 * Posts bytes. It uses XMLHttpRequest, because fetch does not report upload progress.
 * @param {string} address @param {Blob} body @param {Progress} [options]
 * @returns {Promise<XMLHttpRequest>}
 */
export function post(address, body, options = {}) {
  const { onProgress, signal } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(new Problem('cancelled'));
    const request = new XMLHttpRequest();
    request.open('POST', address);
    request.responseType = 'blob';
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress?.(event.loaded, event.total);
    };
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve(request);
      else readProblem(request).then(reject, reject);
    };
    request.onerror = () => reject(new Problem('offline'));
    request.ontimeout = request.onerror;
    request.onabort = () => reject(new Problem('cancelled'));
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  });
}

/** @param {XMLHttpRequest} request */
async function readProblem(request) {
  return problemIn(request.status, await request.response.text());
}

/**
 * Parses an error response.
 * @param {number} status @param {string} text the response's body
 */
export function problemIn(status, text) {
  try {
    const { code, detail, losses } = JSON.parse(text);
    return new Problem(code ?? `http-${status}`, detail ?? '', losses ?? []);
  } catch {
    return new Problem(`http-${status}`);
  }
}
