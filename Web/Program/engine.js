// @ts-check
// The modules, in Node, Bun, Deno, Workers and browsers: one crops JPEGs, one searches and straightens pixels.

import { Extra } from '../Element/extra.js';
import { instance } from '../Element/files.js';
import { failure } from './faults.js';
import { FileMessages } from './interface.js';

/** @typedef {URL | string | Uint8Array | WebAssembly.Module} Place a module's URL, its bytes, or the compiled module */

/** A module that is compiled once. After a failure, the next call retries. */
class Compiled {
  /** @type {Promise<WebAssembly.Module> | null} */ #module = null;

  /** @param {string} name @param {() => Place} place evaluated when the module is needed */
  constructor(name, place) {
    this.name = name;
    this.place = place;
  }

  get module() {
    this.#module ??= load(this.place).catch((error) => {
      this.#module = null;
      const advice = `pass it to locate (${error.message})`;
      throw failure('componentMissing', { component: this.name, advice }, undefined, error);
    });
    return this.#module;
  }
}

const [FILE, EXTRA] = ['cropfile.wasm', 'cropextra.wasm'];
// Bundlers recognize this form. In Workers, scripts have no address.
let files = new Compiled(FILE, () => new URL('cropfile.wasm', import.meta.url));
let extras = new Compiled(EXTRA, () => new URL('cropextra.wasm', import.meta.url));

/**
 * Sets where the modules are, for bundles, and for runtimes that can't compile them, such as Cloudflare Workers. Call
 * it before the first image is opened.
 * @param {Place} file `cropfile.wasm` @param {Place} [extra] `cropextra.wasm`, for functions that take pixels
 */
export function locate(file, extra) {
  files = new Compiled(FILE, () => file);
  if (extra !== undefined) extras = new Compiled(EXTRA, () => extra);
}

/** An instance of the module for pixels. */
export const extraModule = async () => Extra.of(await extras.module);

/** @param {() => Place} place */
async function load(place) {
  const from = place();
  if (from instanceof WebAssembly.Module) return from;
  if (from instanceof Uint8Array) return WebAssembly.compile(from);
  const url = new URL(from);
  if (url.protocol === 'file:') {
    const { readFile } = await import('node:fs/promises');
    return WebAssembly.compile(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** An instance of the module with an open file. */
export class Cutter extends FileMessages {
  /**
   * @param {WebAssembly.Exports} exports @param {ArrayBuffer[]} pieces the written chunks
   * @param {Uint8Array[]} sources the image, and a result
   */
  constructor(exports, pieces, sources) {
    super(exports);
    /** @readonly */
    this.pieces = pieces;
    this.sources = sources;
  }

  /** @param {Uint8Array} image */
  static async of(image) {
    const module = await files.module;
    const sources = [image];
    const { exports, pieces } = await instance(module, sources);
    return new Cutter(exports, pieces, sources);
  }

  /** The written bytes, which are then forgotten. */
  take() {
    const bytes = new Uint8Array(this.pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
    let at = 0;
    for (const piece of this.pieces) {
      bytes.set(new Uint8Array(piece), at);
      at += piece.byteLength;
    }
    this.pieces.length = 0;
    return bytes;
  }
}
