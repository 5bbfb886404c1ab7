// Generates the tables of the module for programs without a page from Schema/engine.json and the other descriptions.

import { readFileSync } from 'node:fs';
import { formats, head } from './schema-formats.mjs';
import { engineOptions } from './schema-options.mjs';
import { outsideErrors, recipeErrorTexts } from './schema-recipe-errors.mjs';

const read = (name) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const { advice: scriptAdvice, conflicts, damage, features, faults, kinds, ...words } = read('Schema/engine.json');
const { errors } = read('Schema/errors.json');
const { enumerations } = read('Web/interface.json');

/** The cases of an enumeration in Swift. */
const casesOf = (path, name) => [...new RegExp(`enum ${name}\\b[^]*?\\n}`).exec(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))[0]
  .matchAll(/^ {2}case (\w+)$/gm)].map(([, one]) => one);

const same = (what, one, other) => {
  if (one.join() !== other.join()) throw new Error(`engine.json: ${what} must be ${other.join()}`);
};
/** The kinds of metadata: the cases in Swift, and their names elsewhere. */
const kindsInSwift = [...readFileSync(new URL('../Sources/CropMetadata/MetadataKind.swift', import.meta.url), 'utf8')
  .matchAll(/^ {2}case (\w+)(?: = "([\w-]+)")?$/gm)].map(([, one, name = one]) => [one, name]);
same('kinds', Object.keys(kinds), kindsInSwift.map(([, name]) => name));
// A fault is an error of a file, a conflict of options, or that of a recipe.
for (const fault of enumerations.Fault.cases) {
  if (!(fault in faults) && !(fault in conflicts) && fault !== 'recipe') throw new Error(`engine.json: no text for ${fault}`);
}
for (const need of enumerations.Need.cases) if (!(need in words.needs)) throw new Error(`engine.json: no text for ${need}`);

const mapFaults = casesOf('Sources/CropJPEG/GainMap/GainMapSearch.swift', 'GainMapFault');
same('mapFaults', Object.keys(words.mapFaults), ['dropped', ...mapFaults]);
same('mapFaults', ['none', 'cut', 'recoded', ...Object.keys(words.mapFaults)], enumerations.MapOutcome.cases);

/** What the module's users need, as one table. */
function table() {
  return {
    ...engineOptions(), conflicts, faults, damage: Object.values(damage), features, kinds: Object.entries(kinds), recipeErrors: recipeErrorTexts(), outsideErrors: outsideErrors(),
    errors: Object.fromEntries(Object.entries(errors).map(([name, { code, exit, text, otherwise = null, advice = null }]) => (
      [name, { code, exit, text, otherwise, advice: name in scriptAdvice ? { ...advice, javascript: scriptAdvice[name] } : advice }]))),
    formats: formats.map(({ name, title, extensions, signatures }) => ({ name, title, extensions, signatures })),
    ...words, about: head('engine.json and other files'),
  };
}

/** A function in Swift for a text with numbered places. */
function swiftText([name, text]) {
  const count = Math.max(0, ...[...text.matchAll(/\{(\d)\}/g)].map(([, at]) => Number(at) + 1));
  const names = ['first', 'second'].slice(0, count);
  const literal = JSON.stringify(text).replace(/\{(\d)\}/g, (_, at) => `\\(${names[at]})`);
  return [`  static func ${name}(${names.map((one) => `_ ${one}: String`).join(', ')}) -> String {`, `    ${literal}`, '  }'];
}

export function engineTables() {
  const swiftHead = [`// ${head('engine.json')}`, '// swift-format-ignore-file', ''];
  const { about, ...rest } = table();
  const script = JSON.stringify(rest, null, 1);
  return {
    'Tools/Sources/cropkit/ConflictText.swift': [...swiftHead,
      '/// Why options can\'t be combined.', 'enum ConflictText {', ...Object.entries(conflicts).flatMap(swiftText), '}', ''].join('\n'),
    'Sources/CropImaging/JPEG/JPEGDamage+Words.swift': [...swiftHead, 'import CropJPEG', '', 'extension JPEGDamage {', '  var words: String {', '    switch self {',
      ...Object.entries(damage).map(([name, text]) => `    case .${name}: ${JSON.stringify(text)}`), '    }', '  }', '}', ''].join('\n'),
    'Sources/CropFormats/MetadataKind+Words.swift': [...swiftHead, 'import CropMetadata', '', 'extension MetadataKind {',
      '  /// The name for users, such as `GPS position`.', '  public var displayName: String {', '    switch self {',
      ...kindsInSwift.map(([one, name]) => `    case .${one}: ${JSON.stringify(kinds[name])}`), '    }', '  }', '}', ''].join('\n'),
    'Sources/CropFormats/GainMap/GainMapFault+Words.swift': [...swiftHead, 'import CropJPEG', '', 'extension GainMapFault {',
      '  var words: String {', '    switch self {',
      ...mapFaults.map((one) => `    case .${one}: ${JSON.stringify(words.mapFaults[one])}`), '    }', '  }', '}', ''].join('\n'),
    'Python/src/cropkit/_engine/words.json': `${JSON.stringify({ about, ...rest }, null, 1)}\n`,
    'Web/Program/words.js': ['// @ts-check', `// ${about}`, '', '/** Options, formats, and all messages. */',
      `export const WORDS = /** @type {import('./faults.js').Words} */ (${script});`, ''].join('\n'),
  };
}
