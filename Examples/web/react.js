// React 18: attributes to set, and a ref to listen for events.
import { createElement, useEffect, useRef, useState } from 'react';
import 'crop-view';

export function Cropper({ src, ratio, onRecipe }) {
  const view = useRef(null);
  useEffect(() => {
    const { current } = view;
    const changed = () => onRecipe(current.recipe);
    current.addEventListener('change', changed);
    return () => current.removeEventListener('change', changed);
  }, [onRecipe]);
  return createElement('crop-view', { ref: view, src, 'aspect-ratio': ratio });
}

export function Page({ src }) {
  const [recipe, setRecipe] = useState(null);
  return createElement('section', null,
    createElement(Cropper, { src, ratio: '4:3', onRecipe: setRecipe }),
    createElement('output', null, recipe ? `${recipe.rect.width} × ${recipe.rect.height}` : ''));
}
