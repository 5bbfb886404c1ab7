// @ts-check
// JPEG files made without a server: see jpeg-job.js. Large ones are made in a worker.

import { makeJPEG } from './jpeg-job.js';
import { compile, places } from './modules.js';

/** @typedef {import('./jpeg-job.js').Job} Job */
/** @typedef {Awaited<ReturnType<typeof makeJPEG>>} Made */

/** Bytes from which on a worker is worth its start. */
const LARGE = 1 << 20;

/**
 * @param {Job} job @param {AbortSignal} [signal]
 * @returns {Promise<Made>}
 */
export async function jpeg(job, signal) {
  const module = await compile('jpeg');
  signal?.throwIfAborted();
  if (places.worker && job.file.size >= LARGE) {
    const made = await inWorker(places.worker, module, job, signal);
    if (made) return made;
  }
  return makeJPEG(module, job);
}

/**
 * @param {URL | string} script
 * @param {WebAssembly.Module} module @param {Job} job @param {AbortSignal} [signal]
 * @returns {Promise<Made | null>} null where there can be no worker: a page from elsewhere, or one
 *   that forbids it
 */
async function inWorker(script, module, job, signal) {
  /** @type {Worker | undefined} */
  let worker;
  try {
    worker = new Worker(script, { type: 'module' });
  } catch {
    return null;
  }
  try {
    return await answer(worker, { module, job }, signal);
  } finally {
    // Gives its memory back at once.
    worker.terminate();
  }
}

/**
 * @param {Worker} worker @param {unknown} question @param {AbortSignal} [signal]
 * @returns {Promise<Made | null>}
 */
function answer(worker, question, signal) {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      if (data.failure) reject(new Error(data.failure));
      else resolve(data);
    };
    // The script did not load, or the module could not be sent.
    worker.onerror = (event) => {
      event.preventDefault();
      resolve(null);
    };
    worker.onmessageerror = () => resolve(null);
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    worker.postMessage(question);
  });
}
