// @ts-check
// The locations of the WebAssembly modules, and their compilation: the session's module is compiled with the first
// image, the JPEG cutter with the first JPEG, the cutter of gain maps with the first crop that needs it, the sampler
// with the first four corners.

import { CropError } from './errors.js';

/**
 * URLs, or the bytes themselves.
 * @typedef {object} Places
 * @property {URL | string | Uint8Array} core the session's module
 * @property {URL | string | Uint8Array} jpeg the JPEG cutter's module
 * @property {URL | string | Uint8Array} gain the module that crops gain maps
 * @property {URL | string | Uint8Array} quad the module that straightens four corners
 * @property {URL | string | null} worker the script that crops large JPEGs and straightens corners; null for none
 */

/** @type {Places} */
export const places = {
  core: new URL('cropcore.wasm', import.meta.url),
  jpeg: new URL('cropjpeg.wasm', import.meta.url),
  gain: new URL('cropgain.wasm', import.meta.url),
  quad: new URL('cropquad.wasm', import.meta.url),
  worker: new URL('jpeg-worker.js', import.meta.url),
};

/** @type {Partial<Record<'core' | 'jpeg' | 'gain' | 'quad', Promise<WebAssembly.Module>>>} */
const compiled = {};

/**
 * Sets the locations of the modules, for pages whose build moves them. Call it before the first image is loaded.
 * @param {Partial<Places>} wanted
 */
export function locate(wanted) {
  Object.assign(places, wanted);
}

/**
 * Compiles a module once for the page; calling it early makes the first image faster. After a failure, the next
 * call retries.
 * @param {'core' | 'jpeg' | 'gain' | 'quad'} name
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
