// The WebAssembly modules in Node.
import { readFileSync } from 'node:fs';
import { Core } from '../Element/core.js';
import { Extra, JPEG } from '../Element/extra.js';
import { Call } from '../Element/interface.js';

const load = (path) => readFileSync(new URL(`../${path}.wasm`, import.meta.url));

export const bytes = {
  cropcore: load('Element/cropcore'), cropjpeg: load('Element/cropjpeg'), cropextra: load('Element/cropextra'),
  cropfile: load('Program/cropfile'),
};
export const modules = Object.fromEntries(Object.entries(bytes).map(([name, one]) => [name, new WebAssembly.Module(one)]));

/** A session, whose calls can also be made with numbers, as the module gets them. */
class Session extends Core {
  /** The numbers of the answer. */
  raw(name, ...numbers) {
    return this.call(Call[name], numbers).all((reader) => reader.next());
  }
}

export const session = () => new Session(new WebAssembly.Instance(modules.cropcore, {}).exports);

/** The other modules, with files that they read. */
export const cutter = (...sources) => JPEG.of(modules.cropjpeg, ...sources);
export const helper = (...sources) => Extra.of(modules.cropextra, ...sources);
