// @ts-check
// Where the WebAssembly is, and its compiling: the session's when the first picture comes, the JPEG
// cutter's with the first JPEG.

import { CropError } from './errors.js';

/**
 * Addresses, or the bytes themselves.
 * @typedef {object} Places
 * @property {URL | string | Uint8Array} core the session's module
 * @property {URL | string | Uint8Array} jpeg the JPEG cutter's module
 * @property {URL | string | null} worker the script that cuts large JPEGs; null for none
 */

/** @type {Places} */
export const places = {
  core: new URL('cropcore.wasm', import.meta.url),
  jpeg: new URL('cropjpeg.wasm', import.meta.url),
  worker: new URL('jpeg-worker.js', import.meta.url),
};

/** @type {{ core?: Promise<WebAssembly.Module>, jpeg?: Promise<WebAssembly.Module> }} */
const compiled = {};

/**
 * Says where the modules are, for pages whose build moves them; before the first picture.
 * @param {Partial<Places>} wanted
 */
export function locate(wanted) {
  Object.assign(places, wanted);
}

/**
 * Compiles a module once for the page; calling it early makes the first picture faster.
 * A failure is not remembered: the next call tries again.
 * @param {'core' | 'jpeg'} name
 */
export function compile(name = 'core') {
  return compiled[name] ??= load(places[name]).catch((error) => {
    delete compiled[name];
    throw new CropError('no-module', `the module can't be loaded: ${error.message}`, { cause: error });
  });
}

/** @param {URL | string | Uint8Array} place */
async function load(place) {
  if (place instanceof Uint8Array) return WebAssembly.compile(place);
  const response = await fetch(place);
  if (!response.ok) throw new Error(`${place}: ${response.status}`);
  if (response.headers.get('content-type')?.startsWith('application/wasm')) {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}
