// @ts-check
// The page's words and numbers; only those of its language are loaded.

import { baseOf, Words } from '../../Element/words.js';
import { languages } from '../words/languages.js';

/** @typedef {keyof typeof import('../words/words-en.js').english} WordKey */
/** @template Key @typedef {Key extends `${infer Counted}.other` ? Counted : never} CountedOf */
/** @typedef {CountedOf<WordKey>} CountedKey phrases that have plural forms */
/** @typedef {keyof typeof languages} Language the first part of a language tag */

/** @param {string} name @returns {name is Language} */
const isKnown = (name) => Object.hasOwn(languages, name);

/** The page's language. */
export const language = chosenLanguage();

const spoken = new Words(language,
  /** @type {Readonly<Record<WordKey, string>>} */ (await languages[language].table()));
const { locale } = spoken;
const plurals = new Intl.PluralRules(language);

/** A page with `data-lang="auto"` uses the user's first supported language. */
function chosenLanguage() {
  const root = document.documentElement;
  if (root.dataset?.lang === 'auto') {
    const name = (navigator.languages ?? []).map(baseOf).find(isKnown) ?? 'en';
    root.lang = languages[name].tag;
    root.dir = name === 'ar' ? 'rtl' : 'ltr';
  }
  const name = baseOf(root.lang ?? '');
  return isKnown(name) ? name : 'en';
}

/**
 * A phrase in the page's language; `{0}`, `{1}` … are replaced by the arguments.
 * @param {WordKey} key @param {...string} parts
 */
export function words(key, ...parts) {
  return spoken.phrase(key, ...parts);
}

/**
 * The plural form of a phrase for a number, which replaces `{0}`.
 * @param {CountedKey} key @param {number} count
 */
export function counted(key, count) {
  const form = `${key}.${plurals.select(count)}`;
  return words(isWordKey(form) ? form : `${key}.other`, formatNumber(count));
}

/** @param {string} key @returns {key is WordKey} */
export function isWordKey(key) {
  return spoken.has(key);
}

/** @param {number} value @param {number} [decimals] digits after the point, always shown */
export function formatNumber(value, decimals = 0) {
  return spoken.number(value, decimals);
}

/** @param {string} code of a country, such as US */
export function regionName(code) {
  return new Intl.DisplayNames([locale], { type: 'region' }).of(code) ?? code;
}

/** @param {number} count bytes */
export function formatBytes(count) {
  const unit = count < 1e6 ? 'kilobyte' : 'megabyte';
  const amount = count / (count < 1e6 ? 1e3 : 1e6);
  return new Intl.NumberFormat(locale, {
    style: 'unit', unit, maximumFractionDigits: amount < 10 ? 1 : 0,
  }).format(amount);
}

/** @param {string} from such as 2026-11 @param {string} to the same month or a later one */
export function formatMonths(from, to) {
  const [first, last] = [from, to].map((month) => new Date(`${month}-01T00:00:00Z`));
  return dateFormat({ month: 'long', year: 'numeric' }).formatRange(first, last);
}

/** @param {string} time ISO 8601; empty text if it is invalid */
export function formatDay(time) {
  const date = new Date(`${time.slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? '' : dateFormat({ dateStyle: 'long' }).format(date);
}

/**
 * A date and time of the user's clock.
 * @param {string} time ISO 8601; empty text if it is invalid
 */
export function formatTime(time) {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? ''
    : dateFormat({ dateStyle: 'long', timeStyle: 'short', timeZone: undefined }).format(date);
}

/** @type {Map<string, Intl.DateTimeFormat>} */ const dateFormats = new Map();

/**
 * Formats days in the photo's time zone, not the user's.
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
  // Width stays left of height in right-to-left text: isolated, and with marks that separate Arabic digits from the
  // text between them.
  return `\u2066${words('size', `${wide}\u200e`, `\u200e${high}`)}\u2069`;
}

/** What may follow a number: a unit in letters, such as px, or the sign of degrees. */
const UNIT = /^[\p{L}°º.]*$/u;
/** The same, or a percent sign. */
export const UNIT_OR_PERCENT = /^[\p{L}%٪﹪％]*$/u;

/** @param {string} text whether it is a number with a percent sign */
export function isPercentage(text) {
  return /[%٪﹪％]/.test(text);
}

/**
 * The text with Western digits, and without spaces and direction marks.
 * @param {string} text
 */
export function plainDigits(text) {
  const western = text.replace(/\p{Nd}/gu, (digit) => {
    const code = /** @type {number} */ (digit.codePointAt(0));
    // Digits come in runs of ten, so walk down to find the zero.
    let zero = code;
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String(code - zero);
  });
  return western.replace(/[\s\u00a0\u202f'’\p{Bidi_Control}]/gu, '').replace('−', '-');
}

/**
 * Parses a number with any grouping; null for anything else, such as 16:9 or 50%.
 * @param {string} text
 * @param {boolean} [isGrouped] a separator before the last three digits is for grouping, otherwise a decimal point
 * @param {RegExp} [unit] what may follow
 */
export function readNumber(text, isGrouped = true, unit = UNIT) {
  const plain = plainDigits(text);
  // A separator before exactly three last digits groups; any other is a decimal point.
  const ungrouped = isGrouped ? plain.replace(/[.,٬](?=\d{3}(?:\D|$))/g, '') : plain;
  const [, digits, rest] = /^([+-]?(?:\d+(?:[.,٫]\d*)?|[.,٫]\d+))(.*)$/u.exec(ungrouped) ?? [];
  return digits && unit.test(rest) ? Number(digits.replace(/[,٫]/, '.')) : null;
}
