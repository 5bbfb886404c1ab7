// @ts-check
// Detects animations, of which a browser can only export one frame.

/**
 * @param {Blob} blob
 * @returns {Promise<boolean>} whether it is an animated GIF, WebP or PNG
 */
export async function isAnimated(blob) {
  const head = new Uint8Array(await blob.slice(0, 64).arrayBuffer());
  const begins = (/** @type {string} */ text, at = 0) =>
    [...text].every((character, index) => head[at + index] === character.charCodeAt(0));
  // An extended WebP has a flag for animations.
  if (begins('RIFF') && begins('WEBPVP8X', 8)) return (head[20] & 0x02) !== 0;
  if (begins('\x89PNG')) return hasAnimationChunk(blob);
  if (begins('GIF8')) return hasSeveralFrames(new Uint8Array(await blob.arrayBuffer()));
  return false;
}

/** @param {Blob} blob a PNG; its `acTL`, if any, precedes the pixels */
async function hasAnimationChunk(blob) {
  for (let at = 8; at + 8 <= blob.size;) {
    const chunk = new DataView(await blob.slice(at, at + 8).arrayBuffer());
    const type = chunk.getUint32(4);
    if (type === 0x6163544c) return true;
    if (type === 0x49444154) return false;
    at += 12 + chunk.getUint32(0);
  }
  return false;
}

/** @param {Uint8Array} bytes of a GIF; it counts the image descriptors up to the second */
function hasSeveralFrames(bytes) {
  const table = (/** @type {number} */ flags) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
  let at = 13 + table(bytes[10]);
  let frames = 0;
  /** @param {number} from */
  const pastBlocks = (from) => {
    let next = from;
    while (bytes[next]) next += bytes[next] + 1;
    return next + 1;
  };
  while (at < bytes.length) {
    if (bytes[at] === 0x21) {
      at = pastBlocks(at + 2);
    } else if (bytes[at] === 0x2c) {
      frames += 1;
      if (frames > 1) return true;
      at = pastBlocks(at + 10 + table(bytes[at + 9]) + 1);
    } else {
      return false;
    }
  }
  return false;
}
