// What the package gives, and the element by its name.

import type { BeforeCropEvent, CropView } from './crop-view.js';

export * from './index.js';
export type {
  BeforeCropEvent, CropViewAttributes, CropViewEventMap, CropViewEvents, RecipeInput,
} from './crop-view.js';
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
  }
  // They bubble: these are heard on whatever the element stands in, too.
  interface GlobalEventHandlersEventMap {
    beforecrop: BeforeCropEvent;
    croprequest: CustomEvent;
    statechange: CustomEvent;
    gesturestart: CustomEvent;
    gestureend: CustomEvent;
  }
}
