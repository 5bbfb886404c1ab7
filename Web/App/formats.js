// @ts-check
// Made by Scripts/schema.mjs of Schema/formats.json; change that.

/**
 * @typedef {object} Format
 * @property {string} name as options have it
 * @property {string} title for people
 * @property {readonly string[]} extensions the first is the usual one
 * @property {readonly string[]} types media types, the first its own
 * @property {readonly {at: number, bytes: readonly number[]}[]} signatures first bytes
 * @property {boolean} isShown every browser shows it
 * @property {boolean} needsServer hardly any browser shows it
 */

/** @type {readonly Format[]} */
export const FORMATS = Object.freeze([
  {
    name: 'jpeg', title: 'JPEG', extensions: ['jpg', 'jpeg', 'jpe', 'jfif'],
    types: ['image/jpeg'],
    signatures: [{ at: 0, bytes: [0xff, 0xd8, 0xff] }],
    isShown: true, needsServer: false,
  },
  {
    name: 'png', title: 'PNG', extensions: ['png', 'apng'],
    types: ['image/png'],
    signatures: [{ at: 0, bytes: [0x89, 0x50, 0x4e, 0x47] }],
    isShown: true, needsServer: false,
  },
  {
    name: 'webp', title: 'WebP', extensions: ['webp'],
    types: ['image/webp'],
    signatures: [{ at: 8, bytes: [0x57, 0x45, 0x42, 0x50] }],
    isShown: true, needsServer: false,
  },
  {
    name: 'gif', title: 'GIF', extensions: ['gif'],
    types: ['image/gif'],
    signatures: [{ at: 0, bytes: [0x47, 0x49, 0x46, 0x38] }],
    isShown: true, needsServer: false,
  },
  {
    name: 'tiff', title: 'TIFF', extensions: ['tif', 'tiff'],
    types: ['image/tiff'],
    signatures: [{ at: 0, bytes: [0x49, 0x49, 0x2a, 0x00] }, { at: 0, bytes: [0x4d, 0x4d, 0x00, 0x2a] }],
    isShown: false, needsServer: true,
  },
  {
    name: 'heic', title: 'HEIC', extensions: ['heic', 'heif'],
    types: ['image/heic', 'image/heif'],
    signatures: [{ at: 4, bytes: [0x66, 0x74, 0x79, 0x70, 0x68, 0x65] }, { at: 4, bytes: [0x66, 0x74, 0x79, 0x70, 0x6d, 0x69, 0x66] }, { at: 4, bytes: [0x66, 0x74, 0x79, 0x70, 0x6d, 0x73, 0x66] }],
    isShown: false, needsServer: true,
  },
  {
    name: 'avif', title: 'AVIF', extensions: ['avif'],
    types: ['image/avif'],
    signatures: [{ at: 4, bytes: [0x66, 0x74, 0x79, 0x70, 0x61, 0x76, 0x69] }],
    isShown: false, needsServer: false,
  },
]);
