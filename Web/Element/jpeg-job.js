// @ts-check
// A JPEG file made of another one, with an instance of the module for the time it takes: what it needed
// is given back when it is done.

import { JPEGCode, JPEGModule } from './jpeg-module.js';

/**
 * @typedef {object} Job
 * @property {Blob} file the JPEG
 * @property {import('./jpeg-module.js').JPEGPart} [part] what is copied of it
 * @property {boolean} [isCheck] the part is only looked at for damage
 * @property {Blob} [encoded] else a JPEG drawn from it, that is to have its metadata
 * @property {number} metadata 0 keeps all, 1 leaves the place out, 2 all
 */

/**
 * @param {WebAssembly.Module} module @param {Job} job
 * @returns {Promise<{ code: number, blob: Blob | null }>} a code of JPEGCode; the new file, if done
 */
export async function makeJPEG(module, { file, part, isCheck, encoded, metadata }) {
  const sources = await Promise.all([file, ...(encoded ? [encoded] : [])].map(bytesOf));
  const jpeg = await JPEGModule.of(module, ...sources);
  let code = jpeg.open();
  if (code === JPEGCode.done) {
    code = !part ? jpeg.copyMetadata(metadata) : isCheck ? jpeg.check(part)
      : jpeg.crop(part, metadata);
  }
  const isDone = code === JPEGCode.done && !isCheck;
  return { code, blob: isDone ? new Blob(jpeg.pieces, { type: 'image/jpeg' }) : null };
}

/** @param {Blob} blob */
async function bytesOf(blob) {
  return new Uint8Array(await blob.arrayBuffer());
}
