// @ts-check
// Images in all supported types.

import { failure, misuse, needed } from './faults.js';
import { WORDS } from './words.js';

/**
 * An image: its bytes, something that has them, or the path or URL of a file.
 * @typedef {Uint8Array | ArrayBuffer | ArrayBufferView | Blob | Response | ReadableStream<Uint8Array>
 *   | AsyncIterable<Uint8Array> | string | URL} Source
 */

/** The name in messages for an image that is not a file. */
export const NAME_OF_BYTES = "the input's bytes";

/**
 * @param {Source} source
 * @returns {Promise<{ bytes: Uint8Array, name: string }>}
 */
export async function taken(source) {
  if (typeof source === 'string' || source instanceof URL) return readFile(source);
  return { bytes: await bytesOf(source), name: NAME_OF_BYTES };
}

/** @param {Exclude<Source, string | URL>} source @returns {Promise<Uint8Array>} */
async function bytesOf(source) {
  if (source instanceof Uint8Array) return source;
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if ('arrayBuffer' in source) return new Uint8Array(await source.arrayBuffer());
  if ('getReader' in source || Symbol.asyncIterator in source) {
    return new Uint8Array(await new Response(streamOf(source)).arrayBuffer());
  }
  throw misuse('an image is bytes, a Blob, a stream, or the path or URL of a file');
}

/**
 * Node's streams can be iterated, and not all browsers' streams can.
 * @param {ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>} source
 * @returns {ReadableStream<Uint8Array>}
 */
function streamOf(source) {
  if ('getReader' in source) return source;
  const iterator = source[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
  });
}

/** @param {string | URL} place */
async function readFile(place) {
  const isURL = place instanceof URL || /^file:\/\//i.test(place);
  const url = isURL ? new URL(place) : null;
  if (url && url.protocol !== 'file:') throw misuse(`${url}: not a file; fetch it, and open the response`);
  const name = String(place);
  const files = await import('node:fs/promises').catch(() => {
    throw misuse(`${name}: this runtime reads no files; pass its bytes`);
  });
  try {
    return { bytes: new Uint8Array(await files.readFile(url ?? place)), name };
  } catch (error) {
    throw unreadable(name, error);
  }
}

/** @param {string} name @param {unknown} error of the file system */
export function unreadable(name, error) {
  const { code, message } = /** @type {Error & { code?: string }} */ (error);
  if (code === 'ENOENT') return failure('inputMissing', { file: name }, undefined, error);
  const detail = code === 'EISDIR' ? 'it is a folder; name a file in it' : message;
  return failure('inputUnreadable', { file: name, detail }, undefined, error);
}

/**
 * Checks that bytes start like a JPEG.
 * @param {Uint8Array} bytes @param {string} name @param {import('./faults.js').Reader} reader
 */
export function checkJPEG(bytes, name, reader) {
  if (bytes.length === 0) throw failure('empty', { file: name });
  const format = WORDS.formats.find(({ signatures }) => signatures.some(([at, hex]) => startsWith(bytes, at, hex)));
  if (!format) throw failure('unsupportedFormat', { file: name, found: null });
  if (format.name !== 'jpeg') throw needed('format', name, reader, format.title);
}

/** @param {Uint8Array} bytes @param {number} at @param {string} hex */
function startsWith(bytes, at, hex) {
  const length = hex.length / 2;
  if (bytes.length < at + length) return false;
  for (let index = 0; index < length; index += 1) {
    if (bytes[at + index] !== Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16)) return false;
  }
  return true;
}
