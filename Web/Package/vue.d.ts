// <crop-view> and <crop-preview> in templates of Vue 3: import type {} from 'crop-view/vue';

import type { HTMLAttributes } from 'vue';
import type { CropPreviewAttributes, CropView, CropViewAttributes, CropViewEvents, RecipeInput } from './package.js';

/** Attributes, properties without an attribute, and events. */
export type CropViewProps = Omit<HTMLAttributes, keyof CropViewAttributes | `on${Capitalize<keyof CropViewEvents>}`>
  & CropViewAttributes
  & { recipe?: RecipeInput | null | undefined; phrases?: CropView['phrases'] | undefined }
  & { [Name in keyof CropViewEvents as `on${Capitalize<Name>}`]?: ((event: CropViewEvents[Name]) => void) | undefined };

export type CropPreviewProps = HTMLAttributes & CropPreviewAttributes;

declare module 'vue' {
  interface GlobalComponents {
    'crop-view': new () => { $props: CropViewProps };
    'crop-preview': new () => { $props: CropPreviewProps };
  }
}
