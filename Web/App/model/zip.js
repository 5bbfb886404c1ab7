// @ts-check
// Several files as one ZIP archive (APPNOTE.TXT of PKWARE, versions up to 2.0 and the flag for UTF-8 names). Photos
// are stored uncompressed, since they are already compressed.

import { freeName } from '../ui/device.js';
import { formatNumber } from '../ui/words.js';

/** Names in UTF-8 (general purpose bit 11). */
const UTF8 = 0x0800;
const VERSION = 20;
/** The limit of the fields without ZIP64. */
const MOST_BYTES = 0xffff_fffe;
const MOST_FILES = 0xfffe;

/**
 * @param {readonly File[]} files @param {string} name of the archive, without its extension
 * @returns {Promise<File[]>} one archive, or more if one can't hold all files
 */
export async function zipped(files, name) {
  /** @type {Blob[]} */ const archives = [];
  let archive = new Archive();
  const names = await uniqueNames(files.map(({ name }) => name));
  for (const [index, file] of files.entries()) {
    const encoded = new TextEncoder().encode(names[index]);
    if (!archive.hasRoom(file.size, encoded.length)) {
      archives.push(archive.closed());
      archive = new Archive();
    }
    archive.add(file, encoded, await checksum(file));
  }
  return [...archives, archive.closed()].map((blob, index) =>
    new File([blob], `${name}${index ? ` ${formatNumber(index + 1)}` : ''}.zip`, { type: 'application/zip' }));
}

class Archive {
  /** @type {BlobPart[]} */ #parts = [];
  /** @type {Uint8Array[]} */ #directory = [];
  #bytes = 0;
  #directoryBytes = 0;

  /** @param {number} bytes of another file @param {number} nameBytes */
  hasRoom(bytes, nameBytes) {
    const more = bytes + 30 + 46 + 2 * nameBytes;
    return this.#directory.length < MOST_FILES
      && this.#bytes + this.#directoryBytes + more + 22 <= MOST_BYTES;
  }

  /** @param {File} file @param {Uint8Array} name @param {number} sum */
  add(file, name, sum) {
    const date = new Date(file.lastModified);
    const year = Math.min(Math.max(date.getFullYear(), 1980), 2107);
    const same = [
      [2, VERSION], [2, UTF8], [2, 0],
      [2, date.getHours() << 11 | date.getMinutes() << 5 | date.getSeconds() >> 1],
      [2, (year - 1980) << 9 | (date.getMonth() + 1) << 5 | date.getDate()],
      [4, sum], [4, file.size], [4, file.size], [2, name.length], [2, 0],
    ];
    const header = packed([[4, 0x0403_4b50], ...same], name);
    const entry = packed([
      [4, 0x0201_4b50], [2, VERSION], ...same, [2, 0], [2, 0], [2, 0], [4, 0], [4, this.#bytes],
    ], name);
    this.#parts.push(header, file);
    this.#directory.push(entry);
    this.#bytes += header.length + file.size;
    this.#directoryBytes += entry.length;
  }

  closed() {
    const count = this.#directory.length;
    const end = packed([
      [4, 0x0605_4b50], [2, 0], [2, 0], [2, count], [2, count],
      [4, this.#directoryBytes], [4, this.#bytes], [2, 0],
    ]);
    return new Blob([...this.#parts, ...this.#directory, end]);
  }
}

/**
 * Little-endian numbers of two or four bytes, followed by other bytes.
 * @param {number[][]} fields each a width and a value @param {Uint8Array} [rest]
 */
function packed(fields, rest = new Uint8Array()) {
  const length = fields.reduce((sum, [width]) => sum + width, 0);
  const bytes = new Uint8Array(length + rest.length);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [width, value] of fields) {
    if (width === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += width;
  }
  bytes.set(rest, length);
  return bytes;
}

/** Remainders of the polynomial 0xEDB88320 for each byte (CRC-32 as in ISO 3309). */
const REMAINDERS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? value >>> 1 ^ 0xedb8_8320 : value >>> 1;
  return value;
});

/** @param {Blob} blob @returns {Promise<number>} CRC-32 */
async function checksum(blob) {
  let sum = 0xffff_ffff;
  const reader = blob.stream().getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    for (const byte of part.value) sum = REMAINDERS[(sum ^ byte) & 0xff] ^ sum >>> 8;
  }
  return ~sum >>> 0;
}

/**
 * Makes names unique, ignoring case: `photo.jpg`, `photo (2).jpg`.
 * @param {readonly string[]} names @returns {Promise<string[]>}
 */
async function uniqueNames(names) {
  const taken = new Set();
  const unique = [];
  for (const name of names) {
    const free = await freeName(name, async (wanted) => taken.has(wanted.toLowerCase()));
    taken.add(free.toLowerCase());
    unique.push(free);
  }
  return unique;
}
