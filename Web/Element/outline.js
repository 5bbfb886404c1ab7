// @ts-check
// The outline of a result: what is outside must not be in the result, not even in the colors of the pixels on it.

import { sheet } from './canvas.js';
import { Shape } from './interface.js';

/** @typedef {import('./core.js').Drawing} Drawing */

/**
 * Restricts drawing to the outline of a result.
 * @param {CanvasRenderingContext2D} ctx in pixels of the result @param {Drawing} drawing
 */
export function clip(ctx, drawing) {
  if (drawing.shape === Shape.rectangle) return;
  trace(ctx, drawing);
  ctx.clip();
}

/** @param {CanvasRenderingContext2D} ctx @param {Drawing} drawing */
function trace(ctx, { shape, width, height, corner }) {
  ctx.beginPath();
  if (shape === Shape.ellipse) {
    ctx.ellipse(width / 2, height / 2, width / 2, height / 2, 0, 0, 2 * Math.PI);
  } else {
    ctx.roundRect(0, 0, width, height, corner);
  }
}

/**
 * The image as it is drawn for a scaled or tilted result, from the pixels that the outline contains or touches.
 *
 * These are drawn alone, and so is their coverage, by which the result's transparency is divided: the mean of some
 * pixels becomes the mean of those that are shown.
 * @param {CanvasImageSource} bitmap @param {{ width: number, height: number }} picture its size
 * @param {Drawing} drawing @returns {HTMLCanvasElement} of the result's size, to be clipped
 */
export function drawnInside(bitmap, picture, drawing) {
  const { width, height } = drawing;
  const back = new DOMMatrix(drawing.map).inverse();
  const corners = [[0, 0], [width, 0], [0, height], [width, height]]
    .map(([x, y]) => back.transformPoint({ x, y }));
  const [left, right] = range(corners.map(({ x }) => x), picture.width);
  const [top, bottom] = range(corners.map(({ y }) => y), picture.height);
  const toResult = new DOMMatrix(drawing.map).translate(left, top);
  // Browsers also draw a little on pixels that an outline just misses, so this one is an eighth of a pixel inside.
  const sides = [right - left, bottom - top];
  const [across, down] = Math.abs(back.a) >= Math.abs(back.b) ? sides : sides.reverse();
  const inset = toResult.inverse().translate(width / 2, height / 2)
    .scale(1 - 0.25 / across, 1 - 0.25 / down).translate(-width / 2, -height / 2);
  /** @param {(ctx: CanvasRenderingContext2D) => void} paint draws on the part of the image */
  const drawn = (paint) => {
    const part = sheet(right - left, bottom - top);
    part.ctx.setTransform(inset);
    trace(part.ctx, drawing);
    part.ctx.resetTransform();
    part.ctx.clip();
    paint(part.ctx);
    const result = sheet(width, height);
    result.ctx.setTransform(toResult);
    result.ctx.imageSmoothingQuality = 'high';
    result.ctx.drawImage(part.canvas, 0, 0);
    return { ...result, pixels: result.ctx.getImageData(0, 0, width, height) };
  };
  const shown = drawn((ctx) => ctx.drawImage(bitmap, -left, -top, picture.width, picture.height));
  const coverage = drawn((ctx) => ctx.fillRect(0, 0, right - left, bottom - top)).pixels.data;
  const { data } = shown.pixels;
  for (let at = 3; at < data.length; at += 4) {
    if (coverage[at] > 0 && coverage[at] < 255) data[at] = Math.round(data[at] / coverage[at] * 255);
  }
  shown.ctx.putImageData(shown.pixels, 0, 0);
  return shown.canvas;
}

/**
 * The whole pixels around some numbers, at least one and none outside the image.
 * @param {number[]} numbers @param {number} length @returns {[number, number]}
 */
function range(numbers, length) {
  const start = Math.min(Math.max(Math.floor(Math.min(...numbers)), 0), length - 1);
  return [start, Math.max(Math.min(Math.ceil(Math.max(...numbers)), length), start + 1)];
}
