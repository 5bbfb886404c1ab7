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

/**
 * The files beside this script. Bundlers recognize these expressions, so each has to be complete; they are evaluated
 * when a file is needed, since a bundle that is not a module has no `import.meta.url`.
 * @type {Readonly<Record<keyof Places, () => URL>>}
 */
const BESIDE = Object.freeze({
  core: () => new URL('./cropcore.wasm', import.meta.url),
  jpeg: () => new URL('./cropjpeg.wasm', import.meta.url),
  extra: () => new URL('./cropextra.wasm', import.meta.url),
  worker: () => new URL('./jpeg-worker.js', import.meta.url),
});

/** The folder in which Vite's development server bundles packages, without their other files. */
const VITE = /\/\.vite\/deps\/(?=[^/]*$)/;

/** @type {Partial<Places>} */
const located = {};

/** @typedef {'core' | 'jpeg' | 'extra'} ModuleName */

/** @type {Partial<Record<ModuleName, Promise<WebAssembly.Module>>>} */
const compiled = {};

/**
 * Sets the locations of the modules, for pages whose build moves them. Call it before the first image is loaded.
 * @param {Partial<Places>} wanted
 */
export function locate(wanted) {
  Object.assign(located, wanted);
}

/**
 * @template {keyof Places} Name
 * @param {Name} name
 * @returns {Places[Name] | URL}
 * @throws {TypeError} if it was not set and the script does not know its own address
 */
export function placeOf(name) {
  const place = located[name];
  if (place !== undefined) return /** @type {Places[Name]} */ (place);
  const { href } = BESIDE[name]();
  // Vite serves the package's own folder beside the one with the bundles.
  return new URL(href.replace(VITE, '/crop-view/'));
}

/**
 * Compiles a module once for the page; calling it early makes the first image faster. After a failure, the next
 * call retries.
 * @param {ModuleName} name
 */
export function compile(name = 'core') {
  return compiled[name] ??= load(name).catch((error) => {
    delete compiled[name];
    const problem = `the module ${name} can't be loaded: ${error.message}; ${advice(name)}`;
    // Users see that the element does not work; only developers can mend it.
    console.error(`crop-view: ${problem}`);
    throw new CropError('no-module', problem, { cause: error });
  });
}

/** The first bytes of every module. */
const MAGIC = Object.freeze([0x00, 0x61, 0x73, 0x6d]);

/** @param {ModuleName} name */
async function load(name) {
  // The import of this script loads the images of elements in the page, before the page can call `locate`.
  await null;
  const place = placeOf(name);
  if (place instanceof Uint8Array) return WebAssembly.compile(place);
  const response = await fetch(place).catch((cause) => {
    throw new Error(`${place} can't be fetched (${cause.message})`);
  });
  if (!response.ok) throw new Error(`${place}: ${response.status}`);
  const type = response.headers.get('content-type') ?? 'no type';
  if (type.startsWith('application/wasm')) return WebAssembly.compileStreaming(response);
  const bytes = new Uint8Array(await response.arrayBuffer());
  // Many servers respond with a page if a file does not exist.
  if (MAGIC.some((byte, at) => bytes[at] !== byte)) throw new Error(`${place} is not WebAssembly but ${type}`);
  return WebAssembly.compile(bytes);
}

/**
 * How a developer mends a module that can't be loaded.
 * @param {ModuleName} name
 */
function advice(name) {
  if (located[name] !== undefined) return `check the address that locate({ ${name} }) was called with`;
  const inlined = "or import 'crop-view/inlined', which contains the modules";
  return isFromVite() ? `add optimizeDeps: { exclude: ['crop-view'] } to vite.config.js, ${inlined}`
    : 'copy cropcore.wasm, cropjpeg.wasm, cropextra.wasm and jpeg-worker.js of the package beside the script, '
      + `call locate({ core, jpeg, extra, worker }) with their addresses, ${inlined}`;
}

function isFromVite() {
  try {
    return VITE.test(BESIDE.core().href);
  } catch {
    return false;
  }
}
