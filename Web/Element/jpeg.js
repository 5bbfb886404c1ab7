// @ts-check
// Makes JPEG files without a server: see jpeg-job.js and gain-module.js. Large ones are made in a worker.

import { holdsGainMap, readerOf } from './gain-map.js';
import { addGainMap } from './gain-module.js';
import { makeJPEG } from './jpeg-job.js';
import { compile } from './modules.js';
import { inWorker } from './worker.js';

/** @typedef {import('./jpeg-job.js').Job} Job */
/** @typedef {Awaited<ReturnType<typeof makeJPEG>>} Made */

/** The minimum number of bytes for which starting a worker is worth it. */
const LARGE = 1 << 20;

/**
 * @param {Job} job @param {AbortSignal} [signal]
 * @returns {Promise<Made>}
 */
export async function jpeg(job, signal) {
  const module = await compile('jpeg');
  signal?.throwIfAborted();
  if (job.file.size >= LARGE) {
    const made = /** @type {Made | null} */ (await inWorker({ module, job }, signal));
    if (made) return made;
  }
  return makeJPEG(module, job);
}

/**
 * A crop with the gain map of its photo; the crop itself if there is none, or if it can't be cropped.
 * @param {import('./gain-module.js').MappedCrop} mapped @param {AbortSignal} [signal]
 * @returns {Promise<Blob>}
 */
export async function withGainMap(mapped, signal) {
  if (!await holdsGainMap(readerOf(mapped.file))) return mapped.crop;
  const module = await compile('gain');
  signal?.throwIfAborted();
  if (mapped.file.size >= LARGE) {
    const made = /** @type {{ blob: Blob } | null} */ (await inWorker({ module, mapped }, signal));
    if (made) return made.blob;
  }
  return (await addGainMap(module, mapped)).blob;
}
