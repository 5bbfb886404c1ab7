// @ts-check
// Handles a photo from the camera: it is saved to the library, if there is one, and then shown behind the
// viewfinder.

import { extensionOf } from '../model/photo.js';
import { isCancelled, showError } from '../server/explain.js';
import { addPhoto } from '../server/library-api.js';
import { words } from '../ui/words.js';

/**
 * @param {import('./camera-screen.js').CameraScreen} screen @param {import('../model/model.js').Model} model
 * @param {Blob} blob
 */
export async function takeIn(screen, { library, navigator, opener, task }, blob) {
  const { notices } = screen;
  const now = new Date();
  // ISO 8601 without colons, since some systems do not allow them in names.
  const stamp = now.toLocaleString('sv').replaceAll(':', '.');
  const name = `${words('pictureName', stamp)}.${extensionOf(blob.type)}`;
  const crop = () => void opener.file(name, async () => blob, { isFresh: true });
  const canKeep = library.exists && library.isReachable && library.album('camera');
  if (!canKeep) return crop();
  const signal = task.begin();
  const card = notices.work(words('savingPicture'), () => task.cancel());
  try {
    const { id } = await addPhoto(blob, name, { signal, onProgress: card.sent });
    notices.clear();
    navigator.openTaken(id);
  } catch (error) {
    screen.offerAgain();
    if (signal.aborted || isCancelled(error)) return notices.clear();
    showError(notices, error, name, 'problemKeep', [{ label: words('cropWithout'), act: crop }]);
  }
}
