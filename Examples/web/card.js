// The card shows the same part by CSS alone; nothing is encoded, and what is stored is the recipe.
const view = document.querySelector('crop-view');
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets = [sheet];

view.addEventListener('input', () => {
  const { rect, ...rest } = view.recipe;
  view.recipe.output ?? sheet.replaceSync(view.recipe.to('css'));
  localStorage.setItem('card', JSON.stringify({ rect, ...rest }));
});
