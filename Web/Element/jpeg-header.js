// @ts-check
// Reads the first bytes of a JPEG, and makes a version that browsers show upright.

import { JPEG } from './extra.js';
import { JPEGCode } from './interface.js';
import { compile } from './modules.js';

/**
 * Reads the header of a JPEG; null for another file.
 * @param {(count: number) => Promise<Uint8Array>} first
 */
export async function headerOf(first) {
  for (let count = 1 << 17; ; count *= 8) {
    const bytes = await first(count);
    if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
    const jpeg = await JPEG.of(await compile('jpeg'), bytes);
    const code = jpeg.open();
    if (code === JPEGCode.done) return jpeg.header();
    if (code !== JPEGCode.truncated || bytes.length < count) return null;
  }
}

/** @param {Blob} file @returns {(count: number) => Promise<Uint8Array>} */
export function headOf(file) {
  return async (count) => new Uint8Array(await file.slice(0, count).arrayBuffer());
}

/**
 * A version of the image for the browser to decode. The core accepts any integer type for EXIF's orientation, but
 * browsers only accept a single short, so other entries are rewritten. Returns the file itself if that is not
 * needed.
 * @param {Blob} file
 */
export async function upright(file) {
  const header = await headerOf(headOf(file)).catch(() => null);
  const at = header?.orientationAt;
  if (!header || !at) return file;
  const value = header.orientation;
  const isLittle = new Uint8Array(await file.slice(at, at + 1).arrayBuffer())[0] === 0x12;
  const entry = isLittle ? [3, 0, 1, 0, 0, 0, value, 0, 0, 0] : [0, 3, 0, 0, 0, 1, 0, value, 0, 0];
  return new Blob([file.slice(0, at + 2), Uint8Array.from(entry), file.slice(at + 12)],
    { type: file.type });
}
