// The same script gives the same recipe natively and in WebAssembly, to the last bit.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { commands, enumerations, fields, scene, widthOf } from '../../Scripts/interface.mjs';
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
function script(count, start = []) {
  const next = random(seed);
  const whole = (low, high) => low + Math.floor(next() * (high - low + 1));
  const between = (low, high) => low + next() * (high - low);
  /** A command's two numbers, sometimes a little past what can be. */
  const drawn = ({ arguments: list = [] }) => {
    const isNone = next() < 0.1;
    return [0, 1].map((index) => {
      const { type, range } = list[index] ?? { type: 'none' };
      if (type === 'none') return 0;
      if (type === 'number') return between(range[0] - 5, range[1] + 5);
      if (type === 'flag') return whole(0, 1);
      if (type === 'term' && next() < 0.3) return Math.round(between(...range) * 1000) / 1000;
      if (range) return isNone && type.endsWith('?') ? 0 : whole(...range);
      const codes = Object.values(enumerations[type.replace('?', '')]);
      return whole(Math.min(...codes) - (type.endsWith('?') ? 1 : 0), Math.max(...codes) + (isNone ? 1 : 0));
    });
  };
  const calls = [['open', 4000, 3000], ['resize', 828, 628], ...start];
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
      const command = commands[whole(0, commands.length - 1)];
      calls.push(['command', command.code, ...drawn(command), time]);
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

/** Calls with the scene, the elements and the state shown after every fifth. */
const shown = (calls) => calls.flatMap((call, index) => (index % 5 ? [call] : [call, ['show']]));

/** Runs calls on both sides and compares what is shown. */
function compare(calls, core) {
  const lines = native(calls);
  calls.forEach(([name, ...numbers], index) => {
    if (name !== 'show') return void core[`ck_${name}`](...numbers);
    const seen = [core.ck_scene, core.ck_elements, core.ck_state].flatMap((read) => core.list(read()));
    assert.equal(lines[index].trim(), seen.map(toBits).join(' '), `seed ${seed}: call ${index}`);
  });
}

test('scene, elements and state are the same natively and in wasm', { skip }, () => {
  compare(shown(script(events / 5)), session());
});

test('so they are of a JPEG, whose crops may be lossless', { skip }, () => {
  // Stored lying on its side, 16 × 8 pixels a cell.
  compare(shown(script(events / 10, [['open', 300, 400], ['set_jpeg', 400, 300, 16, 8, 6]])), session());
});

const { Question } = enumerations;

/** Random questions, each its code and numbers: pictures, layings, a focus or none, crops made by hand or none. */
function questions(count) {
  const next = random(seed + 1);
  const whole = (low, high) => low + Math.floor(next() * (high - low + 1));
  const text = () => {
    const term = () => String(whole(0, 3) ? whole(0, 30) : next() * 10 ** whole(-3, 7));
    const said = whole(0, 9) ? `${term()}${[':', '/', ' : ', 'x', ''][whole(0, 4)]}${term()}` : term();
    return [Question.ratio, ...new TextEncoder().encode(said)];
  };
  return Array.from({ length: count }, () => {
    const kind = whole(0, 9);
    if (kind === 0) return text();
    const picture = [whole(1, 6000), whole(1, 6000), whole(0, 3), whole(0, 1),
      next() < 0.5 ? 0 : whole(-450, 450) / 10];
    const [x, y] = [next(), next()];
    const focus = next() < 0.1 ? [0, 0, 0, 0, 0]
      : [1, x, y, (1 - x) * next() * next(), (1 - y) * next() * next()];
    const rect = [whole(0, 3000), whole(0, 3000), whole(1, 3000), whole(1, 3000)];
    if (kind === 1) return [Question.focusFrame, ...picture, ...focus];
    if (kind === 2) return [Question.focusOf, ...picture, ...rect];
    const sizes = [whole(0, 1) * whole(1, 3000), whole(1, 3000), whole(0, 1) * whole(1, 3000), whole(1, 3000)];
    return [Question.target, ...picture, ...focus, whole(1, 21), whole(1, 21), ...sizes,
      ...(next() < 0.7 ? [0, 0, 0, 0] : rect)];
  });
}

test('what is asked beside the session has the same answers natively and in wasm', { skip }, () => {
  const calls = questions(events);
  const core = session();
  const lines = native(calls.map((call) => ['ask', ...call]));
  const answered = new Map();
  let cut = 0;
  calls.forEach(([question, ...numbers], index) => {
    const answer = core.ask(question, numbers);
    assert.equal(lines[index].trim(), answer.map(toBits).join(' '), `seed ${seed}: ${question}, ${numbers}`);
    if (answer.length) answered.set(question, (answered.get(question) ?? 0) + 1);
    if (question === Question.target) cut += answer[4] ?? 0;
  });
  assert.ok(cut > events / 100 && cut < events, 'some of them cut the focus');
  for (const question of Object.values(Question)) assert.ok(answered.get(question) > events / 100, question);
});

/** Random recipes on a picture that is then laid down otherwise. */
function layings(count) {
  const next = random(seed + 2);
  const whole = (low, high) => low + Math.floor(next() * (high - low + 1));
  const calls = [['open', 4000, 3000], ['command', enumerationOf('keepsRatio'), 1, 0, 0]];
  while (calls.length < count) {
    if (whole(0, 3) === 0) calls.push(['command', enumerationOf('ratio'), whole(1, 21), whole(1, 21), 0]);
    calls.push(['lay', whole(-1, 4), whole(0, 1), whole(0, 2) ? whole(-4600, 4600) / 100 : 0]);
  }
  return calls;
}

const enumerationOf = (name) => commands.find((command) => command.name === name).code;

test('a picture is laid down the same natively and in wasm', { skip }, () => {
  const calls = layings(events / 10);
  const core = session();
  const lines = native(calls);
  calls.forEach(([name, ...numbers], index) => {
    core[`ck_${name}`](...numbers);
    assert.equal(lines[index], core.list(core.ck_recipe()).map(toBits).join(' '), `seed ${seed}: ${index}`);
  });
});

test('a target has the crop of its ratio about the focus, or none', () => {
  const core = session();
  const target = (picture, focus, ratio, { size = [0, 0], least = [0, 0], made = [0, 0, 0, 0] } = {}) =>
    core.ask(Question.target, [...picture, ...focus, ...ratio, ...size, ...least, ...made]);
  const level = [600, 400, 0, 0, 0];
  const none = [0, 0, 0, 0, 0];
  const made = [10, 20, 100, 100];
  // 400 pixels of 600, about 0.4 × 600; the rectangle, three flags, the map.
  assert.deepEqual(target(level, [1, 0.4, 0.5, 0, 0], [1, 1]), [40, 0, 400, 400, 0, 0, 0, 1, 0, 0, 1, -40, 0]);
  assert.deepEqual(target(level, [1, 0.1, 0.5, 0.8, 0.1], [1, 1]),
    [100, 0, 400, 400, 1, 0, 0, 1, 0, 0, 1, -100, 0]);
  // Turned by a quarter: the frame is 400 × 600, and the upright picture's left edge is its top.
  assert.deepEqual(target([600, 400, 1, 0, 0], none, [1, 2]), [50, 0, 300, 600, 0, 0, 0, 0, 1, -1, 0, 350, 0]);
  // Made by hand, it is as it was made, and still said to cut the focus.
  assert.deepEqual(target(level, [1, 0.9, 0.5, 0, 0], [1, 1], { made }),
    [10, 20, 100, 100, 1, 0, 0, 1, 0, 0, 1, -10, -20]);
  assert.deepEqual(target(level, [1, 0.1, 0.2, 0, 0], [1, 1], { made }).slice(4, 7), [0, 0, 0]);
  // Large enough for its size it is scaled to it; a minimum says what is enough in place of the size.
  assert.deepEqual(target(level, none, [1, 1], { size: [400, 400] }).slice(4, 7), [0, 0, 1]);
  assert.deepEqual(target(level, none, [1, 1], { size: [401, 401] }).slice(4, 7), [0, 1, 0]);
  assert.deepEqual(target(level, none, [1, 1], { size: [401, 401], least: [300, 300] }).slice(4, 7), [0, 0, 0]);
  assert.deepEqual(target(level, none, [1, 1], { least: [401, 1] }).slice(4, 7), [0, 1, 0]);
  assert.deepEqual(target(level, none, [1, 1], { made: [10, 20, 1000, 100] }), []);
  for (const [picture, focus, ratio] of [[[0, 400, 0, 0, 0], none, [1, 1]], [[600, 400, 0, 0, 46], none, [1, 1]],
    [level, [1, 2, 0, 0, 0], [1, 1]], [level, none, [0, 1]], [[600.5, 400, 0, 0, 0], none, [1, 1]],
    [[NaN, NaN, 0, 0, NaN], [1, NaN, 0, NaN, 0], [NaN, 1]]]) {
    assert.deepEqual(target(picture, focus, ratio), []);
  }
  // A list that ends early, and a question that there is not.
  assert.deepEqual(core.ask(Question.target, [600, 400]), []);
  assert.deepEqual(core.ask(99, level), []);
});

test('a focus is drawn on the level picture, and read from it', () => {
  const core = session();
  const frame = (...numbers) => core.ask(Question.focusFrame, numbers);
  // A point in the middle of a picture of 600 × 400 is seen as a fiftieth of the sides.
  assert.deepEqual(frame(600, 400, 0, 0, 30, 1, 0.5, 0.5, 0, 0),
    [0, 0, 600, 400, 1, 0, 0, 1, 0, 0, 300, 200, 0, 0, 294, 196, 12, 8]);
  assert.deepEqual(frame(600, 400, 0, 0, 0, 0, 0, 0, 0, 0).slice(10), [0, 0, 600, 400, 0, 0, 600, 400]);
  // A quarter turn clockwise leads the left top quarter to the right.
  assert.deepEqual(frame(600, 400, 1, 0, 0, 1, 0, 0, 0.5, 0.5).slice(10, 14), [200, 0, 200, 300]);
  assert.deepEqual(core.ask(Question.focusOf, [600, 400, 1, 0, 0, 200, 0, 200, 300]), [0, 0, 0.5, 0.5]);
  assert.deepEqual(core.ask(Question.focusOf, [600, 400, 0, 0, 0, 500, 0, 200, 300]), []);
});

test('the script draws every command', () => {
  const drawn = new Set(script(10_000).filter(([name]) => name === 'command').map(([, code]) => code));
  assert.deepEqual([...drawn].sort((a, b) => a - b), commands.map(({ code }) => code));
});

test('the scene and the state have the numbers that are described', () => {
  const core = session();
  const counts = new Map(scene.map(({ code, fields: list }) => [code, list.length]));
  const width = fields.reduce((sum, field) => sum + widthOf(field), 0);
  const seen = new Set();
  for (const [name, ...numbers] of script(20_000)) {
    core[`ck_${name}`](...numbers);
    const items = core.list(core.ck_scene());
    for (let at = 0; at < items.length; at += 2 + items[at + 1]) {
      assert.equal(items[at + 1], counts.get(items[at]), `item ${items[at]}`);
      seen.add(items[at]);
    }
    assert.equal(core.list(core.ck_state()).length, width);
  }
  // The grid of blocks is a JPEG's.
  assert.equal(seen.size, counts.size - 1);
});
