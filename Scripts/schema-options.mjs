// What every face knows of the options of a crop, made of Schema/options.json.

import { readFileSync } from 'node:fs';
import { formats, head, listed } from './schema-formats.mjs';

const names = formats.map(({ name }) => name);
const text = readFileSync(new URL('../Schema/options.json', import.meta.url), 'utf8')
  .replaceAll('@formats@', listed(names, 'or'));
const { what, how, exclusive, needs, others } = JSON.parse(text);

const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const snake = (name) => kebab(name).replaceAll('-', '_');
const property = ({ name, swift: own }) => own ?? name;
const isFlag = ({ kind }) => kind === 'flag';
const known = ({ values, none }) => [...values, ...(none ? [none] : [])];
const swiftHead = [`// ${head('options.json')}`, '// swift-format-ignore-file', ''];
const string = (words) => JSON.stringify(words);
/** What is named by a file stands apart: its name depends on a folder. */
const cut = what.filter(({ kind }) => kind !== 'recipe' && kind !== 'mark');

/** What messages say that an option takes; undefined where the parser lists it. */
const expected = (option) => option.form ?? (option.values && listed(known(option), 'or'));

// Swift: how a result is written

/** The Swift type of an option without a question mark. */
const bare = ({ kind, type }) => type ?? ({ flag: 'Bool', whole: 'Int', bytes: 'Int' }[kind] ?? kind);
const usual = (option) => option.default ?? (isFlag(option) ? 'false' : 'nil');
const declared = (option) => `${property(option)}: ${bare(option)}${usual(option) === 'nil' ? '?' : ''}`;

/** How JSON has an option: flag, number, name or either. */
const inJSON = ({ json, kind }) => json ?? ({ flag: 'flag', whole: 'number', bytes: 'number' }[kind] ?? 'name');

/** The Swift expression of an option's value, read from `text`; nil where it is none. */
function reading({ kind, type, range }) {
  switch (kind) {
    case 'flag': return 'Bool(text)';
    case 'whole': return range ? `Self.whole(text, ${range[0]}...${range[1]})` : 'Int(text)';
    case 'bytes': return 'Amount(text: text)?.bytes';
    case 'choice': return `${type}(named: text)`;
    default: return `${kind}(text: text)`;
  }
}

/** The value of an option as JSON has it. */
function writing(option) {
  const value = property(option);
  const or = usual(option) === 'nil' ? '?' : '';
  switch (option.kind) {
    case 'flag': return `.flag(${value})`;
    case 'whole': case 'bytes': return `${value}.map(OptionValue.number)`;
    case 'choice': return option.none ? `.name(${value}?.rawValue ?? ${string(option.none)})` : `.name(${value}.rawValue)`;
    default: return `${value}${or}.json`;
  }
}

function resultOptions() {
  const list = how.map((option) => `${declared(option)} = ${usual(option)}`);
  const keys = how.map(({ name }) => name);
  const places = (form) => how.filter((option) => inJSON(option) === form).map(({ name }) => `.${name}`).join(', ');
  return [
    ...swiftHead, 'import CropCore', 'import CropFormats', '',
    '/// How a result is written; the recipe says what is in it.',
    'public struct ResultOptions: Sendable, Equatable {',
    ...how.flatMap((option) => [...option.doc.map((line) => `  /// ${line}`), `  public var ${declared(option)}`]),
    '  /// What a saved crop is to say in its XMP of where it comes from, whatever `metadata` leaves out.',
    '  public var provenance: Provenance?', '',
    "  /// What a person gets unless they say otherwise: the source's format, the usual quality, the source's",
    "  /// subsampling, all harmless metadata, the source's colours, white behind transparency.",
    '  public init(', ...list.map((one) => `    ${one},`), '    provenance: Provenance? = nil', '  ) {',
    ...how.map((option) => `    self.${property(option)} = ${property(option)}`),
    '    self.provenance = provenance', '  }', '}', '',
    'extension ResultOptions {', '  /// The options by the names that JSON and the command have for them.',
    '  public enum Key: String, CodingKey, CaseIterable, Sendable {', `    case ${keys.join(', ')}`, '',
    '    /// How JSON has the value.', '    var kind: JSONKind {', '      switch self {',
    ...['flag', 'number', 'name', 'either'].map((form) => `      case ${places(form)}: .${form}`), '      }', '    }', '',
    '    /// What values there are, for messages about others.', '    var expected: String {', '      switch self {',
    ...how.map((option) => `      case .${option.name}: ${string(expected(option) ?? 'true or false')}`),
    '      }', '    }', '  }', '',
    ...how.filter(({ range }) => range).flatMap(({ range, plural }) => [
      `  /// The ${plural} there are.`, `  public static let ${plural} = ${range[0]}...${range[1]}`, '']),
    '  /// Sets an option to what a text says.', '  ///', '  /// - Returns: False for a text that the option does not understand; nothing is then changed.',
    '  public mutating func set(_ key: Key, to text: String) -> Bool {', '    switch key {',
    ...how.map((option) => (option.none
      ? `    case .${option.name}: text == ${string(option.none)} ? Self.clear(&${property(option)}) : Self.take(${reading(option)}, &${property(option)})`
      : `    case .${option.name}: Self.take(${reading(option)}, &${property(option)})`)),
    '    }', '  }', '',
    '  /// The value of an option as JSON has it; nil is null.', '  func value(of key: Key) -> OptionValue? {', '    switch key {',
    ...how.map((option) => `    case .${option.name}: ${writing(option)}`), '    }', '  }', '}', '',
  ].join('\n');
}

// Swift: the command

/** The help of an option. */
function help({ help: words, more, value }) {
  const parts = [string(words), ...(more ? [`discussion: ${string(more)}`] : []),
    ...(value ? [`valueName: ${string(value)}`] : [])];
  return parts.length === 1 ? parts[0] : `ArgumentHelp(${parts.join(', ')})`;
}

function completion({ kind, name, none, values = [] }) {
  const list = kind === 'PictureFormat' ? names : kind === 'choice' ? known({ values, none })
    : { background: ['white', 'black', 'gray'], page: ['all'] }[name];
  return list ? `, completion: .list([${list.map(string).join(', ')}])` : '';
}

function outputOptions() {
  const own = how.filter(({ isElsewhere }) => !isElsewhere);
  return [
    ...swiftHead, 'import ArgumentParser', 'import CropImaging', '', '/// How the result is written.',
    'struct OutputOptions: ParsableArguments {',
    ...own.flatMap((option) => (isFlag(option)
      ? [`  @Flag(help: ${help(option)})`, `  var ${option.name} = false`, '']
      : [`  @Option(help: ${help(option)}${completion(option)}, transform: Self.checked(.${option.name}))`,
        `  var ${option.name}: String?`, ''])),
    '  /// What was said of each option.', '  var said: [(key: ResultOptions.Key, text: String?)] {', '    [',
    ...own.map((option) => `      (.${option.name}, ${isFlag(option) ? `${option.name} ? "true" : nil` : option.name}),`),
    '    ]', '  }', '}', '',
  ].join('\n');
}

function cropOptions() {
  const type = ({ kind }) => (kind === 'whole' ? 'Int' : kind === 'recipe' ? 'FileArgument' : kind === 'mark' ? 'MarkArgument' : kind);
  const reads = ({ kind, name, range }) => (kind === 'whole' ? `ResultOptions.whole(text, ${range.join('...')})` : `${type({ kind, name })}(argument: text)`);
  const list = (keys) => `[${keys.map((key) => `.${key}`).join(', ')}]`;
  return [
    ...swiftHead, 'import ArgumentParser', 'import CropCore', 'import CropImaging', '', '/// What to cut.',
    'struct CropOptions: ParsableArguments {',
    ...what.flatMap((option) => [
      `  @Option(${option.dashes ? 'parsing: .unconditional, ' : ''}help: ${help(option)})`,
      `  var ${option.name}: ${type(option)}?`, '']),
    '  /// What was said, but for a recipe.', '  var words: WhatWords {', '    var words = WhatWords()',
    ...cut.map(({ name }) => `    words.${name} = ${name}`), '    words.hasRecipe = recipe != nil', '    words.hasMark = cropFrom != nil', '    return words',
    '  }', '}', '',
    '/// What to cut in the words of a person: options of a command, or keys of a manifest\'s line.', 'struct WhatWords {',
    '  /// Whether a recipe says all of it.', '  var hasRecipe = false', '  /// Whether the crop of another program says where it lies.', '  var hasMark = false', '  /// The words of a manifest\'s line.', '  var texts: [String] = []',
    ...cut.map((option) => `  var ${option.name}: ${type(option)}?`), '',
    '  /// The keys of a manifest\'s line, of the same names and values as the options of `cropkit crop`.',
    '  enum Key: String, CodingKey, CaseIterable {', `    case ${cut.map(({ name }) => name).join(', ')}`, '',
    '    /// Whether a value may start with a dash.', '    var takesDashes: Bool {', '      switch self {',
    `      case ${cut.filter(({ dashes }) => dashes).map(({ name }) => `.${name}`).join(', ')}: true`,
    '      default: false', '      }', '    }', '  }', '',
    '  /// Of each list at most one may be given.',
    `  static let exclusive: [[Key]] = [${exclusive.map(list).join(', ')}]`, '',
    '  /// The first is given only with the second.',
    `  static let needs: [(Key, Key)] = [${needs.map(([one, other]) => `(.${one}, .${other})`).join(', ')}]`, '',
    '  /// Sets what a text says; false for a text that is not understood.',
    '  mutating func set(_ key: Key, to text: String) -> Bool {', '    switch key {',
    ...cut.flatMap((option) => [`    case .${option.name}:`, `      ${option.name} = ${reads(option)}`,
      `      return ${option.name} != nil`]), '    }', '  }', '',
    '  /// Whether it was said.', '  func holds(_ key: Key) -> Bool {', '    switch key {',
    ...cut.map(({ name }) => `    case .${name}: ${name} != nil`), '    }', '  }', '}', '',
  ].join('\n');
}

function optionForms() {
  const all = Object.fromEntries([...what, ...how].filter(expected).map((one) => [kebab(one.name), expected(one)]));
  return [...swiftHead, 'extension OptionForm {', '  /// What options take, by their names without dashes.',
    '  static let forms = [',
    ...Object.entries({ ...all, ...others }).map(([name, form]) => `    ${string(name)}: ${string(form)},`), '  ]', '}', '',
  ].join('\n');
}

// Python

function python() {
  const type = (option) => option.python ?? ({ flag: 'bool', whole: 'int', bytes: 'int' }[option.kind]
    ?? `Literal[${(option.kind === 'PictureFormat' ? names : known(option)).map(string).join(', ')}]`);
  const field = (option) => [...(option.pythonDoc ? [`    #: ${option.pythonDoc}`] : []),
    `    ${snake(option.name)}: ${type(option)}`];
  const table = (list) => list.map(({ name }) => `    "${snake(name)}": "${name}",`);
  const [rect, ...rest] = what;
  return [
    `# ${head('options.json and formats.json')}`, '"""The options of a crop, and the formats."""', '',
    'from __future__ import annotations', '', 'import os', 'from collections.abc import Mapping, Sequence',
    'from typing import Any, Literal, TypedDict', '', '',
    'class HowButRect(TypedDict, total=False):', '    """All of `How` but the rectangle."""', '',
    ...[...rest, ...how].flatMap(field), '', '',
    'class How(HowButRect, total=False):',
    '    """What is cut and how it is written; names and values are those of `cropkit crop --help`."""', '',
    ...field(rect), '', '',
    '#: What stands in a line itself, as the line calls it.', 'WHAT = {', ...table(what), '}', '',
    '#: What stands in a line\'s options, as the line calls it.', 'OPTIONS = {', ...table(how), '}', '',
    '#: Formats by the extension of what is written.', 'FORMATS = {',
    ...formats.flatMap(({ name, extensions }) => [...new Set([...extensions, name])].map((one) => `    "${one}": "${name}",`)),
    '}', '',
  ].join('\n');
}

export function optionTables() {
  return {
    'Sources/CropImaging/ResultOptions.swift': resultOptions(),
    'Tools/Sources/cropkit/OutputOptions.swift': outputOptions(),
    'Tools/Sources/cropkit/CropOptions.swift': cropOptions(),
    'Tools/Sources/CropArguments/OptionForm+Table.swift': optionForms(),
    'Python/src/cropkit/_options.py': python(),
  };
}
