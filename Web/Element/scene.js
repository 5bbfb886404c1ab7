// @ts-check
// Draws the core's scene on a canvas. Every position comes from the core; this file only defines how each primitive
// looks.

import { Item, Role, Shape } from './interface.js';
import { drawLabel } from './label.js';

/**
 * The drawing's input besides the scene.
 * @typedef {object} Look
 * @property {CanvasImageSource | null} picture the preview, stretched over the complete image
 * @property {number} imageWidth upright pixels
 * @property {number} imageHeight
 * @property {boolean} translucent whether to draw a checkerboard beneath
 * @property {boolean} isLayered whether the photo is in a separate layer beneath the canvas
 * @property {import('./canvas-look.js').CanvasLook | null} canvas the fill of the canvas around the crop
 * @property {string} accent
 * @property {number} shade the darkness outside the crop, as a fraction of the core's value
 * @property {string} placeholder colour until the image is loaded
 * @property {readonly [string, string]} checks
 * @property {import('./words.js').ElementWords} words of the labels
 */

/**
 * The input of every painter, besides the scene's numbers and the index of its item's first number.
 * @typedef {{ ctx: CanvasRenderingContext2D, ratio: number, look: Look, edge: number,
 *   affine: number, width: number, height: number }} Brush */

const NONE = -1;

/**
 * Draws the complete scene. Items are read in place, without copying, since this runs up to sixty times per second.
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
    // The corners may come after the items that need them, so look them up first.
    edge: findItem(scene, Item.pictureEdge), affine: findItem(scene, Item.picture),
  };
  let edged = false;
  let hasBars = false;
  let at = 0;
  while (at + 1 < scene.length) {
    const opcode = scene[at];
    // The dark edges of the marks are drawn beneath all marks and the frame's line, so that none is cut off.
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
 * Whether a scene looks different from the last one on the canvas. A photo in a separate layer moves without
 * redrawing, unless a shade ends at its edge or a magnifier shows it.
 * @param {Float64Array} scene
 * @param {Float64Array} drawn the numbers of the last scene, of the same length; set to those of this one
 * @param {boolean} isLayered
 */
export function sceneDiffers(scene, drawn, isLayered) {
  let movesAlone = isLayered;
  for (let at = 0; at + 1 < scene.length; at += 2 + scene[at + 1]) {
    if (scene[at] === Item.magnifier || ((scene[at] === Item.shade || scene[at] === Item.quadShade) && scene[at + 2] !== 0)) movesAlone = false;
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
 * The index of the numbers of the last item with a code, or −1.
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
 * The corners of a quad on the screen, as alternating x and y in CSS pixels of the view; empty without a quad.
 * @param {Float64Array} scene
 */
export function shownCorners(scene) {
  const at = findItem(scene, Item.quadShade);
  return at === NONE ? [] : [...scene.subarray(at + 2, at + 10)];
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
 * The painters by item code. Some do nothing, since their items are drawn with others or only hold positions.
 * @type {((brush: Brush, n: Float64Array, at: number) => void)[]}
 */
const PAINTERS = [];
PAINTERS[Item.picture] = drawPicture;
PAINTERS[Item.shade] = drawShade;
PAINTERS[Item.quadShade] = drawQuadShade;
PAINTERS[Item.stroke] = drawStroke;
PAINTERS[Item.label] = drawLabel;
PAINTERS[Item.magnifier] = drawMagnifier;
PAINTERS[Item.blocks] = drawBlocks;
PAINTERS[Item.canvas] = drawCanvas;

/** @param {Brush} brush @param {Float64Array} n @param {number} at */
function drawPicture(brush, n, at) {
  const { ctx, look, edge } = brush;
  if (edge !== NONE && (look.translucent || !look.picture)) {
    ctx.beginPath();
    quad(ctx, n, edge);
    ctx.fillStyle = look.picture ? look.canvas?.under ?? checkerboard(brush) : look.placeholder;
    ctx.fill();
  }
  if (look.picture && !look.isLayered) paintPicture(brush, n, at);
}

/**
 * The index of the image's affine transform in a scene, from upright pixels to points; −1 without an image.
 * @param {Float64Array} scene
 */
export function pictureTransform(scene) {
  return findItem(scene, Item.picture);
}

/**
 * Whether pixels are shown as squares: beyond four device pixels per image pixel.
 * @param {number} a @param {number} b the first column of the image's transform
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
 * Draws the lines of a JPEG's grid.
 * @param {Brush} brush @param {Float64Array} n @param {number} at the index of a rectangle, the position of the
 * first lines, and the distance of the next ones
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
    // Nothing is beneath it on this canvas, so cutting a hole is cheaper than drawing around it.
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

/**
 * Fills a canvas, except for the crop.
 * @param {Brush} brush @param {Float64Array} n @param {number} at the index of the canvas's rectangle and the
 * crop's outline
 */
function drawCanvas(brush, n, at) {
  const { ctx, look } = brush;
  if (!look.canvas) return;
  const { colour, picture, under } = look.canvas;
  const left = crisp(brush, n[at], 0);
  const top = crisp(brush, n[at + 1], 0);
  const width = crisp(brush, n[at] + n[at + 2], 0) - left;
  const height = crisp(brush, n[at + 1] + n[at + 3], 0) - top;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  outline(brush, n, at + 4, 0);
  ctx.clip('evenodd');
  ctx.imageSmoothingQuality = 'high';
  if (picture) ctx.drawImage(picture, left, top, width, height);
  else {
    ctx.fillStyle = colour ?? checkerboard(brush);
    ctx.fillRect(left, top, width, height);
  }
  // A fill made from the crop's pixels is around its rectangle; the background is around its shape.
  if (n[at + 4] !== Shape.rectangle && under !== null) {
    ctx.fillStyle = under;
    ctx.fillRect(n[at + 5], n[at + 6], n[at + 7], n[at + 8]);
  }
  ctx.restore();
  // A line shows the edge of a canvas in the colour of the screen.
  ctx.lineWidth = 1;
  ctx.strokeStyle = 'rgb(128 128 128 / 0.7)';
  ctx.strokeRect(crisp(brush, n[at], 1), crisp(brush, n[at + 1], 1), width, height);
}

/** @param {Brush} brush @param {Float64Array} n @param {number} at */
function drawQuadShade({ ctx, look, edge, width, height }, n, at) {
  const isClipped = n[at] !== 0 && edge !== NONE;
  ctx.save();
  if (isClipped) {
    ctx.beginPath();
    quad(ctx, n, edge);
    ctx.clip();
  }
  ctx.beginPath();
  ctx.rect(0, 0, width, height);
  quad(ctx, n, at + 2);
  ctx.globalAlpha = n[at + 1] * look.shade;
  ctx.fillStyle = '#000000';
  ctx.fill('evenodd');
  ctx.restore();
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
 * Draws adjacent lines with the same role and width in one path.
 * @param {Brush} brush @param {Float64Array} scene @param {number} start the index of the first line's item
 * @returns {number} the index of the next item
 */
function drawLines(brush, scene, start) {
  const { ctx } = brush;
  const role = scene[start + 2];
  const lineWidth = scene[start + 3];
  ctx.beginPath();
  let at = start;
  // The first line is always drawn, so that the caller moves on whatever its numbers are.
  do {
    let x0 = scene[at + 4];
    let y0 = scene[at + 5];
    let x1 = scene[at + 6];
    let y1 = scene[at + 7];
    if (x0 === x1) x0 = x1 = crisp(brush, x0, lineWidth);
    if (y0 === y1) y0 = y1 = crisp(brush, y0, lineWidth);
    ctx.moveTo(x0, y0);
    ctx.lineTo(x1, y1);
    at += 2 + scene[at + 1];
  } while (scene[at] === Item.line && scene[at + 2] === role && scene[at + 3] === lineWidth);
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
  // The same transform as the image's, but larger, with the magnified pixel in the centre.
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
 * Adds an outline to the path; with a positive line width, its edges are on device pixels.
 * @param {Brush} brush
 * @param {Float64Array} n @param {number} at the index of kind, x, y, width, height and radius
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
