// @ts-check
// The bridge to cropcore.wasm: numbers in, numbers out. One instance holds one session.

import { Command, constantsOf, Shape, stateOf } from './interface.js';
import { compile } from './modules.js';
import { recipeNumbers, recipeOf } from './questions.js';

/** @typedef {import('./interface.js').CommandName} CommandName */
/** @typedef {import('./interface.js').State} State */

const COMMANDS = /** @type {CommandName[]} */ (Object.keys(Command));

/** Names by their codes, as attributes, events and options have them. */
export const SHAPES = Object.freeze(Object.keys(Shape));
export const LOSSLESS = Object.freeze(/** @type {const} */ (['never', 'exact', 'snap']));

/**
 * A recipe as the engine reads it.
 * @typedef {object} Recipe
 * @property {1} version
 * @property {{x: number, y: number, width: number, height: number}} rect
 * @property {number} quarterTurns
 * @property {boolean} mirrored
 * @property {number} tilt
 * @property {'rectangle' | 'ellipse' | {roundedRectangle: number}} shape
 * @property {import('./interface.js').Output} output
 */

/**
 * How the result is drawn on a canvas.
 * @typedef {object} Drawing
 * @property {number} width pixels of the result @property {number} height
 * @property {[number, number, number, number, number, number]} map from upright pixels to it
 * @property {boolean} copiesPixels nothing is blended
 * @property {number} shape index into SHAPES
 * @property {{x: number, y: number}} corner how wide and high a rounded one is
 * @property {boolean} isIdentity the result is the picture as it is
 * @property {boolean} fits the result is no larger than was asked for, without being reduced
 */

const NO_JPEG = Object.freeze({ width: 0, height: 0, cellWidth: 0, cellHeight: 0, orientation: 1 });

/** One session of the core. */
export class Core {
  /** @param {WebAssembly.Exports} exports */
  constructor(exports) {
    this.exports = /** @type {Record<string, (...numbers: number[]) => number>} */ (
      /** @type {unknown} */ (exports));
    this.memory = /** @type {WebAssembly.Memory} */ (exports.memory);
    this.numbers = new Float64Array(this.memory.buffer);
    /** The state's numbers when they were compared last. */
    this.seen = new Float64Array(0);
    this.constants = constantsOf(this.read('constants'));
    /**
     * Commands that do something in this build.
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
   * Tells the session in which JPEG its picture is stored.
   * @param {import('./jpeg-module.js').JPEGHeader | null} header null for none
   * @returns {number} change bits
   */
  setJPEG(header) {
    const { width, height, cellWidth, cellHeight, orientation } = header ?? NO_JPEG;
    return this.exports.ck_set_jpeg(width, height, cellWidth, cellHeight, orientation);
  }

  /**
   * What to copy of the JPEG; null where pixels must be made anew.
   * @param {number} mode of Lossless; -1 asks for what the result is drawn from
   * @returns {import('./jpeg-module.js').JPEGPart | null}
   */
  jpegPart(mode) {
    const n = this.#list(this.exports.ck_jpeg_plan(mode));
    if (n.length === 0) return null;
    const [x, y, width, height, orientation] = n;
    return { x, y, width, height, orientation };
  }

  /**
   * How the result is to be drawn; null while nothing valid is selected.
   * @param {number} [maxSide] its longest side in pixels
   * @returns {Drawing | null}
   */
  drawing(maxSide = 0) {
    const n = this.#list(this.exports.ck_result(maxSide));
    if (n.length === 0) return null;
    return {
      width: n[0], height: n[1], map: [n[2], n[3], n[4], n[5], n[6], n[7]],
      copiesPixels: n[8] !== 0, shape: n[9], corner: { x: n[10], y: n[11] }, fits: n[12] !== 0,
      isIdentity: n[13] !== 0,
    };
  }

  /**
   * Asks something beside the session; questions.js knows what.
   * @param {number} question of Question @param {readonly number[]} values
   * @returns {Float64Array} empty for what can't be; valid until the next call into the core
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
   * Runs a command, now.
   * @param {CommandName} name @param {number} [a] @param {number} [b]
   */
  command(name, a = 0, b = 0) {
    return this.exports.ck_command(Command[name], a, b, performance.now() / 1000);
  }

  /**
   * The numbers an output function points at. They are valid until the next call into the core.
   * @param {'scene' | 'elements' | 'state' | 'announcement' | 'constants'} name
   */
  read(name) {
    return this.#list(this.exports[`ck_${name}`]());
  }

  /** The scene's numbers, which are wanted with every frame. */
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
   * Puts the index of a state's first number in reach, without a copy: `numbers[at + index]`.
   * @returns {number} valid until the next call into the core
   */
  stateAddress() {
    return this.#address(this.exports.ck_state()) + 1;
  }

  /**
   * Whether any number of the state is another than when this was asked last. The recipe's are not
   * among them.
   */
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
   * Whether a finger put down there is the session's and not the page's.
   * @param {number} x @param {number} y points
   */
  needsTouch(x, y) {
    return this.exports.ck_needs_touch(x, y) !== 0;
  }

  /** @returns {State} */
  state() {
    return stateOf(this.read('state'));
  }

  /** @returns {Recipe | null} null while nothing valid is selected */
  recipe() {
    const at = this.#address(this.exports.ck_recipe()) + 1;
    return this.numbers[at] === 0 ? null : recipeOf(this.numbers, at + 1);
  }

  /**
   * Lays the picture down in another way; the same part stays selected.
   * @param {import('./questions.js').Laying} laying @returns {number} change bits
   */
  lay({ quarterTurns, mirrored, tilt }) {
    return this.exports.ck_lay(quarterTurns, mirrored ? 1 : 0, tilt);
  }

  /** @param {Recipe} recipe @returns {number} change bits */
  setRecipe(recipe) {
    this.#write(recipeNumbers(recipe));
    return this.exports.ck_set_recipe();
  }
}

/**
 * What each key of a recipe can be; one that is missing or null takes its default.
 * @type {Readonly<Record<string, (value: unknown) => boolean>>}
 */
const PARTS = Object.freeze({
  version: (value) => value === 1,
  rect: (value) => isNumbers(value, ['x', 'y', 'width', 'height'])
    && value.width > 0 && value.height > 0,
  quarterTurns: Number.isInteger,
  mirrored: (value) => typeof value === 'boolean',
  tilt: Number.isFinite,
  shape: (value) => value === 'rectangle' || value === 'ellipse'
    || isNumbers(value, ['roundedRectangle']),
  output: (value) => isNumbers(value, ['width', 'height']) || isNumbers(value, ['maxSide']),
});

/**
 * Makes sure that something has a recipe's form: no unknown keys, no wrong types. Whether it fits a
 * picture is the core's to say.
 * @param {unknown} value @returns {asserts value is Recipe}
 * @throws {RangeError} that names the key where there is one to blame
 */
export function checkRecipe(value) {
  if (typeof value !== 'object' || value === null) throw new RangeError('this is not a recipe');
  const { version } = /** @type {{ version?: unknown }} */ (value);
  if (typeof version === 'number' && version > 1) {
    throw new RangeError(`this recipe is of version ${version}; here only version 1 is understood`);
  }
  for (const [key, part] of Object.entries(value)) {
    if (!Object.hasOwn(PARTS, key)) {
      const known = Object.keys(PARTS).join(', ');
      throw new RangeError(`this is not a recipe: "${key}" is not known; known here: ${known}`);
    }
    if (part !== null && part !== undefined && !PARTS[key](part)) {
      throw new RangeError(`this is not a recipe: "${key}" has a value that it can't have`);
    }
  }
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
