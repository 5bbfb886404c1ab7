// Generates the tables of the module for programs without a page from Schema/engine.json and the other descriptions.

import { readFileSync } from 'node:fs';
import { formats, head } from './schema-formats.mjs';
import { engineOptions } from './schema-options.mjs';
import { recipeErrorTexts } from './schema-recipe-errors.mjs';

const read = (name) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const { advice: scriptAdvice, conflicts, damage, features, faults, ...words } = read('Schema/engine.json');
const { errors } = read('Schema/errors.json');
const { enumerations } = read('Web/interface.json');

// A fault is an error of a file, a conflict of options, or that of a recipe.
for (const fault of enumerations.Fault.cases) {
  if (!(fault in faults) && !(fault in conflicts) && fault !== 'recipe') throw new Error(`engine.json: no text for ${fault}`);
}
for (const need of enumerations.Need.cases) if (!(need in words.needs)) throw new Error(`engine.json: no text for ${need}`);

/** What the module's users need, as one table. */
function table() {
  return {
    ...engineOptions(), conflicts, faults, damage: Object.values(damage), features, recipeErrors: recipeErrorTexts(),
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
    'Python/src/cropkit/_engine/words.json': `${JSON.stringify({ about, ...rest }, null, 1)}\n`,
    'Web/Program/words.js': ['// @ts-check', `// ${about}`, '', '/** Options, formats, and all messages. */',
      `export const WORDS = /** @type {import('./faults.js').Words} */ (${script});`, ''].join('\n'),
  };
}
