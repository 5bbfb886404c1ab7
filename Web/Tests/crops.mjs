// Random crops of real JPEGs, and what the native program makes of them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = (path) => readdirSync(path).filter((name) => name.endsWith('.jpg')).sort().map((name) => join(path, name));
const images = process.env.CROPKIT_IMAGES ?? join(root, '../shared/images');

/** JPEGs of all kinds: sampling, orientations, restart intervals, metadata, gain maps, damage. */
export function pictures() {
  try {
    return [...folder(join(root, 'Samples')), ...folder(images)];
  } catch {
    return folder(join(root, 'Samples'));
  }
}

/** The files that once stopped a parser. */
export const corpora = () => ['JPEG', 'Metadata', 'Headers'].flatMap((name) => {
  const path = join(root, 'Fuzz/Corpora', name);
  return readdirSync(path).sort().map((file) => join(path, file));
});

/** Numbers that are the same in every run. */
export function seeded(seed) {
  let state = seed >>> 0;
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * most);
  };
}

/** Options for a crop of an image of this size, whose grid cells are 8 to 32 pixels. */
export function randomOptions(random, width, height) {
  const one = (list) => list[random(list.length)];
  const grid = (side) => 16 * random(Math.max(1, Math.floor(side / 16)));
  const rect = () => {
    const [x, y] = random(4) ? [grid(width), grid(height)] : [random(width), random(height)];
    return [x, y, 1 + random(width - x), 1 + random(height - y)];
  };
  const turn = random(3) ? {} : { rotate: one([90, 180, 270]), ...(random(2) ? { flip: one(['horizontal', 'vertical']) } : {}) };
  const place = random(3) ? {} : random(2) ? { gravity: one(['north', 'southeast', 'west', 'center']) }
    : { focus: `${random(100) / 100},${random(100) / 100}` };
  const area = [
    () => ({ rect: rect().join(',') }),
    () => ({ rect: `${random(50)}%,${random(50)}%,${1 + random(50)}%,${1 + random(50)}%` }),
    () => ({ rect: `${1 + random(width)}x${1 + random(height)}`, ...place }),
    () => ({ rect: rect().map((side, index) => (index < 2 ? side - 40 : side + 60)).join(','), clamp: true }),
    () => ({ aspect: one(['1:1', '16:9', '2:3', '1.91:1', 0.8]), ...place, ...turn }),
    () => ({ inset: one([8, '16,5%', '1,2,3,4', '10%']), ...turn }),
    () => ({ shape: 'circle', ...turn }),
    () => ({ size: `${1 + random(300)}x${1 + random(300)}`, ...place }),
    () => ({ maxSide: one([16, 64, 100000]) }),
    () => ({ size: one(['35x45mm', '10x15cm', '4x6in', '300x200mm']), ...(random(2) ? { bleed: '3mm' } : {}), ...place, ...turn }),
    () => ({ recipe: { version: 1, rect: { x: grid(width), y: grid(height), width: 32, height: 48 } }, size: '10x15cm' }),
    () => ({ ...turn }),
    () => one([{ tilt: random(20) / 10 }, { shape: 'ellipse' }, { width: 64 }, { height: 64, aspect: '1:1' }]),
    () => {
      const quarterTurns = random(4);
      const [across, down] = quarterTurns % 2 ? [height, width] : [width, height];
      const [x, y] = [grid(across), grid(down)];
      const box = { x, y, width: 1 + random(across - x), height: 1 + random(down - y) };
      return { recipe: { version: 1, rect: box, quarterTurns, mirrored: random(3) === 0 } };
    },
  ];
  const how = {
    ...(random(4) ? { lossless: one(['exact', 'strict', 'never', 'outward', 'outward', 'snap', 'snap', 'snap', 'snap']) } : {}),
    ...(random(3) ? {} : { strip: one(['all', 'location', 'none']) }),
    ...(random(4) ? {} : { hdr: one(['keep', 'drop', 'drop']) }),
    ...(random(8) ? {} : { bake: true }),
    ...(random(3) ? {} : { dpi: one([20, 72, 300, 1200]) }),
  };
  return { what: one(area)(), how };
}

/** What the native program makes of crops: an answer, and the bytes of a result, for each. */
export function nativeCrops(crops) {
  const place = mkdtempSync(join(tmpdir(), 'crops-'));
  try {
    const lines = crops.map(({ input, what, how }, id) => JSON.stringify({ id, input, output: join(place, `${id}.jpg`), ...what, options: how }));
    const done = spawnSync(join(process.env.CROPKIT_BIN, 'cropkit'), ['batch', '-'],
      { input: `${lines.join('\n')}\n`, maxBuffer: 1 << 30, encoding: 'utf8' });
    if (done.status !== 0 && done.status !== 1) throw new Error(done.stderr);
    const answers = done.stdout.trim().split('\n').map((line) => JSON.parse(line));
    return crops.map((_, id) => {
      const answer = answers.find((one) => one.id === id);
      return { answer, bytes: answer.ok ? new Uint8Array(readFileSync(join(place, `${id}.jpg`))) : null };
    });
  } finally {
    rmSync(place, { recursive: true });
  }
}
