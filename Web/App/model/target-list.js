// @ts-check
// The available targets: the built-in ones and the user's. The choice is stored between visits.

import { TARGETS } from '../ui/presets.js';
import { setting } from '../ui/settings.js';
import { formatSize, words } from '../ui/words.js';

/** @typedef {import('../server/targets-api.js').Target} Target */

/** The transform of an unedited photo. */
export const AS_STORED = Object.freeze({ quarterTurns: 0, mirrored: false, tilt: 0 });

/** The maximum number of the user's targets. */
const MOST_OWN = 20;

const CHOSEN = setting('targets', TARGETS.slice(0, 6).map(({ target }) => target.name).join(' '));
const OWN = setting('ownTargets', '[]');

/**
 * The built-in targets.
 * @returns {readonly Target[]}
 */
export function presets() {
  return TARGETS.map(({ target }) => target);
}

/**
 * The user's targets.
 * @returns {Target[]}
 */
export function own() {
  try {
    const kept = /** @type {unknown} */ (JSON.parse(OWN.get()));
    return Array.isArray(kept) ? kept.filter(isTarget) : [];
  } catch {
    return [];
  }
}

/** @param {unknown} value @returns {value is Target} */
function isTarget(value) {
  const target = /** @type {Partial<Target> | null} */ (value);
  return typeof target?.name === 'string' && (typeof target.ratio === 'string' || target.size !== undefined);
}

/**
 * The initial targets for a photo.
 * @returns {Target[]}
 */
export function chosen() {
  const names = CHOSEN.get().split(' ');
  return [...presets(), ...own()].filter(({ name }) => names.includes(encodeURIComponent(name)));
}

/**
 * Stores the chosen targets for the next photo.
 * @param {readonly Target[]} targets
 */
export function remember(targets) {
  CHOSEN.set(targets.map(({ name }) => encodeURIComponent(name)).join(' '));
  const known = new Set(presets().map(({ name }) => name));
  const made = targets.filter(({ name }) => !known.has(name)).map(({ recipe: _, ...target }) => target);
  const others = own().filter(({ name }) => !made.some((target) => target.name === name));
  OWN.set(JSON.stringify([...made, ...others].slice(0, MOST_OWN)));
}

/**
 * Deletes one of the user's targets.
 * @param {string} name
 */
export function forget(name) {
  OWN.set(JSON.stringify(own().filter((target) => target.name !== name)));
}

/** @param {Pick<Target, 'name'>} target */
export function labelOf({ name }) {
  const preset = TARGETS.find(({ target }) => target.name === name);
  return preset ? words(preset.label) : name;
}

/** @param {Target} target @returns {string} its ratio or size, for users */
export function askedOf({ ratio = '', size }) {
  return size ? formatSize(size.width, size.height) : ratio;
}
