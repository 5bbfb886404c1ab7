#!/usr/bin/env node
// Makes the two sides of the module's interface of its one description, Web/interface.json: Codes.swift,
// which the module is built from, and interface.js, which the page reads; and of Web/exporters.json the table of
// programs for which a recipe is written, for both languages. `--check` only compares.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeOrCheck } from './generated.mjs';

const root = new URL('../', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');
const description = JSON.parse(read('Web/interface.json'));

/** The cases of a Swift enumeration of whole numbers, or the options of a set, by name. */
function swiftCases({ swift, file }) {
  const source = read(`Sources/CropCore/${file}`);
  const start = new RegExp(`(enum|struct) ${swift}: `).exec(source);
  if (!start) throw new Error(`${file} has no ${swift}`);
  const body = source.slice(start.index, source.indexOf('\n}', start.index)).replace(/\/\/.*$/gm, '');
  const found = {};
  if (start[1] === 'struct') {
    for (const [, name, value] of body.matchAll(/static var (\w+): Self \{ Self\(rawValue: (\d+)\) \}/g)) {
      found[name] = Number(value);
    }
    return found;
  }
  let next = 0;
  for (const [, line] of body.matchAll(/^ {2}case (.+)$/gm)) {
    for (const item of line.split(',')) {
      const [name, value] = item.split('=').map((part) => part.trim());
      if (value !== undefined) next = Number(value);
      found[name] = next;
      next += 1;
    }
  }
  return found;
}

/** All enumerations: name to code, by the page's name. */
export const enumerations = Object.fromEntries(
  Object.entries(description.enumerations).map(([name, entry]) => [name, entry.cases
    ? Object.fromEntries(entry.cases.map((one, code) => [one, code])) : swiftCases(entry)]));

export const { commands, scene, constants } = description;
export const { fields } = description.state;

const head = 'Made by Scripts/interface.mjs of Web/interface.json; change that.';

/** How many numbers a field takes. */
export const widthOf = ({ type }) => (type === 'output' ? 3 : 1);

// Swift

/** The lines that make a command of its numbers `a` and `b`. */
function swiftCommand({ code, arguments: list = [], swift }) {
  const guards = [];
  let call = swift;
  const use = (name, value) => {
    call = call.replace(new RegExp(`\\b${name}\\b(?!:)`), value);
  };
  if (list[0]?.type === 'size?') {
    guards.push('let size = size(a, b)', 'guard size != nil || (a == 0 && b == 0) else { return nil }');
  } else if (list[0]?.type === 'term') {
    guards.push('guard let ratio = AspectRatio(rounding: a, b) else { return nil }');
  } else if (list[0]?.type === 'Shape') {
    guards.push('guard let shape = whole(a).flatMap({ CropShape(code: $0, radius: b) }) '
      + 'else { return nil }');
  } else {
    list.forEach(({ name, type }, index) => {
      const number = 'ab'[index];
      const isOptional = type.endsWith('?');
      const enumeration = description.enumerations[type.replace('?', '')];
      if (type === 'number') use(name, number);
      else if (type === 'flag') use(name, `${number} != 0`);
      else if (type === 'whole?') {
        guards.push(`guard let ${name} = whole(${number}), ${name} >= 0 else { return nil }`);
        use(name, `${name} == 0 ? nil : ${name}`);
      } else {
        const made = enumeration.swift ? `${enumeration.swift}.init(rawValue:)` : 'LosslessMode.init(code:)';
        const value = `whole(${number}).flatMap(${made})`;
        if (isOptional) use(name, value);
        else guards.push(`guard let ${name} = ${value} else { return nil }`);
      }
    });
  }
  if (!guards.length && call.length < 60) return [`    case ${code}: self = ${call}`];
  return [`    case ${code}:`, ...guards.map((line) => `      ${line}`), `      self = ${call}`];
}

/** An enumeration of the page's alone, as constants. */
function swiftCodes(name) {
  return [`enum ${name}Code {`, ...Object.entries(enumerations[name]).map(([one, code]) =>
    `  static var ${one}: Int { ${code} }`), '}', ''];
}

function swift() {
  const own = Object.keys(description.enumerations)
    .filter((name) => description.enumerations[name].cases && name !== 'Armed' && name !== 'OutputKind');
  return [
    `// ${head}`, '', 'import CropCore', '',
    'private func whole(_ value: Double) -> Int? { Int(exactly: value) }', '',
    '/// Two whole numbers, at least 1; nil for others.',
    'private func size(_ a: Double, _ b: Double) -> FrameSize? {',
    '  guard let width = whole(a), let height = whole(b), width > 0, height > 0 else { return nil }',
    '  return FrameSize(width: width, height: height)',
    '}', '',
    'extension Command {',
    '  /// The command of a code and its two numbers; nil for an unknown code or a number that can\'t be.',
    '  init?(code: Int32, _ a: Double, _ b: Double) {',
    '    switch code {', ...commands.flatMap(swiftCommand), '    default: return nil', '    }', '  }', '}', '',
    ...own.flatMap(swiftCodes),
    '/// The kinds of a scene\'s items: a code, and how many numbers follow.',
    'struct ItemCode {', '  let code: Int', '  let count: Int', '',
    ...scene.map(({ name, code, fields: list }) =>
      `  static var ${name}: Self { Self(code: ${code}, count: ${list.length}) }`), '}', '',
    'extension Output {',
    '  /// Writes what the controls around the picture show.',
    '  mutating func appendState(_ session: borrowing CropSession) {',
    ...description.state.swift.map((line) => `    ${line}`),
    ...fields.map(({ swift: value }) => `    append(${value})`), '  }', '',
    '  /// Writes numbers of the core that the page shows or starts from.',
    '  mutating func appendConstants() {',
    ...constants.map(({ swift: value }) => `    append(${value})`), '  }', '}', '',
  ].join('\n');
}

// JavaScript

/** A table of names and codes; `doc` is its comment. */
function table(name, values, doc) {
  return [`/** ${doc} */`, `export const ${name} = Object.freeze({`,
    ...Object.entries(values).map(([one, code]) => `  ${one}: ${code},`), '});', ''];
}

const about = {
  Change: 'Bits every call returns: what changed, and what the caller should do about it.',
  Phase: 'What a pointer did.',
  Pointer: 'Kinds of pointers.',
  Key: 'Keys that the session knows.',
  Cursor: 'What the pointer looks like.',
  Style: 'Who does what with drags and pinches.',
  Cover: 'How the viewfinder’s picture covers its frame.',
  Grid: 'Helping lines.',
  TiltPhase: 'How a tilt comes: at once, or with a ruler that is held and let go.',
  Element: 'The accessible elements.',
  Role: 'What a line or bar is for.',
  Rule: 'The rules of a selection, the strongest first.',
  Shape: 'Outlines of the crop.',
  Ratio: 'What the selection’s ratio is bound to.',
  Lossless: 'Whether a JPEG is cut without decoding it.',
  Armed: 'What the next drag does besides the usual.',
  OutputKind: 'How the size of the result is given.',
  Question: 'What the core is asked beside its session.',
  Announcement: 'What is said aloud.',
};

function fieldType({ type }) {
  return type === 'flag' ? 'boolean' : type === 'output' ? 'Output' : 'number';
}

function fieldDoc(field) {
  const code = enumerations[field.type] ? `of ${field.type}` : '';
  const text = [field.is, code].filter(Boolean).join('; ');
  return ` * @property {${fieldType(field)}} ${field.name}${text ? ` ${text}` : ''}`;
}

function javascript() {
  const places = {};
  let at = 0;
  for (const field of fields) {
    places[field.name] = at;
    at += widthOf(field);
  }
  const value = ({ name, type }) => (type === 'flag' ? `n[${places[name]}] !== 0`
    : type === 'output' ? `outputOf(n, ${places[name]})` : `n[${places[name]}]`);
  return [
    '// @ts-check', `// ${head}`, '',
    ...Object.entries(enumerations).flatMap(([name, values]) => table(name, values, about[name])),
    ...table('Command', Object.fromEntries(commands.map(({ name, code }) => [name, code])),
      'Commands of a session.'),
    '/** @typedef {keyof typeof Command} CommandName */', '',
    ...table('Item', Object.fromEntries(scene.map(({ name, code }) => [name, code])),
      'Items of a scene: each is its code, how many numbers follow, and these.'),
    ...table('StateIndex', places, 'Where a state has its numbers.'),
    '/** @typedef {null | {width: number, height: number} | {maxSide: number}} Output */', '',
    '/**', ' * What a session says about itself.', ' * @typedef {object} State', ...fields.map(fieldDoc),
    ' */', '',
    '/** @param {Float64Array} n a state’s numbers @returns {State} */',
    'export function stateOf(n) {', '  return {',
    ...fields.map((field) => `    ${field.name}: ${value(field)},`), '  };', '}', '',
    '/** @param {Float64Array} n @param {number} at of a code and two numbers @returns {Output} */',
    'export function outputOf(n, at) {',
    `  if (n[at] === OutputKind.none) return null;`,
    '  return n[at] === OutputKind.exact ? { width: n[at + 1], height: n[at + 2] } : { maxSide: n[at + 1] };',
    '}', '',
    '/**', ' * Numbers of the core.', ' * @typedef {object} Constants',
    ...constants.map(({ name, is }) => ` * @property {number} ${name} ${is}`), ' */', '',
    '/** @param {Float64Array} n @returns {Constants} */',
    'export function constantsOf(n) {',
    `  const [${constants.map(({ name }) => name).join(', ')}] = n;`,
    `  return { ${constants.map(({ name }) => name).join(', ')} };`, '}', '',
  ].join('\n');
}

// Other programs, for which a recipe is written

const { exporters } = JSON.parse(read('Web/exporters.json'));
const exporterHead = 'Made by Scripts/interface.mjs of Web/exporters.json; change that.';

function swiftExporters() {
  const text = (value) => JSON.stringify(value);
  const list = (pairs, indent) => (pairs.length === 0 ? ['[]'] : ['[',
    ...pairs.map(([conditions, written]) => `${indent}  ("${conditions}", ${text(written)}),`), `${indent}]`]);
  const lines = Object.entries(exporters).flatMap(([name, { version, join, steps, lacks }]) => [
    '      CropExporter(', `        name: "${name}", version: ${text(version)},`,
    `        joint: ${text(join)},`,
    `        steps: ${list(steps, '        ').join('\n')},`,
    `        lacks: ${list(lacks, '        ').join('\n')}),`]);
  return [`// ${exporterHead}`, '// swift-format-ignore-file', '', '#if !hasFeature(Embedded)', '  extension CropExporter {',
    '    /// All of them, in the order in which they are listed.', '    public static let all: [CropExporter] = [',
    ...lines, '    ]', '  }', '#endif', ''].join('\n');
}

function javascriptExporters() {
  return ['// @ts-check', `// ${exporterHead}`, '',
    '/**', ' * @typedef {object} Exporter', ' * @property {string} version for which it is documented',
    ' * @property {string} join', ' * @property {readonly (readonly [string, string])[]} steps conditions, text',
    ' * @property {readonly (readonly [string, string])[]} lacks conditions, what can’t be', ' */', '',
    `/** @typedef {${Object.keys(exporters).map((name) => `'${name}'`).join(' | ')}} ExporterName */`, '',
    '/** @type {Readonly<Record<ExporterName, Exporter>>} */',
    `export const EXPORTERS = Object.freeze(${JSON.stringify(exporters, null, 2)});`, ''].join('\n');
}

export const made = {
  'Sources/CropCore/Recipe/CropExporter+Table.swift': swiftExporters(),
  'Web/Element/exporter-table.js': javascriptExporters(),
  'Web/Sources/CropABI/Codes.swift': swift(),
  'Web/Element/interface.js': javascript(),
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeOrCheck(made, 'interface', 'Web/interface.json');
}
