// @ts-check
// One photo for several targets: the document with its targets, undo, and the crops that result. The core computes
// them.

import { targetCrop } from '../../Element/questions.js';
import { AS_STORED } from '../model/target-list.js';

/** @typedef {import('../../Element/core.js').Core} Core */
/** @typedef {import('../../Element/core.js').Recipe} Recipe */
/** @typedef {import('../../Element/questions.js').Box} Box */
/** @typedef {import('../../Element/questions.js').Size} Size */
/** @typedef {import('../server/targets-api.js').Target} Target */
/** @typedef {import('../server/targets-api.js').TargetDocument} TargetDocument */

/**
 * The crop of a target, and its rectangle in frame pixels.
 * @typedef {import('../../Element/questions.js').TargetCrop & { rect: Box, isByHand: boolean }} TargetCrop
 */

/** The maximum number of undo steps. */
const MOST_STEPS = 200;

/**
 * The canvas of a target; null if its crop fills it.
 * @param {Target} target @returns {import('../../Element/canvas.js').CanvasOptions | null}
 */
export function canvasOf({ ratio = '', size, fit, margin, place, fill }) {
  return fit === 'contain' ? { canvas: size ? `${size.width}x${size.height}` : ratio, margin, place, fill } : null;
}

/** A document with undo. */
export class TargetSet {
  /** @type {TargetDocument} */
  document = { version: 1, picture: { ...AS_STORED }, focus: null, targets: [] };
  /** @type {TargetDocument[]} */ #past = [];
  /** @type {TargetDocument[]} */ #future = [];
  /** The document after the last step. */
  #settled = this.document;

  /** @param {TargetDocument} document */
  open(document) {
    this.document = this.#settled = document;
    this.#past = [];
    this.#future = [];
  }

  /**
   * Shows a changed document during a drag, without adding an undo step.
   * @param {Partial<TargetDocument>} changes
   */
  follow(changes) {
    this.document = { ...this.document, ...changes };
  }

  /**
   * Adds the shown document as an undo step, unless nothing has changed.
   * @param {Partial<TargetDocument>} [changes]
   * @returns {boolean} whether a step was added
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
   * The targets, with the one of this name replaced.
   * @param {Target} changed
   */
  with(changed) {
    return this.document.targets.map((target) => (target.name === changed.name ? changed : target));
  }

  /**
   * The crop of a target on an image of this upright size; null if it has none.
   * @param {Core} core @param {Size} image @param {Target} target
   * @returns {TargetCrop | null}
   */
  crop(core, image, target) {
    const { picture, focus } = this.document;
    const { recipe, fit } = target;
    const crop = targetCrop(core, image, picture, focus, target, recipe?.rect, fit === 'contain');
    return crop && { ...crop, rect: crop.recipe.rect, recipe: recipe ?? crop.recipe, isByHand: recipe !== undefined };
  }

  /**
   * The target with a crop made by hand, adapted to the document's transform; without a crop if that is
   * impossible.
   * @param {Core} core @param {Size} image @param {Target} target @param {Recipe | null} recipe
   * @returns {Target}
   */
  withCrop(core, image, { recipe: _, ...target }, recipe) {
    const crop = recipe && targetCrop(
      core, image, this.document.picture, null, target, recipe.rect, target.fit === 'contain');
    return crop ? { ...target, recipe: { ...crop.recipe, shape: recipe.shape } } : target;
  }
}
