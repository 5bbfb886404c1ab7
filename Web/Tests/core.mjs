// The WebAssembly module under node, without the page's JavaScript.
import { readFileSync } from 'node:fs';

export const bytes = readFileSync(new URL('../Page/cropcore.wasm', import.meta.url));
export const module = new WebAssembly.Module(bytes);

/** A new session: the module's functions, and `list(address)` that copies an output's numbers. */
export function session() {
  const { exports } = new WebAssembly.Instance(module, {});
  const list = (address) => {
    const [count] = new Float64Array(exports.memory.buffer, address, 1);
    return Array.from(new Float64Array(exports.memory.buffer, address + 8, count));
  };
  return { ...exports, list };
}
