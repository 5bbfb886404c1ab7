// @ts-check
// Detects gain maps for HDR screens.

/**
 * How many bytes to read at the start of a file, and of a JPEG's second image: they contain the description of its
 * parts.
 */
const HEAD = 1 << 18;
const SECOND = 1 << 16;

/** The maximum number of entries to read from the table of images (CIPA DC-007). */
const MOST_PICTURES = 8;

/** @typedef {(start: number, end: number) => Promise<Uint8Array>} Reader */

/** Whether the screen supports HDR, and the browser gain maps. */
export function showsHDR() {
  return matchMedia('(dynamic-range: high)').matches;
}

/** @param {Blob} blob @returns {Reader} */
export function readerOf(blob) {
  return async (start, end) => new Uint8Array(await blob.slice(start, end).arrayBuffer());
}

/**
 * Whether the file is a JPEG, HEIC or AVIF with a gain map, according to its first bytes or, for JPEGs of iPhones, those
 * of its second image.
 * @param {Reader} read
 */
export async function holdsGainMap(read) {
  const head = await read(0, HEAD);
  const text = latin(head);
  if (text.startsWith('ftyp', 4)) {
    // One of its brands is a brighter image that a map makes (ISO 21496-1).
    return text.includes(':aux:hdrgainmap\0') || text.slice(8, head[3]).includes('tmap');
  }
  if (head[0] !== 0xff || head[1] !== 0xd8) return false;
  const start = text.indexOf('MPF\0') + 4;
  if (start < 4) return false;
  // The header may be left over from a larger original: the second image decides.
  for (const place of picturesOf(new DataView(head.buffer, head.byteOffset + start, head.length - start))) {
    const second = latin(await read(start + place, start + place + SECOND));
    const isMap = second.startsWith('\xff\xd8')
      && /hdrgm:GainMapMax|urn:iso:std:iso:ts:21496:-1\0|:aux:hdrgainmap/.test(second);
    if (isMap) return true;
  }
  return false;
}

/**
 * The positions of the other images in the table, relative to its start.
 * @param {DataView} table
 */
function picturesOf(table) {
  /** @type {number[]} */ const places = [];
  try {
    const little = table.getUint16(0) === 0x4949;
    const directory = table.getUint32(4, little);
    const count = table.getUint16(directory, little);
    for (let index = 0; index < Math.min(count, MOST_PICTURES); index += 1) {
      const field = directory + 2 + 12 * index;
      if (table.getUint16(field, little) !== 0xb002) continue;
      const entries = table.getUint32(field + 8, little);
      const pictures = table.getUint32(field + 4, little) / 16;
      for (let number = 1; number < Math.min(pictures, MOST_PICTURES); number += 1) {
        places.push(table.getUint32(entries + 16 * number + 8, little));
      }
    }
  } catch {
    // A truncated table has no more entries.
  }
  return places;
}

/** @param {Uint8Array} bytes */
function latin(bytes) {
  return new TextDecoder('latin1').decode(bytes);
}
