// @ts-check
// A photo on its way into the editor: the original's bytes, and what can be shown of it.

import { info, preview, Problem } from './api.js';
import { FORMATS } from './formats.js';
import { fetchAnswer, originalURL } from './library-api.js';
import { upright } from '../Element/jpeg-header.js';
import { measure } from '../Element/picture.js';

/** Pixels of a preview the server makes; the element zooms into it no further than it is sharp. */
const PREVIEW_SIDE = 4096;

/** Pixels a browser decodes with ease, on a phone too; for larger pictures the server is asked. */
const MODEST = 80e6;

/**
 * @typedef {object} Photo
 * @property {Blob | null} original of a library's photo only when it was asked for
 * @property {string} name
 * @property {Blob} shown what the browser draws; the original or the server's preview
 * @property {number} width upright pixels of the original @property {number} height
 * @property {string} format for people, such as JPEG; empty when not known
 * @property {import('./library-api.js').Entry} [entry] where it comes from the library
 * @property {string} [id] names its content and, of the library's, its version: what drafts go by
 * @property {string} [saved] the recipe that was saved last, as JSON
 * @property {import('./target-set.js').TargetDocument} [targets] its crops for several places
 * @property {boolean} [isLenient] it is damaged, and what is readable of it will do
 * @property {string} [place] the id in the address: the entry's, or that of a crop of it
 */

/**
 * @param {Blob} file @param {string} name
 * @param {{ hasServer: boolean, isLenient?: boolean, signal?: AbortSignal, onPreview?: () => void }}
 *   options `isLenient`: what is readable of a damaged picture will do
 * @returns {Promise<Photo>} rejects with a Problem in words
 */
export async function readPhoto(file, name, { hasServer, isLenient, signal, onPreview }) {
  if (file.size === 0) {
    throw new Problem('empty');
  }
  const format = await sniff(file);
  const seen = await measure(await upright(file)).catch(() => null);
  const isModest = seen && seen.width * seen.height <= MODEST;
  if (seen && (!hasServer || (format === 'JPEG' && isModest))) {
    return { original: file, name, shown: typed(file, format), ...seen, format, isLenient };
  }
  // A picture of a kind that no browser shows, or this one doesn't, is no less of a picture.
  const needsServer = new Problem(format && !SHOWN.has(format) ? 'needs-server' : 'unsupported-format');
  if (!hasServer) throw needsServer;
  // Browsers and the engine read the orientation of formats other than JPEG differently. The
  // engine makes the crop, so its word counts.
  const header = await info(file, name, { isLenient, signal }).catch((error) => {
    throw !seen && error.code === 'offline' && needsServer.code === 'needs-server' ? needsServer : error;
  });
  const agrees = seen?.width === header.width && seen.height === header.height;
  if (agrees && header.orientation === 1 && isModest) {
    return {
      original: file, name, shown: file, ...seen, format: format || header.format, isLenient,
    };
  }
  onPreview?.();
  return withPreview({
    original: file, name, shown: file, width: header.width, height: header.height,
    format: format || header.format.toUpperCase(), isLenient,
  }, signal);
}

/**
 * The photo, shown by a picture the server made of it.
 * @param {Photo} photo @param {AbortSignal} [signal] @returns {Promise<Photo>}
 */
export async function withPreview(photo, signal) {
  const original = await originalOf(photo, { signal });
  const shown = await preview(original, photo.name, PREVIEW_SIDE,
    { isLenient: photo.isLenient, signal });
  return { ...photo, shown };
}

/**
 * The file itself; a library's is fetched once.
 * @param {Photo} photo @param {{signal?: AbortSignal}} options @returns {Promise<Blob>}
 */
export async function originalOf(photo, { signal }) {
  if (photo.original) return photo.original;
  if (!photo.entry) throw new Problem('not-found');
  const answer = await fetchAnswer(originalURL(photo.entry.id), { signal });
  return photo.original = await answer.blob();
}

/**
 * Where a photo's first bytes come from, when its file is not here; undefined where it is.
 * @param {Photo} photo
 * @returns {((count: number) => Promise<Uint8Array>) | undefined}
 */
export function headOf({ original, entry }) {
  if (original || !entry) return undefined;
  // Only of a JPEG they tell something.
  if (entry.format !== 'jpeg') return async () => new Uint8Array(0);
  return async (count) => {
    const stop = new AbortController();
    const answer = await fetchAnswer(originalURL(entry.id),
      { signal: stop.signal, headers: { range: `bytes=0-${count - 1}` } });
    const head = new Uint8Array(count);
    let filled = 0;
    const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader();
    // A server that knows no ranges sends more than was asked for.
    while (filled < count) {
      const { done, value } = await reader.read();
      if (done) break;
      const part = value.subarray(0, count - filled);
      head.set(part, filled);
      filled += part.length;
    }
    stop.abort();
    return head.subarray(0, filled);
  };
}

/**
 * A photo of the library, shown by a picture the server made of it.
 * @param {import('./library-api.js').Entry} entry @param {Blob} shown @param {string} place
 * @returns {Photo}
 */
export function fromLibrary(entry, shown, place) {
  const { name, width, height, format } = entry;
  return { original: null, name, shown, width, height, format: shownFormat(format ?? ''), entry, place,
    id: `${place}@${entry.version}` };
}

/**
 * Clipboards and some systems leave the type out; drawing decisions need it.
 * @param {Blob} file @param {string} format
 */
function typed(file, format) {
  return format === 'JPEG' && file.type !== 'image/jpeg'
    ? new Blob([file], { type: 'image/jpeg' }) : file;
}

/** What every browser shows by itself; a file of these that isn't shown is damaged. */
const SHOWN = new Set(FORMATS.filter(({ isShown }) => isShown).map(({ title }) => title));

/**
 * A name without the characters that change the direction of what follows, with which it can show another
 * extension than it has.
 * @param {string} name
 */
export function plainName(name) {
  return name.replace(/\p{Bidi_Control}/gu, '');
}

/** @param {Blob} file @returns {Promise<string>} empty when the content is none we know */
async function sniff(file) {
  const head = new Uint8Array(await file.slice(0, 16).arrayBuffer());
  return FORMATS.find(({ signatures }) => signatures.some(
    ({ at, bytes }) => bytes.every((byte, index) => head[at + index] === byte)))?.title ?? '';
}

/**
 * `photo.jpg` → `photo-cropped.jpg`, with the extension of what the result really is.
 * @param {string} name @param {Blob} result
 */
export function croppedName(name, result) {
  const stem = name.replace(/\.[^./\\]{1,8}$/, '').replace(/[/\\]/g, '-') || 'photo';
  const own = /\.([^./\\]{1,8})$/.exec(name)?.[1] ?? '';
  const extensions = EXTENSIONS[result.type] ?? [own.toLowerCase() || 'jpg'];
  const extension = extensions.includes(own.toLowerCase()) ? own : extensions[0];
  return `${stem}-cropped.${extension}`;
}

/**
 * How a file of a media type is usually named.
 * @param {string} type
 */
export function extensionOf(type) {
  return EXTENSIONS[type]?.[0] ?? 'jpg';
}

/** @type {Record<string, readonly string[]>} */
const EXTENSIONS = Object.fromEntries(FORMATS.flatMap(
  ({ types, extensions }) => types.map((type) => [type, extensions])));

/**
 * The format's name for people.
 * @param {{ type: string }} file its media type
 */
export function formatName({ type }) {
  return shownFormat(type.replace('image/', ''));
}

/** @param {string} kind such as webp */
function shownFormat(kind) {
  return FORMATS.find(({ name }) => name === kind)?.title ?? kind.toUpperCase();
}
