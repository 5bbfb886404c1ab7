// @ts-check
// The package's exports. In a document, importing it registers <crop-view> and <crop-preview>.

import { CropPreview } from './crop-preview.js';
import { CropView } from './crop-view.js';

export { CropError } from './errors.js';
export { locate } from './modules.js';
export { CropPreview };
export { CropView };

/**
 * Registers the element under a name, unless the name is taken: two versions on a page are independent.
 * @param {string} [name] with a dash, as required for custom elements
 * @returns {CustomElementConstructor | undefined} the element registered under the name; undefined without a DOM
 */
export function registerCropView(name = 'crop-view') {
  const registry = globalThis.customElements;
  if (!registry) return undefined;
  const known = registry.get(name);
  if (known) return known;
  // A class can only be registered under one name.
  const made = class extends CropView {};
  registry.define(name, name === 'crop-view' ? CropView : made);
  return registry.get(name);
}

registerCropView();
const { customElements: registry } = globalThis;
if (registry && !registry.get('crop-preview')) registry.define('crop-preview', CropPreview);
