#!/usr/bin/env node
// Checks the imports of all Swift files: a target may import the modules that its manifest names as dependencies, and
// those of the toolchain that are listed here. The compiler only checks that a module was built before. It also checks
// that no type has more than 800 lines in a module, together with its extensions.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = realpathSync(new URL('..', import.meta.url).pathname);

/** The light modules of the toolchain. Foundation would add 34 MB of tables to a program. */
const LIGHT = ['FoundationEssentials', 'Glibc', 'Dispatch', 'Synchronization'];
const SYSTEM = ['Foundation', ...LIGHT];
const APPLE = ['UIKit', 'SwiftUI', 'AVFoundation', 'Photos', 'PhotosUI', 'ImageIO', 'CoreGraphics', 'QuartzCore',
  'UniformTypeIdentifiers', 'Combine', 'MacTypes', 'Foundation', 'Dispatch'];

/** What targets may import in addition to their dependencies; the first line that fits counts. */
const TOOLCHAIN = [
  // Also Embedded Swift.
  [/^Crop(Core|Kernels|Metadata|JPEG|Wire|Replay)$|ABI$|Wasm$|^FileWire$|^interaction$/, []],
  [/UIKitTests$|^(Replay|Demo|CropSimulator)Tests$/, [...APPLE, 'Testing']],
  [/UIKit$|Samples$|^CropDemo$|^CropSimulator$|^AppByURL$/, APPLE],
  [/^(CoreGraphics|UniformTypeIdentifiers|QuartzCore|ImageIO|Photos|AVFoundation|SwiftUI|PhotosUI|MacTypes|Combine)$/, ['Foundation']],
  [/Tests$/, [...SYSTEM, 'Testing']],
  [/^WorkerProbe$/, [...SYSTEM, 'CSystemCalls']],
  [/^(Fuzz\w+|TestMaterial|bench|jpegcut)$/, SYSTEM],
  [/./, LIGHT],
];

/** The core calls the C library in two files: for mathematics, and to search bytes. */
const FILES = {
  'Sources/CropCore/Geometry/LibM.swift': ['Glibc', 'Darwin', 'Musl'],
  'Sources/CropMetadata/ByteSearch.swift': ['Glibc'],
};

let imports = 0;
const fail = (message) => {
  console.error(`layering: ${message}`);
  process.exitCode = 1;
};

/** The modules that a target names as dependencies. */
const modules = ({ dependencies }) => dependencies.map((one) => Object.values(one)[0][0].replaceAll('-', '_'))
  // The views are checked under another name.
  .flatMap((name) => (name.startsWith('Checked') ? [name, name.slice('Checked'.length)] : [name]));

/** The Swift files below a folder, also below links. */
const filesIn = (folder) => readdirSync(folder).flatMap((name) => {
  const path = join(folder, name);
  return statSync(path).isDirectory() ? filesIn(path) : path.endsWith('.swift') ? [path] : [];
});

const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*.swift'],
  { cwd: root, encoding: 'utf8' }).split('\0').filter((path) => path && existsSync(join(root, path)));
const manifests = listed.filter((path) => /(^|\/)Package\.swift$/.test(path));

/** All targets, with their folders. An app for Swift Playgrounds has a manifest that only Xcode reads. */
const targets = manifests.filter((path) => !path.includes('.swiftpm/')).flatMap((path) => {
  const folder = join(root, dirname(path));
  const text = execFileSync('swift', ['package', '--ignore-lock', 'dump-package'], { cwd: folder, encoding: 'utf8' });
  return JSON.parse(text).targets.map((target) => ({
    ...target, folder: join(folder, target.path ?? join(target.type === 'test' ? 'Tests' : 'Sources', target.name)),
  }));
});
const byModule = new Map(targets.map((target) => [target.name.replaceAll('-', '_'), target]));

/** The modules that a target may import; a test also those below its dependencies. */
function allowed(target) {
  const found = new Set(modules(target));
  if (target.type === 'test') {
    for (const name of found) for (const below of byModule.has(name) ? modules(byModule.get(name)) : []) found.add(below);
  }
  return [...found, ...TOOLCHAIN.find(([names]) => names.test(target.name))[1]];
}

/** The modules that a file imports, with their lines. */
function importsOf(path) {
  const lines = readFileSync(path, 'utf8').split('\n').map((line) => line.replace(/\/\/.*/, ''));
  return lines.flatMap((line, index) => line.split(';').flatMap((statement) => {
    const found = /^\s*(?:[@\w]+(?:\(\w*\))?\s+)*import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?`?(\w+)/
      .exec(statement);
    return found ? [{ name: found[1], line: index + 1 }] : [];
  }));
}

const lengths = new Map();

/** Counts the lines of the types that a file declares or extends; generated files don't count. */
function measure(target, path) {
  const text = readFileSync(path, 'utf8');
  let open;
  for (const line of text.startsWith('// Generated') ? [] : text.split('\n')) {
    open ??= /^(?<indent> *)(?!import)(?:[@\w()]+ )*(?:struct|class|enum|actor|protocol|extension) (?<name>[\w.]+|`[^`]+`)/.exec(line)?.groups;
    if (!open) continue;
    const type = `${target.name}.${open.name}`;
    lengths.set(type, (lengths.get(type) ?? 0) + 1);
    if (line.startsWith(`${open.indent}}`) || /\{.*\}$/.test(line) && line.includes(` ${open.name}`)) open = undefined;
  }
}

const known = new Set(manifests.map((path) => join(root, path)));
for (const target of targets) {
  const may = allowed(target);
  for (const path of target.type === 'system' ? [] : filesIn(target.folder)) {
    known.add(realpathSync(path));
    measure(target, path);
    const file = relative(root, realpathSync(path));
    for (const { name, line } of importsOf(path)) {
      imports += 1;
      if (![...may, ...FILES[file] ?? []].includes(name)) fail(`${file}:${line}: ${target.name} may not import ${name}`);
    }
  }
}
for (const path of listed) if (!known.has(realpathSync(join(root, path)))) fail(`${path} is in no target`);
for (const [type, lines] of lengths) if (lines > 800) fail(`${type} has ${lines} lines with its extensions; at most 800`);
if (imports < 1000) throw new Error(`layering: only ${imports} imports found; is this the whole repository?`);
if (!process.exitCode) console.log(`layering: ${imports} imports of ${targets.length} targets checked`);
