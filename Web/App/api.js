// @ts-check
// The server's calls. Where there is no server the page still works; see photo.js and app.js.

/** @typedef {import('../Element/core.js').Recipe} Recipe */

/** What a person is told: what happened, and what to do. */
export class Problem extends Error {
  /**
   * @param {string} code stable; `offline` and `cancelled` are the page's own
   * @param {string} [detail] the server's line, for codes the page has no words for
   * @param {{code: string, name: string}[]} [losses] what would be lost, where that is the problem
   */
  constructor(code, detail = '', losses = []) {
    super(code);
    this.code = code;
    this.detail = detail;
    this.losses = losses;
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
 * @param {Blob} blob @param {string} name @param {Progress & Leniency} [options]
 * @returns {Promise<{width: number, height: number, orientation: number, format: string}>}
 */
export async function info(blob, name, options = {}) {
  const answer = await send(`api/info?${query({ name, ...lenient(options) })}`, blob, options);
  const { shown, orientation, format } = JSON.parse(await answer.text());
  return { width: shown.width, height: shown.height, orientation, format };
}

/**
 * A picture any browser shows.
 * @param {Blob} blob @param {string} name @param {number} maxSide pixels
 * @param {Progress & Leniency} [options]
 */
export function preview(blob, name, maxSide, options = {}) {
  const values = { maxSide: String(maxSide), name, ...lenient(options) };
  return send(`api/preview?${query(values)}`, blob, options);
}

/** @param {Leniency} options @returns {Record<string, string>} */
function lenient({ isLenient }) {
  return isLenient ? { lenient: 'true' } : {};
}

/**
 * The crop, cut from the original.
 * @param {Blob} blob the original's bytes @param {string} name @param {Recipe} recipe
 * @param {Encoding} encoding @param {Progress} [options]
 */
export async function crop(blob, name, recipe, encoding, options) {
  const values = { recipe: JSON.stringify(recipe), encoding: JSON.stringify(encoding), name };
  const answer = await post(`api/crop?${query(values)}`, blob, options);
  const isLossless = answer.getResponseHeader('CropKit-Lossless') === 'true'
    && !answer.getResponseHeader('CropKit-Requantized');
  const frames = Number(answer.getResponseHeader('CropKit-Frames') ?? 1);
  return { blob: /** @type {Blob} */ (answer.response), isLossless, frames };
}

/**
 * Percent encoding throughout: forms write a space as a plus sign, which is a sign of its own here.
 * @param {Record<string, string>} values
 */
export function query(values) {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
}

/**
 * How the result is written; what is left out stays as in the original.
 * @typedef {object} Encoding
 * @property {'jpeg' | 'png' | 'webp'} [format]
 * @property {number} [quality] 1 to 100
 * @property {'outward' | 'never'} [lossless] how a JPEG is cut; exact where it can be unless said
 * @property {'all' | 'location'} [strip]
 * @property {boolean} [lenient] what is readable of a damaged picture will do
 * @property {string} [background] #RRGGBB, behind what is transparent where a JPEG is written
 */

/**
 * @typedef {object} Leniency
 * @property {boolean} [isLenient] what is readable of a damaged picture will do
 */

/**
 * @typedef {object} Progress
 * @property {(sent: number, total: number) => void} [onProgress] bytes; the last call has both equal
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
 * Posts bytes. XMLHttpRequest, because fetch can't tell how much has been sent.
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
 * What a refusal says.
 * @param {number} status @param {string} text the answer's body
 */
export function problemIn(status, text) {
  try {
    const { code, detail, losses } = JSON.parse(text);
    return new Problem(code ?? `http-${status}`, detail ?? '', losses ?? []);
  } catch {
    return new Problem(`http-${status}`);
  }
}
