// @ts-check
// The element in a single file, for places that can only serve one.

import './inlined-modules.js';

export * from '../Element/index.js';
