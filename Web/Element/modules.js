// @ts-check
// The locations of the WebAssembly modules, and their compilation: the session's module is compiled with the first
// image, the others with the first JPEG, and with the first gain map, four corners or border.

import { CropError } from './errors.js';

/**
 * URLs, or the bytes themselves.
 * @typedef {object} Places
 * @property {URL | string | Uint8Array} core the session's module
 * @property {URL | string | Uint8Array} jpeg the module for lossless crops of JPEGs
 * @property {URL | string | Uint8Array} extra the module for gain maps, four corners and borders
 * @property {URL | string | null} worker the script that crops large JPEGs and straightens corners; null for none
 */

/** @type {Places} */
export const places = {
  core: new URL('cropcore.wasm', import.meta.url),
  jpeg: new URL('cropjpeg.wasm', import.meta.url),
  extra: new URL('cropextra.wasm', import.meta.url),
  worker: new URL('jpeg-worker.js', import.meta.url),
};

/** @typedef {'core' | 'jpeg' | 'extra'} ModuleName */

/** @type {Partial<Record<ModuleName, Promise<WebAssembly.Module>>>} */
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
 * @param {ModuleName} name
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
