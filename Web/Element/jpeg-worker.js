// @ts-check
// Carries out one job on a thread of its own, so that the page stays live meanwhile.

import { makeJPEG } from './jpeg-job.js';

addEventListener('message', async (event) => {
  const { module, job } = /** @type {MessageEvent} */ (event).data;
  try {
    postMessage(await makeJPEG(module, job));
  } catch (error) {
    postMessage({ failure: String(error) });
  }
});
