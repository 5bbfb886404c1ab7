// The WebAssembly module under node, without the page's JavaScript.
import { readFileSync } from 'node:fs';

export const bytes = readFileSync(new URL('../Page/cropcore.wasm', import.meta.url));
export const module = new WebAssembly.Module(bytes);

/** A new session: the module's functions, `list(address)` that copies an output's numbers,
 * and the port through which files come and go. */
export function session() {
  /** What the module reads, and what it wrote. */
  const port = { sources: [], pieces: [] };
  const { exports } = new WebAssembly.Instance(module, {
    page: {
      read: (source, offset, address, count) => {
        const part = port.sources[source].subarray(offset, offset + count);
        new Uint8Array(exports.memory.buffer).set(part, address);
        return part.length;
      },
      write: (address, count) => {
        port.pieces.push(new Uint8Array(exports.memory.buffer, address, count).slice());
      },
    },
  });
  const list = (address) => {
    const [count] = new Float64Array(exports.memory.buffer, address, 1);
    return Array.from(new Float64Array(exports.memory.buffer, address + 8, count));
  };
  return { ...exports, list, port };
}
