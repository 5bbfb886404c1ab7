// Generates the tables and the parsers of crop options from Schema/options.json.

import { readFileSync } from 'node:fs';
import { formats, head, listed } from './schema-formats.mjs';

const names = formats.map(({ name }) => name);
const text = readFileSync(new URL('../Schema/options.json', import.meta.url), 'utf8')
  .replaceAll('@formats@', listed(names, 'or'));
const { newest, what, how, exclusive, besideRecipe, others } = JSON.parse(text);

const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const snake = (name) => kebab(name).replaceAll('-', '_');
const property = ({ name, swift: own }) => own ?? name;
const isFlag = ({ kind }) => kind === 'flag';
const choices = ({ values, none }) => [...values, ...(none ? [none] : [])];
const swiftHead = [`// ${head('options.json')}`, '// swift-format-ignore-file', ''];
const string = (words) => JSON.stringify(words);
/** File options are handled separately: their paths depend on a folder. */
const cut = what.filter(({ kind }) => kind !== 'recipe' && kind !== 'mark');

/** The names of what to crop, in the order of the codes for the module of programs. */
export const optionNames = cut.map(({ name }) => name);

/** The options of a result, without those that commands and Python have under what to crop. */
const asked = how.filter(({ isBesideRecipe }) => !isBesideRecipe);

/** The expected value of an option for messages; undefined if the parser lists the values. */
const expected = (option) => option.form ?? (option.values && listed(choices(option), 'or'));

// Swift: the options of a result

/** The Swift type of an option, without the question mark. */
const bare = ({ kind, type }) => type ?? ({ flag: 'Bool', whole: 'Int', bytes: 'Int' }[kind] ?? kind);
const usual = (option) => option.default ?? (isFlag(option) ? 'false' : 'nil');
const declared = (option) => `${property(option)}: ${bare(option)}${usual(option) === 'nil' ? '?' : ''}`;

/** An option's type in JSON: flag, number, name or either. */
const inJSON = ({ json, kind }) => json ?? ({ flag: 'flag', whole: 'number', bytes: 'number' }[kind] ?? 'name');

/** The Swift expression that parses an option's value from `text`; nil if it is invalid. */
function reading({ kind, type, range }) {
  switch (kind) {
    case 'flag': return 'Bool(text)';
    case 'whole': return range ? `Self.whole(text, ${range[0]}...${range[1]})` : 'Int(text)';
    case 'bytes': return 'Amount(text: text)?.bytes';
    case 'choice': return `${type}(named: text)`;
    default: return `${kind}(text: text)`;
  }
}

/** The Swift expression for an option's value in JSON. */
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
    '/// How to write a result; the recipe determines its contents.',
    'public struct ResultOptions: Sendable, Equatable {',
    ...how.flatMap((option) => [...option.doc.map((line) => `  /// ${line}`), `  public var ${declared(option)}`]),
    '  /// The provenance to store in the XMP of a saved crop, regardless of `metadata`.',
    '  public var provenance: Provenance?', '',
    "  /// The defaults: the source's format, the usual quality, the source's",
    "  /// subsampling, all harmless metadata, the source's colors, white behind transparency.",
    '  public init(', ...list.map((one) => `    ${one},`), '    provenance: Provenance? = nil', '  ) {',
    ...how.map((option) => `    self.${property(option)} = ${property(option)}`),
    '    self.provenance = provenance', '  }', '}', '',
    'extension ResultOptions {', '  /// The options, by their names in JSON and commands.',
    '  public enum Key: String, CodingKey, CaseIterable, Sendable {', `    case ${keys.join(', ')}`, '',
    '    /// The JSON type of the value.', '    var kind: JSONKind {', '      switch self {',
    ...['flag', 'number', 'name', 'either'].map((form) => `      case ${places(form)}: .${form}`), '      }', '    }', '',
    '    /// The valid values, for error messages.', '    var expected: String {', '      switch self {',
    ...how.map((option) => `      case .${option.name}: ${string(expected(option) ?? 'true or false')}`),
    '      }', '    }', '  }', '',
    ...how.filter(({ plural }) => plural).flatMap(({ range, plural }) => [
      `  /// The allowed ${plural}.`, `  public static let ${plural} = ${range[0]}...${range[1]}`, '']),
    '  /// Sets an option from text.', '  ///', '  /// - Returns: false for an invalid text; then nothing is changed.',
    '  public mutating func set(_ key: Key, to text: String) -> Bool {', '    switch key {',
    ...how.map((option) => (option.none
      ? `    case .${option.name}: text == ${string(option.none)} ? Self.clear(&${property(option)}) : Self.take(${reading(option)}, &${property(option)})`
      : `    case .${option.name}: Self.take(${reading(option)}, &${property(option)})`)),
    '    }', '  }', '',
    '  /// The JSON value of an option; nil is null.', '  func value(of key: Key) -> OptionValue? {', '    switch key {',
    ...how.map((option) => `    case .${option.name}: ${writing(option)}`), '    }', '  }', '}', '',
  ].join('\n');
}

// Swift: the command

/** The help text of an option. */
function help({ help: words, more, value }) {
  const parts = [string(words), ...(more ? [`discussion: ${string(more)}`] : []),
    ...(value ? [`valueName: ${string(value)}`] : [])];
  return parts.length === 1 ? parts[0] : `ArgumentHelp(${parts.join(', ')})`;
}

function completion({ kind, name, none, values = [] }) {
  const list = kind === 'ImageFormat' ? names : kind === 'choice' ? choices({ values, none })
    : { background: ['white', 'black', 'gray'], page: ['all'], canvas: ['1:1', '4:5', '9:16', '16:9'],
      fill: ['white', 'black', 'gray', 'transparent', 'edge', 'blur'], sheet: ['10x15cm', '4x6in', 'a4', 'letter'] }[name];
  return list ? `, completion: .list([${list.map(string).join(', ')}])` : '';
}

function outputOptions() {
  const own = asked.filter(({ isElsewhere }) => !isElsewhere);
  return [
    ...swiftHead, 'import ArgumentParser', 'import CropImaging', '', '/// How to write the result.',
    'struct OutputOptions: ParsableArguments {',
    ...own.flatMap((option) => (isFlag(option)
      ? [`  @Flag(help: ${help(option)})`, `  var ${option.name} = false`, '']
      : [`  @Option(help: ${help(option)}${completion(option)}, transform: Self.checked(.${option.name}))`,
        `  var ${option.name}: String?`, ''])),
    '  /// The given value of each option.', '  var parsed: [(key: ResultOptions.Key, text: String?)] {', '    [',
    ...own.map((option) => `      (.${option.name}, ${isFlag(option) ? `${option.name} ? "true" : nil` : option.name}),`),
    '    ]', '  }', '}', '',
  ].join('\n');
}

function cropOptions() {
  const type = ({ kind }) => (kind === 'flag' ? 'Bool' : kind === 'whole' ? 'Int' : kind === 'recipe' ? 'FileArgument' : kind === 'mark' ? 'MarkArgument' : kind);
  const reads = ({ kind, name, range }) => (kind === 'flag' ? 'Bool(text)' : kind === 'whole' ? `ResultOptions.whole(text, ${range.join('...')})` : `${type({ kind, name })}(argument: text)`);
  const list = (keys) => `[${keys.map((key) => `.${key}`).join(', ')}]`;
  return [
    ...swiftHead, 'import ArgumentParser', 'import CropCore', 'import CropImaging', '', '/// What to crop.',
    'struct CropOptions: ParsableArguments {',
    ...what.flatMap((option) => (isFlag(option) ? [`  @Flag(help: ${help(option)})`, `  var ${option.name} = false`, ''] : [
      `  @Option(${option.dashes ? 'parsing: .unconditional, ' : ''}help: ${help(option)})`,
      `  var ${option.name}: ${type(option)}?`, ''])),
    '  /// The given options, without the recipe.', '  var arguments: SpecArguments {', '    var arguments = SpecArguments()',
    ...cut.map((option) => `    arguments.${option.name} = ${option.name}${isFlag(option) ? ' ? true : nil' : ''}`), '    arguments.hasRecipe = recipe != nil', '    arguments.hasMark = cropFrom != nil', '    return arguments',
    '  }', '}', '',
    '/// What to crop, as given by the user: options of a command, or keys of a manifest\'s line.', 'struct SpecArguments {',
    '  /// Whether a recipe is given instead.', '  var hasRecipe = false', '  /// Whether the crop of another program is used.', '  var hasMark = false', '  /// The texts of a manifest\'s line.', '  var texts: [String] = []',
    ...cut.map((option) => `  var ${option.name}: ${type(option)}?`), '',
    '  /// The keys of a manifest\'s line, of the same names and values as the options of `cropkit crop`.',
    '  enum Key: String, CodingKey, CaseIterable {', `    case ${cut.map(({ name }) => name).join(', ')}`, '',
    '    /// Whether the option takes no value.', `    var isFlag: Bool { ${list(cut.filter(isFlag).map(({ name }) => name))}.contains(self) }`,
    '  }', '',
    '  /// Lists of mutually exclusive options.',
    `  static let exclusive: [[Key]] = [${exclusive.map(list).join(', ')}]`, '',
    '  /// The options that change a recipe.', `  static let besideRecipe: [Key] = ${list(besideRecipe)}`, '',
    '  /// Sets an option from text; false for an invalid text.',
    '  mutating func set(_ key: Key, to text: String) -> Bool {', '    switch key {',
    ...cut.flatMap((option) => [`    case .${option.name}:`, `      ${option.name} = ${reads(option)}`,
      `      return ${option.name} != nil`]), '    }', '  }', '',
    '  /// Whether it is given.', '  func holds(_ key: Key) -> Bool {', '    switch key {',
    ...cut.map(({ name }) => `    case .${name}: ${name} != nil`), '    }', '  }', '}', '',
  ].join('\n');
}

function optionForms() {
  const all = Object.fromEntries([...what, ...asked].filter(expected).map((one) => [kebab(one.name), expected(one)]));
  return [...swiftHead, 'extension OptionForm {', '  /// The forms of values, by the name of the option, without dashes.',
    '  static let forms = [',
    ...Object.entries({ ...all, ...others }).map(([name, form]) => `    ${string(name)}: ${string(form)},`), '  ]', '}', '',
  ].join('\n');
}

// Python

function python() {
  const type = (option) => option.python ?? ({ flag: 'bool', whole: 'int', bytes: 'int | str' }[option.kind]
    ?? `Literal[${(option.kind === 'ImageFormat' ? names : choices(option)).map(string).join(', ')}]`);
  const known = ({ name, pythonName }) => pythonName ?? snake(name);
  const field = (option) => [...(option.pythonDoc ? [`    #: ${option.pythonDoc}`] : []),
    `    ${known(option)}: ${type(option)}`];
  const table = (list) => list.map((option) => `    "${known(option)}": "${option.name}",`);
  const [rect, ...rest] = what;
  const limits = Object.entries(others).filter(([name]) => name.startsWith('limit-'))
    .map(([name, form]) => [name.slice('limit-'.length), form]);
  return [
    `# ${head('options.json and formats.json')}`, '"""The options of a crop, and the formats."""', '',
    'from __future__ import annotations', '', 'import os', 'from collections.abc import Mapping, Sequence',
    'from typing import Any, Literal, TypedDict', '', '',
    'class HowWritten(TypedDict, total=False):', '    """The options in `How` for the result."""', '',
    ...asked.flatMap(field), '', '',
    'class HowButRect(HowWritten, total=False):', '    """The options in `How` without the rectangle."""', '',
    ...rest.flatMap(field), '', '',
    'class How(HowButRect, total=False):',
    '    """What to crop and how to write it; names and values are those of `cropkit crop --help`, except `outside`."""', '',
    ...field(rect), '', '',
    '#: The keys of a line, by the name of the option.', 'WHAT = {', ...table(what), '}', '',
    '#: The keys in a line\'s `options`, by the name of the option.', 'OPTIONS = {', ...table(asked), '}', '',
    '#: Formats by the extension of the result.', 'FORMATS = {',
    ...formats.flatMap(({ name, extensions }) => [...new Set([...extensions, name])].map((one) => `    "${one}": "${name}",`)),
    '}', '',
    '#: The limits of a pool.', `Limit = Literal[${limits.map(([name]) => string(name)).join(', ')}]`, '',
    '#: The form of their values.', 'LIMITS = {',
    ...limits.map(([name, form]) => `    ${string(name)}: ${string(form)},`), '}', '',
    '#: The valid numbers of parallel crops.', `JOBS = ${string(others.jobs)}`, '',
  ].join('\n');
}

/** The values of options that the argument parser of the command lists. */
function listedValues({ name, python: type }) {
  const [, list] = /^Literal\[(.*)\]$/.exec(type ?? '') ?? [];
  if (name === 'gravity') return listed(how.find(({ name: one }) => one === 'place').values, 'or');
  return list && listed(list.split(', ').map((one) => String(JSON.parse(one))), 'or');
}

/** The options for programs in JavaScript, and for the Python package where the programs don't run. */
export function engineOptions() {
  const plain = (option) => ({
    name: option.name, option: kebab(option.name), isFlag: isFlag(option), form: expected(option) ?? listedValues(option) ?? '',
    values: option.values ? choices(option) : [], usual: option.default?.slice(1) ?? option.none ?? '',
    value: option.value ?? '', help: [option.help, option.more].filter(Boolean).join(' '),
  });
  return { what: what.map(plain), how: asked.map(plain), exclusive, besideRecipe };
}

/**
 * The last added options of what to crop and of how to write it, each with a pattern for code that names it.
 */
export const newestOptions = newest.map((name) => (
  { name, pattern: `--${kebab(name)}\\b|"${name}"|\\b(options|arguments|values|what|self)\\.${name}\\b|[^\\w)]\\.${name}\\b[^(]` }));

export function optionTables() {
  return {
    'Sources/CropImaging/ResultOptions.swift': resultOptions(),
    'Tools/Sources/cropkit/OutputOptions.swift': outputOptions(),
    'Tools/Sources/cropkit/CropOptions.swift': cropOptions(),
    'Tools/Sources/CropArguments/OptionForm+Table.swift': optionForms(),
    'Python/src/cropkit/_options.py': python(),
  };
}
