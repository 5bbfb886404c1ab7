// Vue 3 sets properties if an element has them, so recipes can be bound; the events are the element's.
import { defineComponent, h, ref } from 'vue';
import 'crop-view';

export const Page = defineComponent({
  props: { src: String },
  setup({ src }) {
    const recipe = ref(null);
    return () => h('section', [
      h('crop-view', {
        src, 'aspect-ratio': '4:3', onChange: ({ target }) => { recipe.value = target.recipe; },
      }),
      h('output', recipe.value ? `${recipe.value.rect.width} × ${recipe.value.rect.height}` : ''),
    ]);
  },
});
// In a template: <crop-view :src="src" aspect-ratio="4:3" @change="recipe = $event.target.recipe" />
// with compilerOptions.isCustomElement = (tag) => tag === 'crop-view'.
