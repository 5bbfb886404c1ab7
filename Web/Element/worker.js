// @ts-check
// Runs work in a worker, so that the page stays responsive.

import { CropError } from './errors.js';
import { places } from './modules.js';

/**
 * @template Made
 * @param {object} question the message for jpeg-worker.js @param {AbortSignal} [signal]
 * @param {Transferable[]} [moved] objects in the message that the page does not need any more
 * @returns {Promise<Made | null>} null if a worker is not possible: the page is from another origin, or forbids it
 */
export async function inWorker(question, signal, moved = []) {
  if (!places.worker) return null;
  /** @type {Worker | undefined} */
  let worker;
  try {
    worker = new Worker(places.worker, { type: 'module' });
  } catch {
    return null;
  }
  try {
    return await answer(worker, question, signal, moved);
  } finally {
    // Frees its memory immediately.
    worker.terminate();
  }
}

/**
 * @template Made
 * @param {Worker} worker @param {object} question @param {AbortSignal | undefined} signal
 * @param {Transferable[]} moved
 * @returns {Promise<Made | null>}
 */
function answer(worker, question, signal, moved) {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      // The worker is ready and now takes ownership of the pixels.
      if (data.isReady) worker.postMessage(question, moved);
      else if (data.failure) reject(data.code ? new CropError(data.code, data.failure) : new Error(data.failure));
      else resolve(data);
    };
    // The script did not load, or the module could not be sent.
    worker.onerror = (event) => {
      event.preventDefault();
      resolve(null);
    };
    worker.onmessageerror = () => resolve(null);
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
