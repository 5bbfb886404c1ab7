// @ts-check
// The module that crops JPEGs, in Node, Bun, Deno, Workers and browsers.

import { instance } from '../Element/files.js';
import { FileMessages } from './interface.js';

/** @type {URL | string | Uint8Array | WebAssembly.Module | null} null: beside this script */
let place = null;

/** @type {Promise<WebAssembly.Module> | null} */
let compiled = null;

/**
 * Sets where the module is: its bytes, a URL, or the compiled module, for runtimes that can't compile one, such as
 * Cloudflare Workers, and for bundles. Call it before the first image is opened.
 * @param {URL | string | Uint8Array | WebAssembly.Module} wanted
 */
export function locate(wanted) {
  place = wanted;
  compiled = null;
}

/** Compiles the module once. After a failure, the next call retries. */
function compile() {
  compiled ??= load(place ?? new URL('cropfile.wasm', import.meta.url)).catch((error) => {
    compiled = null;
    throw error;
  });
  return compiled;
}

/** @param {URL | string | Uint8Array | WebAssembly.Module} from */
async function load(from) {
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
    const module = await compile();
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
