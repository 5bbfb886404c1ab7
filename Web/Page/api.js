// @ts-check
// The server's calls. Where there is no server the page still works; see photo.js and app.js.

/** @typedef {import('./core.js').Recipe} Recipe */

/** What a person is told: what happened, and what to do. */
export class Problem extends Error {
  /**
   * @param {string} code stable; `offline` and `cancelled` are the page's own
   * @param {string} [detail] the server's line, for codes the page has no words for
   */
  constructor(code, detail = '') {
    super(code);
    this.code = code;
    this.detail = detail;
  }
}

/**
 * A picture that comes with the project.
 * @typedef {object} Sample
 * @property {string} name the file's name
 * @property {string} title
 * @property {string} url
 * @property {string} thumbnail
 * @property {number} width upright pixels @property {number} height
 */

/** Pixels of a tile's longer side: sharp on a dense screen, and still a small file. */
const TILE_SIDE = 800;

/** @returns {Promise<Sample[] | null>} null when no server answers */
export async function listSamples() {
  try {
    const response = await fetch('api/samples', { headers: { accept: 'application/json' } });
    const isOurs = response.headers.get('content-type')?.includes('json');
    if (!response.ok || !isOurs) return isOurs ? [] : null;
    /** @type {{samples: {id: string, name: string, title: string, width: number,
     *   height: number}[]}} */
    const { samples } = await response.json();
    return samples.map(({ id, ...rest }) => {
      const url = `api/samples/${encodeURIComponent(id)}`;
      return { ...rest, url, thumbnail: `${url}/preview?maxSide=${TILE_SIDE}` };
    });
  } catch {
    return null;
  }
}

/**
 * What the picture's header says.
 * @param {Blob} blob @param {string} name @param {AbortSignal} [signal]
 * @returns {Promise<{width: number, height: number, orientation: number, format: string}>}
 */
export async function info(blob, name, signal) {
  const answer = await send(`api/info?${new URLSearchParams({ name })}`, blob, { signal });
  const { shown, orientation, format } = JSON.parse(await answer.text());
  return { width: shown.width, height: shown.height, orientation, format };
}

/**
 * A picture any browser shows.
 * @param {Blob} blob @param {string} name @param {number} maxSide pixels
 * @param {Progress} [options]
 */
export function preview(blob, name, maxSide, options) {
  const query = new URLSearchParams({ maxSide: String(maxSide), name });
  return send(`api/preview?${query}`, blob, options);
}

/**
 * The crop, cut from the original.
 * @param {Blob} blob the original's bytes @param {string} name @param {Recipe} recipe
 * @param {Progress} [options]
 */
export function crop(blob, name, recipe, options) {
  const query = new URLSearchParams({ recipe: JSON.stringify(recipe), name });
  return send(`api/crop?${query}`, blob, options);
}

/**
 * @typedef {object} Progress
 * @property {(sent: number, total: number) => void} [onProgress] bytes; the last call has both equal
 * @property {AbortSignal} [signal]
 */

/**
 * Posts bytes. XMLHttpRequest, because fetch can't tell how much has been sent.
 * @param {string} address @param {Blob} body @param {Progress} [options]
 * @returns {Promise<Blob>}
 */
function send(address, body, options = {}) {
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
      if (request.status >= 200 && request.status < 300) resolve(request.response);
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
  try {
    const { code, detail } = JSON.parse(await request.response.text());
    return new Problem(code ?? `http-${request.status}`, detail ?? '');
  } catch {
    return new Problem(`http-${request.status}`);
  }
}
