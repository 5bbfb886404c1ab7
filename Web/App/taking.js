// @ts-check
// What becomes of a picture that was taken: it goes to the library, where there is one, and then behind the
// viewfinder.

import { explain, isCancelled } from './explain.js';
import { addPhoto } from './library-api.js';
import { extensionOf } from './photo.js';
import { words } from './words.js';

/**
 * @typedef {object} Parts
 * @property {import('./work.js').Work} work
 * @property {import('./camera-screen.js').CameraScreen} camera
 * @property {import('./library.js').Library} library
 */

/**
 * @param {Parts} parts @param {Blob} blob
 * @param {{ crop(name: string): void, kept(id: string): void }} ways `crop`: as a file of its own; `kept`: it is
 *   a photo of the library
 */
export async function takeIn({ work, camera, library }, blob, ways) {
  const now = new Date();
  // As ISO 8601 has it, without colons: some systems don't take them in names.
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
