// @ts-check
// The modules' bytes, known before the first element asks for them. There is no script beside the one file
// that a worker could run.

import core from '../Element/cropcore.wasm';
import jpeg from '../Element/cropjpeg.wasm';
import { locate } from '../Element/modules.js';

locate({ core, jpeg, worker: null });
