// The props of <crop-view> and <crop-preview> in JSX of React.

import type { ClassAttributes, HTMLAttributes } from 'react';
import type { CropPreview, CropPreviewAttributes, CropView, CropViewAttributes, CropViewEvents } from './package.js';

/**
 * Events without a name in React. From version 19, a prop `on` followed by the event's name listens to them.
 */
type Own = 'beforecrop' | 'croprequest' | 'statechange' | 'gesturestart' | 'gestureend';

export type CropViewProps = Omit<HTMLAttributes<CropView>, keyof CropViewAttributes>
  & ClassAttributes<CropView> & CropViewAttributes & { class?: string | undefined }
  & { [Name in Own as `on${Name}`]?: ((event: CropViewEvents[Name]) => void) | undefined };

export type CropPreviewProps = HTMLAttributes<CropPreview> & ClassAttributes<CropPreview> & CropPreviewAttributes
  & { class?: string | undefined };
