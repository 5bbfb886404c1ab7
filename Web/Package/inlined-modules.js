// @ts-check
// The modules' bytes, which are set before the first element needs them. A single file has no
// separate script for a worker.

import core from '../Element/cropcore.wasm';
import extra from '../Element/cropextra.wasm';
import jpeg from '../Element/cropjpeg.wasm';
import { locate } from '../Element/modules.js';

locate({ core, jpeg, extra, worker: null });
