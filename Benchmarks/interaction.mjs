// The cost of an event and its scene in the page's WebAssembly module: node Benchmarks/interaction.mjs
import { Command, Phase, Style, TiltPhase } from '../Web/Element/interface.js';
import { session } from '../Web/Tests/core.mjs';

const EVENTS = 100_000;
const ROUNDS = 7;
const STYLES = ['marquee', 'viewfinder', 'studio'];

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

for (const style of STYLES) {
  const core = session();
  const move = (phase, x, y, time) => core.pointer({ phase, id: 1, at: { x, y }, time, kind: 0, button: 0, modifiers: 0 });
  core.command('style', Style[style]);
  core.resize({ width: 1280, height: 800 });
  core.open({ width: 8064, height: 6048 });
  if (style === 'marquee') core.command('selectAll');
  move(Phase.down, 640, 400, 1);
  const drag = measure((count) => {
    move(Phase.move, 500 + (count % 280), 300 + (count % 200), 1 + count / 1000);
    core.scene();
  });
  move(Phase.up, 640, 400, 1e4);
  const tilt = measure((count) => {
    core.run({ command: [Command.tilt, (count % 200) / 10 - 10, TiltPhase.dragging], time: 1e4 + count / 1000 });
    core.scene();
  });
  console.log(`${style}: drag ${drag.toFixed(2)} µs, tilt ${tilt.toFixed(2)} µs (goal 20)`);
}
