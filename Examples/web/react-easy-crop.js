// Before: <Cropper image={…} aspect={4 / 3} cropShape="round" zoom={zoom} onCropComplete={(area, pixels) =>
// …} />
const view = document.querySelector('crop-view');
const slider = document.querySelector('input');

view.addEventListener('change', () => {
  const { rect } = view.recipe;
  document.querySelector('output').value = `onCropComplete: ${JSON.stringify(rect)}`;
});
slider.addEventListener('input', () => view.zoomBy(slider.valueAsNumber / view.state.zoom));
view.addEventListener('statechange', () => { slider.valueAsNumber = view.state.zoom; });
