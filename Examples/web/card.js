// The card shows the same crop with CSS only; nothing is encoded, and only the recipe is stored.
const view = document.querySelector('crop-view');
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets = [sheet];

view.addEventListener('input', () => {
  const { rect, ...rest } = view.recipe;
  view.recipe.output ?? sheet.replaceSync(view.recipe.to('css'));
  localStorage.setItem('card', JSON.stringify({ rect, ...rest }));
});
