// @ts-check
// Makes a JPEG file from another one. The module's instance only lives for this job, so that its memory is freed
// afterwards.

import { JPEGCode, JPEGModule } from './jpeg-module.js';

/**
 * @typedef {object} Job
 * @property {Blob} file the JPEG
 * @property {import('./jpeg-module.js').JPEGPart} [part] the part to copy
 * @property {boolean} [isCheck] whether to only check the part for damage
 * @property {Blob} [encoded] instead of a part: a JPEG drawn from the file, which gets its metadata
 * @property {number} metadata 0 keeps all, 1 removes the location, 2 removes all
 */

/**
 * @param {WebAssembly.Module} module @param {Job} job
 * @returns {Promise<{ code: number, blob: Blob | null }>} a code of JPEGCode, and the new file on success
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
