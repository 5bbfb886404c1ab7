// <crop-view> in JSX of React 18, whose types declare elements globally: import type {} from
// 'crop-view/react-18';

import type { CropViewProps } from './react-props.js';

export type { CropViewProps };

declare global {
  namespace JSX {
    interface IntrinsicElements {
      'crop-view': CropViewProps;
    }
  }
}
