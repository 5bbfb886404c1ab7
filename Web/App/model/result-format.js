// @ts-check
// The format that a result gets.

import { FORMATS } from '../ui/file-formats.js';

/**
 * The format's title for users; empty if it is unknown.
 * @param {string | undefined} wanted the chosen format's name; undefined for the original's
 * @param {string} own the title of the original's format
 * @param {{ isTransparent: boolean, hasServer: boolean }} options `isTransparent`: whether something around the
 * crop is transparent; `hasServer`: otherwise the browser encodes the result, which it can in few formats
 */
export function resultFormat(wanted, own, { isTransparent, hasServer }) {
  if (wanted) return FORMATS.find(({ name }) => name === wanted)?.title ?? wanted;
  if (own === 'JPEG') return isTransparent ? 'PNG' : own;
  return hasServer || own === 'WebP' ? own : 'PNG';
}
