// The page's tables of words, of Words/Page.xcstrings. A phrase that the iOS views have too is borrowed from
// Words/Views.xcstrings: its key has no phrases of its own.

import { base, Catalogue, languages, quoted, variable } from './catalogue.mjs';

export const page = new Catalogue('Words/Page.xcstrings');
const views = new Catalogue('Words/Views.xcstrings');

/** Borrowed phrases that are called otherwise than in the views. */
const BORROWED = Object.freeze({
  ratioOriginal: 'screen.original', ratioSquare: 'screen.square', mirrorAcross: 'screen.mirror',
});

/** @param {string} key @returns {[Catalogue, string]} where its phrases are */
function placeOf(key) {
  const { localizations } = page.strings[key];
  return localizations ? [page, key] : [views, BORROWED[key] ?? `screen.${key}`];
}

/** What is wrong with the catalogue, each in a line. */
export function problems() {
  const found = [];
  for (const [language, name] of Object.entries(languages)) {
    const missing = [];
    for (const key of Object.keys(page.strings)) {
      const [catalogue, own] = placeOf(key);
      const problem = catalogue.problem(own, language);
      if (problem === 'is missing') missing.push(own);
      else if (problem) found.push(`${catalogue.path}: ${own} ${problem} in ${name}`);
    }
    if (missing.length > 0) found.push(`${page.path}: missing in ${name}: ${missing.join(', ')}`);
  }
  const text = (catalogue, key) => catalogue.forms(key, 'en')?.[''];
  const said = new Map(Object.keys(views.strings).map((key) => [text(views, key), key]));
  for (const key of Object.keys(page.strings)) {
    const known = said.get(text(page, key));
    if (page.strings[key].localizations && known) found.push(`${page.path}: ${key} says what ${known} says`);
  }
  return found;
}

const head = `Made by Scripts/words.mjs of ${page.path}; change that.`;

/** Key and text of a phrase; each plural form has a key of its own. What is missing is said in English. */
function lines(key, language) {
  const [catalogue, own] = placeOf(key);
  const forms = catalogue.forms(own, language) ?? catalogue.forms(own, 'en') ?? {};
  return Object.entries(forms).map(([form, text]) => {
    const name = form ? `${key}.${form}` : key;
    return `  ${/^\w+$/.test(name) ? name : quoted(name)}: ${quoted(text)},`;
  });
}

function table(language, name) {
  const element = `../Element/words-${base(language)}.js`;
  return ['// @ts-check', `// ${head}`, '', `import { ${variable(name)} as element } from '${element}';`, '',
    `/** What the page and its element say, in ${name}. Places for arguments are {0}, {1} … */`,
    `export const ${variable(name)} = Object.freeze({`, '  ...element,',
    ...Object.keys(page.strings).flatMap((key) => lines(key, language)), '});', ''].join('\n');
}

/** The languages' tags and tables by their bases. */
function list() {
  return ['// @ts-check', `// ${head}`, '',
    '/** A language: its tag, and its phrases by their keys; they are loaded when they are wanted. */',
    '/** @typedef {{ tag: string, table(): Promise<Readonly<Record<string, string>>> }} Spoken */', '',
    '/** The languages of the page, by the first part of their tags. */',
    'export const languages = Object.freeze({',
    ...Object.entries(languages).map(([tag, name]) => [
      `  ${base(tag)}: /** @type {Spoken} */ ({`, `    tag: ${quoted(tag)},`,
      `    table: async () => (await import('./words-${base(tag)}.js')).${variable(name)},`, '  }),']).flat(),
    '});', ''].join('\n');
}

export const made = {
  ...Object.fromEntries(Object.entries(languages).map(([language, name]) =>
    [`Web/App/words-${base(language)}.js`, table(language, name)])),
  'Web/App/languages.js': list(),
};
