// @ts-check
// Handles a photo from the camera: it is saved to the library, if there is one, and then shown behind the
// viewfinder.

import { explain, isCancelled } from '../server/explain.js';
import { addPhoto } from '../server/library-api.js';
import { extensionOf } from '../editor/photo.js';
import { words } from '../ui/words.js';

/**
 * @typedef {object} Dependencies
 * @property {import('../shell/current-task.js').CurrentTask} work
 * @property {import('./camera-screen.js').CameraScreen} camera
 * @property {import('../library/library.js').Library} library
 */

/**
 * @param {Dependencies} parts @param {Blob} blob
 * @param {{ crop(name: string): void, kept(id: string): void }} ways `crop`: opens it as a separate file; `kept`:
 * it was saved as a photo of the library
 */
export async function takeIn({ work, camera, library }, blob, ways) {
  const now = new Date();
  // ISO 8601 without colons, since some systems do not allow them in names.
  const stamp = now.toLocaleString('sv').replaceAll(':', '.');
  const name = `${words('pictureName', stamp)}.${extensionOf(blob.type)}`;
  const canKeep = library.exists && library.isReachable && library.album('camera');
  if (!canKeep) return ways.crop(name);
  const signal = work.begin();
  const { notices } = camera;
  const card = notices.work(words('savingPicture'), () => work.cancel());
  try {
    const { id } = await addPhoto(blob, name, { signal, onProgress: card.sent });
    notices.clear();
    ways.kept(id);
  } catch (error) {
    camera.offerAgain();
    if (signal.aborted || isCancelled(error)) return notices.clear();
    const { title, detail } = explain(error, name, 'problemKeep');
    notices.problem(title, detail, [{ label: words('cropWithout'), act: () => ways.crop(name) }]);
  }
}
