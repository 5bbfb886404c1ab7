// @ts-check
// Words and numbers for people. Tables are by language; a missing key falls back to English.

import { arabic } from './words-ar.js';
import { english } from './words-en.js';

/** @typedef {keyof typeof english} WordKey */

/** @type {Record<string, Partial<Record<WordKey, string>>>} */
const tables = { en: english, ar: arabic };
const RIGHT_TO_LEFT = new Set(['ar']);

const language = chosenLanguage();
// The person's own way to write numbers, if it is of the language the words are in.
const locale = baseOf(navigator.language ?? '') === language ? navigator.language : language;

/** The page's language; a page that says `data-lang="auto"` takes the person's first known one. */
function chosenLanguage() {
  const root = document.documentElement;
  if (root.dataset?.lang === 'auto') {
    root.lang = (navigator.languages ?? []).map(baseOf).find((name) => tables[name]) ?? 'en';
    root.dir = RIGHT_TO_LEFT.has(root.lang) ? 'rtl' : 'ltr';
  }
  const name = baseOf(root.lang ?? '');
  return tables[name] ? name : 'en';
}

/** @param {string} tag a language tag, of which the first part is given */
function baseOf(tag) {
  return tag.split('-')[0].toLowerCase();
}

/** @type {Map<number, Intl.NumberFormat>} */
const formats = new Map();

/**
 * A phrase in the page's language; `{0}`, `{1}` … are replaced by the arguments.
 * @param {WordKey} key @param {...string} parts
 */
export function words(key, ...parts) {
  if (parts.length === 0) return phraseOf(key).replace(PLACE, '');
  let pieces = split.get(key);
  if (!pieces) split.set(key, pieces = phraseOf(key).split(PLACE));
  // Every second piece is the number of an argument.
  let text = pieces[0];
  for (let at = 1; at < pieces.length; at += 2) text += (parts[Number(pieces[at])] ?? '') + pieces[at + 1];
  return text;
}

const PLACE = /\{(\d)\}/g;

/** Phrases at their places for arguments; some are asked for sixty times a second.
 * @type {Map<WordKey, string[]>} */
const split = new Map();

/** @param {WordKey} key */
function phraseOf(key) {
  return tables[language][key] ?? english[key];
}

/** @param {string} key @returns {key is WordKey} */
export function isWordKey(key) {
  return Object.hasOwn(english, key);
}

/**
 * Whole numbers written lately.
 * @type {Map<number, string>}
 */
const recent = new Map();
const MOST_RECENT = 4096;

/** @param {number} value @param {number} [decimals] digits after the point, always shown */
export function formatNumber(value, decimals = 0) {
  if (decimals !== 0 || !Number.isInteger(value)) return writtenNumber(value, decimals);
  let text = recent.get(value);
  if (text === undefined) {
    text = writtenNumber(value, decimals);
    if (recent.size >= MOST_RECENT) recent.clear();
    recent.set(value, text);
  }
  return text;
}

/** @param {number} value @param {number} decimals */
function writtenNumber(value, decimals) {
  let format = formats.get(decimals);
  if (!format) {
    format = new Intl.NumberFormat(locale, {
      minimumFractionDigits: decimals, maximumFractionDigits: decimals,
    });
    formats.set(decimals, format);
  }
  // Rounding must not show a negative zero.
  return format.format(Number(value.toFixed(decimals)) || 0);
}

/** @param {number} count bytes */
export function formatBytes(count) {
  const unit = count < 1e6 ? 'kilobyte' : 'megabyte';
  const amount = count / (count < 1e6 ? 1e3 : 1e6);
  return new Intl.NumberFormat(locale, {
    style: 'unit', unit, maximumFractionDigits: amount < 10 ? 1 : 0,
  }).format(amount);
}

/** @param {string} month such as 2026-11 */
export function formatMonth(month) {
  return dateFormat({ month: 'long', year: 'numeric' }).format(new Date(`${month}-01T00:00:00Z`));
}

/** @param {string} time ISO 8601; empty text for one that is none */
export function formatDay(time) {
  const date = new Date(`${time.slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? '' : dateFormat({ dateStyle: 'long' }).format(date);
}

/** @type {Map<string, Intl.DateTimeFormat>} */
const dateFormats = new Map();

/**
 * Days are as the photo names them, wherever the reader is.
 * @param {Intl.DateTimeFormatOptions} options
 */
function dateFormat(options) {
  const key = JSON.stringify(options);
  let format = dateFormats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options });
    dateFormats.set(key, format);
  }
  return format;
}

/** @param {number} width @param {number} height */
export function formatSize(width, height) {
  const [wide, high] = [formatNumber(width), formatNumber(height)];
  if (document.documentElement.dir !== 'rtl') return words('size', wide, high);
  // Width stays left of height where text runs from right to left: isolated, and with marks that
  // part Arabic digits from what stands between them.
  return `\u2066${words('size', `${wide}\u200e`, `\u200e${high}`)}\u2069`;
}

/**
 * A whole or broken number however it is grouped; null when there is none.
 * @param {string} text
 */
export function readNumber(text) {
  const western = text.replace(/\p{Nd}/gu, (digit) => {
    const code = /** @type {number} */ (digit.codePointAt(0));
    // Digits stand in runs of ten whose zero is found by walking down.
    let zero = code;
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String(code - zero);
  });
  const plain = western.replace(/[\s\u00a0\u202f'’]/g, '');
  // A separator before exactly three last digits groups; any other is a decimal point.
  const grouped = plain.replace(/[.,٬](?=\d{3}(?:\D|$))/g, '').replace(/[,٫]/, '.');
  const number = Number.parseFloat(grouped);
  return Number.isFinite(number) ? number : null;
}
