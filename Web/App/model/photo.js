// @ts-check
// A photo for the editor: the original's bytes, and a version that can be shown.

import { holdsGainMap, readerOf } from '../../Element/gain-map.js';
import { upright } from '../../Element/jpeg-header.js';
import { measure } from '../../Element/picture.js';
import { FINE_SIDE, info, isStatic, preview, Problem } from '../server/api.js';
import { fetchAnswer, fetchBlob, originalURL } from '../server/library-api.js';
import { FORMATS } from '../ui/file-formats.js';

/**
 * The maximum number of pixels that browsers decode easily, also on phones; the server makes previews of larger
 * images.
 */
const MODEST = 80e6;

/**
 * @typedef {object} Photo
 * @property {Blob | null} original for a library's photo, only if it was requested
 * @property {string} name
 * @property {Blob} shown for drawing: the original or the server's preview
 * @property {Promise<Blob>} [finer] the version for drawing, while `shown` is only a thumbnail
 * @property {number} width upright pixels of the original @property {number} height
 * @property {string} format for users, such as JPEG; empty if unknown
 * @property {import('../server/library-api.js').Entry} [entry] its entry in the library
 * @property {import('../server/galleries-api.js').GalleryPhoto} [gallery] its entry in a gallery
 * @property {string} [id] identifies its content and, in the library, its version; the key of drafts
 * @property {string} [saved] the last saved recipe and canvas, as JSON
 * @property {boolean} [canRestore] whether it replaced a version that is in the trash
 * @property {import('../server/targets-api.js').TargetDocument} [targets] its crops for several targets
 * @property {boolean} [isLenient] it is damaged, and its readable part is accepted
 * @property {import('../server/api.js').Mark | null} [mark] the crop of another program
 * @property {string} [place] the id in the address: the entry's, or that of a crop of it
 */

/**
 * The result of a photo's crop.
 * @typedef {object} Result
 * @property {Blob} blob @property {string} name of the file
 * @property {Blob | null} shown a version that the browser can draw; null if it was not requested yet
 * @property {boolean} [isDrawn] whether `shown` was drawn in the browser, from the same pixels, but is not this file
 * @property {number} width @property {number} height
 * @property {'noteHere' | 'noteStill' | 'noteLossless' | 'badgeBorder' | 'noteEncoded'} [made] how it was made, if
 * known
 * @property {number} [requantized] the number of columns or rows at an edge that were requantized in a lossless
 * result
 * @property {'hdrKept' | 'hdrLost' | 'hdrLostHere' | 'hdrLostStatic'} [light] the outcome for the gain map of an HDR
 * photo
 * @property {number} [frames] of an animation
 * @property {string} [key] identifies its source and options
 * @property {boolean} [isSaved] whether it has been saved
 * @property {string[]} [warnings] what the user should know about it
 * @property {'crop' | 'adjust'} [edit] for a photo of the library that is only viewed: whether it is a crop, which
 * can be adjusted
 */

/**
 * @param {Blob} file @param {string} name
 * @param {{ hasServer: boolean, isLenient?: boolean, signal?: AbortSignal, onPreview?: () => void }} options
 * `isLenient`: accepts the readable part of a damaged image
 * @returns {Promise<Photo>} rejects with a Problem for the user
 */
export async function readPhoto(file, name, { hasServer, isLenient, signal, onPreview }) {
  if (file.size === 0) {
    throw new Problem('empty');
  }
  const format = await sniff(file);
  const seen = await measure(await upright(file)).catch(() => null);
  const isModest = seen && seen.width * seen.height <= MODEST;
  if (seen && (!hasServer || (format === 'JPEG' && isModest))) {
    const mark = hasServer && await seemsMarked(file)
      ? await info(file, name, { isLenient, signal }).then((found) => found.mark, () => null) : null;
    signal?.throwIfAborted();
    return { original: file, name, shown: typed(file, format), ...seen, format, isLenient, mark };
  }
  if (isStatic) throw new Problem(SHOWN.has(format) ? 'corrupt' : 'not-shown');
  // If the browser can't show the format, that is not an error of the image.
  const needsServer = new Problem(format && !SHOWN.has(format) ? 'needs-server' : 'unsupported-format');
  if (!hasServer) throw needsServer;
  // Browsers and the engine interpret the orientation of formats other than JPEG differently. The engine makes the
  // crop, so its interpretation counts.
  const header = await info(file, name, { isLenient, signal }).catch((error) => {
    throw !seen && error.code === 'offline' && needsServer.code === 'needs-server' ? needsServer : error;
  });
  const agrees = seen?.width === header.width && seen.height === header.height;
  if (agrees && header.orientation === 1 && isModest) {
    return {
      original: file, name, shown: file, ...seen, format: format || header.format, isLenient,
      mark: header.mark,
    };
  }
  /** @type {Photo} */
  const photo = {
    original: file, name, shown: file, width: header.width, height: header.height,
    format: format || header.format.toUpperCase(), isLenient, mark: header.mark,
  };
  if (header.thumbnail) {
    // Not ended by the next task: a crop can be made while only the thumbnail is shown.
    const finer = withPreview(photo).then(({ shown }) => shown);
    // A rejection is handled where it is awaited.
    finer.catch(() => {});
    return { ...photo, shown: header.thumbnail, finer };
  }
  onPreview?.();
  return withPreview(photo, signal);
}

/** The number of bytes at the start of a JPEG that contain its XMP. */
const HEAD = 1 << 18;

/**
 * Whether a JPEG may contain another program's crop: only then is the server asked.
 * @param {Blob} file
 */
async function seemsMarked(file) {
  const head = await file.slice(0, HEAD).arrayBuffer();
  return new TextDecoder('latin1').decode(head).includes('HasCrop');
}

/**
 * The photo with a server-made preview.
 * @param {Photo} photo @param {AbortSignal} [signal] @returns {Promise<Photo>}
 */
export async function withPreview(photo, signal) {
  const original = await originalOf(photo, { signal });
  const shown = await preview(original, photo.name, FINE_SIDE,
    { isLenient: photo.isLenient, signal });
  return { ...photo, shown };
}

/**
 * The best version for drawing, instead of a thumbnail.
 * @param {Photo} photo
 */
export async function finest(photo) {
  if (photo.finer) photo.shown = await photo.finer;
  photo.finer = undefined;
  return photo.shown;
}

/**
 * The original file; a library's photo is only downloaded once.
 * @param {Photo} photo @param {{signal?: AbortSignal}} options @returns {Promise<Blob>}
 */
export async function originalOf(photo, { signal }) {
  if (photo.original) return photo.original;
  if (!photo.entry) throw new Problem('not-found');
  return photo.original = await fetchBlob(originalURL(photo.entry.id), { signal });
}

/**
 * Whether the file has a gain map, for HDR screens; false if it can't be read.
 * @param {Photo} photo
 */
export async function isHDR({ original, entry }) {
  const read = original ? readerOf(original) : entry && ((/** @type {number} */ start, /** @type {number} */ end) =>
    bytesOf(entry.id, start, end));
  return read ? holdsGainMap(read).catch(() => false) : false;
}

/**
 * The outcome for the gain map of an HDR photo.
 * @param {Photo} photo @param {Blob} result
 * @param {boolean} isLocal whether the browser made it, and the server would have kept the gain map of a JPEG
 */
export async function lightOf(photo, result, isLocal) {
  if (await holdsGainMap(readerOf(result))) return 'hdrKept';
  if (!await isHDR(photo)) return undefined;
  if (!isLocal || result.type !== 'image/jpeg') return 'hdrLost';
  return isStatic ? 'hdrLostStatic' : 'hdrLostHere';
}

/**
 * Reads a range of bytes from a photo of the library.
 * @param {string} id @param {number} start @param {number} end
 */
async function bytesOf(id, start, end) {
  const stop = new AbortController();
  const answer = await fetchAnswer(originalURL(id),
    { signal: stop.signal, headers: { range: `bytes=${start}-${end - 1}` } });
  // A server without range support sends the file from its start.
  const skipped = answer.status === 206 ? 0 : start;
  const bytes = new Uint8Array(end - start);
  let at = -skipped;
  const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader();
  while (at < bytes.length) {
    const { done, value } = await reader.read();
    if (done) break;
    const part = value.subarray(Math.max(0, -at), Math.max(0, bytes.length - at));
    bytes.set(part, Math.max(0, at));
    at += value.length;
  }
  stop.abort();
  return bytes.subarray(0, Math.max(0, at));
}

/**
 * Reads a photo's first bytes from the server; undefined if the file is already loaded.
 * @param {Photo} photo
 * @returns {((count: number) => Promise<Uint8Array>) | undefined}
 */
export function headOf({ original, entry }) {
  if (original || !entry) return undefined;
  // Only JPEGs need it.
  if (entry.format !== 'jpeg') return async () => new Uint8Array(0);
  return (count) => bytesOf(entry.id, 0, count);
}

/**
 * A photo of the library with a server-made preview.
 * @param {import('../server/library-api.js').Entry} entry @param {Blob} shown @param {string} place
 * @returns {Photo}
 */
export function fromLibrary(entry, shown, place) {
  const { name, width, height, format } = entry;
  return { original: null, name, shown, width, height, format: shownFormat(format ?? ''), entry, place,
    id: `${place}@${entry.version}` };
}

/** @param {Blob} blob @param {string} name */
export function named(blob, name) {
  return new File([blob], name, { type: blob.type });
}

/**
 * Adds the type that clipboards and some systems omit; drawing decisions need it.
 * @param {Blob} file @param {string} format
 */
function typed(file, format) {
  return format === 'JPEG' && file.type !== 'image/jpeg'
    ? new Blob([file], { type: 'image/jpeg' }) : file;
}

/** The formats that all browsers show: if such a file can't be shown, it is damaged. */
const SHOWN = new Set(FORMATS.filter(({ isShown }) => isShown).map(({ title }) => title));

/**
 * Whether all browsers show a format.
 * @param {string} format its title for users
 */
export const isShownEverywhere = (format) => SHOWN.has(format);

/**
 * The name without characters that change the text direction, which could make it appear to have another
 * extension.
 * @param {string} name
 */
export function plainName(name) {
  return name.replace(/\p{Bidi_Control}/gu, '');
}

/** @param {Blob} file @returns {Promise<string>} empty for an unknown format */
async function sniff(file) {
  const head = new Uint8Array(await file.slice(0, 16).arrayBuffer());
  return FORMATS.find(({ signatures }) => signatures.some(
    ({ at, bytes }) => bytes.every((byte, index) => head[at + index] === byte)))?.title ?? '';
}

/**
 * `photo.jpg` → `photo-cropped.jpg`, with the extension of the result's format.
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
 * The usual extension for a media type.
 * @param {string} type
 */
export function extensionOf(type) {
  return EXTENSIONS[type]?.[0] ?? 'jpg';
}

/** @type {Record<string, readonly string[]>} */
const EXTENSIONS = Object.fromEntries(FORMATS.flatMap(
  ({ types, extensions }) => types.map((type) => [type, extensions])));

/**
 * The format's name for users.
 * @param {{ type: string }} file its media type
 */
export function formatName({ type }) {
  return shownFormat(type.replace('image/', ''));
}

/** @param {string} kind such as webp */
function shownFormat(kind) {
  return FORMATS.find(({ name }) => name === kind)?.title ?? kind.toUpperCase();
}
