// The page's functions that need no browser.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { attributeCommands } from '../Page/attributes.js';
import { croppedName } from '../Page/photo.js';

// The words ask the document and the browser for the language.
globalThis.document ??= { documentElement: { lang: 'en', dir: 'ltr' } };
globalThis.navigator ??= { language: 'en-US' };
const { formatNumber, formatSize, readNumber } = await import('../Page/words.js');
const { english } = await import('../Page/words-en.js');

test('an attribute becomes the commands it stands for', () => {
  assert.deepEqual(attributeCommands('aspect-ratio', '16:9'), [['ratio', 16, 9]]);
  assert.deepEqual(attributeCommands('aspect-ratio', 'square'), [['ratio', 1, 1]]);
  assert.deepEqual(attributeCommands('aspect-ratio', null), [['ratioFree', 0, 0]]);
  assert.deepEqual(attributeCommands('crop-style', 'marquee'), [['style', 0, 0]]);
  assert.deepEqual(attributeCommands('crop-style', null), [['style', 2, 0]]);
  assert.deepEqual(attributeCommands('shape', 'rounded:24'), [['shape', 2, 24]]);
  assert.deepEqual(attributeCommands('min-size', '200x100'), [['minimumSize', 200, 100]]);
  assert.deepEqual(attributeCommands('max-size', ''), [['maximumSize', 0, 0]]);
  assert.deepEqual(attributeCommands('cover', 'fit'), [['cover', 1, 0]]);
});

test('an attribute that makes no sense does nothing', () => {
  for (const [name, value] of [
    ['aspect-ratio', '16:'], ['aspect-ratio', '-1:2'], ['crop-style', 'loose'],
    ['shape', 'star'], ['min-size', 'large'],
  ]) {
    assert.deepEqual(attributeCommands(name, value), [], `${name}="${value}"`);
  }
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

test('every problem with a title says what to do, or leaves it to the server', () => {
  const left = Object.keys(english).filter((key) => key.endsWith('.what')
    && !(key.replace('.what', '.todo') in english));
  assert.deepEqual(left, ['component-missing.what']);
});

test('every phrase is there in Arabic, with the same places for numbers', async () => {
  const { arabic } = await import('../Page/words-ar.js');
  const places = (phrase) => [...new Set(phrase.match(/\{\d\}/g) ?? [])].sort();
  assert.deepEqual(Object.keys(arabic).sort(), Object.keys(english).sort());
  for (const [key, phrase] of Object.entries(english)) {
    assert.deepEqual(places(arabic[key]), places(phrase), key);
    assert.ok(arabic[key].trim(), key);
  }
});

test('no phrase is written twice in one table', () => {
  for (const table of ['words-en.js', 'words-ar.js']) {
    const source = readFileSync(new URL(`../Page/${table}`, import.meta.url), 'utf8');
    const keys = [...source.matchAll(/^ {2}'?([\w.-]+)'?: /gm)].map(([, key]) => key);
    assert.equal(new Set(keys).size, keys.length, table);
  }
});
