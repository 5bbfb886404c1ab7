const view = document.querySelector('crop-view');
const find = (id) => document.querySelector(`#${id}`);

find('undo').addEventListener('click', () => view.undo());
find('redo').addEventListener('click', () => view.redo());
find('reset').addEventListener('click', () => view.reset());
find('turn').addEventListener('click', () => view.turn(1));
find('mirror').addEventListener('click', () => view.mirror('horizontal'));
find('ratio').addEventListener('change', ({ target }) => { view.aspectRatio = target.value; });
find('tilt').addEventListener('input', ({ target }) => { view.tilt = Number(target.value); });

// At most once per frame, and only if something that is shown here has changed.
view.addEventListener('statechange', () => {
  find('undo').disabled = !view.canUndo;
  find('redo').disabled = !view.canRedo;
  find('reset').disabled = !view.canReset;
  find('tilt').value = view.tilt;
  const size = view.resultSize;
  find('size').value = size ? `${size.width} × ${size.height} pixels` : 'Nothing is selected.';
});
