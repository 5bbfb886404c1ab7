// The same script gives the same recipe natively and in WebAssembly, to the last bit.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { commands, enumerations, fields, scene, widthOf } from '../../Scripts/interface.mjs';
import { session } from './core.mjs';

const { Extent, Fill, Grammar, Question, Shape } = enumerations;
const replay = process.env.CROPKIT_REPLAY;
const events = Number(process.env.CROPKIT_EVENTS ?? 100_000);
const seed = 20261120;

/** Uniformly distributed numbers from a seed (mulberry32). */
function random(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A random canvas, sometimes an invalid one, as the module's numbers. */
function canvas(whole) {
  const kind = whole(0, Object.keys(Extent).length);
  const sides = kind === Extent.ratio ? [whole(1, 21), whole(1, 21)] : [whole(0, 3000), whole(1, 3000)];
  const isShare = whole(0, 1);
  return [kind, ...sides, isShare, isShare ? whole(0, 50) / 100 : whole(0, 200), whole(0, 8),
    whole(0, Object.keys(Fill).length), whole(0, 255), whole(0, 255), whole(0, 255)];
}

/** A random script: each call as a name and its numbers. */
function script(count, start = []) {
  const next = random(seed);
  const whole = (low, high) => low + Math.floor(next() * (high - low + 1));
  const between = (low, high) => low + next() * (high - low);
  /** A command's two numbers, sometimes slightly out of range. */
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
    } else if (kind < 88) {
      calls.push(['set_canvas', whole(0, 4) ? 1 : 0, whole(0, 1), ...canvas(whole), time]);
    } else {
      const command = commands[whole(0, commands.length - 1)];
      calls.push(['command', command.code, ...drawn(command), time]);
    }
  }
  return calls;
}

const skip = !replay && 'CROPKIT_REPLAY names no program';

/** The native program's output for a script, one line per call. */
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

/** The calls, with the scene, the elements and the state after every fifth. */
const shown = (calls) => calls.flatMap((call, index) => (index % 5 ? [call] : [call, ['show']]));

/** Runs calls in both implementations and compares the outputs. */
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
  // Stored on its side, with cells of 16 × 8 pixels.
  compare(shown(script(events / 10, [['open', 300, 400], ['set_jpeg', 400, 300, 16, 8, 6]])), session());
});


/** Random questions, each with its code and numbers: images, transforms, a focus or none, manual crops or none. */
function questions(count) {
  const next = random(seed + 1);
  const whole = (low, high) => low + Math.floor(next() * (high - low + 1));
  const text = () => {
    // Numbers of more than 15 digits are only read to the last bit natively.
    const term = () => String(whole(0, 3) ? whole(0, 30) : Number((next() * 10 ** whole(-3, 7)).toPrecision(9)));
    const said = whole(0, 9) ? `${term()}${[':', '/', ' : ', 'x', ' × ', ''][whole(0, 5)]}${term()}`
      : `${['', 'rounded:', '-'][whole(0, 2)]}${term()}${['', '%', 'e2', 'e-3'][whole(0, 3)]}`;
    return [Question.text, whole(0, Object.keys(Grammar).length), ...new TextEncoder().encode(said)];
  };
  // Near the corners of a rectangle, mostly on the grid, sometimes outside the image.
  const corners = () => [[100, 80], [300, 80], [300, 220], [100, 220]].flatMap(([x, y]) => {
    const far = next() < 0.5 ? 20 : 250;
    const grain = next() < 0.98 ? 64 : 1e3;
    return [x, y].map((n) => Math.round((n + (2 * next() - 1) * far) * grain) / grain);
  });
  return Array.from({ length: count }, () => {
    const kind = whole(0, 13);
    if (kind === 13) return [Question.quality, whole(20, 100), whole(0, 9) ? 1 : 0, ...Array.from({ length: whole(0, 8) }, () => whole(0, 1))];
    if (kind === 12) return [Question.canvas, ...canvas(whole), whole(1, 6000), whole(1, 6000)];
    if (kind === 0) return text();
    if (kind === 10) return [Question.recipeError, 400, 300, 0, 0, 0, 0, 0, 0, 0, Shape.rectangle, 0, 0, 0, 0, ...corners()];
    if (kind === 11) {
      const part = [whole(0, 200), whole(0, 150), whole(1, 200), whole(1, 150)];
      const transform = [whole(0, 3), whole(0, 1), next() < 0.7 ? 0 : whole(-450, 450) / 10];
      return [...(whole(0, 1) ? [Question.exported, 400, 300, whole(1, 8)] : [Question.recipeError, 400, 300]),
        ...part, ...transform, whole(0, 2), whole(0, 60), whole(0, 2), whole(1, 200), whole(1, 200)];
    }
    const picture = [whole(1, 6000), whole(1, 6000), whole(0, 3), whole(0, 1),
      next() < 0.5 ? 0 : whole(-450, 450) / 10];
    const [x, y] = [next(), next()];
    const focus = next() < 0.1 ? [0, 0, 0, 0, 0]
      : [1, x, y, (1 - x) * next() * next(), (1 - y) * next() * next()];
    const rect = [whole(0, 3000), whole(0, 3000), whole(1, 3000), whole(1, 3000)];
    if (kind === 1) return [Question.focusFrame, ...picture, ...focus];
    if (kind === 3) {
      const other = next() < 0.5 ? picture.slice(0, 2) : [whole(1, 6000), whole(1, 6000)];
      return [Question.sameFrame, ...picture.slice(0, 2), ...other, whole(0, 1),
        ...rect.map((length) => Math.floor(length / 4)), ...picture.slice(2), 0, 0, 0, 0, 0];
    }
    if (kind === 2) return [Question.focusOf, ...picture, ...rect];
    const sizes = [whole(0, 1) * whole(1, 3000), whole(1, 3000), whole(0, 1) * whole(1, 3000), whole(1, 3000)];
    return [Question.target, ...picture, ...focus, whole(1, 21), whole(1, 21), ...sizes,
      ...(next() < 0.7 ? [0, 0, 0, 0] : rect)];
  });
}

test('questions outside the session have the same answers natively and in wasm', { skip }, () => {
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

/** Random JPEGs with one target each: the stored image, its grid and orientation, the transform, focus and ratio. */
function targets(count) {
  const next = random(seed + 3);
  const whole = (low, high) => low + Math.floor(next() * (high - low + 1));
  return Array.from({ length: count }, () => {
    const [x, y] = [next(), next()];
    return {
      stored: [whole(20, 90), whole(20, 90)], cell: [[8, 8], [16, 8], [16, 16], [8, 16], [32, 8]][whole(0, 4)],
      orientation: whole(1, 8), turns: whole(0, 3), mirrored: whole(0, 1),
      focus: whole(0, 2) ? [1, x, y, (1 - x) * next() * 0.6, (1 - y) * next() * 0.6] : [0, 0, 0, 0, 0],
      ratio: [whole(1, 9), whole(1, 9)],
    };
  });
}

/** The definition of derived crops, by testing every position. */
function bestPlace({ stored: [width, height], cell, orientation, turns, mirrored, focus, ratio }) {
  const upright = [
    ([x, y]) => [x, y], ([x, y]) => [width - x, y], ([x, y]) => [width - x, height - y], ([x, y]) => [x, height - y],
    ([x, y]) => [y, x], ([x, y]) => [height - y, x], ([x, y]) => [height - y, width - x], ([x, y]) => [y, width - x],
  ][orientation - 1];
  const image = orientation > 4 ? [height, width] : [width, height];
  const laid = ([x, y]) => {
    let place = mirrored ? [image[0] - x, y] : [x, y];
    let size = image;
    for (let turn = 0; turn < turns; turn += 1) [place, size] = [[size[1] - place[1], place[0]], [size[1], size[0]]];
    return place;
  };
  const frame = turns % 2 ? [image[1], image[0]] : image;
  const corner = laid(upright([0, 0]));
  const isTransposed = (orientation > 4) !== (turns % 2 === 1);
  const cells = isTransposed ? [cell[1], cell[0]] : cell;
  const divisor = (a, b) => (b ? divisor(b, a % b) : a);
  const terms = ratio.map((term) => term / divisor(...ratio));
  const steps = Math.floor(Math.min(frame[0] / terms[0], frame[1] / terms[1]));
  const size = terms.map((term) => term * steps);
  const ends = [[0, 0], [1, 1]].map((end) => laid(end.map((share, axis) =>
    (focus[1 + axis] + share * focus[3 + axis]) * image[axis])));
  const box = [0, 1].map((axis) => [Math.min(ends[0][axis], ends[1][axis]), Math.max(ends[0][axis], ends[1][axis])]);
  // Distance and limits apply to each axis separately; the choice between grid and middle applies to both together.
  const axes = [0, 1].map((axis) => {
    const all = Array.from({ length: frame[axis] - size[axis] + 1 }, (_, start) => start);
    const holding = all.filter((start) =>
      start <= box[axis][0] + 1e-6 && start + size[axis] >= box[axis][1] - 1e-6);
    return { all, holding, middle: focus[0] ? (box[axis][0] + box[axis][1]) / 2 : frame[axis] / 2 };
  });
  const holds = focus[0] && axes.every(({ holding }) => holding.length);
  const nearest = (starts, axis) => starts.reduce((best, start) => {
    const away = (one) => Math.abs(one + size[axis] / 2 - axes[axis].middle);
    return best === undefined || away(start) < away(best) - 1e-9 ? start : best;
  }, undefined);
  const places = axes.map(({ all, holding }) => (holds ? holding : all));
  const onGrid = places.map((starts, axis) => nearest(starts.filter((start) => (corner[axis] === 0
    ? start : frame[axis] - start - size[axis]) % cells[axis] === 0), axis));
  const start = onGrid.includes(undefined) ? places.map(nearest) : onGrid;
  return { rect: [...start, ...size], cutsFocus: Boolean(focus[0]) && !holds, image, isPossible: steps >= 1 };
}

test('a target of a JPEG lies on its grid as the rule says, natively and in wasm', { skip }, () => {
  const cases = targets(events).map((one) => ({ ...one, best: bestPlace(one) }))
    .filter(({ best }) => best.isPossible);
  const calls = cases.flatMap(({ stored, cell, orientation, turns, mirrored, focus, ratio, best }) => [
    ['open', ...best.image], ['set_jpeg', ...stored, ...cell, orientation],
    ['ask', Question.target, ...best.image, turns, mirrored, 0, ...focus, ...ratio, 0, 0, 0, 0, 0, 0, 0, 0]]);
  const lines = native(calls);
  const core = session();
  cases.forEach(({ best }, index) => {
    const [open, jpeg, [, question, ...numbers]] = calls.slice(index * 3, index * 3 + 3);
    core.ck_open(...open.slice(1));
    core.ck_set_jpeg(...jpeg.slice(1));
    const answer = core.ask(question, numbers);
    assert.equal(lines[index * 3 + 2].trim(), answer.map(toBits).join(' '), `seed ${seed}: ${index}`);
    assert.deepEqual([...answer.slice(0, 4), answer[4] !== 0], [...best.rect, best.cutsFocus],
      `seed ${seed}: ${JSON.stringify(cases[index])}`);
  });
});

/** Random recipes on an image whose transform is then changed. */
function transforms(count) {
  const next = random(seed + 2);
  const whole = (low, high) => low + Math.floor(next() * (high - low + 1));
  const calls = [['open', 4000, 3000], ['command', enumerationOf('keepsRatio'), 1, 0, 0]];
  while (calls.length < count) {
    if (whole(0, 3) === 0) calls.push(['command', enumerationOf('ratio'), whole(1, 21), whole(1, 21), 0]);
    calls.push(['set_transform', whole(-1, 4), whole(0, 1), whole(0, 2) ? whole(-4600, 4600) / 100 : 0]);
  }
  return calls;
}

const enumerationOf = (name) => commands.find((command) => command.name === name).code;

test('a transform has the same result natively and in wasm', { skip }, () => {
  const calls = transforms(events / 10);
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
  // Turned by a quarter: the frame is 400 × 600, and the upright image's left edge is its top.
  assert.deepEqual(target([600, 400, 1, 0, 0], none, [1, 2]), [50, 0, 300, 600, 0, 0, 0, 0, 1, -1, 0, 350, 0]);
  // A manual crop is unchanged, and still reported to cut the focus.
  assert.deepEqual(target(level, [1, 0.9, 0.5, 0, 0], [1, 1], { made }),
    [10, 20, 100, 100, 1, 0, 0, 1, 0, 0, 1, -10, -20]);
  assert.deepEqual(target(level, [1, 0.1, 0.2, 0, 0], [1, 1], { made }).slice(4, 7), [0, 0, 0]);
  // If it is large enough for the size, it is scaled to it; a minimum replaces the size as the requirement.
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
  // A list that is too short, and a question that does not exist.
  assert.deepEqual(core.ask(Question.target, [600, 400]), []);
  assert.deepEqual(core.ask(99, level), []);
});

test('the quality of a file that may have so many bytes is found by halves', () => {
  const core = session();
  const next = (...numbers) => core.ask(Question.quality, numbers);
  assert.deepEqual(next(90, 1), [90]);
  assert.deepEqual(next(90, 1, 1), []);
  assert.deepEqual(next(90, 1, 0), [30]);
  assert.deepEqual(next(90, 1, 0, 1), [60]);
  assert.deepEqual(next(90, 1, 0, 1, 0), [45]);
  assert.deepEqual(next(90, 1, 0, 0), []);
  assert.deepEqual(next(90, 0, 0), []);
});

test('a focus is drawn on the level picture, and read from it', () => {
  const core = session();
  const frame = (...numbers) => core.ask(Question.focusFrame, numbers);
  // A point in the middle of an image of 600 × 400 is shown as a fiftieth of the sides.
  assert.deepEqual(frame(600, 400, 0, 0, 30, 1, 0.5, 0.5, 0, 0),
    [0, 0, 600, 400, 1, 0, 0, 1, 0, 0, 300, 200, 0, 0, 294, 196, 12, 8]);
  assert.deepEqual(frame(600, 400, 0, 0, 0, 0, 0, 0, 0, 0).slice(10), [0, 0, 600, 400, 0, 0, 600, 400]);
  // A quarter turn clockwise moves the top-left quarter to the right.
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
  const label = scene.find(({ name }) => name === 'label').code;
  const seen = new Set();
  for (const [name, ...numbers] of script(20_000)) {
    core[`ck_${name}`](...numbers);
    const items = core.list(core.ck_scene());
    for (let at = 0; at < items.length; at += 2 + items[at + 1]) {
      // The label of an angle has one value instead of four.
      const isAngle = items[at] === label && items[at + 2] === 1;
      assert.equal(items[at + 1], counts.get(items[at]) - (isAngle ? 3 : 0), `item ${items[at]}`);
      seen.add(items[at]);
    }
    assert.equal(core.list(core.ck_state()).length, width);
  }
  // Only a JPEG has the grid of blocks.
  assert.equal(seen.size, counts.size - 1);
});
