// @ts-check
// The files that a module reads and writes, in chunks.

/**
 * An instance of a module that reads files and writes one. It only lives for one job, so that its memory is freed
 * afterwards.
 * @param {WebAssembly.Module} module
 * @param {Uint8Array[]} sources the files that it reads: a JPEG, and a result that was made from it elsewhere
 * @returns {Promise<{ exports: WebAssembly.Exports, pieces: ArrayBuffer[] }>} `pieces` are the chunks that it writes
 */
export async function instance(module, sources) {
  /** @type {ArrayBuffer[]} */ const pieces = [];
  const { exports } = await WebAssembly.instantiate(module, {
    page: {
      read: (/** @type {number} */ source, /** @type {number} */ offset,
        /** @type {number} */ address, /** @type {number} */ count) => {
        const part = sources[source]?.subarray(offset, offset + count);
        if (!part) return 0;
        new Uint8Array(memory.buffer).set(part, address);
        return part.length;
      },
      write: (/** @type {number} */ address, /** @type {number} */ count) => {
        pieces.push(memory.buffer.slice(address, address + count));
      },
    },
  });
  const memory = /** @type {WebAssembly.Memory} */ (exports.memory);
  return { exports, pieces };
}
