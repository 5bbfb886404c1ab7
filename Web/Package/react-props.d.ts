// What <crop-view> takes in JSX of React.

import type { ClassAttributes, HTMLAttributes } from 'react';
import type { CropView, CropViewAttributes, CropViewEvents } from './package.js';

/** Events that React has no name for: from version 19 a property `on` and the event's name hears them. */
type Own = 'beforecrop' | 'croprequest' | 'statechange' | 'gesturestart' | 'gestureend';

export type CropViewProps = Omit<HTMLAttributes<CropView>, keyof CropViewAttributes>
  & ClassAttributes<CropView> & CropViewAttributes & { class?: string | undefined }
  & { [Name in Own as `on${Name}`]?: ((event: CropViewEvents[Name]) => void) | undefined };
