const view = document.querySelector('crop-view');
const shown = document.querySelector('#recipe');

view.addEventListener('input', () => {
  shown.textContent = JSON.stringify(view.recipe, null, 2);
});
document.querySelector('#part').addEventListener('click', () => {
  view.recipe = { rect: { x: 320, y: 160, width: 480, height: 320 } };
});
document.querySelector('#turned').addEventListener('click', () => {
  view.recipe = { rect: { x: 100, y: 200, width: 400, height: 600 }, quarterTurns: 1 };
});
