const view = document.querySelector('crop-view');

document.querySelector('#save').addEventListener('click', async () => {
  const { blob, isLossless } = await view.cropped();
  document.querySelector('output').value = `${blob.size} bytes${isLossless ? ', without loss' : ''}`;
});
