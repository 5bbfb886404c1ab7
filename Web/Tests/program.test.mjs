// Crops by the module for programs: the package cropkit for JavaScript.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkPlaces, parse } from '../Program/arguments.js';
import { crop, CropError, lossless, open } from '../Program/index.js';
import { Job } from '../Program/job.js';
import { check } from '../Program/photo.js';
import { corpora, nativeCrops, pictures, randomOptions, seeded } from './crops.mjs';

const program = process.env.CROPKIT_BIN ? join(process.env.CROPKIT_BIN, 'cropkit') : null;
const still = fileURLToPath(new URL('../../Samples/still-life.jpg', import.meta.url));
const place = mkdtempSync(join(tmpdir(), 'program-'));
after(() => rmSync(place, { recursive: true }));

const run = (command, ...words) => spawnSync(command, words, { encoding: 'utf8', cwd: place });
const own = (...words) => run(process.execPath, fileURLToPath(new URL('../Program/command.js', import.meta.url)), ...words);

/** The outcome of a crop by the module, in the form of the program's. */
async function outcome(input, { what, how }) {
  try {
    const photo = await open(input);
    return { photo, result: await photo.crop({ ...what, ...how }) };
  } catch (error) {
    if (!(error instanceof CropError)) throw error;
    return { error };
  }
}

const count = process.env.CROPKIT_TEST_ALL ? 1000 : 150;
test(`${count} random crops are those of the program`, { skip: program ? false : 'CROPKIT_BIN is not set' }, async () => {
  const random = seeded(53);
  const files = [];
  for (const input of pictures()) {
    const photo = await open(input).catch(() => null);
    files.push({ input, width: photo?.width ?? 100, height: photo?.height ?? 100 });
  }
  const crops = Array.from({ length: count }, () => {
    const { input, width, height } = files[random(files.length)];
    return { input, ...randomOptions(random, width, height) };
  });
  const natives = nativeCrops(crops);
  const tally = { equal: 0, reencoded: 0, failed: 0, recodedMaps: 0, otherCoding: 0 };
  const warned = new Set();
  for (const [index, one] of crops.entries()) {
    const { answer, bytes } = natives[index];
    const { result, error } = await outcome(one.input, one);
    const label = `${index} ${JSON.stringify(one)}: ${JSON.stringify(answer)} ${error?.message ?? ''}`;
    if (answer.ok && answer.lossless && result) {
      assert.deepEqual(result.rect, answer.rect, label);
      assert.deepEqual(result.requantized ?? undefined, answer.requantized, label);
      assert.equal(result.gainMap ?? undefined, answer.gainMap, label);
      assert.deepEqual(result.warnings, answer.warnings, label);
      for (const { code } of result.warnings) warned.add(code);
      if (answer.gainMap === 're-coded') {
        // Another encoder writes the samples of a map that its blocks don't fit.
        tally.recodedMaps += 1;
      } else {
        assert.ok(Buffer.compare(result.bytes, bytes) === 0, label);
        tally.equal += 1;
      }
    } else if (answer.ok && answer.lossless) {
      assert.match(error?.message ?? '', /a (progressive JPEG|JPEG with arithmetic coding) needs a decoder|rotating blocks/, label);
      tally.otherCoding += 1;
    } else if (answer.ok) {
      assert.equal(error?.code, 'component-missing', label);
      assert.equal(error?.exitStatus, 69, label);
      tally.reencoded += 1;
    } else {
      assert.ok([answer.error.code, 'component-missing'].includes(error?.code ?? ''), label);
      tally.failed += 1;
    }
  }
  // The crops are of all kinds.
  assert.ok(tally.equal >= count * 0.3 && tally.reencoded > 0 && tally.failed > 0, JSON.stringify(tally));
  assert.ok(warned.has('metadata-dropped'), [...warned].join());
});

/** A segment of a JPEG. */
function segment(marker, text) {
  const content = Buffer.from(text, 'latin1');
  return Buffer.concat([Buffer.from([0xff, marker, content.length + 2 >> 8, content.length + 2 & 255]), content]);
}

/** A segment of XMP with these properties. */
const xmp = (properties) => segment(0xe1, `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
  xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ${properties}/></rdf:RDF></x:xmpmeta>`);
const HDRGM = 'xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"';

/** What a file can hold besides the image: segments, and bytes after it. */
const BESIDE = {
  comment: [segment(0xfe, 'a comment')],
  credentials: [segment(0xeb, 'JP\0\x01')],
  'an unknown segment': [segment(0xe5, 'unknown')],
  'a thumbnail': [segment(0xe0, 'JFXX\0\x10')],
  'a damaged table of images': [segment(0xe2, 'MPF\0MM\0*')],
  'EXIF that is none': [segment(0xe1, 'Exif\0\0no TIFF')],
  'a profile that is none': [segment(0xe2, 'ICC_PROFILE\0\x01\x01short')],
  'extended XMP': [xmp('xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmpNote:HasExtendedXMP="1"'), segment(0xe1, 'http://ns.adobe.com/xmp/extension/\0')],
  'XMP that is none': [segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0<none')],
  'a depth map': [xmp('xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/" GDepth:Near="1"')],
  'a gain map that is missing': [xmp(HDRGM)],
  'a gain map that is cut short': [xmp(HDRGM), '\xff\xd8\xff\xe1'],
  'a panorama': [xmp('xmlns:GPano="http://ns.google.com/photos/1.0/panorama/" GPano:ProjectionType="equirectangular"')],
  'bytes after it': ['', 'more'],
  'Samsung’s data': ['', `${'x'.repeat(20)}SEFT`],
  'a video': ['', '\0\0\0\x18ftypmp42\0\0\0\0mp42isom'],
  nothing: [],
};

test('what a crop leaves out is reported as by the program', { skip: program ? false : 'CROPKIT_BIN is not set' }, async () => {
  const plain = readFileSync(still);
  const crops = Object.entries(BESIDE).flatMap(([name, parts]) => {
    const input = join(place, `with ${name}.jpg`);
    const [before, after] = [parts.filter((one) => typeof one !== 'string'), parts.filter((one) => typeof one === 'string')];
    writeFileSync(input, Buffer.concat([plain.subarray(0, 2), ...before, plain.subarray(2), Buffer.from(after.join(''), 'latin1')]));
    return [{}, { rect: '16,16,64,48' }].flatMap((what) => [{}, { strip: 'location' }, { strip: 'all' }, { hdr: 'drop' }]
      .map((how) => ({ input, what, how })));
  });
  const natives = nativeCrops(crops);
  const told = new Set();
  for (const [index, one] of crops.entries()) {
    const { answer, bytes } = natives[index];
    const { result, error } = await outcome(one.input, one);
    const label = `${JSON.stringify(one)}: ${JSON.stringify(answer)} ${error?.message ?? ''}`;
    assert.deepEqual(result?.warnings, answer.warnings, label);
    assert.ok(Buffer.compare(result.bytes, bytes) === 0, label);
    for (const { dropped = [] } of result.warnings) for (const kind of dropped) told.add(kind);
  }
  assert.deepEqual([...told].sort(), ['application-data', 'credentials', 'depth-map', 'exif', 'extended-xmp', 'gain-map', 'icc', 'multi-picture',
    'panorama', 'samsung-trailer', 'text', 'trailer', 'video', 'xmp']);
});

test('files that once stopped a parser give a crop or one error, and the next call works', async () => {
  for (const input of corpora()) {
    for (const options of [{}, { aspect: '1:1' }, { rect: '0,0,8,8', lossless: 'snap', lenient: true }]) {
      const { error, result } = await outcome(input, { what: options, how: {} });
      assert.ok(error ? error.code && !error.message.includes('{') : result.bytes.length > 0, input);
      assert.notEqual(error?.code, 'worker-died', input);
    }
  }
  assert.equal((await crop(still, { rect: '0,0,16,16' })).bytes[0], 0xff);
});

test('damaged files give a crop or one error, and never stop the module', async () => {
  const random = seeded(8);
  const seeds = corpora().filter((name) => name.endsWith('.jpg')).map((name) => readFileSync(name));
  for (let round = 0; round < (process.env.CROPKIT_TEST_ALL ? 5000 : 400); round += 1) {
    const bytes = new Uint8Array(seeds[random(seeds.length)]);
    for (let flips = 1 + random(6); flips > 0; flips -= 1) bytes[2 + random(bytes.length - 2)] = random(256);
    const { error, result } = await outcome(bytes.subarray(0, random(4) ? bytes.length : random(bytes.length)),
      { what: random(2) ? {} : { rect: '0,0,8,8' }, how: { lossless: 'snap', hdr: random(2) ? 'keep' : 'drop' } });
    assert.ok(error ? error.code !== 'worker-died' : result.bytes.length > 0, `round ${round}: ${error?.message}`);
  }
});

test('a photo has the size that is shown, and crops of it are made one after another', async () => {
  const bytes = new Uint8Array(readFileSync(still));
  const photo = await open(bytes);
  assert.deepEqual([photo.width > 0, photo.height > 0, photo.orientation], [true, true, 1]);
  const rects = [[0, 0, 32, 32], [16, 16, 48, 16], [0, 0, 32, 32]];
  const [first, second, third] = await Promise.all(rects.map((rect) => photo.crop({ rect })));
  assert.deepEqual(first.bytes, third.bytes);
  assert.deepEqual(second.rect, { x: 16, y: 16, width: 48, height: 16 });
  assert.deepEqual([second.width, second.height, second.lossless, second.requantized], [48, 16, true, null]);
});

test('images are taken in all forms', async () => {
  const bytes = new Uint8Array(readFileSync(still));
  const stream = () => new ReadableStream({ start: (controller) => { controller.enqueue(bytes); controller.close(); } });
  async function* pieces() { yield bytes.subarray(0, 1000); yield bytes.subarray(1000); }
  const padded = new Uint8Array(bytes.length + 8);
  padded.set(bytes, 8);
  const sources = [bytes, bytes.buffer, padded.subarray(8), new Blob([bytes]), new Response(bytes), stream(), pieces(), still,
    new URL(`file://${still}`)];
  const expected = (await crop(bytes, { rect: '0,0,64,64' })).bytes;
  for (const source of sources) assert.deepEqual((await crop(source, { rect: '0,0,64,64' })).bytes, expected);
  await assert.rejects(crop(/** @type {never} */ (5), {}));
});

test('a recipe of the page is applied, and options beside it', async () => {
  const recipe = { version: 1, rect: { x: 16, y: 0, width: 64, height: 32 }, quarterTurns: 0, mirrored: false, tilt: 0, shape: 'rectangle', output: null };
  const direct = await crop(still, recipe);
  assert.deepEqual(direct.rect, recipe.rect);
  for (const what of [{ recipe }, { recipe: JSON.stringify(recipe) }]) assert.deepEqual((await crop(still, what)).bytes, direct.bytes);
  assert.notDeepEqual((await crop(still, recipe, { strip: 'all' })).bytes.length, 0);
  const fails = async (what, more, code) => assert.equal((await crop(still, what, more).catch((error) => error)).code, code);
  await fails({ ...recipe, rekt: 1 }, {}, 'invalid-recipe');
  await fails({ ...recipe, rect: { x: 0, y: 0, width: 1e9, height: 1 } }, {}, 'invalid-recipe');
  await assert.rejects(crop(still, { rect: '-8,0,64,64' }), /; the part inside is 0,0,56,64: use that, or clamp: true$/);
  await fails({ ...recipe, quarterTurns: 0.5 }, {}, 'invalid-recipe');
  await fails({ version: 1, tilt: 3, rect: { x: 200, y: 200, width: 64, height: 64 } }, {}, 'component-missing');
  await fails(recipe, { aspect: '1:1' }, 'usage');
});

test('whether a crop is lossless is known without making it', async () => {
  assert.deepEqual(await lossless(still, { rect: '16,16,32,32' }),
    { lossless: true, reason: null, rect: { x: 16, y: 16, width: 32, height: 32 }, width: 32, height: 32 });
  const off = await lossless(still, { rect: '1,1,32,32' });
  assert.equal(off.lossless, false);
  assert.match(off.reason, /off the \d+ × \d+ block grid.*lossless: 'snap'.*programs for Linux/);
  assert.equal((await lossless(still, { rect: '1,1,32,32', lossless: 'snap' })).lossless, true);
});

test('a size on paper is cropped with its density, if no pixels must be resized', async () => {
  const dpi = 4000;
  const print = await crop(still, { size: '35x45mm', dpi });
  assert.equal(print.width * 9, print.height * 7);
  const needed = `4000 dpi needs 5512 × 7087 pixels, the crop has ${print.width} × ${print.height}`;
  assert.deepEqual(print.warnings, [{ code: 'low-density', message: needed }]);
  const bleed = await crop(still, { size: '35x45mm', bleed: '3mm', dpi });
  assert.equal(bleed.width * 51, bleed.height * 41);
  const fails = async (what) => assert.equal((await crop(still, what).catch((error) => error)).code, 'component-missing');
  await fails({ size: '35x45mm', dpi: 20 });
  await fails({ size: '35x45mm', dpi, enlarge: true });
  const plain = readFileSync(still);
  const dense = Buffer.from((await crop(still, { dpi: 300 })).bytes);
  const from = (bytes) => bytes.subarray(bytes.lastIndexOf(Buffer.from([0xFF, 0xDA])));
  assert.ok(from(dense).equals(from(plain)) && !dense.equals(plain));
});

test('what needs a decoder is one sentence that names the programs', async () => {
  const png = fileURLToPath(new URL('../App/icon-192.png', import.meta.url));
  for (const [input, options] of [
    [png, {}], [still, { tilt: 1 }], [still, { shape: 'ellipse' }], [still, { maxSide: 16 }], [still, { trim: true }],
    [still, { quad: '0,0,90,5,90,90,0,80' }], [still, { quad: 'auto' }], [still, { format: 'webp' }], [still, { srgb: true }], [still, { canvas: '1:1' }],
    [still, { cropFrom: 'xmp' }], [still, { lossless: 'never' }], [still, { maxBytes: 10 }],
  ]) {
    const { error } = await outcome(input, { what: options, how: {} });
    assert.equal(error?.code, 'component-missing', JSON.stringify(options));
    assert.match(error.message, /programs for Linux, cropkit and cropkit-worker,/);
    assert.doesNotMatch(error.message, /\n|[{}]/);
  }
});

test('invalid options are errors in the words of the command', { skip: program ? false : 'CROPKIT_BIN is not set' }, async () => {
  const out = ['-o', join(place, 'never.jpg')];
  for (const words of [
    ['--rect', '1,2,3'], ['--rotate', '45'], ['--flip', 'left'], ['--gravity', 'up', '--aspect', '1:1'], ['--aspect', '0:1'],
    ['--rect', '0,0,8,8', '--aspect', '1:1'], ['--gravity', 'north'], ['--focus', '0.5,0.5', '--rect', '0,0,8,8'], ['--clamp'],
    ['--shape', 'circle', '--size', '8x9'], ['--shape', 'circle', '--rect', '0,0,16,8'], ['--size', 'a4'],
    ['--rect', '0,0,100000,8'], ['--rect', '-8,0,64,64', '--rotate', '90'], ['--rect', '100000,0,8,8'], ['--rect', '0,0,0,8'], ['--lossless', 'maybe'], ['--strip', 'some'], ['--hdr', 'yes'],
    ['--size', '0x45mm'], ['--size', '1e9x1in'], ['--dpi', '0'], ['--dpi', '1000000000'], ['--dpi', 'x'], ['--bleed', '3mm'], ['--enlarge'],
    ['--size', '35x45mm', '--bleed', '3'], ['--size', '35x45mm', '--shape', 'circle'], ['--size', '64x64', '--bleed', '3mm'],
    ['--quality', '0'], ['--unknown'], ['--rect'], ['--max-bytes', 'x'],
  ]) {
    const native = run(program, 'crop', still, ...words, ...out);
    const said = await refusal(['crop', still, ...words, ...out]);
    const line = native.stderr.trim().replace(/^cropkit: /, '').replace(/; see 'cropkit crop --help'$/, '');
    assert.deepEqual([said?.exitStatus, said?.message], [native.status, line], words.join(' '));
  }
  const [native, made] = [run(program, 'crop', still, '--rect', '1', ...out), own('crop', still, '--rect', '1', ...out)];
  assert.deepEqual([made.status, made.stderr], [native.status, native.stderr]);
});

/** Why the command does not crop an image. */
async function refusal(words) {
  try {
    const command = parse(words);
    await check(command.options, 'command');
    checkPlaces(command);
    await new Job(command.inputs[0], command).run();
    return null;
  } catch (error) {
    return error;
  }
}

test('the command writes what the program writes, and says the same', { skip: program ? false : 'CROPKIT_BIN is not set' }, () => {
  for (const [index, words] of [
    ['--rect', '16,16,64,48'], ['--rect', '16,16,61,43'], ['--rect', '17,17,64,64', '--lossless', 'snap'], ['--aspect', '1:1', '--rotate', '90'],
    ['--rect', '1,1,64,64', '--lossless', 'outward', '--strip', 'all'], ['--rect', '-8,0,64,64', '--clamp'], ['--quality', '80', '--rect', '0,0,64,64'],
  ].entries()) {
    const name = `${index}.jpg`;
    const native = run(program, 'crop', still, ...words, '-o', name);
    const expected = readFileSync(join(place, name));
    const made = own('crop', still, ...words, '-o', name, '--force');
    assert.deepEqual([made.status, made.stderr], [native.status, native.stderr], words.join(' '));
    assert.deepEqual(readFileSync(join(place, name)), expected, words.join(' '));
  }
});

test('the command never overwrites by accident, and several images fail one by one', () => {
  writeFileSync(join(place, 'a.jpg'), readFileSync(still));
  writeFileSync(join(place, 'b.jpg'), 'no picture');
  assert.equal(own('crop', 'a.jpg', '-o', 'a.jpg').status, 73);
  assert.deepEqual(readFileSync(join(place, 'a.jpg')), readFileSync(still));
  const both = own('crop', 'a.jpg', 'b.jpg', 'none.jpg', '--rect', '0,0,32,32', '-d', 'out', '--json');
  assert.equal(both.status, 1);
  assert.match(both.stderr, /2 of 3 images failed/);
  const [first, second, third] = both.stdout.trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual([first.width, first.lossless, second.error.exitStatus, third.error.code], [32, true, 69, 'input-missing']);
  const again = own('crop', 'a.jpg', '--rect', '0,0,32,32', '-d', 'out');
  assert.deepEqual([again.status, /already exists/.test(again.stderr)], [73, true]);
  assert.equal(own('crop', 'a.jpg', '--rect', '0,0,32,32', '-d', 'out', '--force').status, 0);
});

test('the command reads standard input and writes standard output', () => {
  const done = spawnSync(process.execPath, [fileURLToPath(new URL('../Program/command.js', import.meta.url)),
    'crop', '-', '--rect', '0,0,32,32', '-o', '-'], { input: readFileSync(still) });
  assert.equal(done.status, 0, String(done.stderr));
  assert.deepEqual([...done.stdout.subarray(0, 2)], [0xff, 0xd8]);
});

test('an image as a command, and what the programs have, is one line of advice', () => {
  const said = (...words) => { const { status, stderr } = own(...words); return [status, stderr]; };
  assert.deepEqual(said('my photo.jpg', '--aspect', '1:1'),
    [64, "cropkit: my photo.jpg is not a command; use cropkit crop 'my photo.jpg' --aspect 1:1 -o OUT; see 'cropkit crop --help'\n"]);
  for (const [words, what] of [[['info', 'a.jpg'], 'the command info'], [['crop', 'a.jpg', '--in-place'], '--in-place']]) {
    const [status, line] = said(...words);
    assert.deepEqual([status, line.startsWith(`cropkit: ${what} is not supported here; the programs for Linux,`)], [69, true], line);
  }
  assert.match(said('crop', 'a.jpg')[1], /choose an output: -o FILE or -d FOLDER;/);
});

test('the command expands patterns that a shell has left', () => {
  writeFileSync(join(place, 'p1.JPG'), readFileSync(still));
  writeFileSync(join(place, 'p2.jpg'), readFileSync(still));
  assert.match(own('crop', './p?.jpg', '--rect', '0,0,32,32', '-d', 'patterns').stderr, /2 images cropped/);
  assert.match(own('crop', 'nothing*.jpg', '--rect', '0,0,32,32', '-d', 'patterns').stderr, /nothing\*\.jpg: no such file/);
});
