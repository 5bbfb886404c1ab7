// @ts-check
// Runs one job in a worker, so that the page stays responsive: making a JPEG from another, cropping a gain map,
// straightening four corners, or finding them.

import { CropError } from './errors.js';
import { addGainMap, Extra, makeJPEG } from './extra.js';
import { rowsOf } from './pixel-rows.js';

addEventListener('message', async (event) => {
  const { module, job, mapped, searched, straightening } = /** @type {MessageEvent} */ (event).data;
  try {
    if (straightening) postMessage({ pixels: (await Extra.of(module)).straighten(straightening) });
    else if (searched) postMessage({ corners: (await Extra.of(module)).sheetIn(searched, rowsOf(searched)) });
    else if (mapped) postMessage(await addGainMap(module, mapped));
    else postMessage(await makeJPEG(module, job));
  } catch (error) {
    postMessage({ failure: String(error), code: error instanceof CropError ? error.code : undefined });
  }
});
postMessage({ isReady: true });
