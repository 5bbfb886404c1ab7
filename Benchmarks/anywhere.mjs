// Times of one crop by the package cropkit for JavaScript, in milliseconds: anywhere.mjs PICTURE ROUNDS X Y WIDTH HEIGHT
// The file is read, opened and cropped anew each time; only the module is already compiled.
import { readFileSync } from 'node:fs';
import { open } from '../Web/Program/index.js';

const [picture, rounds, ...rect] = process.argv.slice(2);
const times = [];
// The first crop compiles the module.
for (let round = 0; round <= Number(rounds); round += 1) {
  const start = performance.now();
  const photo = await open(new Uint8Array(readFileSync(picture)), { name: picture });
  await photo.crop({ rect: rect.join(',') });
  times.push(performance.now() - start);
}
console.log(JSON.stringify(times));
