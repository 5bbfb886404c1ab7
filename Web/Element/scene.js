// @ts-check
// Draws the core's scene on a canvas. Every position comes from the core; this file knows only
// how each of its primitives looks.

import { Item, Role, Shape } from './interface.js';
import { drawLabel } from './label.js';

/**
 * What the drawing needs besides the scene.
 * @typedef {object} Look
 * @property {CanvasImageSource | null} picture the preview, stretched over the whole picture
 * @property {number} imageWidth upright pixels
 * @property {number} imageHeight
 * @property {boolean} translucent a checkerboard lies beneath
 * @property {boolean} isLayered the photo lies in a layer of its own beneath the canvas
 * @property {string} accent
 * @property {number} shade how dark what is cut away is, as a part of the core's word
 * @property {string} placeholder fill where the picture has not arrived yet
 * @property {readonly [string, string]} checks
 * @property {import('./words.js').ElementWords} words of the labels
 */

/**
 * What every painter gets, beside the scene's numbers and the index of its item's first.
 * @typedef {{ ctx: CanvasRenderingContext2D, ratio: number, look: Look, edge: number,
 *   affine: number, width: number, height: number }} Brush */

const NONE = -1;

/**
 * Draws the whole scene. Items are read where they lie: nothing is copied, sixty times a second.
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
    ctx, ratio, look, width: width / ratio, height: height / ratio,
    // The corners may follow the items that need them, so they are looked up first.
    edge: findItem(scene, Item.pictureEdge), affine: findItem(scene, Item.picture),
  };
  let edged = false;
  let hasBars = false;
  let at = 0;
  while (at + 1 < scene.length) {
    const opcode = scene[at];
    // The marks' dark edges lie beneath every mark and the frame's line, so that none is cut.
    if (!edged && (opcode === Item.bar || (opcode === Item.stroke && scene[at + 2] === Role.edge))) {
      edged = true;
      drawBars(brush, scene, 1, NONE, 'rgb(0 0 0 / 0.4)');
    }
    if (opcode === Item.line) {
      at = drawLines(brush, scene, at);
      continue;
    }
    if (opcode === Item.bar && !hasBars) {
      hasBars = true;
      drawBars(brush, scene, 0, Role.handle, '#ffffff');
      drawBars(brush, scene, 0, Role.activeHandle, look.accent);
    }
    PAINTERS[opcode]?.(brush, scene, at + 2);
    at += 2 + scene[at + 1];
  }
}

/**
 * Whether a scene looks other than the last one on the canvas, where a photo in a layer of its own
 * moves alone as long as no shade ends at its edge and no lens shows it.
 * @param {Float64Array} scene
 * @param {Float64Array} drawn the last one's numbers, as many; becomes this one's
 * @param {boolean} isLayered
 */
export function looksOther(scene, drawn, isLayered) {
  let movesAlone = isLayered;
  for (let at = 0; at + 1 < scene.length; at += 2 + scene[at + 1]) {
    if (scene[at] === Item.magnifier || (scene[at] === Item.shade && scene[at + 2] !== 0)) movesAlone = false;
  }
  let isOther = false;
  let end = 0;
  for (let at = 0; at + 1 < scene.length; at = end) {
    end = at + 2 + scene[at + 1];
    if (movesAlone && (scene[at] === Item.picture || scene[at] === Item.pictureEdge)) continue;
    for (let index = at; index < end; index += 1) {
      if (drawn[index] === scene[index]) continue;
      isOther = true;
      drawn[index] = scene[index];
    }
  }
  return isOther;
}

/**
 * Where the numbers of the last item of a kind begin, or −1.
 * @param {Float64Array} scene @param {number} opcode
 */
function findItem(scene, opcode) {
  let found = NONE;
  for (let at = 0; at + 1 < scene.length; at += 2 + scene[at + 1]) {
    if (scene[at] === opcode) found = at + 2;
  }
  return found;
}

/**
 * Fills all bars of a role in one path.
 * @param {Brush} brush @param {Float64Array} scene @param {number} margin points around each bar
 * @param {number} role or −1 for all @param {string} colour
 */
function drawBars({ ctx, ratio }, scene, margin, role, colour) {
  let isEmpty = true;
  for (let at = 0; at + 1 < scene.length; at += 2 + scene[at + 1]) {
    if (scene[at] !== Item.bar || (role !== NONE && scene[at + 2] !== role)) continue;
    if (isEmpty) ctx.beginPath();
    isEmpty = false;
    const left = Math.round((scene[at + 3] - margin) * ratio) / ratio;
    const top = Math.round((scene[at + 4] - margin) * ratio) / ratio;
    const right = Math.round((scene[at + 3] + scene[at + 5] + margin) * ratio) / ratio;
    const bottom = Math.round((scene[at + 4] + scene[at + 6] + margin) * ratio) / ratio;
    ctx.rect(left, top, right - left, bottom - top);
  }
  if (isEmpty) return;
  ctx.fillStyle = colour;
  ctx.fill();
}

/**
 * By an item's number; those that do nothing are drawn with others or say where things are.
 * @type {((brush: Brush, n: Float64Array, at: number) => void)[]}
 */
const PAINTERS = [];
PAINTERS[Item.picture] = drawPicture;
PAINTERS[Item.shade] = drawShade;
PAINTERS[Item.stroke] = drawStroke;
PAINTERS[Item.label] = drawLabel;
PAINTERS[Item.magnifier] = drawMagnifier;
PAINTERS[Item.blocks] = drawBlocks;

/** @param {Brush} brush @param {Float64Array} n @param {number} at */
function drawPicture(brush, n, at) {
  const { ctx, look, edge } = brush;
  if (edge !== NONE && (look.translucent || !look.picture)) {
    ctx.beginPath();
    quad(ctx, n, edge);
    ctx.fillStyle = look.picture ? checkerboard(brush) : look.placeholder;
    ctx.fill();
  }
  if (look.picture && !look.isLayered) paintPicture(brush, n, at);
}

/**
 * Where the picture's affine transform lies in a scene, from upright pixels to points; −1 where
 * there is no picture.
 * @param {Float64Array} scene
 */
export function pictureTransform(scene) {
  return findItem(scene, Item.picture);
}

/**
 * Past four device pixels to the picture's pixel a person looks at pixels, so they stay square.
 * @param {number} a @param {number} b the first column of the picture's transform
 * @param {number} ratio
 */
export function showsPixels(a, b, ratio) {
  return Math.hypot(a, b) * ratio >= 4;
}

/** @param {Brush} brush @param {Float64Array} n @param {number} at */
function paintPicture({ ctx, ratio, look }, n, at) {
  if (!look.picture) return;
  ctx.save();
  ctx.transform(n[at], n[at + 1], n[at + 2], n[at + 3], n[at + 4], n[at + 5]);
  ctx.imageSmoothingEnabled = !showsPixels(n[at], n[at + 1], ratio);
  ctx.imageSmoothingQuality = 'high';
  ctx.drawImage(look.picture, 0, 0, look.imageWidth, look.imageHeight);
  ctx.restore();
}

/**
 * The lines of a JPEG's grid.
 * @param {Brush} brush @param {Float64Array} n @param {number} at of a rectangle, the place of the
 *   first lines, and how far it is to the next ones
 */
function drawBlocks(brush, n, at) {
  const { ctx } = brush;
  const [left, top, right, bottom] = [n[at], n[at + 1], n[at] + n[at + 2], n[at + 1] + n[at + 3]];
  ctx.beginPath();
  for (let x = n[at + 4]; x <= right; x += n[at + 6]) {
    const line = crisp(brush, x, 1);
    ctx.moveTo(line, top);
    ctx.lineTo(line, bottom);
  }
  for (let y = n[at + 5]; y <= bottom; y += n[at + 7]) {
    const line = crisp(brush, y, 1);
    ctx.moveTo(left, line);
    ctx.lineTo(right, line);
  }
  ctx.lineWidth = 1;
  ctx.strokeStyle = 'rgb(255 255 255 / 0.22)';
  ctx.stroke();
}

/** @type {WeakMap<CanvasRenderingContext2D, { key: string, pattern: CanvasPattern }>} */
const patterns = new WeakMap();

/** @param {Brush} brush */
function checkerboard({ ctx, ratio, look }) {
  const key = `${ratio} ${look.checks.join(' ')}`;
  const known = patterns.get(ctx);
  if (known?.key === key) return known.pattern;
  const tile = document.createElement('canvas');
  tile.width = tile.height = 16;
  const paint = /** @type {CanvasRenderingContext2D} */ (tile.getContext('2d'));
  paint.fillStyle = look.checks[0];
  paint.fillRect(0, 0, 16, 16);
  paint.fillStyle = look.checks[1];
  paint.fillRect(0, 0, 8, 8);
  paint.fillRect(8, 8, 8, 8);
  const pattern = /** @type {CanvasPattern} */ (ctx.createPattern(tile, 'repeat'));
  patterns.set(ctx, { key, pattern });
  return pattern;
}

/** @param {Brush} brush @param {Float64Array} n @param {number} at */
function drawShade(brush, n, at) {
  const { ctx, look, edge, width, height } = brush;
  const isClipped = n[at] !== 0 && edge !== NONE;
  if (look.isLayered && n[at + 2] === 0) {
    // Nothing lies beneath it on this canvas: a hole is cheaper cut out than gone around.
    ctx.beginPath();
    if (isClipped) quad(ctx, n, edge);
    else ctx.rect(0, 0, width, height);
    ctx.globalAlpha = n[at + 1] * look.shade;
    ctx.fillStyle = '#000000';
    ctx.fill();
    ctx.globalAlpha = 1;
    const left = crisp(brush, n[at + 3], 0);
    const top = crisp(brush, n[at + 4], 0);
    ctx.clearRect(left, top, crisp(brush, n[at + 3] + n[at + 5], 0) - left,
      crisp(brush, n[at + 4] + n[at + 6], 0) - top);
    return;
  }
  if (isClipped) {
    ctx.save();
    ctx.beginPath();
    quad(ctx, n, edge);
    ctx.clip();
  }
  ctx.beginPath();
  ctx.rect(0, 0, width, height);
  outline(brush, n, at + 2, 0);
  ctx.globalAlpha = n[at + 1] * look.shade;
  ctx.fillStyle = '#000000';
  ctx.fill('evenodd');
  ctx.globalAlpha = 1;
  if (isClipped) ctx.restore();
}

/** @param {Brush} brush @param {Float64Array} n @param {number} at */
function drawStroke(brush, n, at) {
  const { ctx } = brush;
  ctx.beginPath();
  outline(brush, n, at + 2, n[at + 1]);
  ctx.lineWidth = n[at + 1];
  ctx.strokeStyle = roleColour(brush, n[at]);
  ctx.stroke();
}

/**
 * Draws the lines of one role and width that stand together, in one path.
 * @param {Brush} brush @param {Float64Array} scene @param {number} start of the first one's item
 * @returns {number} where the next item begins
 */
function drawLines(brush, scene, start) {
  const { ctx } = brush;
  const role = scene[start + 2];
  const lineWidth = scene[start + 3];
  ctx.beginPath();
  let at = start;
  while (scene[at] === 3 && scene[at + 2] === role && scene[at + 3] === lineWidth) {
    let x0 = scene[at + 4];
    let y0 = scene[at + 5];
    let x1 = scene[at + 6];
    let y1 = scene[at + 7];
    if (x0 === x1) x0 = x1 = crisp(brush, x0, lineWidth);
    if (y0 === y1) y0 = y1 = crisp(brush, y0, lineWidth);
    ctx.moveTo(x0, y0);
    ctx.lineTo(x1, y1);
    at += 2 + scene[at + 1];
  }
  if (role !== Role.edge) {
    ctx.lineWidth = lineWidth + 2;
    ctx.strokeStyle = role === Role.grid ? 'rgb(0 0 0 / 0.18)' : 'rgb(0 0 0 / 0.45)';
    ctx.stroke();
  }
  ctx.lineWidth = lineWidth;
  ctx.strokeStyle = roleColour(brush, role);
  ctx.stroke();
  return at;
}

/** @param {Brush} brush @param {Float64Array} n @param {number} at */
function drawMagnifier(brush, n, at) {
  const { ctx, affine, look } = brush;
  if (affine === NONE || !look.picture) return;
  const [x, y, imageX, imageY, zoom, radius] = n.subarray(at, at + 6);
  ctx.save();
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  ctx.fillStyle = '#000000';
  ctx.fill();
  ctx.clip();
  // The same placement as the picture's, larger, with the looked-at pixel in the lens' centre.
  const viewX = n[affine] * imageX + n[affine + 2] * imageY + n[affine + 4];
  const viewY = n[affine + 1] * imageX + n[affine + 3] * imageY + n[affine + 5];
  ctx.translate(x, y);
  ctx.scale(zoom, zoom);
  ctx.translate(-viewX, -viewY);
  paintPicture(brush, n, affine);
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
    case Role.edge: return 'rgb(0 0 0 / 0.5)';
    case Role.grid: return 'rgb(255 255 255 / 0.6)';
    case Role.snap:
    case Role.level:
    case Role.activeHandle: return look.accent;
    case Role.frame:
    default: return '#ffffff';
  }
}

/**
 * Adds an outline to the path; a positive line width puts its edges on device pixels.
 * @param {Brush} brush
 * @param {Float64Array} n @param {number} at where kind, x, y, width, height and radius are
 * @param {number} lineWidth
 */
function outline(brush, n, at, lineWidth) {
  const { ctx } = brush;
  const kind = n[at];
  const x = n[at + 1];
  const y = n[at + 2];
  const w = n[at + 3];
  const h = n[at + 4];
  const left = crisp(brush, x, lineWidth);
  const top = crisp(brush, y, lineWidth);
  const width = crisp(brush, x + w, lineWidth) - left;
  const height = crisp(brush, y + h, lineWidth) - top;
  if (kind === Shape.ellipse) {
    ctx.moveTo(left + width, top + height / 2);
    ctx.ellipse(left + width / 2, top + height / 2, width / 2, height / 2, 0, 0, 2 * Math.PI);
  } else if (kind === Shape.rounded) {
    ctx.roundRect(left, top, width, height, n[at + 5]);
  } else {
    ctx.rect(left, top, width, height);
  }
}

/** @param {Brush} brush @param {number} at @param {number} lineWidth */
function crisp({ ratio }, at, lineWidth) {
  const half = Math.round(lineWidth * ratio) % 2 ? 0.5 : 0;
  return (Math.round(at * ratio - half) + half) / ratio;
}

/** @param {CanvasRenderingContext2D} ctx @param {Float64Array} n @param {number} at */
function quad(ctx, n, at) {
  ctx.moveTo(n[at], n[at + 1]);
  ctx.lineTo(n[at + 2], n[at + 3]);
  ctx.lineTo(n[at + 4], n[at + 5]);
  ctx.lineTo(n[at + 6], n[at + 7]);
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
