const view = document.querySelector('crop-view');
const image = document.querySelector('img');

document.querySelector('#use').addEventListener('click', async () => {
  // Square and small; the page rounds it. `lossless: 'never'`, since it is scaled down anyway.
  view.shape = 'rectangle';
  const blob = await view.croppedBlob({ maxSide: 256, type: 'image/webp', maxBytes: 20_000 });
  view.shape = 'ellipse';
  image.src = URL.createObjectURL(blob);
  image.hidden = false;
  document.querySelector('output').value = `${blob.size} bytes`;
});
