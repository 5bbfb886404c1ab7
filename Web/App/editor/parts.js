// @ts-check
// The parts of the editor that only an open photo needs: they are loaded with the first one.

export { TABS } from '../ui/crop-sections.js';
export { findCorners } from './find-corners.js';
export { FlatPreview } from './flat-preview.js';
export { saveAll } from './queue-saving.js';
export { editorSections } from './sections.js';
export { trimBorders } from './trim.js';
