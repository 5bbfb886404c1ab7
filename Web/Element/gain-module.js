// @ts-check
// The bridge to cropgain.wasm, which adds the gain map of a JPEG to a crop of it.

import { instance } from './jpeg-module.js';

/**
 * A crop of a JPEG with a gain map.
 * @typedef {object} MappedCrop
 * @property {Blob} file the JPEG with the map
 * @property {Blob} crop a JPEG
 * @property {import('./jpeg-module.js').JPEGPart} [part] the part of the file that was copied without decoding
 * @property {{ width: number, height: number, recipe: import('./core.js').Recipe }} [drawn] instead of a part: the
 * crop's size, and the recipe by which it was drawn, upright and in sRGB
 */

/**
 * Adds the map. Returns the crop without it if the map can't be cropped.
 * @param {WebAssembly.Module} module @param {MappedCrop} work
 * @returns {Promise<{ blob: Blob }>}
 */
export async function addGainMap(module, { file, crop, part, drawn }) {
  const sources = await Promise.all([file, crop].map(async (blob) => new Uint8Array(await blob.arrayBuffer())));
  const { exports, memory, pieces } = await instance(module, sources);
  const numbers = part ? [part.x, part.y, part.width, part.height, part.orientation] : drawn ? numbersOf(drawn) : [];
  try {
    // The first call makes the list, for which the memory may grow.
    const address = exports.cg_numbers();
    new Float64Array(memory.buffer, address, numbers.length + 1).set([crop.size, ...numbers]);
    const isDone = (part ? exports.cg_copied() : exports.cg_drawn()) !== 0;
    return { blob: isDone ? new Blob(pieces, { type: 'image/jpeg' }) : crop };
  } catch (error) {
    // The module stops if memory runs out, for example.
    if (error instanceof WebAssembly.RuntimeError) return { blob: crop };
    throw error;
  }
}

/** @param {NonNullable<MappedCrop['drawn']>} drawn */
function numbersOf({ width, height, recipe: { rect, quad, quarterTurns = 0, mirrored = false, tilt = 0 } }) {
  const { x, y, width: across, height: down } = rect ?? { x: 0, y: 0, width: 0, height: 0 };
  const corners = quad ?? Array(4).fill({ x: 0, y: 0 });
  return [width, height, x, y, across, down, quarterTurns, Number(mirrored), tilt,
    ...corners.flatMap((corner) => [corner.x, corner.y])];
}
