// <crop-view> in JSX of React 19: import type {} from 'crop-view/react';

import type { CropViewProps } from './react-props.js';

export type { CropViewProps };

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'crop-view': CropViewProps;
    }
  }
}
