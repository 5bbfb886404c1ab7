// @ts-check
// Made by Scripts/interface.mjs of Web/interface.json; change that.

/** Bits every call returns: what changed, and what the caller should do about it. */
export const Change = Object.freeze({
  scene: 1,
  recipe: 2,
  history: 4,
  cursor: 8,
  elements: 16,
  announcement: 32,
  handled: 64,
  wantsTicks: 128,
  refused: 256,
  gestureStarted: 512,
  gestureEnded: 1024,
  cropWanted: 2048,
  caught: 4096,
  limit: 8192,
});

/** What a pointer did. */
export const Phase = Object.freeze({
  down: 0,
  move: 1,
  up: 2,
  cancel: 3,
  leave: 4,
});

/** Kinds of pointers. */
export const Pointer = Object.freeze({
  mouse: 0,
  touch: 1,
  pen: 2,
});

/** Keys that the session knows. */
export const Key = Object.freeze({
  left: 0,
  right: 1,
  up: 2,
  down: 3,
  enter: 4,
  escape: 5,
  delete: 6,
  tab: 7,
  plus: 8,
  minus: 9,
  zero: 10,
  r: 11,
  h: 12,
  v: 13,
  z: 14,
  spaceDown: 15,
  spaceUp: 16,
  y: 17,
});

/** What the pointer looks like. */
export const Cursor = Object.freeze({
  standard: 0,
  crosshair: 1,
  move: 2,
  grab: 3,
  grabbing: 4,
  resizeVertical: 5,
  resizeHorizontal: 6,
  resizeFalling: 7,
  resizeRising: 8,
});

/** Who does what with drags and pinches. */
export const Style = Object.freeze({
  marquee: 0,
  viewfinder: 1,
  studio: 2,
});

/** How the viewfinder’s picture covers its frame. */
export const Cover = Object.freeze({
  fill: 0,
  fit: 1,
});

/** Helping lines. */
export const Grid = Object.freeze({
  off: 0,
  thirds: 1,
  golden: 2,
  center: 3,
  uniform: 4,
});

/** How a tilt comes: at once, or with a ruler that is held and let go. */
export const TiltPhase = Object.freeze({
  once: 0,
  dragging: 1,
  ended: 2,
});

/** The accessible elements. */
export const Element = Object.freeze({
  picture: 0,
  selection: 1,
  topLeft: 2,
  top: 3,
  topRight: 4,
  right: 5,
  bottomRight: 6,
  bottom: 7,
  bottomLeft: 8,
  left: 9,
});

/** What a line or bar is for. */
export const Role = Object.freeze({
  frame: 0,
  edge: 1,
  grid: 2,
  snap: 3,
  handle: 4,
  activeHandle: 5,
  level: 6,
});

/** The rules of a selection, the strongest first. */
export const Rule = Object.freeze({
  bounds: 1,
  maximum: 2,
  minimum: 3,
  ratio: 4,
  content: 5,
});

/** Outlines of the crop. */
export const Shape = Object.freeze({
  rectangle: 0,
  ellipse: 1,
  rounded: 2,
});

/** What the selection’s ratio is bound to. */
export const Ratio = Object.freeze({
  free: 0,
  original: 1,
  fixed: 2,
});

/** Whether a JPEG is cut without decoding it. */
export const Lossless = Object.freeze({
  never: 0,
  exact: 1,
  snap: 2,
});

/** What the next drag does besides the usual. */
export const Armed = Object.freeze({
  nothing: 0,
  draw: 1,
  level: 2,
});

/** How the size of the result is given. */
export const OutputKind = Object.freeze({
  none: 0,
  exact: 1,
  maxSide: 2,
});

/** What the core is asked beside its session. */
export const Question = Object.freeze({
  target: 0,
  focusFrame: 1,
  focusOf: 2,
  ratio: 3,
});

/** What is said aloud. */
export const Announcement = Object.freeze({
  selection: 0,
  cleared: 1,
  undone: 2,
  redone: 3,
  reset: 4,
  turned: 5,
  mirrored: 6,
  tilt: 7,
  ratio: 8,
  limit: 9,
  violatedRule: 10,
  shape: 11,
});

/** Commands of a session. */
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
  viewfinderTop: 38,
  lossless: 45,
});

/** @typedef {keyof typeof Command} CommandName */

/** Items of a scene: each is its code, how many numbers follow, and these. */
export const Item = Object.freeze({
  picture: 0,
  shade: 1,
  stroke: 2,
  line: 3,
  bar: 4,
  label: 5,
  pictureEdge: 6,
  magnifier: 7,
  blocks: 8,
});

/** Where a state has its numbers. */
export const StateIndex = Object.freeze({
  valid: 0,
  cursor: 1,
  canUndo: 2,
  canRedo: 3,
  canReset: 4,
  style: 5,
  ratioKind: 6,
  ratioWidth: 7,
  ratioHeight: 8,
  tilt: 9,
  zoom: 10,
  wantsTicks: 11,
  frameWidth: 12,
  frameHeight: 13,
  grid: 14,
  shape: 15,
  radius: 16,
  gestureActive: 17,
  needsTouch: 18,
  armed: 19,
  cover: 20,
  keepsRatio: 21,
  output: 22,
  lossless: 25,
  isJPEG: 26,
  isLossless: 27,
  isOffGrid: 28,
});

/** @typedef {null | {width: number, height: number} | {maxSide: number}} Output */

/**
 * What a session says about itself.
 * @typedef {object} State
 * @property {boolean} valid a crop can be made now
 * @property {number} cursor of Cursor
 * @property {boolean} canUndo
 * @property {boolean} canRedo
 * @property {boolean} canReset
 * @property {number} style of Style
 * @property {number} ratioKind of Ratio
 * @property {number} ratioWidth
 * @property {number} ratioHeight
 * @property {number} tilt degrees clockwise
 * @property {number} zoom 1 is the fit
 * @property {boolean} wantsTicks
 * @property {number} frameWidth pixels of the turned picture
 * @property {number} frameHeight
 * @property {number} grid of Grid
 * @property {number} shape of Shape
 * @property {number} radius pixels of the selection
 * @property {boolean} gestureActive
 * @property {boolean} needsTouch a finger anywhere is the element's; the page must not scroll by it
 * @property {number} armed what the next drag does besides the usual; of Armed
 * @property {number} cover of Cover
 * @property {boolean} keepsRatio a quarter turn leaves the ratio as it is
 * @property {Output} output the size of the result, where it is not the selection's
 * @property {number} lossless whether a JPEG is to be cut without decoding it; of Lossless
 * @property {boolean} isJPEG the picture is stored in a JPEG that can be cut so
 * @property {boolean} isLossless the file that would be written now is cut so
 * @property {boolean} isOffGrid it is not only for want of edges on the JPEG's grid
 */

/** @param {Float64Array} n a state’s numbers @returns {State} */
export function stateOf(n) {
  return {
    valid: n[0] !== 0,
    cursor: n[1],
    canUndo: n[2] !== 0,
    canRedo: n[3] !== 0,
    canReset: n[4] !== 0,
    style: n[5],
    ratioKind: n[6],
    ratioWidth: n[7],
    ratioHeight: n[8],
    tilt: n[9],
    zoom: n[10],
    wantsTicks: n[11] !== 0,
    frameWidth: n[12],
    frameHeight: n[13],
    grid: n[14],
    shape: n[15],
    radius: n[16],
    gestureActive: n[17] !== 0,
    needsTouch: n[18] !== 0,
    armed: n[19],
    cover: n[20],
    keepsRatio: n[21] !== 0,
    output: outputOf(n, 22),
    lossless: n[25],
    isJPEG: n[26] !== 0,
    isLossless: n[27] !== 0,
    isOffGrid: n[28] !== 0,
  };
}

/** @param {Float64Array} n @param {number} at of a code and two numbers @returns {Output} */
export function outputOf(n, at) {
  if (n[at] === OutputKind.none) return null;
  return n[at] === OutputKind.exact ? { width: n[at + 1], height: n[at + 2] } : { maxSide: n[at + 1] };
}

/**
 * Numbers of the core.
 * @typedef {object} Constants
 * @property {number} margin view points round the frame unless set
 * @property {number} largestTilt degrees
 * @property {number} largestSide pixels of a side of the result
 * @property {number} zoomStep the factor of a button or key
 */

/** @param {Float64Array} n @returns {Constants} */
export function constantsOf(n) {
  const [margin, largestTilt, largestSide, zoomStep] = n;
  return { margin, largestTilt, largestSide, zoomStep };
}
