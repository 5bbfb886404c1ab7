// What was: <Cropper image={…} aspect={4 / 3} cropShape="round" onCropComplete={(area, pixels) => …} />
const view = document.querySelector('crop-view');

view.addEventListener('change', () => {
  const { rect } = view.recipe;
  document.querySelector('output').value = `onCropComplete: ${JSON.stringify(rect)}`;
});
