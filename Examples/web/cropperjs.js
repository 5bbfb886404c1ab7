// Before: const cropper = new Cropper(image, { aspectRatio: 16 / 9, preview: '.preview', crop() {} });
const view = document.querySelector('crop-view');
const said = document.querySelector('output');
const on = (id, act) => document.querySelector(id).addEventListener('click', act);

/** Converts the result of getData(), for rotations by 90°; for other angles, set view.tilt afterwards. */
export function recipeOf({ x, y, width, height, rotate = 0, scaleX = 1, scaleY = 1 }) {
  const [left, top, right, bottom] = [x, y, x + width, y + height].map(Math.round);
  const quarterTurns = (((rotate / 90 + (scaleY < 0 ? 2 : 0)) % 4) + 4) % 4;
  return { rect: { x: left, y: top, width: right - left, height: bottom - top }, quarterTurns, mirrored: scaleX * scaleY < 0 };
}

view.addEventListener('input', () => { said.value = 'crop'; });
view.addEventListener('change', async () => {
  const canvas = await view.croppedCanvas({ maxSide: 160 });
  if (canvas) document.querySelector('.preview').replaceChildren(canvas);
});
on('#rotate', () => view.turn(1));
on('#square', () => { view.aspectRatio = 1; });
on('#zoom', () => view.zoomBy(2 / view.state.zoom));
on('#data', () => { said.value = JSON.stringify(view.recipe.rect); });
on('#set', () => {
  view.recipe = recipeOf({ x: 99.6, y: 50.2, width: 480, height: 270, rotate: 90, scaleX: 1, scaleY: -1 });
});
on('#canvas', async () => {
  const canvas = await view.croppedCanvas({ maxSide: 800 });
  said.value = `${canvas.width} × ${canvas.height}`;
});
on('#fixed', async () => {
  view.recipe = { ...view.recipe, output: { width: 320, height: 180 } };
  const canvas = await view.croppedCanvas();
  said.value = `${canvas.width} × ${canvas.height}`;
});
