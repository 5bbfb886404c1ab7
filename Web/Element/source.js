// @ts-check
// What `load` accepts, as a file that the browser can decode.

import { CropError } from './errors.js';

/**
 * An image: its address, its file, or its pixels.
 * @typedef {string | URL | Blob | ArrayBuffer | ArrayBufferView | Response | HTMLCanvasElement | EncodableCanvas
 *   | ImageBitmap} PhotoSource
 */

/** @typedef {{ convertToBlob(): Promise<Blob> }} EncodableCanvas an `OffscreenCanvas` */

const TAKES = 'an address, a Blob, an ArrayBuffer, a typed array, a Response, a canvas or an ImageBitmap';

/** The first bytes of formats that browsers decode, and their positions. */
const SIGNATURES = Object.freeze(/** @type {const} */ ([
  ['image/jpeg', 0, '\xff\xd8\xff'], ['image/png', 1, 'PNG\r\n'], ['image/gif', 0, 'GIF8'], ['image/webp', 8, 'WEBP'],
  ['image/avif', 4, 'ftypavi'], ['image/heic', 4, 'ftyphei'], ['image/bmp', 0, 'BM'],
]));

/**
 * @param {PhotoSource} source
 * @returns {Promise<Blob>} rejects with a CropError
 */
export async function fileOf(source) {
  // By name, since objects of another window are instances of other classes.
  switch (Object.prototype.toString.call(source).slice('[object '.length, -1)) {
    case 'String':
    case 'URL': return download(String(source));
    case 'Blob':
    case 'File': return /** @type {Blob} */ (source);
    case 'Response': return received(/** @type {Response} */ (source));
    case 'HTMLCanvasElement': return encoded(/** @type {HTMLCanvasElement} */ (source));
    case 'OffscreenCanvas': return pixelsOf(() => /** @type {EncodableCanvas} */ (source).convertToBlob());
    case 'ImageBitmap': return pixelsOf(() => encoded(copied(/** @type {ImageBitmap} */ (source))));
    case 'ArrayBuffer': return typed(new Blob([/** @type {ArrayBuffer} */ (source)]));
    default:
      if (ArrayBuffer.isView(source)) return typed(new Blob([source]));
      throw new CropError('bad-source', `load takes ${TAKES}, not ${String(source)}`);
  }
}

/** @param {string} address */
async function download(address) {
  const response = await fetch(address).catch((cause) => {
    throw new CropError('unreachable', `${address} can't be fetched`, { cause });
  });
  return received(response, address);
}

/** @param {Response} response @param {string} [address] */
async function received(response, address = response.url || 'the image') {
  if (!response.ok) throw new CropError('unreachable', `${address}: ${response.status}`);
  if (response.bodyUsed) throw new CropError('bad-source', `the response of ${address} has been read already`);
  const blob = await response.blob().catch((cause) => {
    throw new CropError('unreachable', `the connection broke while ${address} was fetched`, { cause });
  });
  return blob.type.startsWith('image/') ? blob : typed(blob);
}

/**
 * The same bytes with the media type that they start with: without a type, browsers don't decode all formats, and the
 * result could not have the image's own.
 * @param {Blob} blob
 */
async function typed(blob) {
  const head = new TextDecoder('latin1').decode(await blob.slice(0, 512).arrayBuffer());
  const known = SIGNATURES.find(([, at, text]) => head.startsWith(text, at));
  const type = known?.[0] ?? (/<svg[\s>]/.test(head) ? 'image/svg+xml' : blob.type);
  return blob.slice(0, blob.size, type);
}

/** @param {ImageBitmap} bitmap @returns {HTMLCanvasElement} */
function copied(bitmap) {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  return canvas;
}

/**
 * A canvas as a PNG, which keeps every pixel.
 * @param {HTMLCanvasElement} canvas
 */
function encoded(canvas) {
  return pixelsOf(() => new Promise((/** @type {(blob: Blob) => void} */ resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('it has no pixels, or too many'))));
  }));
}

/** @param {() => Promise<Blob>} read @returns {Promise<Blob>} */
async function pixelsOf(read) {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof CropError) throw cause;
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new CropError('bad-source', `the pixels can't be read: ${problem}`, { cause });
  }
}
