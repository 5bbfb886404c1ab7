// @ts-check
// One photo for several places: the document around the recipes, its steps back and forth, and the crops
// that follow from it. What is cut is the core's to say.

import { targetCrop } from '../Element/questions.js';

/** @typedef {import('../Element/core.js').Core} Core */
/** @typedef {import('../Element/core.js').Recipe} Recipe */
/** @typedef {import('../Element/questions.js').Box} Box */
/** @typedef {import('../Element/questions.js').Laying} Laying */
/** @typedef {import('../Element/questions.js').Size} Size */

/**
 * A place where the photo is shown: it has either a ratio or a size.
 * @typedef {object} Target
 * @property {string} name @property {string} [ratio] such as 16:9 @property {Size} [size] in pixels
 * @property {Size} [minimum] the fewest pixels that are enough @property {Recipe} [recipe] made by hand
 */

/**
 * A document as the command line and the server read it.
 * @typedef {object} TargetDocument
 * @property {1} version @property {Laying} picture
 * @property {Box | null} focus in fractions of the upright picture @property {Target[]} targets
 */

/**
 * The crop of a target, and its rectangle in frame pixels.
 * @typedef {import('../Element/questions.js').TargetCrop & { rect: Box, isByHand: boolean }} TargetCrop
 */

/** As they lie in a camera's file. */
export const AS_STORED = Object.freeze({ quarterTurns: 0, mirrored: false, tilt: 0 });

/** Steps back that are kept. */
const MOST_STEPS = 200;

/** A document that can go back to what it was. */
export class TargetSet {
  /** @type {TargetDocument} */
  document = { version: 1, picture: { ...AS_STORED }, focus: null, targets: [] };
  /** @type {TargetDocument[]} */ #past = [];
  /** @type {TargetDocument[]} */ #future = [];
  /** What the last step led to. */
  #settled = this.document;

  /** @param {TargetDocument} document */
  open(document) {
    this.document = this.#settled = document;
    this.#past = [];
    this.#future = [];
  }

  /**
   * Shows another document while a hand moves; it is no step yet.
   * @param {Partial<TargetDocument>} changes
   */
  follow(changes) {
    this.document = { ...this.document, ...changes };
  }

  /**
   * Makes what is shown a step, unless nothing has changed.
   * @param {Partial<TargetDocument>} [changes]
   * @returns {boolean} whether it is one
   */
  settle(changes = {}) {
    this.follow(changes);
    if (JSON.stringify(this.document) === JSON.stringify(this.#settled)) return false;
    this.#past = [...this.#past, this.#settled].slice(-MOST_STEPS);
    this.#future = [];
    this.#settled = this.document;
    return true;
  }

  get canUndo() { return this.#past.length > 0; }
  get canRedo() { return this.#future.length > 0; }

  undo() { this.#go(this.#past, this.#future); }
  redo() { this.#go(this.#future, this.#past); }

  /** @param {TargetDocument[]} from @param {TargetDocument[]} to */
  #go(from, to) {
    const document = from.pop();
    if (!document) return;
    to.push(this.#settled);
    this.document = this.#settled = document;
  }

  /** @param {string} name @returns {Target | undefined} */
  find(name) {
    return this.document.targets.find((target) => target.name === name);
  }

  /**
   * The list with another target of that name.
   * @param {Target} changed
   */
  with(changed) {
    return this.document.targets.map((target) => (target.name === changed.name ? changed : target));
  }

  /**
   * The crop of a target on a picture of so many upright pixels; null where there can be none.
   * @param {Core} core @param {Size} image @param {Target} target
   * @returns {TargetCrop | null}
   */
  crop(core, image, target) {
    const { picture, focus } = this.document;
    const { recipe } = target;
    const crop = targetCrop(core, image, picture, focus, target, recipe?.rect);
    return crop && { ...crop, rect: crop.recipe.rect, recipe: recipe ?? crop.recipe, isByHand: recipe !== undefined };
  }

  /**
   * A target with a crop that was made by hand, of the picture as it lies; without one where that can't be.
   * @param {Core} core @param {Size} image @param {Target} target @param {Recipe | null} recipe
   * @returns {Target}
   */
  withCrop(core, image, { recipe: _, ...target }, recipe) {
    const crop = recipe && targetCrop(core, image, this.document.picture, null, target, recipe.rect);
    return crop ? { ...target, recipe: { ...crop.recipe, shape: recipe.shape } } : target;
  }
}
