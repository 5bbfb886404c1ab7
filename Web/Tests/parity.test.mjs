// The same script gives the same recipe natively and in WebAssembly, to the last bit.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { session } from './core.mjs';

const replay = process.env.CROPKIT_REPLAY;
const events = Number(process.env.CROPKIT_EVENTS ?? 100_000);
const seed = 20261120;

/** Uniform numbers from a seed (mulberry32). */
function random(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A random script: each call as a name and its numbers. */
function script(count) {
  const next = random(seed);
  const whole = (low, high) => low + Math.floor(next() * (high - low + 1));
  const between = (low, high) => low + next() * (high - low);
  const calls = [['open', 4000, 3000], ['resize', 828, 628]];
  let time = 0;
  let held = false;
  while (calls.length < count) {
    time += [0, 0.001, 0.016, 0.016, 0.4, 1.5][whole(0, 5)];
    const [x, y] = [between(-50, 900), between(-50, 700)];
    const modifiers = next() < 0.8 ? 0 : whole(0, 15);
    const kind = whole(0, 99);
    if (kind < 55) {
      const phase = held ? (next() < 0.85 ? 1 : 2) : 0;
      held = phase !== 2;
      calls.push(['pointer', phase, 1, x, y, time, whole(0, 2), next() < 0.1 ? 1 : 0, modifiers]);
    } else if (kind < 60) {
      const id = 2;
      calls.push(['pointer', whole(0, 3), id, x, y, time, 1, 0, 0]);
    } else if (kind < 65) {
      calls.push(['wheel', x, y, between(-99, 99), between(-99, 99), whole(0, 1), modifiers, time]);
    } else if (kind < 75) {
      calls.push(['key', whole(0, 17), modifiers, time]);
    } else if (kind < 85) {
      calls.push(['tick', time]);
    } else if (kind < 87) {
      calls.push(['resize', between(0, 1500), between(0, 1500)]);
    } else {
      const code = whole(0, 32);
      const a = code === 7 ? between(-50, 50) : code === 10 ? whole(1, 70)
        : code >= 20 && code <= 23 ? between(-100, 4000) : code === 17 ? between(0.2, 4)
        : code === 15 || code === 16 ? whole(0, 1500) : whole(0, 4);
      const b = code === 7 ? whole(0, 2) : code === 10 || code === 15 || code === 16
        ? (a === 0 ? 0 : whole(1, 1500)) : whole(0, 30);
      calls.push(['command', code, a, b, time]);
    }
  }
  return calls;
}

const skip = !replay && 'CROPKIT_REPLAY names no program';

/** What the native program prints for a script, a line a call. */
function native(calls) {
  const { status, stdout, stderr } = spawnSync(replay, {
    input: calls.map((call) => call.join(' ')).join('\n') + '\n',
    maxBuffer: 1 << 30,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  const lines = stdout.split('\n').slice(0, -1);
  assert.equal(lines.length, calls.length);
  return lines;
}

const bits = new DataView(new ArrayBuffer(8));
const toBits = (value) => (bits.setFloat64(0, value), bits.getBigUint64(0).toString(16));

test('a random script gives the same recipes natively and in wasm', { skip }, () => {
  const calls = script(events);
  const core = session();
  const seen = calls.map(([name, ...numbers]) => {
    core[`ck_${name}`](...numbers);
    return core.list(core.ck_recipe()).map(toBits).join(' ');
  });
  const lines = native(calls);
  const first = seen.findIndex((line, index) => line !== lines[index]);
  assert.equal(first, -1, `seed ${seed}: call ${first}, ${calls[first]}: ${lines[first]} / ${seen[first]}`);
  assert.ok(new Set(seen).size > events / 100, 'the script changes the recipe');
});

test('scene, elements and state are the same natively and in wasm', { skip }, () => {
  const calls = script(events / 5).flatMap((call, index) => (index % 5 ? [call] : [call, ['show']]));
  const core = session();
  const lines = native(calls);
  calls.forEach(([name, ...numbers], index) => {
    if (name !== 'show') return core[`ck_${name}`](...numbers);
    const seen = [core.ck_scene, core.ck_elements, core.ck_state].flatMap((read) => core.list(read()));
    assert.equal(lines[index].trim(), seen.map(toBits).join(' '), `seed ${seed}: call ${index}`);
  });
});
