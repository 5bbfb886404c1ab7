// @ts-check
// What the package gives. Where there is a DOM, <crop-view> is there once this is imported.

import { CropView } from './crop-view.js';

export { CropError } from './errors.js';
export { locate } from './modules.js';
export { CropView };

/**
 * Makes the element known by a name, unless another has it already: two versions on a page each keep
 * their own.
 * @param {string} [name] with a dash, as all elements' names
 * @returns {CustomElementConstructor | undefined} what the name stands for; nothing without a DOM
 */
export function registerCropView(name = 'crop-view') {
  const registry = globalThis.customElements;
  if (!registry) return undefined;
  const known = registry.get(name);
  if (known) return known;
  // One class can have one name only.
  const made = class extends CropView {};
  registry.define(name, name === 'crop-view' ? CropView : made);
  return registry.get(name);
}

registerCropView();
