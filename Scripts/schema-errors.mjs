// Generates the errors of reading, cropping and saving from Schema/errors.json.

import { readFileSync } from 'node:fs';
import { head } from './schema-formats.mjs';

const { errors, warnings } = JSON.parse(readFileSync(new URL('../Schema/errors.json', import.meta.url), 'utf8'));
const all = Object.entries(errors).map(([name, error]) => ({ name, ...error }));

/** Who reads a message, and what they can do about it. */
const READERS = {
  command: 'Someone who runs the programs: options are named as flags.',
  http: 'A client of the server.',
  swift: 'A program in Swift.',
  python: 'A program in Python.',
};

/** What a text may name besides the fields of its error, in Swift. */
const PHRASES = {
  excess: 'Self.excess(limit, actual: actual, allowed: allowed)',
  allowedSize: 'Self.size(allowed)',
  formats: 'FormatNames.all',
  formatsWithQuality: 'FormatNames.withQuality',
};

/** How Swift shows a field of a type. */
const SHOWN = {
  String: (name) => `Self.line(${name})`,
  Int: (name) => name,
  Limit: (name) => `${name}.rawValue`,
  '[DataLoss]': (name) => `DataLoss.names(${name})`,
};

const base = (type) => type.split('?')[0];
const isOptional = (type) => type.includes('?');

/** A text as a Swift literal. */
function literal(text, { name, fields }) {
  const quoted = JSON.stringify(text).replace(/\{(\w+)\}/g, (_, word) => {
    const shown = PHRASES[word] ?? (word in fields ? SHOWN[base(fields[word])](word) : undefined);
    if (!shown) throw new Error(`errors.json: ${name}: {${word}} is no field`);
    return `\\(${shown})`;
  });
  return quoted;
}

/** The pattern of a case that binds the fields that an expression uses. */
function pattern({ name, fields }, used, optional = '') {
  const bound = Object.entries(fields).map(([field, type]) => {
    if (isOptional(type) && optional === 'nil') return 'nil';
    if (!new RegExp(`[(\\s]${field}\\b`).test(used)) return '_';
    return `let ${field}${isOptional(type) ? optional : ''}`;
  });
  return bound.some((one) => one !== '_') ? `.${name}(${bound.join(', ')})` : `.${name}`;
}

/** The cases of a text: one, or one for each reader. */
function texts(error, text, optional) {
  const advised = text.includes('{advice}') && error.advice;
  return (advised ? Object.keys(READERS) : ['']).map((reader) => {
    const words = literal(advised ? text.replace('{advice}', error.advice[reader]) : text, error);
    return `    case (${pattern(error, words, optional)}, ${reader ? `.${reader}` : '_'}): ${words}`;
  });
}

function messages(error) {
  if (!error.otherwise) return texts(error, error.text, '');
  return [...texts(error, error.text, '?'), ...texts(error, error.otherwise, 'nil')];
}

/** A property with one value for several cases each. */
function table(doc, name, type, key) {
  const values = [...new Set(all.map((error) => error[key]))].sort((a, b) => a - b);
  return ['', `  /// ${doc}`, `  public var ${name}: ${type} {`, '    switch self {',
    ...values.map((value) => `    case ${all.filter((error) => error[key] === value)
      .map((error) => `.${error.name}`).join(', ')}: ${value}`), '    }', '  }'];
}

function code(error) {
  const words = literal(error.code, error);
  return `    case ${pattern(error, words)}: ${words}`;
}

function swift() {
  return [
    `// ${head('errors.json')}`, '// swift-format-ignore-file', '',
    '/// Why an image was not read, cropped or saved.', '///',
    '/// Every case has a stable ``code``, a one-line message (``message(for:)``) that states what happened, to which',
    '/// file and what to do, an ``exitStatus`` (sysexits) and an ``httpStatus``. `file` and `path` are names for users.',
    'public enum CropError: Error, Sendable, Equatable, Codable {',
    ...all.flatMap(({ name, fields, is }) => [`  /// ${is}`, `  case ${name}${Object.keys(fields).length
      ? `(${Object.entries(fields).map(([field, type]) => `${field}: ${type}`).join(', ')})` : ''}`]),
    '}', '', 'extension CropError {',
    '  /// Who reads a message. It names only what its reader can do.',
    '  public enum Reader: String, Sendable {',
    ...Object.entries(READERS).flatMap(([name, is]) => [`    /// ${is}`, `    case ${name}`]), '  }', '',
    '  /// The stable name, in kebab-case.', '  public var code: String {', '    switch self {', ...all.map(code), '    }', '  }',
    ...table('The exit status of a command that fails with this error (sysexits).', 'exitStatus', 'Int32', 'exit'),
    ...table('The HTTP status of the response.', 'httpStatus', 'Int', 'http'), '',
    '  /// A one-line message: what happened, to which file, what to do.',
    '  public func message(for reader: Reader) -> String {', '    switch (self, reader) {',
    ...all.flatMap(messages), '    }', '  }', '}', '',
  ].join('\n');
}

/** The page of documentation. */
function page() {
  const plain = (text) => text.replaceAll('``', '`').replace(/`Limits\/(\w+)`/, 'the limit of $1')
    .replaceAll('|', '\\|');
  const rows = all.map((error) => `| \`${error.code.replace('{limit}', 'pixels')}\` | ${error.exit} | ${error.http} | ${plain(error.is)} |`);
  return [
    '# Errors and warnings', '',
    'Every error has a code, which stays the same across versions, and a message, which may change: what happened, to which file, and what to do.', '',
    '- A command ends with the exit status. A batch in which some crops failed ends with 1.',
    '- An HTTP response has the status and the code. The server has [further codes](../server/http-api.md#conventions).',
    '- `CropError` in Python has `code` and `exit_status`, in JavaScript `code` and `exitStatus`; in Swift it is one of its cases.', '',
    '| Code | Exit status | HTTP status | Meaning |', '|---|---|---|---|', ...rows, '',
    'The limits are `limit-pixels`, `limit-output`, `limit-bytes`, `limit-scans` and `limit-memory`.', '',
    '## Warnings', '',
    'A result with a warning is complete, but something about it is not as in the source or as requested. The command prints warnings; JSON and',
    'Python have them as `warnings`, HTTP as `CropKit-Warnings` or `notes`.', '',
    '| Code | Meaning |', '|---|---|',
    ...Object.entries(warnings).map(([code, is]) => `| \`${code}\` | ${plain(is)} |`), '',
    '<!-- Generated by Scripts/schema.mjs from Schema/errors.json. -->', '',
  ].join('\n');
}

/** The codes of warnings in the sources that the description lacks, and the other way round. */
export function warningProblems(sources) {
  const used = new Set([...sources.join('\n').matchAll(/(?:CropWarning|Self)\(\s*code: "([a-z-]+)"/g)].map(([, code]) => code));
  return [...[...used].filter((code) => !(code in warnings)).map((code) => `errors.json does not have the warning ${code}`),
    ...Object.keys(warnings).filter((code) => !used.has(code)).map((code) => `errors.json has the warning ${code}, which nothing gives`)];
}

export function errorTables() {
  return { 'Sources/CropSystem/CropError.swift': swift(), 'docs/reference/errors.md': page() };
}
