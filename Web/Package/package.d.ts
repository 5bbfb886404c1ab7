// The package's exports, and the element by its tag name.

import type { CropPreview } from './crop-preview.js';
import type { BeforeCropEvent, CropView } from './crop-view.js';

export * from './index.js';
export type {
  BeforeCropEvent, CropViewAttributes, CropViewEventMap, CropViewEvents, RecipeInput,
} from './crop-view.js';
export type { CropPreviewAttributes } from './crop-preview.js';
export type { PhotoSource } from './source.js';
export type { Recipe } from './core.js';
export type { ShownRecipe } from './shown-recipe.js';
export type { ExporterName } from './exporter-table.js';
export type { CommandName, Constants, State } from './interface.js';
export type { CutOptions } from './cut.js';
export type { CropErrorEvent, ErrorCode } from './errors.js';
export type { WordKey } from './words.js';

declare global {
  interface HTMLElementTagNameMap {
    'crop-view': CropView;
    'crop-preview': CropPreview;
  }
  // These events bubble, so they also reach the element's ancestors.
  interface GlobalEventHandlersEventMap {
    beforecrop: BeforeCropEvent;
    croprequest: CustomEvent;
    statechange: CustomEvent;
    gesturestart: CustomEvent;
    gestureend: CustomEvent;
  }
}
