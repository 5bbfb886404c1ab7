// <crop-view> and <crop-preview> in JSX of React 19: import type {} from 'crop-view/react';

import type { CropPreviewProps, CropViewProps } from './react-props.js';

export type { CropPreviewProps, CropViewProps };

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'crop-view': CropViewProps;
      'crop-preview': CropPreviewProps;
    }
  }
}
