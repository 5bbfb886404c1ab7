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
  /** @type {ArrayBuffer[]} the written chunks */ pieces = [];
  /** @type {Uint8Array[]} the image, and a result */ sources = [];

  /** @param {Uint8Array} image */
  static async of(image) {
    const module = await compile();
    const sources = [image];
    /** @type {Cutter} */
    const cutter = new Cutter(await instance(module, sources, (piece) => cutter.pieces.push(piece)));
    cutter.sources = sources;
    return cutter;
  }

  /** The written bytes, which are then forgotten. */
  take() {
    const bytes = new Uint8Array(this.pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
    let at = 0;
    for (const piece of this.pieces) {
      bytes.set(new Uint8Array(piece), at);
      at += piece.byteLength;
    }
    this.pieces = [];
    return bytes;
  }
}
