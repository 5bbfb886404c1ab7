// The cost of an event and its scene in the page's WebAssembly module: node Benchmarks/interaction.mjs
import { session } from '../Web/Tests/core.mjs';

const EVENTS = 100_000;
const ROUNDS = 7;
const STYLES = ['marquee', 'viewfinder', 'studio'];
const CODES = { selectAll: 4, tilt: 7, style: 13 };
const DRAGGING = 0;

/** Microseconds of CPU time for one call of `act`, the median of a few rounds. */
function measure(act) {
  const times = [];
  let count = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    for (let event = 0; event < EVENTS; event += 1) act(count += 1);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / EVENTS);
  }
  return times.sort((a, b) => a - b)[ROUNDS >> 1];
}

STYLES.forEach((style, code) => {
  const core = session();
  core.ck_command(CODES.style, code, 0, 0);
  core.ck_resize(1280, 800);
  core.ck_open(8064, 6048);
  if (style === 'marquee') core.ck_command(CODES.selectAll, 0, 0, 0);
  core.ck_pointer(0, 1, 640, 400, 1, 0, 0, 0);
  const drag = measure((count) => {
    core.ck_pointer(1, 1, 500 + (count % 280), 300 + (count % 200), 1 + count / 1000, 0, 0, 0);
    core.ck_scene();
  });
  core.ck_pointer(2, 1, 640, 400, 1e4, 0, 0, 0);
  const tilt = measure((count) => {
    core.ck_command(CODES.tilt, (count % 200) / 10 - 10, DRAGGING, 1e4 + count / 1000);
    core.ck_scene();
  });
  console.log(`${style}: drag ${drag.toFixed(2)} µs, tilt ${tilt.toFixed(2)} µs (goal 20)`);
});
