// What every face knows of the formats, made of Schema/formats.json.

import { readFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');
export const { formats } = JSON.parse(read('Schema/formats.json'));

export const head = (source) => `Made by Scripts/schema.mjs of Schema/${source}; change that.`;
const title = ({ title: one }) => one;
export const has = (trait) => ({ traits }) => traits.includes(trait);

/** `A, B and C`. */
export const listed = (words, last) => `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;

// Swift

/** A property that is true of some formats, in the order of the table. */
function swiftTrait(name, trait, doc, access = 'public ') {
  const cases = formats.filter(has(trait)).map((one) => `.${one.name}`);
  return ['', `  /// ${doc}`, `  ${access}var ${name}: Bool {`, '    switch self {',
    `    case ${cases.join(', ')}: true`, '    default: false', '    }', '  }'];
}

function swift() {
  const each = (value, indent = '    ') => formats.map((one) => `${indent}case .${one.name}: ${value(one)}`);
  return [
    `// ${head('formats.json')}`, '',
    '/// The formats CropKit reads and writes, recognized by content, never by name.',
    'public enum PictureFormat: String, Sendable, CaseIterable, Codable {',
    ...formats.flatMap(({ name, doc }) => [`  /// ${doc}`, `  case ${name}`]), '}', '',
    'extension PictureFormat {',
    '  /// The names of all of them for people, such as `JPEG, PNG and WebP`.',
    `  public static let names = "${listed(formats.map(title), 'and')}"`, '',
    '  /// The names of all of them as options have them, such as `jpeg, png or webp`.',
    `  public static let choice = "${listed(formats.map(({ name }) => name), 'or')}"`, '',
    '  /// The name a person knows the format by, such as `JPEG`.',
    '  public var displayName: String {', '    switch self {', ...each((one) => `"${one.title}"`), '    }', '  }', '',
    '  /// The media type, such as `image/jpeg`.',
    '  public var mediaType: String {', '    switch self {', ...each((one) => `"${one.types[0]}"`), '    }', '  }', '',
    '  /// The usual extension of file names, without a dot, such as `jpg`.',
    '  public var fileExtension: String {', '    switch self {', ...each((one) => `"${one.extensions[0]}"`),
    '    }', '  }', '',
    '  /// The format that the extension of a file to be *written* asks for, nil where it is unknown.',
    '  ///', '  /// Upper and lower case are the same; no dot. What is read is recognized by content instead.',
    '  public init?(fileExtension: String) {', '    switch fileExtension.lowercased() {',
    ...formats.map(({ name, extensions }) => `    case ${[...new Set([...extensions, name])]
      .map((one) => `"${one}"`).join(', ')}: self = .${name}`),
    '    default: return nil', '    }', '  }', '',
    '  /// The most pixels along a side with which a file of the format can be coded.',
    '  public var largestSide: Int {', '    switch self {',
    ...formats.flatMap(({ name, largestSide, why }) => [...(why ? [`    // ${why}`] : []),
      `    case .${name}: ${String(largestSide).replace(/\B(?=(\d{3})+$)/g, '_')}`]), '    }', '  }',
    ...swiftTrait('holdsAlpha', 'alpha', 'Whether the format can hold transparent pixels.'),
    ...swiftTrait('isAnimated', 'animation', 'Whether the format has animations; PNG as APNG.'),
    ...swiftTrait('hasQuality', 'quality', 'Whether there is a quality with which pixels are coded.'),
    ...swiftTrait('holdsWideSamples', 'deep', 'Whether the format has 10 bits a channel or more.'),
    ...swiftTrait('holdsCodePoints', 'codePoints',
      'Whether code points (ITU-T H.273) can say in the format how colours are coded.'),
    ...swiftTrait('isHEIF', 'heif', 'Whether files are containers of boxes and items (ISO/IEC 23008-12).'),
    ...swiftTrait('isOpenedByPage', 'pages', 'Whether a decoder is asked for a frame or page.'), '}', ''].join('\n');
}

function swiftNames() {
  return [`// ${head('formats.json')}`, '', '/// Names of formats in messages of this module, which knows no format.',
    'enum FormatNames {', '  /// All that are read.',
    `  static let all = "${listed(formats.map(title), 'and')}"`, '',
    '  /// Those that are coded at a chosen quality.',
    `  static let withQuality = "${listed(formats.filter(has('quality')).map(title), 'or')}"`, '}', ''].join('\n');
}

// JavaScript

const quoted = (words) => `[${words.map((word) => `'${word}'`).join(', ')}]`;

function javascript() {
  const rows = formats.map(({ name, title: shown, extensions, types, signatures, traits }) => [
    '  {', `    name: '${name}', title: '${shown}', extensions: ${quoted(extensions)},`, `    types: ${quoted(types)},`,
    `    signatures: [${signatures.map(([at, bytes]) =>
      `{ at: ${at}, bytes: [${bytes.match(/../g).map((byte) => `0x${byte}`).join(', ')}] }`).join(', ')}],`,
    `    isShown: ${traits.includes('browsers')}, needsServer: ${traits.includes('server')},`, '  },'].join('\n'));
  return ['// @ts-check', `// ${head('formats.json')}`, '', '/**', ' * @typedef {object} Format',
    ' * @property {string} name as options have it', ' * @property {string} title for people',
    ' * @property {readonly string[]} extensions the first is the usual one',
    ' * @property {readonly string[]} types media types, the first its own',
    ' * @property {readonly {at: number, bytes: readonly number[]}[]} signatures first bytes',
    ' * @property {boolean} isShown every browser shows it',
    ' * @property {boolean} needsServer hardly any browser shows it', ' */', '',
    '/** @type {readonly Format[]} */', 'export const FORMATS = Object.freeze([', ...rows, ']);', ''].join('\n');
}

/** The types and extensions that the installed page opens. */
function manifest(text) {
  const rows = formats.flatMap(({ types, extensions }) => types.map((type) => {
    const own = types.length === 1 ? extensions : extensions.filter((one) => type.endsWith(one));
    return `        "${type}": [${own.map((one) => `".${one}"`).join(', ')}]`;
  }));
  return text.replace(/"accept": \{[^}]*\}/, `"accept": {\n${rows.join(',\n')}\n      }`);
}

// Lists in texts

/**
 * The text with every list of all formats as the table has it: at least five names of a kind in the table's
 * order; what stands between them stays.
 */
function relisted(path, names) {
  const text = read(path);
  const name = `(?:${names.map((one) => one.replace(/[/+]/g, '\\$&')).join('|')})`;
  const word = `(?<![\\w-])${name}(?![\\w-])`;
  let found = 0;
  const result = text.replace(new RegExp(`${word}(?:[^\\w]{1,8}?(?:\\w{1,5}[^\\w]{1,3})??${word}){4,}`, 'g'), (list) => {
    const parts = list.split(new RegExp(`(${word})`));
    const first = names.indexOf(parts[1]);
    const betweens = parts.slice(1, -1).filter((_, index) => index % 2 === 1);
    found += 1;
    const all = names.slice(first);
    return all.map((one, index) => (index === 0 ? one
      : (index === all.length - 1 ? betweens.at(-1) : betweens[0]) + one)).join('');
  });
  if (!found) throw new Error(`${path} has no list of formats`);
  return result;
}

const texts = {
  title: ['README.md', 'Python/README.md', 'Packaging/debian/control'],
  name: ['Sources/CropFormats/CropFormats.docc/InfoAsJSON.md', 'Tests/Packaging/life.py'],
  types: ['Packaging/desktop/cropkit-servicemenu.desktop', 'Packaging/desktop/cropkit.desktop',
    'Packaging/desktop/cropkit.nemo_action'],
};

/** The AppStream component has both kinds of list. */
function metainfo(path) {
  const types = formats.flatMap(({ types: all }) => all).map((type) => `    <mediatype>${type}</mediatype>\n`).join('');
  return relisted(path, formats.map(title)).replace(/( *<mediatype>.*<\/mediatype>\n)+/, types);
}

export function formatTables() {
  const names = {
    title: formats.map(title), name: formats.map(({ name }) => name), types: formats.flatMap(({ types }) => types),
  };
  const lists = Object.entries(texts).flatMap(([kind, paths]) =>
    paths.map((path) => [path, relisted(path, names[kind])]));
  return {
    'Sources/CropFormats/PictureFormat.swift': swift(),
    'Sources/CropSystem/FormatNames.swift': swiftNames(),
    'Web/App/formats.js': javascript(),
    'Web/App/manifest.webmanifest': manifest(read('Web/App/manifest.webmanifest')),
    'Packaging/desktop/cropkit.metainfo.xml': metainfo('Packaging/desktop/cropkit.metainfo.xml'),
    ...Object.fromEntries(lists),
  };
}
