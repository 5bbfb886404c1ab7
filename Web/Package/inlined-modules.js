// @ts-check
// The modules' bytes, which are set before the first element needs them. A single file has no
// separate script for a worker.

import core from '../Element/cropcore.wasm';
import jpeg from '../Element/cropjpeg.wasm';
import gain from '../Element/cropgain.wasm';
import quad from '../Element/cropquad.wasm';
import { locate } from '../Element/modules.js';

locate({ core, jpeg, gain, quad, worker: null });
