// @ts-check
// What the address names. The part after # belongs to the page alone.

/** @typedef {'home' | 'album' | 'open' | 'photo' | 'view' | 'edit' | 'result' | 'camera'} Place */

/** @typedef {{ place: Place, id: string }} Route */

/** @type {[RegExp, Place][]} */
const PATTERNS = [
  [/^#\/albums\/([^/]+)$/, 'album'],
  [/^#\/photos\/([^/]+)$/, 'photo'],
  [/^#\/photos\/([^/]+)\/view$/, 'view'],
  [/^#\/(open|edit|result|camera)$/, 'open'],
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
