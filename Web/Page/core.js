// @ts-check
// The bridge to cropcore.wasm: numbers in, numbers out. One instance holds one session.

/** Bits every call returns: what changed, and what the caller should do about it. */
export const Change = Object.freeze({
  scene: 1,
  recipe: 2,
  history: 4,
  cursor: 8,
  elements: 16,
  announcement: 32,
  handled: 64,
  ticks: 128,
  refused: 256,
  gestureStart: 512,
  gestureEnd: 1024,
  cropWanted: 2048,
});

/** Commands of a session; the values are the wasm module's. */
export const Command = Object.freeze({
  undo: 0,
  redo: 1,
  reset: 2,
  clear: 3,
  selectAll: 4,
  turn: 5,
  mirror: 6,
  tilt: 7,
  ratioFree: 8,
  ratioOriginal: 9,
  ratio: 10,
  ratioSwap: 11,
  shape: 12,
  style: 13,
  cover: 14,
  minimumSize: 15,
  maximumSize: 16,
  zoomBy: 17,
  fit: 18,
  center: 19,
  setX: 20,
  setY: 21,
  setWidth: 22,
  setHeight: 23,
  grid: 24,
  focus: 25,
  increment: 26,
  decrement: 27,
  reducedMotion: 28,
  rightToLeft: 29,
  armDraw: 30,
  armLevel: 31,
  cancelGesture: 32,
  crop: 33,
  outputSize: 34,
  keepsRatio: 35,
  margin: 36,
  longestSide: 37,
  openingTop: 38,
  lossless: 45,
});

/** @typedef {keyof typeof Command} CommandName */

export const Phase = Object.freeze({ down: 0, move: 1, up: 2, cancel: 3, leave: 4 });

/** CSS cursors by the session's number. */
export const CURSORS = Object.freeze([
  'default', 'crosshair', 'move', 'grab', 'grabbing',
  'ns-resize', 'ew-resize', 'nwse-resize', 'nesw-resize',
]);

export const STYLES = Object.freeze(['marquee', 'viewfinder', 'studio']);
export const SHAPES = Object.freeze(['rectangle', 'ellipse', 'rounded']);
export const GRIDS = Object.freeze(['off', 'thirds', 'golden', 'centre', 'uniform']);
export const LOSSLESS = Object.freeze(/** @type {const} */ (['never', 'exact', 'snap']));
export const RATIOS = Object.freeze(['free', 'original', 'ratio']);

/**
 * What a session says about itself, in words instead of positions.
 * @typedef {object} State
 * @property {boolean} valid a crop can be made now
 * @property {number} cursor index into CURSORS
 * @property {boolean} canUndo
 * @property {boolean} canRedo
 * @property {boolean} canReset
 * @property {number} style index into STYLES
 * @property {number} ratioKind index into RATIOS
 * @property {number} ratioWidth
 * @property {number} ratioHeight
 * @property {number} tilt degrees clockwise
 * @property {number} zoom 1 is the fit
 * @property {boolean} wantsTicks
 * @property {number} frameWidth pixels of the turned picture
 * @property {number} frameHeight
 * @property {number} grid index into GRIDS
 * @property {number} shape index into SHAPES
 * @property {number} radius pixels of the selection
 * @property {boolean} gestureActive
 * @property {boolean} needsTouch a finger anywhere is the element's; the page must not scroll by it
 * @property {number} armed what the next drag does: 0 the usual, 1 draws a frame, 2 levels a line
 * @property {number} cover of the viewfinder: 0 fill, 1 fit
 * @property {boolean} keepsRatio a quarter turn leaves the ratio as it is
 * @property {Recipe['output']} output the size of the result, where it is not the selection's
 * @property {number} lossless whether a JPEG is to be cut without decoding it: index into LOSSLESS
 * @property {boolean} isJPEG the picture is stored in a JPEG that can be cut so
 * @property {boolean} isLossless the file that would be written now is cut so
 * @property {boolean} isOffGrid it is not only for want of edges on the JPEG's grid
 */

/** Where a state has the numbers that are asked for many times a second. */
export const StateIndex = Object.freeze({
  valid: 0, cursor: 1, zoom: 10, gestureActive: 17, needsTouch: 18, isLossless: 27,
});

/**
 * A recipe as the engine reads it.
 * @typedef {object} Recipe
 * @property {1} version
 * @property {{x: number, y: number, width: number, height: number}} rect
 * @property {number} quarterTurns
 * @property {boolean} mirrored
 * @property {number} tilt
 * @property {'rectangle' | 'ellipse' | {roundedRectangle: number}} shape
 * @property {null | {width: number, height: number} | {maxSide: number}} output
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

/**
 * What the module asks its page for, and where it puts what it made.
 * @typedef {object} Port
 * @property {(Uint8Array | undefined)[]} sources files that it may read
 * @property {(bytes: Uint8Array) => void} write takes a piece of a file; the bytes don't last
 */

/** @type {Promise<WebAssembly.Module> | undefined} */
let compiled;

/**
 * Compiles the module once for the page; calling it early makes the first picture faster.
 * A failure is not remembered: the next call tries again.
 */
export function compile() {
  compiled ??= fetchModule().catch((error) => {
    compiled = undefined;
    throw error;
  });
  return compiled;
}

async function fetchModule() {
  const response = await fetch(new URL('cropcore.wasm', import.meta.url));
  if (!response.ok) throw new Error(`cropcore.wasm: ${response.status}`);
  if (response.headers.get('content-type')?.startsWith('application/wasm')) {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

/** One session of the core. */
export class Core {
  /** @param {WebAssembly.Exports} exports @param {Port} port */
  constructor(exports, port) {
    this.port = port;
    this.exports = /** @type {Record<string, (...numbers: number[]) => number>} */ (
      /** @type {unknown} */ (exports));
    this.memory = /** @type {WebAssembly.Memory} */ (exports.memory);
    this.numbers = new Float64Array(this.memory.buffer);
    /** The state's numbers when they were compared last. */
    this.seen = new Float64Array(0);
    /** Commands that do something in this build. @type {ReadonlySet<CommandName>} */
    this.commands = new Set(/** @type {CommandName[]} */ (Object.keys(Command)).filter(
      (name) => this.exports.ck_supports(Command[name]) !== 0));
  }

  static async make() {
    return Core.of(await compile());
  }

  /** @param {WebAssembly.Module} module */
  static async of(module) {
    /** @type {Port} */
    const port = { sources: [], write: () => {} };
    const instance = await WebAssembly.instantiate(module, {
      page: {
        read: (/** @type {number} */ source, /** @type {number} */ offset,
          /** @type {number} */ address, /** @type {number} */ count) => {
          const part = port.sources[source]?.subarray(offset, offset + count);
          if (!part) return 0;
          new Uint8Array(core.memory.buffer).set(part, address);
          return part.length;
        },
        write: (/** @type {number} */ address, /** @type {number} */ count) => {
          port.write(new Uint8Array(core.memory.buffer, address, count));
        },
      },
    });
    const core = new Core(instance.exports, port);
    return core;
  }

  /**
   * Tells the session in which JPEG its picture is stored.
   * @param {Uint8Array} head the file's first bytes
   * @param {boolean} needsBits only one whose bits can be copied counts
   * @returns {number} 0; 2 where the bytes are too few; else why it counts as none
   */
  openJPEG(head, needsBits) {
    this.port.sources = [head];
    const code = this.exports.ck_jpeg_open(needsBits ? 1 : 0);
    this.exports.ck_jpeg_close();
    this.port.sources = [];
    return code;
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

  /** @param {string} name @param {number[]} values @returns {number} change bits */
  call(name, ...values) {
    return this.exports[`ck_${name}`](...values);
  }

  /** Runs a command, now. @param {CommandName} name @param {number} [a] @param {number} [b] */
  command(name, a = 0, b = 0) {
    return this.exports.ck_command(Command[name], a, b, performance.now() / 1000);
  }

  /**
   * The numbers an output function points at. They are valid until the next call into the core.
   * @param {'scene' | 'elements' | 'state' | 'announcement'} name
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
    const n = this.read('state');
    return {
      valid: n[0] !== 0, cursor: n[1], canUndo: n[2] !== 0, canRedo: n[3] !== 0,
      canReset: n[4] !== 0, style: n[5], ratioKind: n[6], ratioWidth: n[7], ratioHeight: n[8],
      tilt: n[9], zoom: n[10], wantsTicks: n[11] !== 0, frameWidth: n[12], frameHeight: n[13],
      grid: n[14], shape: n[15], radius: n[16], gestureActive: n[17] !== 0, needsTouch: n[18] !== 0,
      armed: n[19], cover: n[20], keepsRatio: n[21] !== 0, output: outputOf(n[22], n[23], n[24]),
      lossless: n[25], isJPEG: n[26] !== 0, isLossless: n[27] !== 0, isOffGrid: n[28] !== 0,
    };
  }

  /** @returns {Recipe | null} null while nothing valid is selected */
  recipe() {
    const at = this.#address(this.exports.ck_recipe()) + 1;
    const n = this.numbers;
    if (n[at] === 0) return null;
    const shape = n[at + 8];
    return {
      version: 1,
      rect: { x: n[at + 1], y: n[at + 2], width: n[at + 3], height: n[at + 4] },
      quarterTurns: n[at + 5],
      mirrored: n[at + 6] !== 0,
      tilt: n[at + 7],
      shape: shape === 2 ? { roundedRectangle: n[at + 9] } : shape === 1 ? 'ellipse' : 'rectangle',
      output: outputOf(n[at + 10], n[at + 11], n[at + 12]),
    };
  }

  /** @param {Recipe} recipe @returns {number} change bits */
  setRecipe(recipe) {
    const { quarterTurns, mirrored, tilt } = recipe;
    // Without a rectangle the whole picture is meant.
    const rect = recipe.rect ?? { x: 0, y: 0, width: 0, height: 0 };
    const shape = recipe.shape ?? 'rectangle';
    const rounded = typeof shape === 'object';
    const output = recipe.output ?? null;
    const size = output === null ? [0, 0, 0]
      : 'maxSide' in output ? [2, output.maxSide, 0] : [1, output.width, output.height];
    return this.exports.ck_set_recipe(
      rect.x, rect.y, rect.width, rect.height, quarterTurns ?? 0, mirrored ? 1 : 0, tilt ?? 0,
      rounded ? 2 : shape === 'ellipse' ? 1 : 0, rounded ? shape.roundedRectangle : 0, ...size);
  }
}

/** @param {number} code @param {number} a @param {number} b @returns {Recipe['output']} */
function outputOf(code, a, b) {
  return code === 1 ? { width: a, height: b } : code === 2 ? { maxSide: a } : null;
}

/**
 * What each key of a recipe can be; one that is missing or null takes its default.
 * @type {Readonly<Record<string, (value: any) => boolean>>}
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
 * Whether something has a recipe's form: no unknown keys, no wrong types. Whether it fits a picture
 * is the core's to say.
 * @param {unknown} value @returns {value is Recipe}
 */
export function isRecipe(value) {
  return typeof value === 'object' && value !== null && Object.entries(value).every(
    ([key, part]) => Object.hasOwn(PARTS, key) && (part === null || part === undefined
      || PARTS[key](part)));
}

/** @param {any} value @param {string[]} keys */
function isNumbers(value, keys) {
  return typeof value === 'object' && value !== null
    && Object.keys(value).every((key) => keys.includes(key))
    && keys.every((key) => Number.isFinite(value[key]));
}
