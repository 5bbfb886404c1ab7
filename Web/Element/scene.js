// @ts-check
// Draws the core's scene on a canvas. Every position comes from the core; this file only defines how each primitive
// looks.

import { drawGuideArea, drawNote } from './guide-drawing.js';
import { Role, Shape } from './interface.js';
import { drawLabel } from './label.js';
import { paintAround, paintPicture } from './photo-pixels.js';

/**
 * The drawing's input besides the scene.
 * @typedef {object} Look
 * @property {ImageBitmap | null} picture the preview, stretched over the complete image
 * @property {number} imageWidth upright pixels
 * @property {number} imageHeight
 * @property {boolean} translucent whether to draw a checkerboard beneath
 * @property {boolean} isLayered whether the photo is in a separate layer beneath the canvas
 * @property {import('./canvas-look.js').CanvasLook | null} canvas the fill of the canvas around the crop
 * @property {string} accent
 * @property {{ color: string, edge: string, width: number }} frame the line, the dark one beneath it, and the line's
 * width in points
 * @property {{ color: string, radius: number }} handle the marks and the radius of their corners, in points
 * @property {string} grid @property {string} guide its lines and, with little opacity, its areas
 * @property {{ color: string, opacity: number }} shade outside the crop; the opacity is a fraction of the core's value
 * @property {LabelLook} label
 * @property {string} placeholder color until the image is loaded
 * @property {readonly [string, string]} checks
 * @property {import('./words.js').ElementWords} words of the labels
 */

/** @typedef {import('./label.js').LabelLook} LabelLook */
/** @typedef {import('./interface.js').SceneItem} SceneItem */
/**
 * @template {SceneItem['kind']} Kind
 * @typedef {Extract<SceneItem, { kind: Kind }>} ItemOf
 */
/** @typedef {import('./interface.js').Box} Box */

/**
 * The input of every painter, besides its item.
 * @typedef {{ ctx: CanvasRenderingContext2D, ratio: number, look: Look, width: number, height: number,
 *   edge: import('./interface.js').Edge | undefined, map: import('./interface.js').AffineMap | undefined }} Brush */

/** `transparent` as a computed color. */
const CLEAR = 'rgba(0, 0, 0, 0)';

/**
 * Draws the complete scene.
 * @param {CanvasRenderingContext2D} ctx
 * @param {readonly SceneItem[]} scene
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
    edge: findItem(scene, 'pictureEdge')?.edge, map: findItem(scene, 'picture')?.map,
  };
  const bars = itemsOf(scene, 'bar');
  let edged = false;
  let hasBars = false;
  for (const [at, item] of scene.entries()) {
    // The dark edges of the marks are drawn beneath all marks and the frame's line, so that none is cut off.
    if (!edged && (item.kind === 'bar' || (item.kind === 'stroke' && item.role === Role.edge))) {
      edged = true;
      if (look.handle.color !== CLEAR) drawBars(brush, bars, 1, look.frame.edge, 0.4);
    }
    switch (item.kind) {
      case 'picture': drawPicture(brush, item); break;
      case 'shade': drawShade(brush, item); break;
      case 'quadShade': drawQuadShade(brush, item); break;
      case 'canvas': drawCanvas(brush, item); break;
      case 'stroke': drawStroke(brush, item, topRole(scene, at)); break;
      case 'blocks': drawBlocks(brush, item); break;
      case 'magnifier': drawMagnifier(brush, item); break;
      case 'guideArea': drawGuideArea(brush, item); break;
      case 'note': drawNote(brush, item); break;
      case 'label':
      case 'angle': drawLabel(brush, item); break;
      case 'line': {
        const before = scene[at - 1];
        const isFirst = before?.kind !== 'line' || !isAlike(before, item);
        if (isFirst) drawLines(brush, run(scene, at, item), topRole(scene, at));
        break;
      }
      case 'bar':
        if (hasBars) break;
        hasBars = true;
        drawBars(brush, bars.filter(({ role }) => role === Role.handle), 0, look.handle.color);
        drawBars(brush, bars.filter(({ role }) => role === Role.activeHandle), 0, look.accent);
    }
  }
}

/**
 * Whether a scene looks different from the last one on the canvas. A photo in a separate layer moves without
 * redrawing, unless a shade ends at its edge or a magnifier shows it.
 * @param {readonly SceneItem[]} scene
 * @param {readonly SceneItem[]} drawn the last scene
 * @param {boolean} isLayered
 */
export function sceneDiffers(scene, drawn, isLayered) {
  const movesAlone = isLayered && !scene.some((item) => item.kind === 'magnifier'
    || ((item.kind === 'shade' || item.kind === 'quadShade') && item.isClipped));
  return scene.length !== drawn.length || scene.some((item, index) =>
    !(movesAlone && (item.kind === 'picture' || item.kind === 'pictureEdge') && item.kind === drawn[index].kind)
    && !isSame(item, drawn[index]));
}

/** @param {unknown} a @param {unknown} b @returns {boolean} whether values, and those in them, are equal */
function isSame(a, b) {
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return a === b;
  const [values, others] = [Object.values(a), Object.values(b)];
  return values.length === others.length && values.every((value, index) => isSame(value, others[index]));
}

/**
 * The items of a kind.
 * @template {SceneItem['kind']} Kind
 * @param {readonly SceneItem[]} scene @param {Kind} kind
 * @returns {ItemOf<Kind>[]}
 */
const itemsOf = (scene, kind) => /** @type {ItemOf<Kind>[]} */ (scene.filter((item) => item.kind === kind));

/**
 * The last item of a kind.
 * @template {SceneItem['kind']} Kind
 * @param {readonly SceneItem[]} scene @param {Kind} kind
 */
export const findItem = (scene, kind) => itemsOf(scene, kind).pop();

/**
 * The corners of a quad on the screen, in CSS pixels of the view; empty without a quad.
 * @param {readonly SceneItem[]} scene
 */
export function shownCorners(scene) {
  return findItem(scene, 'quadShade')?.corners ?? [];
}

/**
 * Fills bars in one path.
 * @param {Brush} brush @param {readonly ItemOf<'bar'>[]} bars @param {number} margin points around each bar
 * @param {string} color @param {number} [opacity]
 */
function drawBars({ ctx, ratio, look: { handle } }, bars, margin, color, opacity = 1) {
  if (bars.length === 0) return;
  ctx.beginPath();
  for (const { rect: { x, y, width, height } } of bars) {
    const left = Math.round((x - margin) * ratio) / ratio;
    const top = Math.round((y - margin) * ratio) / ratio;
    const right = Math.round((x + width + margin) * ratio) / ratio;
    const bottom = Math.round((y + height + margin) * ratio) / ratio;
    if (handle.radius) ctx.roundRect(left, top, right - left, bottom - top, handle.radius + margin);
    else ctx.rect(left, top, right - left, bottom - top);
  }
  ctx.globalAlpha = opacity;
  ctx.fillStyle = color;
  ctx.fill();
  ctx.globalAlpha = 1;
}

/** @param {Brush} brush @param {ItemOf<'picture'>} item */
function drawPicture(brush, { map }) {
  const { ctx, look, edge } = brush;
  if (edge && (look.translucent || !look.picture)) {
    ctx.beginPath();
    quad(ctx, edge);
    ctx.fillStyle = look.picture ? look.canvas?.under ?? checkerboard(brush) : look.placeholder;
    ctx.fill();
  }
  if (look.picture && !look.isLayered) paintPicture(brush, map);
}

/**
 * Draws the lines of a JPEG's grid.
 * @param {Brush} brush @param {ItemOf<'blocks'>} item
 */
function drawBlocks(brush, { rect, first, stepX, stepY }) {
  const { ctx } = brush;
  const [right, bottom] = [rect.x + rect.width, rect.y + rect.height];
  ctx.beginPath();
  for (let { x } = first; x <= right; x += stepX) {
    const line = crisp(brush, x, 1);
    ctx.moveTo(line, rect.y);
    ctx.lineTo(line, bottom);
  }
  for (let { y } = first; y <= bottom; y += stepY) {
    const line = crisp(brush, y, 1);
    ctx.moveTo(rect.x, line);
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

/** @param {Brush} brush @param {ItemOf<'shade'>} item */
function drawShade(brush, { outline, opacity, isClipped }) {
  const { ctx, look, width, height } = brush;
  const edge = isClipped ? brush.edge : undefined;
  if (look.isLayered && outline.shape === Shape.rectangle) {
    // Nothing is beneath it on this canvas, so cutting a hole is cheaper than drawing around it.
    ctx.beginPath();
    if (edge) quad(ctx, edge);
    else ctx.rect(0, 0, width, height);
    ctx.globalAlpha = opacity * look.shade.opacity;
    ctx.fillStyle = look.shade.color;
    ctx.fill();
    ctx.globalAlpha = 1;
    const hole = crispBox(brush, outline.rect, 0);
    ctx.clearRect(hole.x, hole.y, hole.width, hole.height);
    return;
  }
  shadeAround(brush, edge, opacity, () => trace(brush, outline, 0));
}

/**
 * Shades everything outside a path.
 * @param {Brush} brush @param {Brush['edge']} edge to which the shade is clipped @param {number} opacity
 * @param {() => void} path
 */
function shadeAround({ ctx, look, width, height }, edge, opacity, path) {
  ctx.save();
  if (edge) {
    ctx.beginPath();
    quad(ctx, edge);
    ctx.clip();
  }
  ctx.beginPath();
  ctx.rect(0, 0, width, height);
  path();
  ctx.globalAlpha = opacity * look.shade.opacity;
  ctx.fillStyle = look.shade.color;
  ctx.fill('evenodd');
  ctx.restore();
}

/**
 * Fills a canvas, except for the crop.
 * @param {Brush} brush @param {ItemOf<'canvas'>} item
 */
function drawCanvas(brush, { rect, outline }) {
  const { ctx, look } = brush;
  if (!look.canvas) return;
  const { color, picture, under } = look.canvas;
  const { x, y, width, height } = crispBox(brush, rect, 0);
  ctx.save();
  ctx.beginPath();
  ctx.rect(x, y, width, height);
  trace(brush, outline, 0);
  ctx.clip('evenodd');
  ctx.imageSmoothingQuality = 'high';
  if (picture) ctx.drawImage(picture, x, y, width, height);
  else {
    ctx.fillStyle = color ?? checkerboard(brush);
    ctx.fillRect(x, y, width, height);
  }
  // A fill made from the crop's pixels is around its rectangle; the background is around its shape.
  if (outline.shape !== Shape.rectangle && under !== null) {
    ctx.fillStyle = under;
    ctx.fillRect(outline.rect.x, outline.rect.y, outline.rect.width, outline.rect.height);
  }
  ctx.restore();
  // A line shows the edge of a canvas in the color of the screen.
  ctx.lineWidth = 1;
  ctx.strokeStyle = 'rgb(128 128 128 / 0.7)';
  ctx.strokeRect(crisp(brush, rect.x, 1), crisp(brush, rect.y, 1), width, height);
}

/** @param {Brush} brush @param {ItemOf<'quadShade'>} item */
function drawQuadShade(brush, { corners, opacity, isClipped }) {
  shadeAround(brush, isClipped ? brush.edge : undefined, opacity, () => quad(brush.ctx, corners));
}

/**
 * The role of a line or, for a dark line, of the one above it.
 * @param {readonly SceneItem[]} scene @param {number} at
 */
function topRole(scene, at) {
  const item = /** @type {ItemOf<'stroke' | 'line'>} */ (scene[at]);
  if (item.role !== Role.edge) return item.role;
  const roles = scene.slice(at).map((next) => ('role' in next ? next.role : Role.edge));
  return roles.find((role) => role === Role.frame || role === Role.level) ?? Role.edge;
}

/** @param {Brush} brush @param {ItemOf<'stroke'>} item @param {number} top the role of the line above it */
function drawStroke(brush, { outline, lineWidth, role }, top) {
  const width = widthOf(brush, lineWidth, top);
  if (width === 0) return;
  brush.ctx.beginPath();
  trace(brush, outline, width);
  stroke(brush, width, role);
}

/**
 * The width of a line, or 0 if the frame has none.
 * @param {Brush} brush @param {number} lineWidth of the default @param {number} top
 */
function widthOf({ look: { frame } }, lineWidth, top) {
  return top !== Role.frame ? lineWidth : frame.width && lineWidth - 1 + frame.width;
}

/**
 * Strokes the path in the color of a role.
 * @param {Brush} brush @param {number} width @param {number} role
 */
function stroke(brush, width, role) {
  const { ctx } = brush;
  ctx.globalAlpha = role === Role.edge ? 0.5 : 1;
  ctx.lineWidth = width;
  ctx.strokeStyle = roleColor(brush, role);
  ctx.stroke();
  ctx.globalAlpha = 1;
}

/** @param {ItemOf<'line'>} a @param {ItemOf<'line'>} b whether lines look the same */
const isAlike = (a, b) => a.role === b.role && a.lineWidth === b.lineWidth;

/**
 * A line and those after it that look the same.
 * @param {readonly SceneItem[]} scene @param {number} at the index of the line @param {ItemOf<'line'>} first
 */
function run(scene, at, first) {
  const lines = [first];
  for (let next = scene[at + 1]; next?.kind === 'line' && isAlike(next, first); next = scene[at + lines.length]) lines.push(next);
  return lines;
}

/**
 * Draws lines that look the same in one path.
 * @param {Brush} brush @param {readonly ItemOf<'line'>[]} lines @param {number} top the role of the lines above them
 */
function drawLines(brush, lines, top) {
  const { ctx, look } = brush;
  const { role } = lines[0];
  const lineWidth = widthOf(brush, lines[0].lineWidth, top);
  if (lineWidth === 0 || (role === Role.grid && look.grid === CLEAR)) return;
  ctx.beginPath();
  for (const { from, to } of lines) {
    let [x0, y0, x1, y1] = [from.x, from.y, to.x, to.y];
    if (x0 === x1) x0 = x1 = crisp(brush, x0, lineWidth);
    if (y0 === y1) y0 = y1 = crisp(brush, y0, lineWidth);
    ctx.moveTo(x0, y0);
    ctx.lineTo(x1, y1);
  }
  if (role !== Role.edge) {
    ctx.globalAlpha = role === Role.grid ? 0.18 : 0.45;
    ctx.lineWidth = lineWidth + 2;
    ctx.strokeStyle = look.frame.edge;
    ctx.stroke();
  }
  stroke(brush, lineWidth, role);
}

/** @param {Brush} brush @param {ItemOf<'magnifier'>} item */
function drawMagnifier(brush, { center: { x, y }, radius, focus, zoom }) {
  const { ctx, map, look } = brush;
  if (!map || !look.picture) return;
  ctx.save();
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  ctx.fillStyle = '#000000';
  ctx.fill();
  ctx.clip();
  // The same transform as the image's, but larger, with the magnified pixel in the center.
  const [a, b, c, d, tx, ty] = map;
  ctx.translate(x, y);
  ctx.scale(zoom, zoom);
  ctx.translate(-(a * focus.x + c * focus.y + tx), -(b * focus.x + d * focus.y + ty));
  paintAround(brush, map, focus, radius / (zoom * Math.hypot(a, b)));
  ctx.restore();
  ctx.lineWidth = 4;
  ctx.strokeStyle = 'rgb(0 0 0 / 0.45)';
  ring(ctx, x, y, radius);
  ctx.lineWidth = 2;
  ctx.strokeStyle = '#ffffff';
  ring(ctx, x, y, radius);
  for (const [width, color] of [[3, 'rgb(0 0 0 / 0.5)'], [1, '#ffffff']]) {
    ctx.lineWidth = Number(width);
    ctx.strokeStyle = String(color);
    strokeLine(ctx, x - 8, y, x + 8, y);
    strokeLine(ctx, x, y - 8, x, y + 8);
  }
}

/** @param {Brush} brush @param {number} role */
function roleColor({ look }, role) {
  switch (role) {
    case Role.edge: return look.frame.edge;
    case Role.grid: return look.grid;
    case Role.guide: return look.guide;
    case Role.snap: case Role.level: case Role.activeHandle: return look.accent;
    default: return look.frame.color;
  }
}

/**
 * Adds an outline to the path; with a positive line width, its edges are on device pixels.
 * @param {Brush} brush @param {import('./interface.js').Outline} outline @param {number} lineWidth
 */
function trace(brush, { shape, rect, radius }, lineWidth) {
  const { ctx } = brush;
  const { x, y, width, height } = crispBox(brush, rect, lineWidth);
  if (shape === Shape.ellipse) {
    ctx.moveTo(x + width, y + height / 2);
    ctx.ellipse(x + width / 2, y + height / 2, width / 2, height / 2, 0, 0, 2 * Math.PI);
  } else if (shape === Shape.rounded) {
    ctx.roundRect(x, y, width, height, radius);
  } else {
    ctx.rect(x, y, width, height);
  }
}

/** @param {Brush} brush @param {Box} box @param {number} lineWidth */
function crispBox(brush, box, lineWidth) {
  const [x, y] = [crisp(brush, box.x, lineWidth), crisp(brush, box.y, lineWidth)];
  return {
    x, y, width: crisp(brush, box.x + box.width, lineWidth) - x, height: crisp(brush, box.y + box.height, lineWidth) - y,
  };
}

/** @param {Brush} brush @param {number} at @param {number} lineWidth */
function crisp({ ratio }, at, lineWidth) {
  const half = Math.round(lineWidth * ratio) % 2 ? 0.5 : 0;
  return (Math.round(at * ratio - half) + half) / ratio;
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./interface.js').Edge} corners */
function quad(ctx, corners) {
  const [a, b, c, d] = corners;
  ctx.moveTo(a.x, a.y);
  for (const { x, y } of [b, c, d]) ctx.lineTo(x, y);
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
