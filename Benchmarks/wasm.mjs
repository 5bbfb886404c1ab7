// Crops in WebAssembly and with jpegtran alternately; prints the medians, their ratio, and whether the bytes
// agree.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const [modulePath, picture, ...numbers] = process.argv.slice(2);
const [x, y, width, height] = numbers.map(Number);
const code = readFileSync(modulePath);
const module = new WebAssembly.Module(code);
const source = readFileSync(picture);
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

/** One crop as a page makes it: a new instance, the file copied into it, the result copied out. */
function inWasm() {
  const { exports } = new WebAssembly.Instance(module, {});
  const place = exports.input(source.length);
  new Uint8Array(exports.memory.buffer, place, source.length).set(source);
  const count = exports.cut(x, y, width, height);
  if (count < 0) throw new Error('the picture can’t be cut there');
  const out = exports.input(count);
  exports.copy(out);
  return new Uint8Array(exports.memory.buffer, out, count).slice();
}

const withJpegtran = () => execFileSync('jpegtran',
  ['-copy', 'all', '-crop', `${width}x${height}+${x}+${y}`, picture], { maxBuffer: 1 << 28 });

const times = { wasm: [], jpegtran: [] };
let [ours, theirs] = [inWasm(), withJpegtran()];
for (let round = 0; round < 15; round += 1) {
  let start = performance.now();
  ours = inWasm();
  times.wasm.push(performance.now() - start);
  start = performance.now();
  theirs = withJpegtran();
  times.jpegtran.push(performance.now() - start);
}
const [a, b] = [median(times.wasm), median(times.jpegtran)];
console.log(`wasm ${a.toFixed(1)} ms, jpegtran ${b.toFixed(1)} ms, ratio ${(a / b).toFixed(2)} (goal 0.35)`);
console.log(`bytes ${Buffer.from(ours).equals(theirs) ? 'equal' : `differ: ${ours.length} and ${theirs.length}`}`);
console.log(`module ${gzipSync(code, { level: 9 }).length} bytes gzipped`);
