// @ts-check
// A recipe together with its image, so that it can be converted for other programs.

import { CONDITIONS, EXPORTERS, NUMBERS } from './exporter-table.js';
import { exported } from './interface.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./core.js').Recipe} Recipe */
/** @typedef {import('./exporter-table.js').ExporterName} ExporterName */

/** @typedef {{ width: number, height: number, orientation: number }} Stored upright pixels; EXIF 1 to 8 */

/**
 * A recipe as the element returns it.
 * @typedef {Recipe & { to(name: ExporterName): string }} ShownRecipe
 */

/**
 * A recipe that can be converted for other programs. It is still a plain object, also for frameworks that wrap
 * such objects: `to` is not enumerable and does not use `this`.
 * @param {Recipe} recipe @param {Stored} picture @param {Core} core
 * @returns {ShownRecipe}
 */
export function shownRecipe(recipe, { width, height, orientation }, core) {
  const picture = { width, height, orientation };
  const to = (/** @type {ExporterName} */ name) => written(name, recipe, picture, core);
  return Object.defineProperty(/** @type {ShownRecipe} */ ({ ...recipe }), 'to', { value: to });
}

/**
 * Parameters with which another program or server makes the same crop.
 * @param {ExporterName} name @param {Recipe} recipe @param {Stored} picture @param {Core} core
 * @returns {string}
 * @throws {RangeError} for an unknown name, and for a crop that is not possible there
 */
function written(name, recipe, { width, height, orientation }, core) {
  if (!Object.hasOwn(EXPORTERS, name)) {
    throw new RangeError(`${name} is not known; known are ${Object.keys(EXPORTERS).join(', ')}`);
  }
  const { join, steps, lacks } = EXPORTERS[name];
  const [bits, ...values] = exported(core, { image: { width, height }, orientation, recipe });
  const holding = new Set(CONDITIONS.filter((_, index) => bits & 1 << index));
  const hold = (/** @type {string} */ list) => list === '' || list.split(' ').every((one) =>
    (one.startsWith('!') ? !holding.has(one.slice(1)) : holding.has(one)));
  const lack = lacks.find(([list]) => hold(list));
  if (lack) throw new RangeError(`${name} can't ${lack[1]}`);
  const numbers = NUMBERS.map((one, index) => /** @type {[string, string]} */ ([one, decimal(values[index])]));
  const chosen = steps.filter(([list]) => hold(list));
  return chosen.map(([, text], index) => filled(text, new Map([...numbers,
    ['in', index === 0 ? 'INPUT' : `${index}.v`],
    ['out', index === chosen.length - 1 ? 'OUTPUT' : `${index + 1}.v`],
  ]))).join(join);
}

/**
 * Types a plain recipe for `view.recipe`: in JSDoc, TypeScript does not support a setter that accepts more than
 * its getter returns. Scripts/package.sh writes the correct types for others.
 * @param {Recipe} recipe
 */
export const acceptedRecipe = (recipe) => /** @type {ShownRecipe} */ (recipe);

/** @param {string} text @param {Map<string, string>} numbers */
function filled(text, numbers) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => numbers.get(name) ?? whole);
}

/** @param {number} value @returns {string} with at most six decimals and without an exponent */
function decimal(value) {
  const millionths = Math.round(Math.abs(value) * 1e6);
  return String((value < 0 && millionths ? -millionths : millionths) / 1e6);
}
