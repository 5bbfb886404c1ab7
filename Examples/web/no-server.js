const view = document.querySelector('crop-view');
const save = document.querySelector('#save');
let name = 'photo.jpg';

document.querySelector('input').addEventListener('change', async ({ target }) => {
  const [file] = target.files;
  if (!file) return;
  name = file.name;
  await view.load(file).catch(() => {});
  save.disabled = !view.valid;
});
view.addEventListener('error', ({ message }) => {
  document.querySelector('output').value = message;
});
save.addEventListener('click', async () => {
  const blob = await view.croppedBlob({ strip: 'location' });
  const link = Object.assign(document.createElement('a'), {
    href: URL.createObjectURL(blob), download: name.replace(/(\.\w+)?$/, '-cropped$1'),
  });
  link.click();
  URL.revokeObjectURL(link.href);
  document.querySelector('output').value = `${link.download}, ${blob.size} bytes`;
});
