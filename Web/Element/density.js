// @ts-check
// States the density of an image that a canvas has encoded. Browsers write none.

/** The pixels per meter of a pixel per inch. */
const PER_METER = 1 / 0.0254;

/**
 * The same image with a density; unchanged if its format has no place for one here.
 * @param {Blob} image @param {number} dpi pixels per inch, 1 to 65535
 * @returns {Promise<Blob>}
 */
export async function stating(image, dpi) {
  const { type } = image;
  if (type === 'image/jpeg') {
    const head = new DataView(await image.slice(0, 20).arrayBuffer());
    // The JFIF segment is the first one: SOI, APP0, its length, "JFIF" and 0, version, unit, densities.
    if (head.byteLength < 18 || head.getUint32(6) !== 0x4a464946) return image;
    head.setUint8(13, 1);
    head.setUint16(14, dpi);
    head.setUint16(16, dpi);
    return new Blob([head, image.slice(head.byteLength)], { type });
  }
  if (type !== 'image/png') return image;
  // pHYs, in pixels per meter, must be before the image data: directly after the header, which has a fixed length.
  const after = 8 + 25;
  const chunk = new DataView(new ArrayBuffer(4 + 4 + 9 + 4));
  chunk.setUint32(0, 9);
  chunk.setUint32(4, 0x70485973);
  const perMeter = Math.round(dpi * PER_METER);
  chunk.setUint32(8, perMeter);
  chunk.setUint32(12, perMeter);
  chunk.setUint8(16, 1);
  chunk.setUint32(17, checksum(new Uint8Array(chunk.buffer, 4, 13)));
  return new Blob([image.slice(0, after), chunk, image.slice(after)], { type });
}

/**
 * The CRC of a PNG's chunk.
 * @param {Uint8Array} bytes
 */
function checksum(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = sum >>> 1 ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}
