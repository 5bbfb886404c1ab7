// @ts-check
// The routes. Only the page uses the part of the URL after #.

/**
 * @typedef {'home' | 'album' | 'open' | 'photo' | 'view' | 'several' | 'shared' | 'edit' | 'result'
 *   | 'targets' | 'camera' | 'gallery'}
 *   Place
 */

/** @typedef {{ place: Place, id: string }} Route */

/** @type {[RegExp, Place][]} */
const PATTERNS = [
  [/^#\/albums\/([^/]+)$/, 'album'],
  [/^#\/photos\/([^/]+)$/, 'photo'],
  [/^#\/photos\/([^/]+)\/view$/, 'view'],
  [/^#\/photos\/([^/]+)\/targets$/, 'targets'],
  // A photo of a gallery, such as immich:ID or dav:PATH.
  [/^#\/from\/([^/]+)$/, 'gallery'],
  // The files of `cropkit open`, as ids separated by dots.
  [/^#\/queue\/([0-9a-z.]+)$/, 'several'],
  [/^#\/(open|edit|result|targets|camera|shared)$/, 'open'],
];

/** @param {string} hash @returns {Route} the home screen for an invalid address */
export function readRoute(hash) {
  for (const [pattern, place] of PATTERNS) {
    const found = pattern.exec(hash);
    if (!found) continue;
    if (place === 'open') return { place: /** @type {Place} */ (found[1]), id: '' };
    try {
      return { place, id: decodeURIComponent(found[1]) };
    } catch {
      break;
    }
  }
  return { place: 'home', id: '' };
}

/** @param {string} id of a photo */
export function photoHash(id) {
  return `#/photos/${encodeURIComponent(id)}`;
}

/** @param {string} id of an album */
export function albumHash(id) {
  return `#/albums/${encodeURIComponent(id)}`;
}

/** @param {readonly string[]} ids of photos to crop one by one */
export function queueHash(ids) {
  return `#/queue/${ids.join('.')}`;
}

/** @param {string} photo in a gallery, such as immich:ID */
export function galleryHash(photo) {
  return `#/from/${encodeURIComponent(photo)}`;
}
