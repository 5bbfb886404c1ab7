// JPEG files through the modules, without the page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Change, JPEGCode, Lossless, Metadata } from '../Element/interface.js';
import { cutter, session } from './core.mjs';

const corpus = (name) => new Uint8Array(
  readFileSync(new URL(`../../Fuzz/Corpora/JPEG/${name}.jpg`, import.meta.url)));

/** The stored size, from the frame header. */
function size(bytes) {
  for (let at = 2; ;) {
    const marker = bytes[at + 1];
    const word = (offset) => (bytes[at + offset] << 8) | bytes[at + offset + 1];
    if (marker >= 0xc0 && marker <= 0xc2) return { width: word(7), height: word(5) };
    at += 2 + word(2);
  }
}

/** A module with a file, and a session that shows the file. */
async function open(bytes) {
  const jpeg = await cutter(bytes);
  const core = session();
  const { width, height } = size(bytes);
  core.open({ width, height });
  core.resize({ width: 828, height: 628 });
  const code = jpeg.open();
  core.setJPEG({ jpeg: jpeg.header() });
  const crop = (mode) => {
    const part = core.jpegPart({ mode });
    jpeg.pieces.length = 0;
    return part ? jpeg.crop({ part, metadata: Metadata.keep }) : JPEGCode.notLossless;
  };
  const set = (x, y, width, height, tilt = 0) => core.setRecipe({ rect: { x, y, width, height }, tilt });
  return { core, jpeg, width, height, code, crop, set, state: () => core.state() };
}

/** A part, as the core returns it. */
const partOf = (x, y, width, height, orientation = 1) => ({ x, y, width, height, orientation, requantized: 0 });

const written = async (jpeg) => new Uint8Array(await jpeg.written.arrayBuffer());

test('a crop on the grid is written without loss, one off it is not', async () => {
  const { core, jpeg, width, height, code, crop, set, state } = await open(corpus('420'));
  assert.equal(code, JPEGCode.done);
  assert.equal(state().isJPEG, true);
  assert.equal(set(16, 16, 16, 16) & Change.refused, 0);
  assert.equal(state().isLossless, true);
  assert.equal(crop(Lossless.exact), JPEGCode.done);
  assert.deepEqual(size(await written(jpeg)), { width: 16, height: 16 });
  set(15, 16, 16, 16);
  assert.equal(state().isLossless, false);
  assert.equal(crop(Lossless.exact), JPEGCode.notLossless);
  assert.equal(jpeg.crop({ part: partOf(15, 16, 16, 16), metadata: Metadata.keep }), JPEGCode.notLossless);
  // Snapped, the same rectangle moves to 16, or outward to 0 and 32; the requested rectangle counts, not the set one.
  assert.equal(state().lossless, Lossless.exact);
  assert.equal(crop(Lossless.snap), JPEGCode.done);
  assert.deepEqual(size(await written(jpeg)), { width: 16, height: 16 });
  assert.equal(crop(Lossless.outward), JPEGCode.done);
  assert.deepEqual(size(await written(jpeg)), { width: 32, height: 16 });
  // The right and bottom edges may be anywhere, unless nothing may be requantized.
  set(16, 16, 13, 11);
  assert.deepEqual([state().isLossless, state().requantized], [true, 13]);
  assert.equal(crop(Lossless.exact), JPEGCode.done);
  assert.deepEqual(size(await written(jpeg)), { width: 13, height: 11 });
  assert.equal(crop(Lossless.strict), JPEGCode.notLossless);
  set(15, 16, 16, 16);
  assert.equal(crop(Lossless.never), JPEGCode.notLossless);
  core.command('lossless', Lossless.snap);
  assert.equal(state().isLossless, true);
  assert.ok(width >= 32 && height >= 32);
});

test('parts and orientations that can’t be are refused', async () => {
  const { jpeg, width, height } = await open(corpus('420'));
  for (const part of [
    [0, 0, 0, 16, 1], [0, 0, 16, -16, 1], [-16, 0, 16, 16, 1], [0, 0, width + 16, height, 1],
    [0, 0, 16, 16, -1], [0, 0, 16, 16, 9], [0x7ffffff0, 0, 0x7ffffff0, 16, 1],
  ]) {
    assert.equal(jpeg.crop({ part: partOf(...part), metadata: Metadata.keep }), JPEGCode.notLossless, String(part));
  }
  assert.equal(jpeg.pieces.length, 0);
});

test('a progressive picture is reported, and not cut by copying bits', async () => {
  const { jpeg, code } = await open(corpus('progressive'));
  assert.equal(code, JPEGCode.done);
  assert.equal(jpeg.header().canCopy, false);
  assert.equal(jpeg.crop({ part: partOf(0, 0, 16, 16), metadata: Metadata.keep }), JPEGCode.notLossless);
});

test('a head that is too short is an error, and so are other formats', async () => {
  const bytes = corpus('420');
  assert.equal((await cutter(bytes.subarray(0, 60))).open(), JPEGCode.truncated);
  const jpeg = await cutter(new Uint8Array([1, 2, 3]));
  assert.equal(jpeg.open(), JPEGCode.notJPEG);
  assert.equal(jpeg.header(), null);
  assert.equal(jpeg.crop({ part: partOf(0, 0, 16, 16), metadata: Metadata.keep }), JPEGCode.notLossless);
});

test('a JPEG of another size than the picture’s is refused', async () => {
  const { core, width, height } = await open(corpus('420'));
  assert.equal(core.setJPEG({ jpeg: { width: width + 1, height, cellWidth: 16, cellHeight: 16, orientation: 1 } }), Change.refused);
});

test('a damaged picture is an error and not a file', async () => {
  const bytes = corpus('420');
  const { crop } = await open(bytes.subarray(0, bytes.length / 2));
  assert.equal(crop(Lossless.exact), JPEGCode.truncated);
});

test('the drawn part is checked strictly, with a cell around it, and nothing is written', async () => {
  const bytes = corpus('420');
  const { core, jpeg, width, height, set } = await open(bytes);
  const check = () => jpeg.check({ part: core.jpegPart({}) });
  set(3, 1, 5, 6);
  assert.deepEqual(core.jpegPart({}), partOf(3, 1, 5, 6));
  assert.equal(check(), JPEGCode.done);
  // With a tilt, the complete image.
  set(16, 16, 8, 8, 3);
  assert.deepEqual(core.jpegPart({}), partOf(0, 0, width, height));
  assert.equal(check(), JPEGCode.done);
  assert.equal(jpeg.check({ part: partOf(0, 0, width + 1, height) }), JPEGCode.notLossless);
  const found = new Set();
  for (let at = bytes.length - 200; at < bytes.length - 2; at += 20) {
    const damaged = await cutter(Uint8Array.from(bytes).fill(0, at, at + 20));
    assert.equal(damaged.open(), JPEGCode.done);
    found.add(damaged.check({ part: core.jpegPart({}) }));
    assert.equal(damaged.pieces.length, 0);
  }
  assert.ok([...found].some((code) => code === JPEGCode.truncated || code === JPEGCode.corrupt), String([...found]));
  assert.equal(jpeg.pieces.length, 0);
});

test('an orientation that browsers ignore is reported with its position', async () => {
  const entry = (type, count, value) => [0x12, 1, type, 0, count, 0, 0, 0, value, 0, 0, 0];
  for (const [type, count, value, at] of [
    [3, 1, 6, 0], [4, 1, 6, 22], [3, 2, 6, 22], [1, 1, 6, 22], [4, 1, 9, 0], [2, 1, 6, 0],
  ]) {
    const block = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, ...entry(type, count, value), 0, 0, 0, 0];
    const segment = [0xff, 0xe1, 0, block.length + 8, ...new TextEncoder().encode('Exif\0\0'), ...block];
    const bytes = corpus('420');
    const jpeg = await cutter(Uint8Array.from([...bytes.subarray(0, 2), ...segment, ...bytes.subarray(2)]));
    assert.equal(jpeg.open(), JPEGCode.done);
    assert.equal(jpeg.header().orientationAt, at, `${type} ${count} ${value}`);
    assert.equal(jpeg.header().orientation, at || type === 3 ? value : 1);
  }
});

/** `bytes` with an XMP packet of Camera Raw's settings, with a separate prefix. */
function withSettings(bytes) {
  const list = (name) => `<c:${name}><R:Seq><R:li c:What="HIDDEN"/></R:Seq></c:${name}>`;
  const packet = `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><R:RDF
    xmlns:R="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><R:Description R:about="" c:HasCrop="True"
    c:CropTop="0.1" xmlns:c="http://ns.adobe.com/camera-raw-settings/1.0/" c:Exposure2012="+0.50"
    xmlns:i="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"><c:CropLeft>0.2</c:CropLeft>
    ${['RetouchInfo', 'RetouchAreas', 'MaskGroupBasedCorrections', 'PaintBasedCorrections'].map(list).join('')}
    <i:ImageRegion>HIDDEN</i:ImageRegion></R:Description></R:RDF></x:xmpmeta>`;
  const length = packet.length + 2;
  const segment = [0xff, 0xe1, length >> 8, length & 255, ...new TextEncoder().encode(packet)];
  return Uint8Array.from([...bytes.subarray(0, 2), ...segment, ...bytes.subarray(2)]);
}

test('a photo program’s crop, spots, masks and regions are gone from every result', async () => {
  const jpeg = await cutter(withSettings(corpus('420')), corpus('420'));
  assert.equal(jpeg.open(), JPEGCode.done);
  for (const make of [() => jpeg.crop({ part: partOf(16, 16, 16, 16), metadata: Metadata.keep }), () => jpeg.copyMetadata({ metadata: Metadata.keep })]) {
    jpeg.pieces.length = 0;
    assert.equal(make(), JPEGCode.done);
    const text = new TextDecoder('latin1').decode(await written(jpeg));
    for (const gone of ['Crop', 'Retouch', 'Corrections', 'ImageRegion', 'HIDDEN']) {
      assert.ok(!text.includes(gone), gone);
    }
    assert.ok(text.includes('c:Exposure2012="+0.50"'));
  }
});

test('a file of 20 megabytes takes no more memory than a small one', async () => {
  const small = corpus('420');
  const segment = new Uint8Array(65_537);
  segment.set([0xff, 0xe5, 0xff, 0xff]);
  const bytes = new Uint8Array(small.length + 320 * segment.length);
  bytes.set(small.subarray(0, 2));
  for (let index = 0; index < 320; index += 1) bytes.set(segment, 2 + index * segment.length);
  bytes.set(small.subarray(2), 2 + 320 * segment.length);
  const { width, height } = size(small);
  const jpeg = await cutter(bytes);
  const run = () => {
    jpeg.pieces.length = 0;
    assert.equal(jpeg.open(), JPEGCode.done);
    assert.equal(jpeg.crop({ part: partOf(0, 0, width, height), metadata: Metadata.keep }), JPEGCode.done);
    return jpeg.memory.buffer.byteLength;
  };
  const first = run();
  assert.ok(first < 4 << 20, `${first} bytes`);
  for (let round = 0; round < 10; round += 1) run();
  assert.equal(run(), first);
});
