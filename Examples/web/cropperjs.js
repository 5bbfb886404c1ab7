// What was: const cropper = new Cropper(image, { aspectRatio: 16 / 9, crop() {} });
const view = document.querySelector('crop-view');
const said = document.querySelector('output');

view.addEventListener('input', () => { said.value = 'crop'; });
document.querySelector('#rotate').addEventListener('click', () => view.turn(1));
document.querySelector('#data').addEventListener('click', () => {
  said.value = JSON.stringify(view.recipe.rect);
});
document.querySelector('#canvas').addEventListener('click', async () => {
  const canvas = await view.croppedCanvas({ maxSide: 800 });
  said.value = `${canvas.width} × ${canvas.height}`;
});
