// <crop-view> and <crop-preview> in JSX of React 18, whose types declare elements globally: import type {} from
// 'crop-view/react-18';

import type { CropPreviewProps, CropViewProps } from './react-props.js';

export type { CropPreviewProps, CropViewProps };

declare global {
  namespace JSX {
    interface IntrinsicElements {
      'crop-view': CropViewProps;
      'crop-preview': CropPreviewProps;
    }
  }
}
