// @ts-check
// The element in one file, for places where one is all that can be served.

import './inlined-modules.js';

export * from '../Element/index.js';
