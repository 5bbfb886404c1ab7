// The WebAssembly modules under node, without the page's JavaScript.
import { readFileSync } from 'node:fs';

const load = (name) => readFileSync(new URL(`../Element/${name}.wasm`, import.meta.url));

export const bytes = { cropcore: load('cropcore'), cropjpeg: load('cropjpeg') };
export const modules = {
  cropcore: new WebAssembly.Module(bytes.cropcore), cropjpeg: new WebAssembly.Module(bytes.cropjpeg),
};

/** A new session: the module's functions, and `list(address)` that copies an output's numbers. */
export function session() {
  const { exports } = new WebAssembly.Instance(modules.cropcore, {});
  const list = (address) => {
    const [count] = new Float64Array(exports.memory.buffer, address, 1);
    return Array.from(new Float64Array(exports.memory.buffer, address + 8, count));
  };
  return { ...exports, list };
}

/** A JPEG cutter: the module's functions, and the port through which files come and go. */
export function cutter() {
  /** What the module reads, and what it wrote. */
  const port = { sources: [], pieces: [] };
  const { exports } = new WebAssembly.Instance(modules.cropjpeg, {
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
  return { ...exports, port };
}
