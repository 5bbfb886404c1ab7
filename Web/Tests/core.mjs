// The WebAssembly modules in Node.
import { readFileSync } from 'node:fs';
import { Core } from '../Element/core.js';
import { Extra } from '../Element/extra.js';
import { Call } from '../Element/interface.js';

const load = (name) => readFileSync(new URL(`../Element/${name}.wasm`, import.meta.url));

export const bytes = { cropcore: load('cropcore'), cropextra: load('cropextra') };
export const modules = {
  cropcore: new WebAssembly.Module(bytes.cropcore), cropextra: new WebAssembly.Module(bytes.cropextra),
};

/** A session, whose calls can also be made with numbers, as the module gets them. */
class Session extends Core {
  /** The numbers of the answer. */
  raw(name, ...numbers) {
    return this.call(Call[name], numbers).all((reader) => reader.next());
  }
}

export const session = () => new Session(new WebAssembly.Instance(modules.cropcore, {}).exports);

/** The other module, with files that it reads. */
export const cutter = (...sources) => Extra.of(modules.cropextra, ...sources);
