// @ts-check
// What the address names. The part after # belongs to the page alone.

/**
 * @typedef {'home' | 'album' | 'open' | 'photo' | 'view' | 'several' | 'shared' | 'edit' | 'result'
 *   | 'targets' | 'camera'}
 *   Place
 */

/** @typedef {{ place: Place, id: string }} Route */

/** @type {[RegExp, Place][]} */
const PATTERNS = [
  [/^#\/albums\/([^/]+)$/, 'album'],
  [/^#\/photos\/([^/]+)$/, 'photo'],
  [/^#\/photos\/([^/]+)\/view$/, 'view'],
  [/^#\/photos\/([^/]+)\/targets$/, 'targets'],
  // What `cropkit open` was given, ids with dots between them.
  [/^#\/queue\/([0-9a-z.]+)$/, 'several'],
  [/^#\/(open|edit|result|targets|camera|shared)$/, 'open'],
];

/** @param {string} hash @returns {Route} what makes no sense is the home */
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

/** @param {string} id a photo's */
export function photoHash(id) {
  return `#/photos/${encodeURIComponent(id)}`;
}

/** @param {string} id an album's */
export function albumHash(id) {
  return `#/albums/${encodeURIComponent(id)}`;
}
