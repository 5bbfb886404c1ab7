// @ts-check
// The bridge to cropcore.wasm: numbers in, numbers out. Each instance has one session.

import { Command, constantsOf, Shape, stateOf } from './interface.js';
import { compile } from './modules.js';
import { recipeNumbers, recipeOf } from './questions.js';

/** @typedef {import('./interface.js').CommandName} CommandName */
/** @typedef {import('./interface.js').State} State */

const COMMANDS = /** @type {CommandName[]} */ (Object.keys(Command));

/** Names by code, as used in attributes, events and options. */
export const SHAPES = Object.freeze(Object.keys(Shape));
export const LOSSLESS = Object.freeze(/** @type {const} */ (['never', 'exact', 'snap', 'strict', 'outward']));

/** @typedef {{ x: number, y: number }} Corner */
/** @typedef {[Corner, Corner, Corner, Corner]} Corners clockwise from the one that becomes top-left */

/**
 * A recipe in the engine's format.
 * @typedef {object} Recipe
 * @property {1 | 2} version 2 if it has four corners
 * @property {{x: number, y: number, width: number, height: number}} [rect] default: the complete image
 * @property {Corners} [quad] instead of `rect` and `tilt`
 * @property {number} quarterTurns
 * @property {boolean} mirrored
 * @property {number} tilt
 * @property {'rectangle' | 'ellipse' | {roundedRectangle: number}} shape
 * @property {import('./interface.js').Output} output
 */

/** @typedef {Recipe & { rect: NonNullable<Recipe['rect']> }} RectRecipe a recipe with a rectangle */

/**
 * How to draw the result on a canvas.
 * @typedef {object} Drawing
 * @property {number} width in pixels of the result @property {number} height
 * @property {[number, number, number, number, number, number]} map from upright pixels to the result
 * @property {boolean} copiesPixels whether pixels are copied without blending
 * @property {number} shape index into SHAPES
 * @property {{x: number, y: number}} corner the size of a rounded corner
 * @property {boolean} isIdentity whether the result is the unchanged image
 * @property {boolean} fits whether the result is within the requested size without scaling
 * @property {{ width: number, height: number, corners: number[] } | null} part for four corners: the map leads to
 * a canvas of this size, which contains them at these positions, as alternating x and y
 */

/** The number of numbers of a canvas. */
const CANVAS_LENGTH = 10;

const NO_JPEG = Object.freeze({ width: 0, height: 0, cellWidth: 0, cellHeight: 0, orientation: 1 });

/** One session of the core. */
export class Core {
  /** @param {WebAssembly.Exports} exports */
  constructor(exports) {
    this.exports = /** @type {Record<string, (...numbers: number[]) => number>} */ (
      /** @type {unknown} */ (exports));
    this.memory = /** @type {WebAssembly.Memory} */ (exports.memory);
    this.numbers = new Float64Array(this.memory.buffer);
    /** The state's numbers at the last comparison. */
    this.seen = new Float64Array(0);
    this.constants = constantsOf(this.read('constants'));
    /**
     * The commands that this build supports.
     * @type {ReadonlySet<CommandName>}
     */
    this.commands = new Set(COMMANDS.filter((name) => this.exports.ck_supports(Command[name]) !== 0));
  }

  static async make() {
    return Core.of(await compile());
  }

  /** @param {WebAssembly.Module} module */
  static async of(module) {
    return new Core((await WebAssembly.instantiate(module, {})).exports);
  }

  /**
   * Sets the JPEG in which the image is stored.
   * @param {import('./jpeg-module.js').JPEGHeader | null} header null if it is not a JPEG
   * @returns {number} change bits
   */
  setJPEG(header) {
    const { width, height, cellWidth, cellHeight, orientation } = header ?? NO_JPEG;
    return this.exports.ck_set_jpeg(width, height, cellWidth, cellHeight, orientation);
  }

  /**
   * What to copy of the JPEG; null if pixels must be re-encoded.
   * @param {number} mode of Lossless; -1 for the part from which the result is drawn
   * @returns {import('./jpeg-module.js').JPEGPart | null}
   */
  jpegPart(mode) {
    const n = this.#list(this.exports.ck_jpeg_plan(mode));
    if (n.length === 0) return null;
    const [x, y, width, height, orientation, requantized] = n;
    return { x, y, width, height, orientation, requantized };
  }

  /**
   * How to draw the result; null without a valid selection.
   * @param {number} [maxSide] its longest side in pixels; 0 for no limit
   * @returns {Drawing | null}
   */
  drawing(maxSide = 0) {
    const n = this.#list(this.exports.ck_result(maxSide));
    if (n.length === 0) return null;
    return {
      width: n[0], height: n[1], map: [n[2], n[3], n[4], n[5], n[6], n[7]],
      copiesPixels: n[8] !== 0, shape: n[9], corner: { x: n[10], y: n[11] }, fits: n[12] !== 0,
      isIdentity: n[13] !== 0,
      part: n.length > 14 ? { width: n[14], height: n[15], corners: [...n.subarray(16, 24)] } : null,
    };
  }

  /**
   * Asks a question that does not involve the session, as listed in questions.js.
   * @param {number} question of Question @param {readonly number[]} values
   * @returns {Float64Array} empty for invalid input; valid until the next call into the core
   */
  ask(question, values) {
    this.#write(values);
    return this.#list(this.exports.ck_ask(question));
  }

  /** @param {readonly number[]} values into the module's input list */
  #write(values) {
    const at = this.#address(this.exports.ck_list());
    this.numbers[at] = values.length;
    this.numbers.set(values, at + 1);
  }

  /** @param {string} name @param {number[]} values @returns {number} change bits */
  call(name, ...values) {
    return this.exports[`ck_${name}`](...values);
  }

  /**
   * Runs a command immediately.
   * @param {CommandName} name @param {number} [a] @param {number} [b]
   */
  command(name, a = 0, b = 0) {
    return this.exports.ck_command(Command[name], a, b, performance.now() / 1000);
  }

  /**
   * Reads the numbers from an output function. They are valid until the next call into the core.
   * @param {'scene' | 'elements' | 'state' | 'announcement' | 'constants'} name
   */
  read(name) {
    return this.#list(this.exports[`ck_${name}`]());
  }

  /**
   * The area inside the uniform border of an image. Its pixels stay in the module's memory, so use a short-lived
   * instance.
   * @param {ImageData} image @param {number} [tolerance] 0 to 255; default: the standard one
   * @returns {import('./questions.js').Box | null} the complete image if it has no border; null if it has a single
   * colour
   */
  insideBorder({ data, width, height }, tolerance = -1) {
    this.#takePixels(data);
    const n = this.#list(this.exports.ck_inside_border(width, height, tolerance));
    return n.length === 0 ? null : { x: n[0], y: n[1], width: n[2], height: n[3] };
  }

  /**
   * The median red, green and blue of RGBA pixels.
   * @param {Uint8ClampedArray} pixels @returns {number[]}
   */
  medianColour(pixels) {
    this.#takePixels(pixels);
    return [...this.#list(this.exports.ck_canvas_fill(pixels.length / 4, 1, 0))];
  }

  /**
   * Blurs an opaque image in place.
   * @param {ImageData} image @param {number} sigma the standard deviation in pixels
   */
  blur({ data, width, height }, sigma) {
    const at = this.#takePixels(data);
    this.exports.ck_canvas_fill(width, height, sigma);
    data.set(new Uint8ClampedArray(this.memory.buffer, at, data.length));
  }

  /**
   * @param {Uint8ClampedArray} pixels copied into the module's memory @returns {number} their address in bytes
   */
  #takePixels(pixels) {
    const at = this.exports.ck_pixels(pixels.length) >>> 0;
    new Uint8ClampedArray(this.memory.buffer, at, pixels.length).set(pixels);
    return at;
  }

  /**
   * Puts the result on a canvas.
   * @param {import('./canvas.js').CanvasNumbers | null} canvas null for none
   * @param {boolean} movesRatio whether the canvas takes the selection's ratio, or returns it
   * @returns {number} change bits
   */
  setCanvas(canvas, movesRatio) {
    this.#write([canvas ? 1 : 0, movesRatio ? 1 : 0, ...canvas ?? []]);
    return this.exports.ck_set_canvas(performance.now() / 1000);
  }

  /**
   * The canvas around the result, and the crop's rectangle on it; null without a canvas.
   * @returns {{ numbers: number[], layout: { width: number, height: number, crop: import('./questions.js').Box } | null } | null}
   */
  canvas() {
    const n = [...this.#list(this.exports.ck_canvas())];
    if (n.length === 0) return null;
    const [width, height, x, y, w, h] = n.slice(CANVAS_LENGTH);
    return {
      numbers: n.slice(0, CANVAS_LENGTH),
      layout: width ? { width, height, crop: { x, y, width: w, height: h } } : null,
    };
  }

  /** The scene's numbers, which are needed for every frame. */
  scene() {
    return this.#list(this.exports.ck_scene());
  }

  /** @param {number} pointer */
  #list(pointer) {
    const address = this.#address(pointer);
    return this.numbers.subarray(address + 1, address + 1 + this.numbers[address]);
  }

  /** @param {number} pointer bytes @returns {number} index into `numbers` */
  #address(pointer) {
    if (this.numbers.buffer !== this.memory.buffer) {
      this.numbers = new Float64Array(this.memory.buffer);
    }
    return pointer >>> 3;
  }

  /**
   * Gives access to a state's numbers without a copy: `numbers[at + index]`, where `at` is the returned index.
   * @returns {number} valid until the next call into the core
   */
  stateAddress() {
    return this.#address(this.exports.ck_state()) + 1;
  }

  /** Whether any number of the state has changed since the last call. The recipe is not included. */
  stateChanged() {
    const at = this.stateAddress();
    const { numbers } = this;
    const count = numbers[at - 1];
    if (this.seen.length !== count) this.seen = new Float64Array(count).fill(NaN);
    const { seen } = this;
    let isSame = true;
    for (let index = 0; index < count; index += 1) {
      if (seen[index] !== numbers[at + index]) isSame = false;
      seen[index] = numbers[at + index];
    }
    return !isSame;
  }

  /**
   * Whether a touch at a point is for the session instead of the page.
   * @param {number} x @param {number} y points
   */
  needsTouch(x, y) {
    return this.exports.ck_needs_touch(x, y) !== 0;
  }

  /** @returns {State} */
  state() {
    return stateOf(this.read('state'));
  }

  /** @returns {Recipe | null} null without a valid selection */
  recipe() {
    const n = this.#list(this.exports.ck_recipe());
    return n[0] === 0 ? null : recipeOf(n.subarray(1));
  }

  /**
   * Sets mirror, turns and tilt; the selection keeps its place in the image.
   * @param {import('./questions.js').PictureTransform} transform @returns {number} change bits
   */
  setTransform({ quarterTurns, mirrored, tilt }) {
    return this.exports.ck_set_transform(quarterTurns, mirrored ? 1 : 0, tilt);
  }

  /** @param {Recipe} recipe @returns {number} change bits */
  setRecipe(recipe) {
    this.#write(recipeNumbers(recipe));
    return this.exports.ck_set_recipe();
  }
}

/**
 * The expected value of each key of a recipe, and a check; a missing or null value takes its default.
 * @type {Readonly<Record<string, [takes: string, fits: (value: unknown) => boolean]>>}
 */
const PARTS = Object.freeze({
  version: ['1 or 2', (value) => value === 1 || value === 2],
  rect: ['x, y, width and height, with a width and height of more than 0',
    (value) => isNumbers(value, ['x', 'y', 'width', 'height']) && value.width > 0 && value.height > 0],
  quad: ['an array of four corners with x and y', (value) => Array.isArray(value) && value.length === 4
    && value.every((corner) => isNumbers(corner, ['x', 'y']))],
  quarterTurns: ['a whole number', Number.isInteger],
  mirrored: ['true or false', (value) => typeof value === 'boolean'],
  tilt: ['a number', Number.isFinite],
  shape: ['"rectangle", "ellipse" or { roundedRectangle: radius }', (value) => value === 'rectangle'
    || value === 'ellipse' || isNumbers(value, ['roundedRectangle'])],
  output: ['width and height, or maxSide',
    (value) => isNumbers(value, ['width', 'height']) || isNumbers(value, ['maxSide'])],
});

/**
 * Checks that a value has the form of a recipe: no unknown keys, no wrong types. The core checks whether it fits
 * an image.
 * @param {unknown} value @returns {asserts value is Recipe}
 * @throws {RangeError} which names the invalid key, if there is one
 */
export function checkRecipe(value) {
  // An empty array or a DOMRect has no invalid key and would pass as an empty recipe.
  if (Object.prototype.toString.call(value) !== '[object Object]') throw new RangeError('this is not a recipe');
  const { version } = /** @type {{ version?: unknown }} */ (value);
  if (typeof version === 'number' && version > 2) {
    throw new RangeError(`this recipe is of version ${version}; here versions 1 and 2 are understood`);
  }
  for (const [key, part] of Object.entries(/** @type {object} */ (value))) {
    if (!Object.hasOwn(PARTS, key)) {
      const known = Object.keys(PARTS).join(', ');
      throw new RangeError(`this is not a recipe: "${key}" is not known; expected one of ${known}`);
    }
    const [takes, fits] = PARTS[key];
    if (part !== null && part !== undefined && !fits(part)) {
      throw new RangeError(`this is not a recipe: "${key}" takes ${takes}`);
    }
  }
  checkCorners(/** @type {Recipe} */ (value));
}

/** @param {Recipe} recipe whose values have the right types */
function checkCorners({ version, quad }) {
  if (quad && version === 1) throw new RangeError('this is not a recipe: "quad" is of version 2; this says version 1');
}

/**
 * @template {string} Key
 * @param {unknown} value @param {Key[]} keys
 * @returns {value is Record<Key, number>}
 */
function isNumbers(value, keys) {
  if (typeof value !== 'object' || value === null) return false;
  const parts = new Map(Object.entries(value));
  return parts.size === keys.length && keys.every((key) => Number.isFinite(parts.get(key)));
}
