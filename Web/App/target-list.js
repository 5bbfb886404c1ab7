// @ts-check
// The places that photos are made for: those that come with the page, and a person's own. What was chosen is
// kept from visit to visit.

import { TARGETS } from './presets.js';
import { setting } from './settings.js';
import { formatSize, words } from './words.js';

/** @typedef {import('./target-set.js').Target} Target */

/** Own ones that are kept at most. */
const MOST_OWN = 20;

const CHOSEN = setting('targets', TARGETS.slice(0, 6).map(({ target }) => target.name).join(' '));
const OWN = setting('ownTargets', '[]');

/**
 * Those that come with the page.
 * @returns {readonly Target[]}
 */
export function presets() {
  return TARGETS.map(({ target }) => target);
}

/**
 * A person's own.
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
 * What a photo begins with.
 * @returns {Target[]}
 */
export function chosen() {
  const names = CHOSEN.get().split(' ');
  return [...presets(), ...own()].filter(({ name }) => names.includes(encodeURIComponent(name)));
}

/**
 * Remembers what is chosen: the next photo begins with it.
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
 * Forgets one of a person's own.
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

/** @param {Target} target its ratio or size, for people */
export function askedOf({ ratio = '', size }) {
  return size ? formatSize(size.width, size.height) : ratio;
}
