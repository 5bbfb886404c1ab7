#!/usr/bin/env node
// Makes the tables of words of their sources, the string catalogues in Words: of Views.xcstrings those of the
// element (keys without a dot) and of the iOS views, of Page.xcstrings those of the page. `--check` only
// compares. `--set KEY en=Text ar=Text …` adds a word of the page or changes it (`en.one=…` a plural form).

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { base, Catalogue, languages, quoted, variable } from './catalogue.mjs';
import { writeOrCheck } from './generated.mjs';
import { made as pageTables, page, problems } from './page-words.mjs';

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const views = new Catalogue('Words/Views.xcstrings');
const { strings } = views;

/** A phrase in a language, which the catalogue must have. */
function phrase(key, language) {
  const problem = views.problem(key, language);
  if (problem) throw new Error(`${views.path}: ${key} ${problem} in ${language}`);
  return views.forms(key, language)[''];
}

const head = 'Made by Scripts/words.mjs of Words/Views.xcstrings; change that.';

/** The element's table in a language. */
function elementTable(language, name) {
  const lines = Object.keys(strings).filter((key) => !key.includes('.'))
    .map((key) => `  ${key}: ${quoted(phrase(key, language))},`);
  return [`// @ts-check`, `// ${head}`, '',
    `/** What the element says, in ${name}. Places for arguments are {0}, {1} … */`,
    `export const ${variable(name)} = Object.freeze({`, ...lines, '});', ''].join('\n');
}

/** The fields of a structure of words, in order: those of type String and [String]. */
function fields(file, type) {
  const source = read(`Sources/CropUIKit/Words/${file}`);
  const body = source.slice(source.indexOf(`public struct ${type}`)).split('\n  }')[0] + '\n';
  return [...body.matchAll(/(\w+): \[?String\]?(?=[,\n])/g)].map(([, name]) => name);
}

const HANDLES = ['TopLeft', 'Top', 'TopRight', 'Right', 'BottomRight', 'Bottom', 'BottomLeft', 'Left'];

/** The keys of the fields that are not called after them. */
const KEYS = Object.freeze({
  pictureHint: 'view.pictureHint', selection: 'view.selection', moveLeft: 'view.moveLeft',
  moveRight: 'view.moveRight', moveUp: 'view.moveUp', moveDown: 'view.moveDown',
  cleared: 'saidCleared', undone: 'saidUndone', redone: 'saidRedone', reset: 'saidReset',
  turned: 'saidTurned', mirrored: 'saidMirrored', tilted: 'saidTilt', ratio: 'saidRatio',
  shape: 'saidShape', freeRatio: 'saidRatioFree', limit: 'saidLimit',
  noMinimum: 'saidViolatedRuleMinimum', noRatio: 'saidViolatedRuleRatio',
  rectangle: 'shapeRectangle', ellipse: 'shapeEllipse', rounded: 'shapeRounded',
});

/** The table of the iOS views in a language. */
function viewTable(language, name) {
  const text = (key) => JSON.stringify(phrase(key, language));
  const view = fields('CropWords.swift', 'CropWords').map((field) => (field === 'handles'
    ? `handles: [\n${HANDLES.map((handle) => `          ${text(`handle${handle}`)},\n`).join('')}        ],`
    : `${field}: ${text(KEYS[field] ?? field)},`));
  const screens = fields('ScreenWords.swift', 'ScreenWords')
    .map((field) => `          ${field}: ${text(`screen.${field}`)}`);
  return [`// ${head}`, '// swift-format-ignore-file', '', '#if canImport(UIKit)',
    '  import Foundation', '', '  extension CropWords {',
    `    /// ${name}.`, `    public static var ${variable(name)}: CropWords {`, '      CropWords(',
    `        locale: .matching("${language}"),`, ...view.map((line) => `        ${line}`),
    '        screens: ScreenWords(', `${screens.join(',\n')}))`, '    }', '  }', '#endif', ''].join('\n');
}

const viewTables = Object.fromEntries(Object.entries(languages).flatMap(([language, name]) => [
  [`Web/Element/words-${base(language)}.js`, elementTable(language, name)],
  [`Sources/CropUIKit/Words/CropWords+${name}.swift`, viewTable(language, name)],
]));

export const made = { ...viewTables, ...pageTables };

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [option, key, ...given] = process.argv.slice(2);
  if (option === '--set') {
    page.set(key, given);
    page.save();
    console.log(`words: ${page.path} has ${key}; run Scripts/words.mjs for the tables`);
  } else {
    writeOrCheck(viewTables, 'words', views.path);
    writeOrCheck(pageTables, 'words', page.path);
    for (const problem of problems()) {
      console.error(`words: ${problem}`);
      process.exitCode = 1;
    }
  }
}
