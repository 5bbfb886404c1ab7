// What the package gives, and the element by its name.

import type { CropView } from './index.js';
import type { CropErrorEvent } from './errors.js';

export * from './index.js';
export type { Recipe } from './core.js';
export type { ShownRecipe } from './shown-recipe.js';
export type { ExporterName } from './exporter-table.js';
export type { State } from './interface.js';
export type { CutOptions } from './cut.js';
export type { CropErrorEvent, ErrorCode } from './errors.js';

export interface BeforeCropEvent extends CustomEvent {
  readonly detail: {
    readonly recipe: import('./core.js').Recipe; readonly options: import('./cut.js').CutOptions;
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'crop-view': CropView;
  }
  interface HTMLElementEventMap {
    beforecrop: BeforeCropEvent;
    croprequest: CustomEvent;
    statechange: CustomEvent;
    gesturestart: CustomEvent;
    gestureend: CustomEvent;
  }
}
