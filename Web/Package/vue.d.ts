// <crop-view> in templates of Vue 3: import type {} from 'crop-view/vue';

import type { HTMLAttributes } from 'vue';
import type { CropView, CropViewAttributes, CropViewEvents, RecipeInput } from './package.js';

/** Attributes, properties without an attribute, and events. */
export type CropViewProps = Omit<HTMLAttributes, keyof CropViewAttributes | `on${Capitalize<keyof CropViewEvents>}`>
  & CropViewAttributes
  & { recipe?: RecipeInput | null | undefined; phrases?: CropView['phrases'] | undefined }
  & { [Name in keyof CropViewEvents as `on${Capitalize<Name>}`]?: ((event: CropViewEvents[Name]) => void) | undefined };

declare module 'vue' {
  interface GlobalComponents {
    'crop-view': new () => { $props: CropViewProps };
  }
}
