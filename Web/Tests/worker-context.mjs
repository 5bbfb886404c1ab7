// Runs a script with the packed npm package as Cloudflare Workers do: without Node's globals and modules, without an
// address of scripts, and without compiling WebAssembly, whose modules are imported compiled.
//
// node --experimental-vm-modules worker-context.mjs FOLDER SCRIPT: the folder has the package; the script's exported
// function gets the bytes of standard input, and its result is printed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import vm from 'node:vm';

const [folder, script] = process.argv.slice(2);

const refuse = () => {
  throw new WebAssembly.CompileError('Wasm code generation disallowed by embedder');
};
/** The interface without what compiles. */
const own = Object.fromEntries(Object.getOwnPropertyNames(WebAssembly).map((name) => [name, WebAssembly[name]]));
const wasm = {
  ...own,
  Module: Object.assign(function Module() { refuse(); }, { prototype: WebAssembly.Module.prototype }),
  compile: async () => refuse(),
  compileStreaming: async () => refuse(),
  instantiateStreaming: async () => refuse(),
  instantiate: async (module, imports) => (module instanceof WebAssembly.Module ? WebAssembly.instantiate(module, imports) : refuse()),
};

const { Blob, ReadableStream, Request, Response, TextDecoder, TextEncoder, URL } = globalThis;
const context = vm.createContext(
  { Blob, ReadableStream, Request, Response, TextDecoder, TextEncoder, URL, WebAssembly: wasm },
  { codeGeneration: { strings: false, wasm: false } });

const missing = (name) => {
  throw new Error(`no such module: ${name}`);
};
const options = { context, importModuleDynamically: missing };

/** A compiled module, as the platform's bundler imports it. */
function compiled(name) {
  const module = new WebAssembly.Module(readFileSync(join(folder, name)));
  return new vm.SyntheticModule(['default'], function set() { this.setExport('default', module); }, { context });
}

const modules = new Map();
/** The module of a specifier: the script's, or the package's. */
function linked(specifier) {
  const name = specifier === 'cropkit' ? 'index.js' : specifier.replace(/^cropkit\//, '').replace(/^\.\//, '');
  if (/^node:|\/|^\./.test(name)) return missing(specifier);
  if (!modules.has(name)) {
    modules.set(name, name.endsWith('.wasm') ? compiled(name)
      : new vm.SourceTextModule(readFileSync(join(folder, name), 'utf8'), { ...options, identifier: name }));
  }
  return modules.get(name);
}

const worker = new vm.SourceTextModule(readFileSync(script, 'utf8'), { ...options, identifier: 'worker.js' });
await worker.link(linked);
await worker.evaluate();
const input = readFileSync(0);
console.log(JSON.stringify(await worker.namespace.default(input.buffer.slice(input.byteOffset, input.byteOffset + input.length))));
