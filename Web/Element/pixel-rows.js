// @ts-check
// Reads an image's pixels, a few rows at a time, in a page or a worker.

/**
 * Reads rows of pixels without scaling them.
 * @param {ImageBitmap} source
 * @returns {(top: number, count: number) => Uint8ClampedArray}
 */
export function rowsOf(source) {
  const canvas = globalThis.document?.createElement('canvas') ?? new OffscreenCanvas(1, 1);
  const ctx = /** @type {CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D} */ (
    canvas.getContext('2d', { willReadFrequently: true }));
  return (top, count) => {
    // A canvas of another size is cleared.
    [canvas.width, canvas.height] = [source.width, count];
    ctx.drawImage(source, 0, top, source.width, count, 0, 0, source.width, count);
    return ctx.getImageData(0, 0, source.width, count).data;
  };
}
