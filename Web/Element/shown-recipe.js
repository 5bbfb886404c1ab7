// @ts-check
// A recipe that knows the picture it is for, so that it can be written for other programs.

import { SHAPES } from './core.js';
import { EXPORTERS } from './exporter-table.js';

/** @typedef {import('./core.js').Drawing} Drawing */
/** @typedef {import('./core.js').Recipe} Recipe */
/** @typedef {import('./exporter-table.js').ExporterName} ExporterName */

/** EXIF orientations that mirror. */
const MIRRORED = [2, 4, 5, 7];

/** @typedef {{ width: number, height: number, orientation: number }} Stored upright pixels; EXIF 1 to 8 */

/**
 * A recipe as the element tells it.
 * @typedef {Recipe & { to(name: ExporterName): string }} ShownRecipe
 */

/**
 * A recipe that can be written for other programs. It is a plain object all the same, also for frameworks
 * that wrap those: what it can do is not listed among its properties and needs no `this`.
 * @param {Recipe} recipe @param {Drawing} drawing of its result @param {Stored} picture
 * @returns {ShownRecipe}
 */
export function shownRecipe(recipe, drawing, { width, height, orientation }) {
  const picture = { width, height, orientation };
  const to = (/** @type {ExporterName} */ name) => written(name, recipe, drawing, picture);
  return Object.defineProperty(/** @type {ShownRecipe} */ ({ ...recipe }), 'to', { value: to });
}

/**
 * Parameters with which another program or server cuts the same part.
 * @param {ExporterName} name @param {Recipe} recipe @param {Drawing} drawing @param {Stored} picture
 * @returns {string}
 * @throws {RangeError} for another name, and for what can't be done there
 */
function written(name, recipe, drawing, picture) {
  if (!Object.hasOwn(EXPORTERS, name)) {
    throw new RangeError(`${name} is not known; known are ${Object.keys(EXPORTERS).join(', ')}`);
  }
  const { join, steps, lacks } = EXPORTERS[name];
  const holding = conditions(recipe, drawing, picture);
  const hold = (/** @type {string} */ list) => list === '' || list.split(' ').every((one) =>
    (one.startsWith('!') ? !holding.has(one.slice(1)) : holding.has(one)));
  const lack = lacks.find(([list]) => hold(list));
  if (lack) throw new RangeError(`${name} can't ${lack[1]}`);
  const numbers = numbersOf(recipe, drawing, picture);
  const chosen = steps.filter(([list]) => hold(list));
  return chosen.map(([, text], index) => filled(text, new Map([...numbers,
    ['in', index === 0 ? 'INPUT' : `${index}.v`],
    ['out', index === chosen.length - 1 ? 'OUTPUT' : `${index + 1}.v`],
  ]))).join(join);
}

/**
 * A plain recipe as `view.recipe` takes it: the compiler knows no setter that takes more than its getter
 * gives, where types are comments. Scripts/package.sh tells others the truth.
 * @param {Recipe} recipe
 */
export const takeable = (recipe) => /** @type {ShownRecipe} */ (recipe);

/** @param {Recipe} recipe @param {Drawing} drawing @param {Stored} picture */
function conditions({ rect, quarterTurns, mirrored, tilt }, drawing, picture) {
  const { width, height, shape } = drawing;
  const part = partOf(drawing);
  const isWhole = part.width === picture.width && part.height === picture.height;
  const all = {
    cut: !isWhole, mirror: mirrored, turn: quarterTurns !== 0, transpose: quarterTurns % 2 !== 0,
    resize: rect.width !== width || rect.height !== height, tilt: tilt !== 0,
    storedMirrored: MIRRORED.includes(picture.orientation), [SHAPES[shape]]: true,
  };
  return new Set(Object.entries(all).filter(([, holds]) => holds).map(([name]) => name));
}

/**
 * @param {Recipe} recipe @param {Drawing} drawing @param {{ width: number, height: number }} picture
 * @returns {[string, string][]}
 */
function numbersOf({ rect, quarterTurns }, drawing, picture) {
  const { width, height, map: [a, b, c, d, e, f], corner } = drawing;
  const isTransposing = quarterTurns % 2 !== 0;
  const part = partOf(drawing);
  const all = {
    left: part.x, top: part.y, width: part.width, height: part.height,
    right: part.x + part.width, bottom: part.y + part.height,
    frameLeft: rect.x, frameTop: rect.y, frameWidth: rect.width, frameHeight: rect.height,
    pictureWidth: picture.width, pictureHeight: picture.height,
    outputWidth: width, outputHeight: height,
    unturnedWidth: isTransposing ? height : width, unturnedHeight: isTransposing ? width : height,
    degrees: quarterTurns * 90, degreesBack: 360 - quarterTurns * 90,
    ...sharesOf(part, picture),
    a, b, c, d, e, f, cornerWidth: corner.x, cornerHeight: corner.y,
  };
  return [...Object.entries(all).map(([name, value]) => /** @type {[string, string]} */ ([name, decimal(value)])),
    ['ratio', ratioOf(part)]];
}

/**
 * The part as shares of the picture; nobody has named a focus, which is then the part.
 * @param {{ x: number, y: number, width: number, height: number }} part
 * @param {{ width: number, height: number }} picture
 */
function sharesOf({ x, y, width, height }, picture) {
  const [shareLeft, shareTop] = [x / picture.width, y / picture.height];
  const [shareWidth, shareHeight] = [width / picture.width, height / picture.height];
  return {
    shareLeft, shareTop, shareWidth, shareHeight,
    shareRight: (picture.width - x - width) / picture.width,
    shareBottom: (picture.height - y - height) / picture.height,
    focusX: shareLeft + shareWidth / 2, focusY: shareTop + shareHeight / 2,
    focusWidth: shareWidth, focusHeight: shareHeight,
  };
}

/** @param {{ width: number, height: number }} part @returns {string} W:H, or NaN for one with large terms */
function ratioOf({ width, height }) {
  let [a, b] = [width, height];
  while (b > 0) [a, b] = [b, a % b];
  return Math.max(width, height) / a > 64 ? 'NaN' : `${width / a}:${height / a}`;
}

/**
 * What the core's map takes to the result: the part of the upright picture before it is mirrored and
 * turned, in whole pixels. Under a tilt it is none that is used.
 * @param {Drawing} drawing
 */
function partOf({ width, height, map: [a, b, c, d, e, f] }) {
  const scale = a * d - b * c;
  const [first, last] = [[0, 0], [width, height]].map(([x, y]) => [
    Math.round((d * (x - e) - c * (y - f)) / scale), Math.round((a * (y - f) - b * (x - e)) / scale)]);
  return {
    x: Math.min(first[0], last[0]), y: Math.min(first[1], last[1]),
    width: Math.abs(last[0] - first[0]), height: Math.abs(last[1] - first[1]),
  };
}

/** @param {string} text @param {Map<string, string>} numbers */
function filled(text, numbers) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => numbers.get(name) ?? whole);
}

/** @param {number} value @returns {string} six decimals at most, no exponent */
function decimal(value) {
  const millionths = Math.round(Math.abs(value) * 1e6);
  return String((value < 0 && millionths ? -millionths : millionths) / 1e6);
}
