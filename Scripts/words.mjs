#!/usr/bin/env node
// Makes the tables of words of their sources, the files in Words: those of the iOS views, which are checked in
// since nothing is built before them, and those of the element and the page, which whatever needs them makes
// first. `--check` only compares the former. `--set KEY en=Text ar=Text …` adds a word of the page or changes
// it (`en.one=…` a plural form).

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { base, languages, page, quoted, signIn, variable, views } from './catalogue.mjs';
import { writeOrCheck } from './generated.mjs';

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const head = (path) => `Made by Scripts/words.mjs of ${path}; change that.`;

/** Phrases that don't keep the tables from being made, and what is wrong with them. */
export function problems() {
  const text = (catalogue, key) => catalogue.forms(key, 'en')?.[''];
  const said = new Map(views.own.map((key) => [text(views, key), key]));
  const twice = page.own.filter((key) => said.has(text(page, key)))
    .map((key) => `${page.path}: ${key} says what ${said.get(text(page, key))} says; list it in shared.json`);
  return [...views.problems(), ...page.problems(), ...signIn.problems(), ...twice];
}

// The element and the page

/** Keys and texts of phrases; each plural form has a key of its own. What is missing is said in English. */
function lines(catalogue, keys, language) {
  return keys.flatMap((key) => Object.entries(catalogue.forms(key, language) ?? catalogue.forms(key, 'en') ?? {})
    .map(([form, text]) => {
      const name = form ? `${key}.${form}` : key;
      return `  ${/^\w+$/.test(name) ? name : quoted(name)}: ${quoted(text)},`;
    }));
}

/** What the element says in English, by its keys. */
export const elementKeys = views.own.filter((key) => !key.includes('.'));

/** The element's table in a language. */
function elementTable(language, name) {
  return [`// @ts-check`, `// ${head(views.path)}`, '',
    `/** What the element says, in ${name}. Places for arguments are {0}, {1} … */`,
    `export const ${variable(name)} = Object.freeze({`, ...lines(views, elementKeys, language), '});', ''].join('\n');
}

/** The page's, which holds the element's. */
function pageTable(language, name) {
  const element = `../Element/words-${base(language)}.js`;
  return ['// @ts-check', `// ${head(page.path)}`, '', `import { ${variable(name)} as element } from '${element}';`, '',
    `/** What the page and its element say, in ${name}. Places for arguments are {0}, {1} … */`,
    `export const ${variable(name)} = Object.freeze({`, '  ...element,',
    ...lines(page, page.keys, language), '});', ''].join('\n');
}

/** The languages' tags and tables by their bases. */
function list() {
  return ['// @ts-check', `// ${head(page.path)}`, '',
    '/** A language: its tag, and its phrases by their keys; they are loaded when they are wanted. */',
    '/** @typedef {{ tag: string, table(): Promise<Readonly<Record<string, string>>> }} Spoken */', '',
    '/** The languages of the page, by the first part of their tags. */',
    'export const languages = Object.freeze({',
    ...Object.entries(languages).map(([tag, name]) => [
      `  ${base(tag)}: /** @type {Spoken} */ ({`, `    tag: ${quoted(tag)},`,
      `    table: async () => (await import('./words-${base(tag)}.js')).${variable(name)},`, '  }),']).flat(),
    '});', ''].join('\n');
}

// The iOS views

/** A phrase in a language, which there must be. */
function phrase(key, language) {
  const problem = views.problem(key, language);
  if (problem) throw new Error(`${views.path}/${language}.json: ${key} ${problem}`);
  return views.forms(key, language)[''];
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
  return [`// ${head(views.path)}`, '// swift-format-ignore-file', '', '#if canImport(UIKit)',
    '  import Foundation', '', '  extension CropWords {',
    `    /// ${name}.`, `    public static var ${variable(name)}: CropWords {`, '      CropWords(',
    `        locale: .matching("${language}"),`, ...view.map((line) => `        ${line}`),
    '        screens: ScreenWords(', `${screens.join(',\n')}))`, '    }', '  }', '#endif', ''].join('\n');
}

const each = (path, table) => Object.fromEntries(Object.entries(languages).map(([language, name]) =>
  [path(language, name), table(language, name)]));

/** Tables that are checked in. */
export const made = each((_, name) => `Sources/CropUIKit/Words/CropWords+${name}.swift`, viewTable);

/** Tables that are made where they are needed. */
const built = {
  ...each((language) => `Web/Element/words-${base(language)}.js`, elementTable),
  ...each((language) => `Web/App/words-${base(language)}.js`, pageTable),
  'Web/App/languages.js': list(),
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [option, key, ...given] = process.argv.slice(2);
  if (option === '--set') {
    page.set(key, given);
    console.log(`words: ${page.path} has ${key}; run Scripts/words.mjs for the tables`);
  } else {
    writeOrCheck(made, 'words', views.path);
    if (option !== '--check') writeOrCheck(built, 'words', page.path, true);
    for (const problem of problems()) {
      console.error(`words: ${problem}`);
      process.exitCode = 1;
    }
  }
}
