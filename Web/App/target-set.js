// @ts-check
// One photo for several places: the document around the recipes, its steps back and forth, and the crops
// that follow from it. What is cut is the core's to say.

/** @typedef {import('../Element/core.js').Box} Box */
/** @typedef {import('../Element/core.js').Core} Core */
/** @typedef {import('../Element/core.js').Laying} Laying */
/** @typedef {import('../Element/core.js').Recipe} Recipe */
/** @typedef {import('../Element/core.js').TargetCrop} Derived */
/** @typedef {{ width: number, height: number }} Size */

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
 * The crop of a target.
 * @typedef {Derived & { recipe: Recipe, isByHand: boolean, isTooSmall: boolean }} TargetCrop
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
   * The list with another crop of a target, or the one that follows from the focus.
   * @param {string} name @param {Recipe | null} recipe
   */
  withRecipe(name, recipe) {
    return this.document.targets.map((target) => {
      if (target.name !== name) return target;
      const { recipe: _, ...rest } = target;
      return recipe ? { ...rest, recipe } : rest;
    });
  }

  /**
   * The crop of a target on a picture of so many upright pixels; null where there can be none.
   * @param {Core} core @param {Size} image @param {Target} target
   * @returns {TargetCrop | null}
   */
  crop(core, image, target) {
    const { picture, focus } = this.document;
    const derived = core.target(image, picture, focus, ratioOf(target), target.recipe?.rect ?? null);
    if (!derived) return null;
    const { size, minimum = size } = target;
    return {
      ...derived, isByHand: target.recipe !== undefined,
      isTooSmall: minimum !== undefined && !holds(derived.rect, minimum),
      recipe: target.recipe ?? recipeOf(derived.rect, picture, target),
    };
  }
}

/** @param {Target} target @returns {[number, number]} */
export function ratioOf({ ratio, size }) {
  if (size) return [size.width, size.height];
  const [width = 1, height = 1] = (ratio ?? '').split(':').map(Number);
  return [width, height];
}

/**
 * The recipe of a rectangle: what is large enough is scaled to the target's size, nothing is enlarged.
 * @param {Box} rect in frame pixels @param {Laying} picture @param {Target} target @returns {Recipe}
 */
export function recipeOf(rect, picture, { size }) {
  return {
    version: 1, rect, ...picture, shape: 'rectangle', output: size && holds(rect, size) ? { ...size } : null,
  };
}

/** @param {Size} one @param {Size} other */
function holds(one, other) {
  return one.width >= other.width && one.height >= other.height;
}

/**
 * The frame's size: the picture's after its quarter turns.
 * @param {Size} image @param {Laying} picture @returns {Size}
 */
export function frameOf({ width, height }, { quarterTurns }) {
  return quarterTurns % 2 ? { width: height, height: width } : { width, height };
}

/**
 * The whole frame and the map to it from upright pixels, without the tilt: the focus is drawn on that.
 * @param {Core} core @param {Size} image @param {Laying} picture
 */
export function wholeFrame(core, image, picture) {
  const frame = frameOf(image, picture);
  return core.target(image, { ...picture, tilt: 0 }, null, [frame.width, frame.height],
    { x: 0, y: 0, ...frame });
}

/**
 * Where the focus lies in the frame.
 * @param {Box} focus @param {Size} image @param {Derived['map']} map to the frame @returns {Box}
 */
export function focusInFrame(focus, image, [a, b, c, d, e, f]) {
  const corner = (/** @type {number} */ x, /** @type {number} */ y) => [a * x + c * y + e, b * x + d * y + f];
  const [x0, y0] = corner(focus.x * image.width, focus.y * image.height);
  const [x1, y1] = corner((focus.x + focus.width) * image.width, (focus.y + focus.height) * image.height);
  return boxOf(x0, y0, x1, y1);
}

/**
 * What of the frame is the focus, in fractions of the upright picture.
 * @param {Box} rect @param {Size} image @param {Derived['map']} map to the frame @returns {Box}
 */
export function focusOfFrame(rect, image, [a, b, c, d, e, f]) {
  const scale = a * d - b * c;
  const point = (/** @type {number} */ x, /** @type {number} */ y) => [
    (d * (x - e) - c * (y - f)) / scale / image.width, (a * (y - f) - b * (x - e)) / scale / image.height];
  const [x0, y0] = point(rect.x, rect.y);
  const [x1, y1] = point(rect.x + rect.width, rect.y + rect.height);
  return boxOf(x0, y0, x1, y1);
}

/** @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 @returns {Box} */
function boxOf(x0, y0, x1, y1) {
  return { x: Math.min(x0, x1), y: Math.min(y0, y1), width: Math.abs(x1 - x0), height: Math.abs(y1 - y0) };
}
