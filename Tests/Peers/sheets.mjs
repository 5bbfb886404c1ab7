// Looks for a sheet in each raw RGBA picture that standard input lists as `width height file`; prints the corners.
import { readFileSync } from 'node:fs';
import { Extra } from '../../Web/Element/extra.js';

const module = await Extra.of(
  new WebAssembly.Module(readFileSync(new URL('../../Web/Element/cropextra.wasm', import.meta.url))));
const found = readFileSync(0, 'utf8').trim().split('\n').map((line) => {
  const [width, height, ...name] = line.split(' ');
  const data = new Uint8ClampedArray(readFileSync(name.join(' ')));
  const rowBytes = 4 * Number(width);
  const rowsOf = (top, count) => data.subarray(top * rowBytes, (top + count) * rowBytes);
  return module.sheetIn({ width: Number(width), height: Number(height) }, rowsOf)?.flatMap(({ x, y }) => [x, y]) ?? null;
});
process.stdout.write(JSON.stringify(found));
