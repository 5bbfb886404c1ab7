// The WebAssembly modules in Node.
import { readFileSync } from 'node:fs';
import { Core } from '../Element/core.js';
import { Call } from '../Element/interface.js';

const load = (name) => readFileSync(new URL(`../Element/${name}.wasm`, import.meta.url));

export const bytes = {
  cropcore: load('cropcore'), cropjpeg: load('cropjpeg'), cropgain: load('cropgain'), cropquad: load('cropquad'),
};
export const modules = {
  cropcore: new WebAssembly.Module(bytes.cropcore), cropjpeg: new WebAssembly.Module(bytes.cropjpeg),
  cropgain: new WebAssembly.Module(bytes.cropgain), cropquad: new WebAssembly.Module(bytes.cropquad),
};

/** A session, whose calls can also be made with numbers, as the module gets them. */
class Session extends Core {
  /** The numbers of the answer. */
  raw(name, ...numbers) {
    return this.call(Call[name], numbers).all((reader) => reader.next());
  }
}

export const session = () => new Session(new WebAssembly.Instance(modules.cropcore, {}).exports);

/** A JPEG cutter: the module's functions, and the port for input and output files. */
export function cutter() {
  /** The files that the module reads, and the pieces that it wrote. */
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
