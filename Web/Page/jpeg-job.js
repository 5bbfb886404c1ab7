// @ts-check
// A JPEG file made of another one by the core, with an instance of the module for the time it takes:
// what it needed is given back when it is done.

import { Core } from './core.js';

/**
 * @typedef {object} Job
 * @property {Blob} file the JPEG
 * @property {Blob} [encoded] a JPEG drawn from it, that is to have its metadata; else it is cut
 * @property {number} width upright pixels of the file @property {number} height
 * @property {import('./core.js').Recipe} recipe
 * @property {number} mode index into LOSSLESS
 * @property {number} metadata 0 keeps all, 1 leaves the place out, 2 all
 */

/** What an answer's code says. @type {Readonly<Record<number, string>>} */
export const CODES = Object.freeze({ 1: 'corrupt', 2: 'truncated', 3: 'corrupt', 5: 'not-lossless' });

/**
 * @param {WebAssembly.Module} module @param {Job} job
 * @returns {Promise<{ code: number, blob: Blob | null }>} code 0 with the new file, or what
 *   CODES says
 */
export async function makeJPEG(module, { file, encoded, width, height, recipe, mode, metadata }) {
  const core = await Core.of(module);
  /** @type {ArrayBuffer[]} */
  const pieces = [];
  core.port.sources = await Promise.all([file, ...(encoded ? [encoded] : [])].map(bytesOf));
  core.port.write = (bytes) => pieces.push(bytes.slice().buffer);
  core.call('open', width, height);
  let code = core.call('jpeg_open', encoded ? 0 : 1);
  if (encoded && code !== 0) return { code, blob: null };
  if (encoded) {
    code = core.call('jpeg_dress', metadata);
  } else if (code === 0) {
    core.setRecipe(recipe);
    core.command('lossless', mode);
    code = core.call('jpeg_crop', metadata);
  }
  return { code, blob: code === 0 ? new Blob(pieces, { type: 'image/jpeg' }) : null };
}

/** @param {Blob} blob */
async function bytesOf(blob) {
  return new Uint8Array(await blob.arrayBuffer());
}
