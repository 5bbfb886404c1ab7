// Generates the messages about recipes that do not fit an image from Schema/recipe-errors.json.

import { readFileSync } from 'node:fs';
import { head } from './schema-formats.mjs';

const { picture, corners, errors, quad } = JSON.parse(
  readFileSync(new URL('../Schema/recipe-errors.json', import.meta.url), 'utf8'));

/** The numbers that all messages may use come first. */
const IMAGE = ['imageWidth', 'imageHeight'];
const PLACES = ['x1', 'y1', 'x2', 'y2', 'x3', 'y3', 'x4', 'y4'];

/** A message with its names replaced by numbers: `{0}`. */
function numbered(text, names) {
  const whole = text.replace('{picture}', picture).replace('{corners}', corners);
  return whole.replace(/\{(\w+)\}/g, (_, name) => {
    const at = [...IMAGE, ...names].indexOf(name);
    if (at < 0) throw new Error(`recipe-errors.json: {${name}} is none of ${names}`);
    return `{${at}}`;
  });
}

const quadKind = (name) => `quad${name[0].toUpperCase()}${name.slice(1)}`;

const kinds = [
  ...Object.entries(errors).map(([key, text]) => {
    const [, name, list] = /^(\w+)\((.*)\)$/.exec(key);
    return { name, text: numbered(text, list ? list.split(',') : []) };
  }),
  ...Object.entries(quad).map(([name, text]) => ({ name: quadKind(name), text: numbered(text, PLACES) })),
];

const swiftHead = [`// ${head('recipe-errors.json')}`, '// swift-format-ignore-file', ''];

/** The messages by kind. */
export const recipeErrorTexts = () => kinds.map(({ text }) => text);

/** The indexes of the kinds about a rectangle that is partly outside. */
export const outsideErrors = () => kinds.flatMap(({ name }, index) => (name.startsWith('outside') ? [index] : []));

export function recipeErrorTables() {
  return {
    'Sources/CropCore/Recipe/RecipeErrorKind.swift': [
      ...swiftHead, '/// The kinds of recipe errors that messages distinguish.',
      'public enum RecipeErrorKind: Int, CaseIterable, Sendable {', ...kinds.map(({ name }) => `  case ${name}`), '}', '',
      'extension QuadFault {', '  var kind: RecipeErrorKind {', '    switch self {',
      ...Object.keys(quad).map((name) => `    case .${name}: .${quadKind(name)}`), '    }', '  }', '}', '',
    ].join('\n'),
    'Sources/CropImaging/RecipeError+Texts.swift': [
      ...swiftHead, 'import CropCore', '', 'extension RecipeErrorKind {',
      '  /// The message, with its numbers as `{0}`, `{1}`: the upright image\'s width and height, then those of the error.',
      '  var text: String {', '    switch self {',
      ...kinds.map(({ name, text }) => `    case .${name}: ${JSON.stringify(text)}`), '    }', '  }', '}', '',
    ].join('\n'),
    'Web/Element/recipe-error-texts.js': [
      '// @ts-check', `// ${head('recipe-errors.json')}`, '',
      '/** Messages by kind, with placeholders `{0}`, `{1}` for the upright image’s width and height, then for the numbers of the error. */',
      'export const RECIPE_ERRORS = Object.freeze([', ...kinds.map(({ text }) => `  ${JSON.stringify(text)},`), ']);', '',
    ].join('\n'),
  };
}
