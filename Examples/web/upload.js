const form = document.querySelector('form');
const view = document.querySelector('crop-view');
const said = document.querySelector('output');

document.querySelector('input').addEventListener('change', ({ target }) => {
  if (target.files[0]) view.load(target.files[0]).catch(() => {});
});
view.addEventListener('error', ({ message }) => { said.value = message; });

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  // The script requests the file; without this handler the form would wait for it automatically.
  await view.prepareFormValue();
  const request = new XMLHttpRequest();
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    document.querySelector('progress').value = loaded / total;
  });
  request.addEventListener('load', () => {
    said.value = request.status === 200 ? 'Sent.' : `The server answered ${request.status}.`;
  });
  request.addEventListener('error', () => { said.value = 'No connection.'; });
  request.open('POST', form.action);
  request.send(new FormData(form));
});
