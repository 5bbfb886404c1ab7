// The same calls have the same answers natively and in WebAssembly, to the last bit.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { commands, enumerations } from '../../Scripts/interface.mjs';
import { Call, Change, focusFrame, focusOf, Pointer, quality, target } from '../Element/interface.js';
import { session } from './core.mjs';

const { Extent, Fill, Key, Phase, Shape } = enumerations;
const replay = process.env.CROPKIT_REPLAY;
const events = Number(process.env.CROPKIT_EVENTS ?? (process.env.CROPKIT_TEST_ALL ? 100_000 : 20_000));
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
  const sides = kind === Extent.ratio ? [whole(1, 21), whole(1, 21)] : kind === Extent.size ? [whole(0, 3000), whole(1, 3000)] : [];
  const isShare = whole(0, 1);
  const fill = whole(0, Object.keys(Fill).length);
  return [kind, ...sides, isShare, isShare ? whole(0, 50) / 100 : whole(0, 200), whole(0, 8),
    fill, ...(fill === Fill.color ? [whole(0, 255), whole(0, 255), whole(0, 255)] : [])];
}

/** Random marks of a guide, some of them invalid, as the module's numbers. */
function guide(next) {
  const below = (end) => Math.floor(next() * end);
  const share = () => next() * 1.4 - 0.2;
  const { GuideShape, GuideLabel } = enumerations;
  return Array.from({ length: below(4) }, () => [below(Object.keys(GuideShape).length + 1), share(), share(), share(), share(),
    below(Object.keys(GuideLabel).length + 1)]).flat();
}

/** A random script: each call as a name and its numbers. */
function script(count, start = []) {
  const next = random(seed);
  const nextMark = random(seed + 1);
  const whole = (low, high) => low + Math.floor(next() * (high - low + 1));
  const between = (low, high) => low + next() * (high - low);
  /** The numbers of a command, sometimes slightly out of range. */
  const drawn = ({ fields }) => {
    const isNone = next() < 0.1;
    return fields.flatMap(({ type, range }) => {
      const term = () => (next() < 0.3 ? Math.round(between(...range) * 1000) / 1000 : whole(...range));
      switch (type) {
        case 'number': return [between(range[0] - 5, range[1] + 5)];
        case 'flag': return [whole(0, 1)];
        case 'Terms': return [term(), term()];
        case 'SizeLimit': return isNone ? [0, 0] : [whole(...range), whole(...range)];
        case 'SideLimit': return [isNone ? 0 : whole(...range)];
        case 'Focused': return [whole(...range)];
        case 'Shape': return [whole(0, 2 + (isNone ? 1 : 0)), between(range[0] - 5, range[1] + 5)];
        default: return [whole(0, Object.keys(enumerations[type]).length - (isNone ? 0 : 1))];
      }
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
      const phase = held ? (next() < 0.85 ? Phase.move : Phase.up) : Phase.down;
      held = phase !== Phase.up;
      calls.push(['pointer', phase, 1, x, y, time, whole(0, 2), next() < 0.1 ? 1 : 0, modifiers]);
    } else if (kind < 60) {
      const id = 2;
      calls.push(['pointer', whole(0, 3), id, x, y, time, Pointer.touch, 0, 0]);
    } else if (kind < 65) {
      calls.push(['wheel', x, y, between(-99, 99), between(-99, 99), whole(0, 1), modifiers, time]);
    } else if (kind < 75) {
      calls.push(['key', whole(0, Object.keys(Key).length - 1), modifiers, time]);
    } else if (kind < 85) {
      calls.push(['tick', time]);
    } else if (kind < 87) {
      calls.push(['resize', between(0, 1500), between(0, 1500)]);
    } else if (kind < 88) {
      calls.push(['setCanvas', ...(whole(0, 4) ? [1, ...canvas(whole)] : [0]), whole(0, 1), time]);
      calls.push(['setGuide', ...guide(nextMark)]);
    } else {
      const command = commands[whole(0, commands.length - 1)];
      calls.push(['run', time, command.code, ...drawn(command)]);
    }
  }
  return calls;
}

const skip = !replay && 'CROPKIT_REPLAY names no program';

/** The native program's answers to calls, as bit patterns. */
function native(calls) {
  const { status, stdout, stderr } = spawnSync(replay, {
    input: calls.map(([name, ...numbers]) => [Call[name], ...numbers].join(' ')).join('\n') + '\n',
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

/** Makes calls natively and in a session, and compares the answers, which it returns. */
function compared(calls, core = session()) {
  const lines = native(calls);
  return calls.map((call, index) => {
    const answer = core.raw(...call);
    assert.equal(lines[index], answer.map(toBits).join(' '), `seed ${seed}: call ${index}, ${call}`);
    return answer;
  });
}

/** Calls, each followed by others. */
const followed = (calls, ...names) => calls.flatMap((call) => [call, ...names.map((name) => [name])]);

test('a random script gives the same recipes natively and in wasm', { skip }, () => {
  const calls = followed(script(events), 'currentRecipe');
  const answers = compared(calls);
  const recipes = answers.filter((_, index) => calls[index][0] === 'currentRecipe').map(String);
  assert.ok(new Set(recipes).size > events / 100, 'the script changes the recipe');
  const isRefused = (answer) => answer.length === 0 || answer[0] === Change.refused;
  assert.ok(answers.filter((answer, index) => calls[index][0] !== 'currentRecipe' && isRefused(answer)).length < events / 5, 'most calls are valid');
});

/** The calls, with everything that is shown after every fifth. */
const shown = (calls) => calls.flatMap((call, index) => (index % 5 ? [call]
  : followed([call], 'scene', 'elements', 'state', 'announcement', 'canvas', 'currentRecipe')));

test('what is shown is the same natively and in wasm', { skip }, () => {
  compared(shown(script(events / 5)));
});

test('so it is of a JPEG, whose crops may be lossless', { skip }, () => {
  // Stored on its side, with cells of 16 × 8 pixels.
  compared(shown(script(events / 10, [['open', 300, 400], ['setJPEG', 1, 400, 300, 16, 8, 6]])));
});

const none = [0];
/** An optional value. */
const some = (...numbers) => [1, ...numbers];
/** A rectangle's recipe. */
const recipe = (rect, transform, shape = [Shape.rectangle], output = none) => [...some(...rect), ...none, ...transform, ...shape, ...output];

/** Random questions: images, transforms, a focus or none, manual crops or none. */
function questions(count) {
  const next = random(seed + 1);
  const whole = (low, high) => low + Math.floor(next() * (high - low + 1));
  const text = () => {
    // Numbers of more than 15 digits are only read to the last bit natively.
    const term = () => String(whole(0, 3) ? whole(0, 30) : Number((next() * 10 ** whole(-3, 7)).toPrecision(9)));
    const said = whole(0, 9) ? `${term()}${[':', '/', ' : ', 'x', ' × ', ''][whole(0, 5)]}${term()}`
      : `${['', 'rounded:', '-'][whole(0, 2)]}${term()}${['', '%', 'e2', 'e-3'][whole(0, 3)]}`;
    const bytes = new TextEncoder().encode(said);
    return [['parseRatio', 'parseSize', 'parseShape', 'parseLength', 'parseExtent'][whole(0, 4)], ...bytes];
  };
  // Near the corners of a rectangle, mostly on the grid, sometimes outside the image.
  const corners = () => [[100, 80], [300, 80], [300, 220], [100, 220]].flatMap(([x, y]) => {
    const far = next() < 0.5 ? 20 : 250;
    const grain = next() < 0.98 ? 64 : 1e3;
    return [x, y].map((n) => Math.round((n + (2 * next() - 1) * far) * grain) / grain);
  });
  return Array.from({ length: count }, () => {
    const kind = whole(0, 13);
    if (kind === 13) return ['quality', whole(20, 100), whole(0, 9) ? 1 : 0, ...Array.from({ length: whole(0, 8) }, () => whole(0, 1))];
    if (kind === 12) return ['canvasLayout', ...canvas(whole), whole(1, 6000), whole(1, 6000)];
    if (kind === 0) return text();
    if (kind === 10) return ['recipeError', 400, 300, ...none, ...some(...corners()), 0, 0, 0, Shape.rectangle, ...none];
    if (kind === 11) {
      const part = [whole(0, 200), whole(0, 150), whole(1, 200), whole(1, 150)];
      const transform = [whole(0, 3), whole(0, 1), next() < 0.7 ? 0 : whole(-450, 450) / 10];
      const shape = [[Shape.rectangle], [Shape.ellipse], [Shape.rounded, whole(0, 60)]][whole(0, 2)];
      const output = [none, some(0, whole(1, 200), whole(1, 200)), some(1, whole(1, 200))][whole(0, 2)];
      return [...(whole(0, 1) ? ['exported', 400, 300, whole(1, 8)] : ['recipeError', 400, 300]), ...recipe(part, transform, shape, output)];
    }
    const image = [whole(1, 6000), whole(1, 6000)];
    const transform = [whole(0, 3), whole(0, 1), next() < 0.5 ? 0 : whole(-450, 450) / 10];
    const [x, y] = [next(), next()];
    const focus = next() < 0.1 ? none : some(x, y, (1 - x) * next() * next(), (1 - y) * next() * next());
    const rect = [whole(0, 3000), whole(0, 3000), whole(1, 3000), whole(1, 3000)];
    if (kind === 1) return ['focusFrame', ...image, ...transform, ...focus];
    if (kind === 3) {
      const other = next() < 0.5 ? image : [whole(1, 6000), whole(1, 6000)];
      return ['sameFrame', ...image, ...other, whole(0, 1), ...recipe(rect.map((length) => Math.floor(length / 4)), transform)];
    }
    if (kind === 2) return ['focusOf', ...image, ...transform, ...rect];
    const size = () => (whole(0, 1) ? some(whole(1, 3000), whole(1, 3000)) : none);
    return ['target', ...image, ...transform, ...focus, whole(1, 21), whole(1, 21), ...size(), ...size(),
      ...(next() < 0.7 ? none : some(...rect)), whole(0, 9) ? 0 : 1];
  });
}

test('questions outside the session have the same answers natively and in wasm', { skip }, () => {
  const calls = questions(events);
  const answers = compared(calls);
  const count = (name) => calls.filter((call, index) => call[0] === name && answers[index].length).length;
  const cut = calls.filter(([name], index) => name === 'target' && answers[index][4]).length;
  assert.ok(cut > events / 100 && cut < events, 'some of them cut the focus');
  for (const name of ['target', 'focusFrame', 'focusOf', 'recipeError', 'sameFrame', 'exported', 'canvasLayout', 'quality']) {
    assert.ok(count(name) > events / 100, name);
  }
  for (const name of ['parseRatio', 'parseSize', 'parseShape', 'parseLength', 'parseExtent']) assert.ok(count(name) > events / 5000, name);
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
      focus: whole(0, 2) ? some(x, y, (1 - x) * next() * 0.6, (1 - y) * next() * 0.6) : none,
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
    ['open', ...best.image], ['setJPEG', ...some(...stored, ...cell, orientation)],
    ['target', ...best.image, turns, mirrored, 0, ...focus, ...ratio, ...none, ...none, ...none, 0]]);
  const answers = compared(calls);
  cases.forEach(({ best }, index) => {
    const [x, y, width, height, cutsFocus] = answers[index * 3 + 2];
    assert.deepEqual([x, y, width, height, cutsFocus !== 0], [...best.rect, best.cutsFocus],
      `seed ${seed}: ${JSON.stringify(cases[index])}`);
  });
});

/** Random recipes on an image whose transform is then changed. */
function transforms(count) {
  const next = random(seed + 2);
  const whole = (low, high) => low + Math.floor(next() * (high - low + 1));
  const command = (name, ...numbers) => ['run', 0, enumerations.Command[name], ...numbers];
  const calls = [['open', 4000, 3000], command('keepsRatio', 1)];
  while (calls.length < count) {
    if (whole(0, 3) === 0) calls.push(command('ratio', whole(1, 21), whole(1, 21)));
    calls.push(['setTransform', whole(-1, 4), whole(0, 1), whole(0, 2) ? whole(-4600, 4600) / 100 : 0]);
  }
  return calls;
}

test('a transform has the same result natively and in wasm', { skip }, () => {
  compared(followed(transforms(events / 10), 'currentRecipe'));
});

test('a target has the crop of its ratio about the focus, or none', () => {
  const core = session();
  const image = { width: 600, height: 400 };
  const level = { quarterTurns: 0, mirrored: false, tilt: 0 };
  const square = { width: 1, height: 1 };
  const placed = (fields) => target(core, { image, transform: level, ratio: square, isContained: false, ...fields });
  const at = (x, y, width = 0, height = 0) => ({ x, y, width, height });
  const crop = (rect, cutsFocus, map) => ({ rect, cutsFocus, isTooSmall: false, isScaled: false, map });
  const made = at(10, 20, 100, 100);
  // 400 pixels of 600, about 0.4 × 600.
  assert.deepEqual(placed({ focus: at(0.4, 0.5) }), crop(at(40, 0, 400, 400), false, [1, 0, 0, 1, -40, 0]));
  assert.deepEqual(placed({ focus: at(0.1, 0.5, 0.8, 0.1) }), crop(at(100, 0, 400, 400), true, [1, 0, 0, 1, -100, 0]));
  // Turned by a quarter: the frame is 400 × 600, and the upright image's left edge is its top.
  assert.deepEqual(placed({ transform: { ...level, quarterTurns: 1 }, ratio: { width: 1, height: 2 } }),
    crop(at(50, 0, 300, 600), false, [0, 1, -1, 0, 350, 0]));
  // A manual crop is unchanged, and still reported to cut the focus.
  assert.deepEqual(placed({ focus: at(0.9, 0.5), made }), crop(made, true, [1, 0, 0, 1, -10, -20]));
  const flags = (fields) => Object.values(placed(fields)).slice(1, 4);
  assert.deepEqual(flags({ focus: at(0.1, 0.2), made }), [false, false, false]);
  // If it is large enough for the size, it is scaled to it; a minimum replaces the size as the requirement.
  const sides = (side) => ({ width: side, height: side });
  assert.deepEqual(flags({ size: sides(400) }), [false, false, true]);
  assert.deepEqual(flags({ size: sides(401) }), [false, true, false]);
  assert.deepEqual(flags({ size: sides(401), minimum: sides(300) }), [false, false, false]);
  assert.deepEqual(flags({ minimum: { width: 401, height: 1 } }), [false, true, false]);
  for (const bad of [{ made: at(10, 20, 1000, 100) }, { image: { width: 0, height: 400 } }, { transform: { ...level, tilt: 46 } },
    { focus: at(2, 0) }, { ratio: { width: 0, height: 1 } }, { image: { width: 600.5, height: 400 } }, { image: { width: NaN, height: NaN } },
    { transform: { ...level, tilt: NaN } }, { focus: at(NaN, 0, NaN) }, { ratio: { width: NaN, height: 1 } }]) {
    assert.equal(placed(bad), null, JSON.stringify(bad));
  }
  assert.deepEqual(core.raw('target', 600, 400), [], 'a list that is too short');
});

test('the quality of a file that may have so many bytes is found by halves', () => {
  const core = session();
  const next = (best, hasQuality, ...areSmallEnough) => quality(core, { best, hasQuality, areSmallEnough });
  assert.equal(next(90, true), 90);
  assert.equal(next(90, true, true), null);
  assert.equal(next(90, true, false), 30);
  assert.equal(next(90, true, false, true), 60);
  assert.equal(next(90, true, false, true, false), 45);
  assert.equal(next(90, true, false, false), null);
  assert.equal(next(90, false, false), null);
});

test('a focus is drawn on the level picture, and read from it', () => {
  const core = session();
  const image = { width: 600, height: 400 };
  const turned = (quarterTurns, tilt = 0) => ({ quarterTurns, mirrored: false, tilt });
  const box = (x, y, width, height) => ({ x, y, width, height });
  // A point in the middle of an image of 600 × 400 is shown as a fiftieth of the sides.
  assert.deepEqual(focusFrame(core, { image, transform: turned(0, 30), focus: box(0.5, 0.5, 0, 0) }),
    { rect: box(0, 0, 600, 400), map: [1, 0, 0, 1, 0, 0], focus: box(300, 200, 0, 0), visible: box(294, 196, 12, 8) });
  const whole = focusFrame(core, { image, transform: turned(0), focus: null });
  assert.deepEqual([whole.focus, whole.visible], [box(0, 0, 600, 400), box(0, 0, 600, 400)]);
  // A quarter turn clockwise moves the top-left quarter to the right.
  assert.deepEqual(focusFrame(core, { image, transform: turned(1), focus: box(0, 0, 0.5, 0.5) }).focus, box(200, 0, 200, 300));
  assert.deepEqual(focusOf(core, { image, transform: turned(1), rect: box(200, 0, 200, 300) }), box(0, 0, 0.5, 0.5));
  assert.equal(focusOf(core, { image, transform: turned(0), rect: box(500, 0, 200, 300) }), null);
});

test('the script draws every command', () => {
  const drawn = new Set(script(10_000).filter(([name]) => name === 'run').map(([, , code]) => code));
  assert.deepEqual([...drawn].sort((a, b) => a - b), commands.map(({ code }) => code));
});

test('every item of the scene and the state are read to the end', () => {
  const core = session();
  const seen = new Set();
  for (const call of script(20_000)) {
    core.raw(...call);
    for (const { kind } of core.scene()) seen.add(kind);
    for (const { key, frame } of core.elements()) assert.ok(Object.values(enumerations.Element).includes(key) && frame.height >= 0);
    core.state();
  }
  // Only a JPEG has the grid of blocks.
  assert.deepEqual([...Object.keys(enumerations.SceneItem)].filter((kind) => !seen.has(kind)), ['blocks']);
});
