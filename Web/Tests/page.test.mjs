// The page's functions that don't need a browser.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';

import { languages, page } from '../../Scripts/catalog.mjs';
import { made as madeWords, problems } from '../../Scripts/words.mjs';
import { attributeCommands } from '../Element/attributes.js';
import { Core } from '../Element/core.js';
import { GridLayout, HEADING } from '../App/library/grid-layout.js';
import { CropError } from '../Element/errors.js';
import { holdsGainMap, readerOf } from '../Element/gain-map.js';
import { Input } from '../Element/input.js';
import { parseExtent, parseLength, parseRatio, parseShape, parseSize, Rule, Shape } from '../Element/interface.js';
import { croppedName, extensionOf } from '../App/model/photo.js';
import { fileName, isPattern } from '../App/model/file-names.js';
import { photoHash, readRoute } from '../App/model/routes.js';
import { modules } from './core.mjs';

// The words read the language from the document and the browser.
globalThis.document ??= { documentElement: { lang: 'en', dir: 'ltr' } };
globalThis.navigator ??= { language: 'en-US' };
const { counted, formatNumber, formatSize, readNumber } = await import('../App/ui/words.js');
const { announced } = await import('../Element/accessible.js');
const { english } = await import('../App/words/words-en.js');
const { explain } = await import('../App/server/explain.js');
const { inEnglish, wordsFor } = await import('../Element/words.js');

const core = await Core.of(modules.cropcore);
const commandsOf = (name, value) => attributeCommands(name, value, core);

test('an attribute becomes the commands it stands for', () => {
  assert.deepEqual(commandsOf('aspect-ratio', '16:9'), [['ratio', 16, 9]]);
  assert.deepEqual(commandsOf('aspect-ratio', '2.35:1'), [['ratio', 47, 20]]);
  assert.deepEqual(commandsOf('aspect-ratio', '1 / 1.5'), [['ratio', 2, 3]]);
  assert.deepEqual(commandsOf('aspect-ratio', '1.7777777777777777'), [['ratio', 16, 9]]);
  assert.deepEqual(commandsOf('aspect-ratio', 'square'), [['ratio', 1, 1]]);
  assert.deepEqual(commandsOf('aspect-ratio', null), [['ratioFree', 0, 0]]);
  assert.deepEqual(commandsOf('crop-style', 'marquee'), [['style', 0, 0]]);
  assert.deepEqual(commandsOf('crop-style', null), [['style', 2, 0]]);
  assert.deepEqual(commandsOf('shape', 'rounded:24'), [['shape', 2, 24]]);
  assert.deepEqual(commandsOf('min-size', '200x100'), [['minimumSize', 200, 100]]);
  assert.deepEqual(commandsOf('max-size', ''), [['maximumSize', 0, 0]]);
  assert.deepEqual(commandsOf('min-size', '200 × 100'), [['minimumSize', 200, 100]]);
  assert.deepEqual(commandsOf('cover', 'fit'), [['cover', 1, 0]]);
  assert.deepEqual(commandsOf('margin', '2.5'), [['margin', 2.5, 0]]);
  assert.deepEqual(commandsOf('margin', null), [['margin', core.constants.margin, 0]]);
  assert.deepEqual(commandsOf('viewfinder-top', '25%'), [['viewfinderTop', 0.25, 1]]);
  assert.deepEqual(commandsOf('viewfinder-top', null), [['viewfinderTop', 0, 0]]);
});

const grammars = JSON.parse(readFileSync(new URL('../../Schema/grammars.json', import.meta.url), 'utf8'));

test('a text stands for what the grammars say', () => {
  const sized = ([width, height]) => ({ width, height });
  const readers = {
    ratio: [parseRatio, (said) => ({ kind: 'fixed', ratio: sized(said) })], size: [parseSize, sized],
    shape: [parseShape, ([code, radius]) => ['rectangle', 'ellipse', { roundedRectangle: radius }][code]],
    length: [parseLength, ([value, isShare]) => ({ kind: isShare ? 'percent' : 'pixels', value })],
    canvas: [parseExtent, ([kind, ...sides]) => (kind ? { kind: 'size', size: sized(sides) } : { kind: 'ratio', terms: sized(sides) })],
  };
  for (const [name, [read, form]] of Object.entries(readers)) {
    for (const [text, said] of Object.entries(grammars[name].takes)) assert.deepEqual(read(core, { text }), form(said), `${name} ${text}`);
    for (const text of grammars[name].refuses) {
      // No ratio is any ratio.
      if (name !== 'ratio' || text) assert.equal(read(core, { text }), null, `${name} ${text}`);
    }
  }
});

test('an attribute that makes no sense does nothing', () => {
  for (const [name, value] of [
    ['aspect-ratio', '16:'], ['aspect-ratio', '-1:2'], ['crop-style', 'loose'],
    ['shape', 'star'], ['shape', 'circle'], ['shape', 'rounded:'], ['min-size', 'large'], ['max-size', '0x9'],
    ['margin', '5%'], ['margin', '-1'], ['viewfinder-top', '101%'],
  ]) {
    assert.deepEqual(commandsOf(name, value), [], `${name}="${value}"`);
  }
});

test('a detent of a wheel is the same however the system reports it', () => {
  const calls = [];
  const core = { wheel: (event) => calls.push(event) && 0 };
  const listened = {};
  const surface = {
    addEventListener: (type, listener) => { listened[type] = listener; },
  };
  const placing = { measure: () => {}, point: (x, y) => ({ x, y }) };
  const keyboard = { addEventListener: () => {} };
  new Input(surface, keyboard, { core: () => core, apply: () => {}, takesWheel: () => true }, placing);
  const turn = (event) => {
    listened.wheel({ deltaX: 0, deltaMode: 0, timeStamp: 0, clientX: 5, clientY: 5,
      preventDefault: () => {}, ...event });
    const { dy, isPrecise } = calls.pop();
    return [dy, isPrecise];
  };
  assert.deepEqual(turn({ deltaY: -100, wheelDeltaY: 120 }), [-100, false]);
  assert.deepEqual(turn({ deltaY: -120, wheelDeltaY: 120 }), [-100, false]);
  assert.deepEqual(turn({ deltaY: 240, wheelDeltaY: -240 }), [200, false]);
  assert.deepEqual(turn({ deltaY: -6, deltaMode: 1, wheelDeltaY: 120 }), [-100, false]);
  assert.deepEqual(turn({ deltaY: -3, deltaMode: 1 }), [-100, false]);
  assert.deepEqual(turn({ deltaY: 1, deltaMode: 2 }), [100, false]);
  assert.deepEqual(turn({ deltaY: -100 }), [-100, false]);
  // Smooth deltas are used unchanged.
  assert.deepEqual(turn({ deltaY: -7, wheelDeltaY: 21 }), [-7, true]);
  assert.deepEqual(turn({ deltaY: -130, wheelDeltaY: 390 }), [-130, true]);
});

test('a result is named after its photo and its own format', () => {
  const named = (name, type) => croppedName(name, new Blob([], { type }));
  assert.equal(named('photo.jpg', 'image/jpeg'), 'photo-cropped.jpg');
  assert.equal(named('Photo.JPEG', 'image/jpeg'), 'Photo-cropped.JPEG');
  assert.equal(named('photo.heic', 'image/jpeg'), 'photo-cropped.jpg');
  assert.equal(named('scan.final.tif', 'image/tiff'), 'scan.final-cropped.tif');
  assert.equal(named('no extension', 'image/png'), 'no extension-cropped.png');
  assert.equal(named('../up/photo.jpg', 'image/jpeg'), '..-up-photo-cropped.jpg');
  assert.equal(named('', 'image/webp'), 'photo-cropped.webp');
});

test('a typed number is read however it is grouped', () => {
  assert.equal(readNumber('2418'), 2418);
  assert.equal(readNumber('2,418'), 2418);
  assert.equal(readNumber('2.418'), 2418);
  assert.equal(readNumber('2\u202f418'), 2418);
  assert.equal(readNumber('12,5'), 12.5);
  assert.equal(readNumber('12.5'), 12.5);
  assert.equal(readNumber('٢٤١٨'), 2418);
  assert.equal(readNumber('１２'), 12);
  assert.equal(readNumber('-3.8'), -3.8);
  assert.equal(readNumber('wide'), null);
  assert.equal(readNumber(''), null);
});

test('numbers are shown without a negative zero', () => {
  assert.equal(formatNumber(-0.04, 1), formatNumber(0, 1));
  assert.match(formatSize(3, 2), /^3 × 2$/);
});

test('announcements name a shape, the violated rule, and no ratio of zero', () => {
  const said = (kind, values = {}) => announced({ kind, ...values }, inEnglish);
  assert.equal(said('violatedRule', { rule: Rule.minimum }), 'The smallest size doesn’t fit here');
  assert.equal(said('violatedRule', { rule: Rule.ratio }), 'This ratio doesn’t fit here');
  assert.equal(said('limit'), 'Can’t move further');
  assert.equal(said('ratio', { width: 16, height: 9 }), 'Ratio 16 to 9');
  assert.equal(said('ratio', { width: 0, height: 0 }), 'Free ratio');
  assert.equal(said('shape', { shape: Shape.ellipse }), 'Shape: Ellipse');
  assert.equal(said('nothing'), null);
});

test('every problem with a title says what to do, or leaves it to the server', () => {
  const left = Object.keys(english).filter((key) => key.endsWith('.what')
    && !(key.replace('.what', '.todo') in english));
  assert.deepEqual(left, ['component-missing.what']);
});

test('the page has words for every error of the engine', () => {
  const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const [, limits] = read('Sources/CropSystem/CropError+Message.swift').split('enum Limit');
  const codes = Object.values(JSON.parse(read('Schema/errors.json')).errors).flatMap(({ code }) =>
    (code === 'limit-{limit}' ? [...limits.split('\n  }')[0].matchAll(/case (\w+)$/gm)].map(([, limit]) => `limit-${limit}`) : code));
  assert.ok(codes.includes('limit-memory'));
  assert.deepEqual(codes.filter((code) => !(`${code}.what` in english)), []);
});

test('damage that the element reports has its own message', () => {
  for (const code of ['corrupt', 'truncated', 'too-large']) {
    const reported = explain(new CropError(code, ''), 'hill.jpg');
    assert.deepEqual([reported.title, reported.detail],
      [english[`${code}.what`].replace('{0}', 'hill.jpg'), english[`${code}.todo`]]);
  }
  assert.equal(explain(new CropError('no-decoding', ''), 'hill.jpg').title,
    english.problemUnreadable.replace('{0}', 'hill.jpg'));
});

const placesOf = (phrase) => [...new Set(phrase.match(/\{\d\}/g) ?? [])].sort();

test('every phrase exists in each language, in its plural forms, with the same placeholders', () => {
  assert.deepEqual(problems(), []);
});

/** Phrases that are correctly the same as in English, by language. */
const SAME = Object.freeze({
  ar: [],
  de: ['letterX', 'letterY', 'letterH', 'letterR', 'gridGolden', 'zoom', 'pixelsShort', 'resultFormat', 'photoTaken',
    'targetStory', 'targetBanner', 'targetName'],
  es: ['letterX', 'letterY', 'letterR', 'zoom', 'pixelsShort', 'photoTaken', 'targetBanner'],
  fr: ['aroundNothing', 'documentTab', 'styleTitle', 'stylePerspective', 'pixels', 'letterX', 'letterY', 'letterH', 'letterR', 'zoom',
    'pixelsShort', 'resultSize', 'resultFormat', 'photo', 'photos', 'photoTaken', 'pictureName', 'pixelsOf',
    'targetPortrait', 'targetStory'],
  it: ['letterX', 'letterY', 'letterR', 'zoom', 'pixelsShort', 'resultFile', 'photoTaken', 'targetBanner'],
  ja: ['letterX', 'letterY', 'letterR', 'pixelsShort'],
  ko: ['letterX', 'letterY', 'letterR', 'photoTaken'],
  pt: ['pixels', 'letterX', 'letterY', 'letterR', 'zoom', 'pixelsShort', 'resultSize', 'photoTaken',
    'pixelsOf', 'targetStory', 'targetBanner'],
  'zh-Hans': ['letterX', 'letterY', 'letterR'],
});

test('no phrase was left in English', () => {
  for (const [language, same] of Object.entries(SAME)) {
    const found = page.own.filter((key) => JSON.stringify(page.forms(key, language)) === JSON.stringify(page.forms(key, 'en')));
    assert.deepEqual(found.sort(), [...same].sort(), language);
  }
});

test('a number goes with its form of the phrase', () => {
  assert.equal(counted('leaveTitle', 1), 'Leave without saving 1 photo?');
  assert.equal(counted('leaveTitle', 1200), 'Leave without saving 1,200 photos?');
});

test('unused phrases are not among the words', () => {
  const folders = ['../App/', '../Element/', '../../Sources/', '../../Tools/Sources/'];
  const said = folders.flatMap((folder) => readdirSync(new URL(folder, import.meta.url), { recursive: true })
    .filter((name) => /\.(js|swift)$/.test(name) && !/words-\w+\.js$/.test(name))
    .map((name) => readFileSync(new URL(folder + name, import.meta.url), 'utf8'))).join('\n');
  const names = new Set([...said.matchAll(/['"]([\w.-]+)['"]|\b([\w]+)(?=: \{? ?')/g)].map(([, text, name]) => text ?? name));
  // A limit's code is derived from its case.
  for (const [, limit] of said.matchAll(/case (\w+)$/gm)) names.add(`limit-${limit}`);
  // What a file would lose: a kind of data, or frames or pages.
  const [kinds] = said.split('enum MetadataKind')[1].split('\n}');
  for (const [, name, code] of kinds.matchAll(/case (\w+)(?: = "([\w-]+)")?$/gm)) names.add(`loss.${code ?? name}`);
  for (const [, code] of said.matchAll(/\("(frames|pages)", "/g)) names.add(`loss.${code}`);
  const unused = page.keys.filter((key) => !names.has(key)
    && !names.has(key.replace(/\.(what|todo)$/, '')));
  assert.deepEqual(unused, []);
});

test('the tables that are checked in are made of the words', () => {
  for (const [path, text] of Object.entries(madeWords)) {
    assert.equal(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'), text, `${path}: run Scripts/words.mjs`);
  }
});

test('the element speaks each language', async () => {
  for (const tag of Object.keys(languages)) {
    const spoken = await wordsFor(tag, {});
    assert.equal(spoken.phrase('saidUndone') === 'Undone', tag === 'en', tag);
    assert.deepEqual(placesOf(spoken.table.place), ['{0}', '{1}', '{2}', '{3}']);
  }
});

test('the page says nothing by a name of the element’s', () => {
  assert.deepEqual(page.keys.filter((key) => key in inEnglish.table), []);
});

test('an address names a place, and what makes no sense is the home', () => {
  assert.deepEqual(readRoute(''), { place: 'home', id: '' });
  assert.deepEqual(readRoute('#/'), { place: 'home', id: '' });
  assert.deepEqual(readRoute('#/albums/a%2Fb'), { place: 'album', id: 'a/b' });
  assert.deepEqual(readRoute(photoHash('ü/1')), { place: 'photo', id: 'ü/1' });
  assert.deepEqual(readRoute('#/photos/x/view'), { place: 'view', id: 'x' });
  assert.deepEqual(readRoute('#/camera'), { place: 'camera', id: '' });
  for (const hash of ['#/photos/', '#/photos/%E0%A4%A', '#/albums', '#/else', '#photos/1']) {
    assert.deepEqual(readRoute(hash), { place: 'home', id: '' }, hash);
  }
});

test('months have headings, unknown photos are at the end', () => {
  const months = [...Array(5).fill('2026-11'), ...Array(2).fill('2026-10')];
  const layout = new GridLayout(months, 10, { columns: 3, step: 100 });
  assert.deepEqual(layout.blocks.map(({ month, start, count, rows }) => [month, start, count, rows]),
    [['2026-11', 0, 5, 2], ['2026-10', 5, 2, 1], ['', 7, 3, 1]]);
  // Two headings and four rows.
  assert.equal(layout.lines, 6);
  const shown = layout.between(0, HEADING + 99);
  assert.deepEqual(shown.map(({ start, count }) => [start, count]), [[0, 0], [0, 3]]);
  assert.equal(layout.lineOf(4).top, HEADING + 100);
  assert.deepEqual(layout.between(layout.height - 30, layout.height).map(({ start }) => start), [7]);
});

test('months with few photos share a row', () => {
  const months = ['2026-11', '2026-10', '2026-10', '2026-08', '2026-07', '2026-07', '2026-07', '2026-07'];
  const layout = new GridLayout(months, 8, { columns: 4, step: 100 });
  assert.deepEqual(layout.blocks.map(({ month, from, start, count }) => [month, from, start, count]),
    [['2026-11', '2026-08', 0, 4], ['2026-07', '2026-07', 4, 4]]);
});

test('a step down keeps the column where there is one', () => {
  const layout = new GridLayout(Array(7).fill('2026-11'), 7, { columns: 3, step: 100 });
  assert.equal(layout.stepped(1, 1), 4);
  assert.equal(layout.stepped(5, 1), 6);
  assert.equal(layout.stepped(6, 1), 6);
  assert.equal(layout.stepped(6, -5), 0);
});

test('every line of a large grid is found where it lies', () => {
  const months = Array.from({ length: 100_000 }, (_, at) => `month ${Math.floor(at / 317)}`);
  const layout = new GridLayout(months, months.length, { columns: 6, step: 165 });
  for (const index of [0, 316, 317, 50_000, 99_999]) {
    const line = layout.lineOf(index);
    assert.ok(line.start <= index && index < line.start + line.count);
    assert.ok(layout.between(line.top, line.top + 1).some(({ start, count }) =>
      count > 0 && start === line.start));
  }
});

test('a HEIF with a tone-mapped image has a gain map', async () => {
  const file = (/** @type {string[]} */ ...brands) => {
    const box = new Uint8Array([0, 0, 0, 16 + 4 * brands.length, ...Buffer.from(`ftypheic0000${brands.join('')}`)]);
    // The word elsewhere says nothing.
    return new Blob([box, Buffer.from('mdattmap')]);
  };
  assert.equal(await holdsGainMap(readerOf(file('mif1', 'heic', 'tmap'))), true);
  assert.equal(await holdsGainMap(readerOf(file('mif1', 'heic'))), false);
});

test('a picture is named as what it is', () => {
  assert.equal(extensionOf('image/png'), 'png');
  assert.equal(extensionOf('image/jpeg'), 'jpg');
  assert.equal(extensionOf(''), 'jpg');
});

test('a photo that comes while an album is being read is not lost', { timeout: 60_000 }, async () => {
  const { PhotoList } = await import('../App/model/photo-list.js');
  const photo = { id: 'new', name: 'new.jpg', version: '1', modified: '2026-01-02T03:04:05Z' };
  /** @type {{url: string, answer: (body: object) => void}[]} */
  const asked = [];
  const kept = globalThis.fetch;
  globalThis.fetch = (url) => new Promise((resolve) => {
    asked.push({ url, answer: (body) => resolve(new Response(JSON.stringify(body))) });
  });
  const until = async (isSo) => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  const answered = async (part, body) => {
    await until(() => asked.some(({ url }) => url.includes(part)));
    const at = asked.findIndex(({ url }) => url.includes(part));
    asked.splice(at, 1)[0].answer(body);
  };
  try {
    globalThis.window ??= globalThis;
    const list = new PhotoList('cropped', () => {});
    list.want(1);
    list.take([{ id: 'new', change: 'added' }]);
    // Requested before the photo was loaded.
    await answered('photos?limit', { photos: [], next: null });
    await answered('photos?limit', { photos: [photo], next: null });
    await until(() => list.photos.length > 0 && list.isComplete);
    assert.deepEqual(list.photos, [photo]);
    list.take([{ id: 'newer', change: 'added' }]);
    await answered('photos/newer', { ...photo, id: 'newer', album: 'cropped' });
    await until(() => list.photos.length > 1);
    assert.deepEqual(list.photos.map(({ id }) => id), ['newer', 'new']);
    assert.deepEqual(asked, []);
  } finally {
    globalThis.fetch = kept;
  }
});

test('the page takes the name patterns that the server takes, where they tell targets apart', () => {
  for (const text of Object.keys(grammars.pattern.takes)) assert.equal(isPattern(text), /\{(target|number)\}/.test(text), text);
  for (const text of grammars.pattern.refuses) assert.ok(!isPattern(text), text);
  for (const text of ['{name}-{target}', '{target}.{ext}', '{number}-{width}x{height}']) assert.ok(isPattern(text), text);
  for (const text of ['', '{name}', 'a/{target}', '{target}{color}', '{target', 'a\\{target}']) assert.ok(!isPattern(text), text);
  const values = { name: 'a:b', target: 'Square', number: 2, width: 30, height: 40 };
  assert.equal(fileName('{name}-{target}', '.jpg', values), 'a_b-Square.jpg');
  assert.equal(fileName('{number}-{width}x{height}.{ext}', '.png', values), '2-30x40.png');
});
