// @ts-check
// Runs work in a worker, so that the page stays responsive.

import { CropError } from './errors.js';
import { placeOf } from './modules.js';

/**
 * @template Made
 * @param {object} question the message for jpeg-worker.js @param {AbortSignal} [signal]
 * @param {Transferable[]} [moved] objects in the message that the page does not need any more
 * @returns {Promise<Made | null>} null if a worker is not possible: the page is from another origin, or forbids it
 */
export async function inWorker(question, signal, moved = []) {
  /** @type {Worker | undefined} */
  let worker;
  try {
    const place = placeOf('worker');
    if (!place) return null;
    worker = new Worker(place, { type: 'module' });
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
    let isReady = false;
    worker.onmessage = ({ data }) => {
      // The worker is ready and now takes ownership of the pixels.
      if (data.isReady) {
        isReady = true;
        worker.postMessage(question, moved);
      } else if (data.failure) reject(data.code ? new CropError(data.code, data.failure) : new Error(data.failure));
      else resolve(data);
    };
    // The script did not load, or memory ran out.
    worker.onerror = (event) => {
      event.preventDefault();
      if (!isReady) report();
      resolve(null);
    };
    // The module could not be sent.
    worker.onmessageerror = () => resolve(null);
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

let isReported = false;

/** Reports once that work is done in the page, which does not respond in the meantime. */
function report() {
  if (isReported) return;
  isReported = true;
  console.warn(`crop-view: the worker ${placeOf('worker')} can't be loaded, so large photos are cropped without it; `
    + 'see "In a bundle" in the README');
}
