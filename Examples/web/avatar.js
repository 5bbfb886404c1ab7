const view = document.querySelector('crop-view');
const image = document.querySelector('img');

document.querySelector('#use').addEventListener('click', async () => {
  const blob = await view.croppedBlob();
  if (!blob) return;
  URL.revokeObjectURL(image.src);
  image.src = URL.createObjectURL(blob);
  image.hidden = false;
  document.querySelector('output').value = `${blob.size} bytes`;
});
