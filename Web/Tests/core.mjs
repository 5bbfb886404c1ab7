// The WebAssembly modules in Node, without the page's JavaScript.
import { readFileSync } from 'node:fs';

const load = (name) => readFileSync(new URL(`../Element/${name}.wasm`, import.meta.url));

export const bytes = {
  cropcore: load('cropcore'), cropjpeg: load('cropjpeg'), cropgain: load('cropgain'), cropquad: load('cropquad'),
};
export const modules = {
  cropcore: new WebAssembly.Module(bytes.cropcore), cropjpeg: new WebAssembly.Module(bytes.cropjpeg),
  cropgain: new WebAssembly.Module(bytes.cropgain), cropquad: new WebAssembly.Module(bytes.cropquad),
};

/**
 * A new session: the module's functions, `list(address)`, which copies an output's numbers, and the three functions
 * that take a list of numbers: `ask(question, numbers)`, `setRecipe(...numbers)` and `ck_set_canvas(...numbers, time)`.
 */
export function session() {
  const { exports } = new WebAssembly.Instance(modules.cropcore, {});
  const list = (address) => {
    const [count] = new Float64Array(exports.memory.buffer, address, 1);
    return Array.from(new Float64Array(exports.memory.buffer, address + 8, count));
  };
  const write = (numbers) => {
    // The first call creates the list, for which the memory may grow.
    const address = exports.ck_list();
    new Float64Array(exports.memory.buffer, address, numbers.length + 1).set([numbers.length, ...numbers]);
  };
  return {
    ...exports, list,
    ask: (question, numbers) => (write(numbers), list(exports.ck_ask(question))),
    ck_set_canvas: (...numbers) => (write(numbers.slice(0, -1)), exports.ck_set_canvas(numbers.at(-1))),
    setRecipe: (...numbers) => (write(numbers), exports.ck_set_recipe()),
  };
}

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
