const view = document.querySelector('crop-view');
const name = document.querySelector('#name');

function write() {
  let text = '';
  try {
    text = view.recipe?.to(name.value) ?? '';
  } catch (error) {
    // Something that the program can't do, such as a tilt.
    text = error.message;
  }
  document.querySelector('#text').textContent = text;
}

view.addEventListener('change', write);
name.addEventListener('change', write);
