// @ts-check
// Draws the core's scene on a canvas. Every position comes from the core; this file knows only
// how each of its primitives looks.

import { drawLabel } from './label.js';

const FRAME = 0;
const FRAME_UNDER = 1;
const GRID = 2;
const SNAP = 3;
const ACTIVE = 5;
const LEVEL = 6;

/**
 * What the drawing needs besides the scene.
 * @typedef {object} Look
 * @property {CanvasImageSource | null} picture the preview, stretched over the whole picture
 * @property {number} imageWidth upright pixels
 * @property {number} imageHeight
 * @property {boolean} translucent a checkerboard lies beneath
 * @property {boolean} isLayered the photo lies in a layer of its own beneath the canvas
 * @property {string} accent
 * @property {string} placeholder fill where the picture has not arrived yet
 * @property {readonly [string, string]} checks
 */

/** @typedef {{ ctx: CanvasRenderingContext2D, ratio: number, look: Look, edge: Float64Array | null,
 *   affine: Float64Array | null, width: number, height: number }} Brush */

/**
 * Draws the whole scene.
 * @param {CanvasRenderingContext2D} ctx
 * @param {Float64Array} scene
 * @param {number} ratio device pixels per point
 * @param {Look} look
 */
export function drawScene(ctx, scene, ratio, look) {
  const { width, height } = ctx.canvas;
  ctx.setTransform(1, 0, 0, 1, 0, 0);
  ctx.clearRect(0, 0, width, height);
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  /** @type {Brush} */
  const brush = {
    ctx, ratio, look, edge: null, affine: null, width: width / ratio, height: height / ratio,
  };
  // The corners may follow the items that need them, so they are looked up first.
  eachItem(scene, (opcode, n) => {
    if (opcode === 6) brush.edge = n;
    if (opcode === 0) brush.affine = n;
  });
  let edged = false;
  eachItem(scene, (opcode, n) => {
    // The marks' dark edges lie beneath every mark and the frame's line, so that none is cut.
    if (!edged && (opcode === 4 || (opcode === 2 && n[0] === FRAME_UNDER))) {
      edged = true;
      eachItem(scene, (code, bar) => code === 4 && fillBar(brush, bar, 'rgb(0 0 0 / 0.4)', 1));
    }
    PAINTERS[opcode]?.(brush, n);
  });
}

/** @param {Float64Array} scene @param {(opcode: number, n: Float64Array) => void} visit */
function eachItem(scene, visit) {
  for (let at = 0; at + 1 < scene.length; at += 2 + scene[at + 1]) {
    visit(scene[at], scene.subarray(at + 2, at + 2 + scene[at + 1]));
  }
}

/** @type {Record<number, (brush: Brush, n: Float64Array) => void>} */
const PAINTERS = {
  0: drawPicture,
  1: drawShade,
  2: drawStroke,
  3: drawLine,
  4: drawBar,
  5: drawLabel,
  7: drawMagnifier,
};

/** @param {Brush} brush @param {Float64Array} affine */
function drawPicture(brush, affine) {
  const { ctx, look, edge } = brush;
  if (edge && (look.translucent || !look.picture)) {
    ctx.beginPath();
    quad(ctx, edge);
    ctx.fillStyle = look.picture ? checkerboard(brush) : look.placeholder;
    ctx.fill();
  }
  if (look.picture && !look.isLayered) paintPicture(brush, affine, ctx);
}

/**
 * The affine transform of the picture in a scene, from upright pixels to points.
 * @param {Float64Array} scene
 */
export function pictureTransform(scene) {
  /** @type {Float64Array | null} */
  let found = null;
  eachItem(scene, (opcode, n) => {
    if (opcode === 0) found = n;
  });
  return found;
}

/**
 * Past four device pixels to the picture's pixel a person looks at pixels, so they stay square.
 * @param {Float64Array} n the picture's transform @param {number} ratio
 */
export function showsPixels(n, ratio) {
  return Math.hypot(n[0], n[1]) * ratio >= 4;
}

/** @param {Brush} brush @param {Float64Array} n @param {CanvasRenderingContext2D} ctx */
function paintPicture({ ratio, look }, n, ctx) {
  if (!look.picture) return;
  ctx.save();
  ctx.transform(n[0], n[1], n[2], n[3], n[4], n[5]);
  ctx.imageSmoothingEnabled = !showsPixels(n, ratio);
  ctx.imageSmoothingQuality = 'high';
  ctx.drawImage(look.picture, 0, 0, look.imageWidth, look.imageHeight);
  ctx.restore();
}

/** @type {WeakMap<CanvasRenderingContext2D, { key: string, pattern: CanvasPattern }>} */
const patterns = new WeakMap();

/** @param {Brush} brush */
function checkerboard({ ctx, ratio, look }) {
  const key = `${ratio} ${look.checks.join(' ')}`;
  const known = patterns.get(ctx);
  if (known?.key === key) return known.pattern;
  const tile = new OffscreenCanvas(16, 16);
  const paint = /** @type {OffscreenCanvasRenderingContext2D} */ (tile.getContext('2d'));
  paint.fillStyle = look.checks[0];
  paint.fillRect(0, 0, 16, 16);
  paint.fillStyle = look.checks[1];
  paint.fillRect(0, 0, 8, 8);
  paint.fillRect(8, 8, 8, 8);
  const pattern = /** @type {CanvasPattern} */ (ctx.createPattern(tile, 'repeat'));
  patterns.set(ctx, { key, pattern });
  return pattern;
}

/** @param {Brush} brush @param {Float64Array} n */
function drawShade(brush, n) {
  const { ctx, edge, width, height } = brush;
  ctx.save();
  if (n[0] && edge) {
    ctx.beginPath();
    quad(ctx, edge);
    ctx.clip();
  }
  ctx.beginPath();
  ctx.rect(0, 0, width, height);
  outline(brush, n.subarray(2), 0);
  ctx.fillStyle = `rgb(0 0 0 / ${n[1]})`;
  ctx.fill('evenodd');
  ctx.restore();
}

/** @param {Brush} brush @param {Float64Array} n */
function drawStroke(brush, n) {
  const { ctx } = brush;
  ctx.beginPath();
  outline(brush, n.subarray(2), n[1]);
  ctx.lineWidth = n[1];
  ctx.strokeStyle = roleColour(brush, n[0]);
  ctx.stroke();
}

/** @param {Brush} brush @param {Float64Array} n */
function drawLine(brush, n) {
  const { ctx } = brush;
  const [role, lineWidth] = n;
  let [, , x0, y0, x1, y1] = n;
  if (x0 === x1) x0 = x1 = crisp(brush, x0, lineWidth);
  if (y0 === y1) y0 = y1 = crisp(brush, y0, lineWidth);
  if (role !== FRAME_UNDER) {
    ctx.lineWidth = lineWidth + 2;
    ctx.strokeStyle = role === GRID ? 'rgb(0 0 0 / 0.18)' : 'rgb(0 0 0 / 0.45)';
    strokeLine(ctx, x0, y0, x1, y1);
  }
  ctx.lineWidth = lineWidth;
  ctx.strokeStyle = roleColour(brush, role);
  strokeLine(ctx, x0, y0, x1, y1);
}

/** @param {Brush} brush @param {Float64Array} n */
function drawBar(brush, n) {
  fillBar(brush, n, n[0] === ACTIVE ? brush.look.accent : '#ffffff', 0);
}

/**
 * @param {Brush} brush @param {Float64Array} n @param {string} colour
 * @param {number} margin points around the bar
 */
function fillBar({ ctx, ratio }, [, x, y, w, h], colour, margin) {
  const left = Math.round((x - margin) * ratio) / ratio;
  const top = Math.round((y - margin) * ratio) / ratio;
  const right = Math.round((x + w + margin) * ratio) / ratio;
  const bottom = Math.round((y + h + margin) * ratio) / ratio;
  ctx.fillStyle = colour;
  ctx.fillRect(left, top, right - left, bottom - top);
}

/** @param {Brush} brush @param {Float64Array} n */
function drawMagnifier(brush, [x, y, imageX, imageY, zoom, radius]) {
  const { ctx, affine, look } = brush;
  if (!affine || !look.picture) return;
  ctx.save();
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  ctx.fillStyle = '#000000';
  ctx.fill();
  ctx.clip();
  // The same placement as the picture's, larger, with the looked-at pixel in the lens' centre.
  const viewX = affine[0] * imageX + affine[2] * imageY + affine[4];
  const viewY = affine[1] * imageX + affine[3] * imageY + affine[5];
  ctx.translate(x, y);
  ctx.scale(zoom, zoom);
  ctx.translate(-viewX, -viewY);
  paintPicture(brush, affine, ctx);
  ctx.restore();
  ctx.lineWidth = 4;
  ctx.strokeStyle = 'rgb(0 0 0 / 0.45)';
  ring(ctx, x, y, radius);
  ctx.lineWidth = 2;
  ctx.strokeStyle = '#ffffff';
  ring(ctx, x, y, radius);
  for (const [width, colour] of [[3, 'rgb(0 0 0 / 0.5)'], [1, '#ffffff']]) {
    ctx.lineWidth = Number(width);
    ctx.strokeStyle = String(colour);
    strokeLine(ctx, x - 8, y, x + 8, y);
    strokeLine(ctx, x, y - 8, x, y + 8);
  }
}

/** @param {Brush} brush @param {number} role */
function roleColour({ look }, role) {
  switch (role) {
    case FRAME_UNDER: return 'rgb(0 0 0 / 0.5)';
    case GRID: return 'rgb(255 255 255 / 0.6)';
    case SNAP:
    case LEVEL:
    case ACTIVE: return look.accent;
    case FRAME:
    default: return '#ffffff';
  }
}

/**
 * Adds an outline to the path; a positive line width puts its edges on device pixels.
 * @param {Brush} brush @param {Float64Array} n kind, x, y, width, height, radius
 * @param {number} lineWidth
 */
function outline(brush, [kind, x, y, w, h, radius], lineWidth) {
  const { ctx } = brush;
  const left = crisp(brush, x, lineWidth);
  const top = crisp(brush, y, lineWidth);
  const width = crisp(brush, x + w, lineWidth) - left;
  const height = crisp(brush, y + h, lineWidth) - top;
  if (kind === 1) {
    ctx.moveTo(left + width, top + height / 2);
    ctx.ellipse(left + width / 2, top + height / 2, width / 2, height / 2, 0, 0, 2 * Math.PI);
  } else if (kind === 2) {
    ctx.roundRect(left, top, width, height, radius);
  } else {
    ctx.rect(left, top, width, height);
  }
}

/** @param {Brush} brush @param {number} at @param {number} lineWidth */
function crisp({ ratio }, at, lineWidth) {
  const half = Math.round(lineWidth * ratio) % 2 ? 0.5 : 0;
  return (Math.round(at * ratio - half) + half) / ratio;
}

/** @param {CanvasRenderingContext2D} ctx @param {Float64Array} n */
function quad(ctx, n) {
  ctx.moveTo(n[0], n[1]);
  ctx.lineTo(n[2], n[3]);
  ctx.lineTo(n[4], n[5]);
  ctx.lineTo(n[6], n[7]);
  ctx.closePath();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} r */
function ring(ctx, x, y, r) {
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 2 * Math.PI);
  ctx.stroke();
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1
 */
function strokeLine(ctx, x0, y0, x1, y1) {
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
  ctx.stroke();
}
