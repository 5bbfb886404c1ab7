const view = document.querySelector('crop-view');
const image = document.querySelector('img');

document.querySelector('#save').addEventListener('click', async () => {
  const result = await view.cropped({ maxSide: 1600 });
  if (!result) return;
  URL.revokeObjectURL(image.src);
  image.src = URL.createObjectURL(result.blob);
  image.hidden = false;
  const way = result.isLossless ? 'lossless' : 're-encoded';
  document.querySelector('#said').value = `${Math.round(result.blob.size / 1000)} KB, ${way}`;
});
