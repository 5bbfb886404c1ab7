// Reads and writes PNGs of 8 bits per channel, without interlacing and palettes.
import { deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** The number of channels by the color type. */
const CHANNELS = { 0: 1, 2: 3, 4: 2, 6: 4 };

/** The value that a filter predicts from the samples to the left, above, and above to the left. */
const predicted = [
  () => 0, (left) => left, (_, above) => above, (left, above) => (left + above) >> 1,
  (left, above, corner) => {
    const [a, b, c] = [left, above, corner].map((one) => Math.abs(left + above - corner - one));
    return a <= b && a <= c ? left : b <= c ? above : corner;
  },
];

/** @param {Buffer} file */
export function pixelsOf(file) {
  const pieces = [];
  let [width, height, channels] = [0, 0, 0];
  for (let at = 8; at < file.length;) {
    const [length, name] = [file.readUInt32BE(at), file.toString('latin1', at + 4, at + 8)];
    const body = file.subarray(at + 8, at + 8 + length);
    if (name === 'IHDR') [width, height, channels] = [body.readUInt32BE(0), body.readUInt32BE(4), CHANNELS[body[9]]];
    if (name === 'IDAT') pieces.push(body);
    at += 12 + length;
  }
  const rows = inflateSync(Buffer.concat(pieces));
  const side = width * channels;
  const data = new Uint8Array(side * height);
  for (let y = 0; y < height; y += 1) {
    const predict = predicted[rows[y * (side + 1)]];
    for (let x = 0; x < side; x += 1) {
      const at = y * side + x;
      const [left, above] = [x >= channels ? data[at - channels] : 0, y ? data[at - side] : 0];
      const corner = x >= channels && y ? data[at - side - channels] : 0;
      data[at] = rows[y * (side + 1) + 1 + x] + predict(left, above, corner);
    }
  }
  return { data, width, height };
}

/** @param {{ data: Uint8Array, width: number, height: number }} pixels */
export function pngOf({ data, width, height }) {
  const channels = data.length / width / height;
  const rows = Buffer.alloc((width * channels + 1) * height);
  for (let y = 0; y < height; y += 1) rows.set(data.subarray(y * width * channels, (y + 1) * width * channels), y * (width * channels + 1) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, [0, 0, 4, 2, 6][channels], 0, 0, 0], 8);
  return Buffer.concat([Buffer.from(SIGNATURE), chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(name, body) {
  const part = Buffer.concat([Buffer.from(name, 'latin1'), body]);
  const ends = [Buffer.alloc(4), Buffer.alloc(4)];
  ends[0].writeUInt32BE(body.length);
  ends[1].writeUInt32BE(checksum(part));
  return Buffer.concat([ends[0], part, ends[1]]);
}

/** CRC-32, which newer versions of Node have in zlib. */
function checksum(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
