// @ts-check
// The files that a module reads and writes, in chunks.

/**
 * Makes an instance of a module that reads files and writes one.
 * @param {WebAssembly.Module} module
 * @param {Uint8Array[]} sources the files that it reads: a JPEG, and a result that was made from it elsewhere
 * @param {(piece: ArrayBuffer) => void} write gets each part of the result
 * @returns {Promise<WebAssembly.Exports>}
 */
export async function instance(module, sources, write) {
  /** @type {WebAssembly.Memory} */
  let memory;
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
        write(memory.buffer.slice(address, address + count));
      },
    },
  });
  memory = /** @type {WebAssembly.Memory} */ (exports.memory);
  return exports;
}
