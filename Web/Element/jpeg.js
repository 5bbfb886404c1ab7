// @ts-check
// Makes JPEG files without a server: see extra.js. Large ones are made in a worker.

import { addGainMap, makeJPEG } from './extra.js';
import { holdsGainMap, readerOf } from './gain-map.js';
import { compile } from './modules.js';
import { inWorker } from './worker.js';

/** @typedef {import('./extra.js').Job} Job */
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
 * @param {import('./extra.js').MappedCrop} mapped @param {AbortSignal} [signal]
 * @returns {Promise<Blob>}
 */
export async function withGainMap(mapped, signal) {
  if (!await holdsGainMap(readerOf(mapped.file))) return mapped.crop;
  const module = await compile('extra');
  signal?.throwIfAborted();
  if (mapped.file.size >= LARGE) {
    const made = /** @type {{ blob: Blob } | null} */ (await inWorker({ module, mapped }, signal));
    if (made) return made.blob;
  }
  return (await addGainMap(module, mapped)).blob;
}
