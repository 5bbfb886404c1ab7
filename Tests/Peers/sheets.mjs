// Looks for a sheet in each raw RGBA picture that standard input lists as `width height file`; prints the corners.
import { readFileSync } from 'node:fs';
import { QuadModule } from '../../Web/Element/quad-module.js';
import { sheetCorners } from '../../Web/Element/sheet.js';

const module = await QuadModule.of(
  new WebAssembly.Module(readFileSync(new URL('../../Web/Element/cropquad.wasm', import.meta.url))));
const found = readFileSync(0, 'utf8').trim().split('\n').map((line) => {
  const [width, height, ...name] = line.split(' ');
  const data = new Uint8ClampedArray(readFileSync(name.join(' ')));
  return sheetCorners(module, { width: Number(width), height: Number(height), data });
});
process.stdout.write(JSON.stringify(found));
