#!/usr/bin/env node
// Fills the generated parts of the documentation: reference.mjs [--check] [PROGRAMS]
//
// A part is between `<!-- generated: KIND NAME -->` and `<!-- end -->` in a Markdown file. PROGRAMS is the folder with
// cropkit and cropkit-server, from whose help the pages in docs/reference/cli are made; by default the development
// build, if it is newer than its sources. Without programs, these pages stay as they are. `--check` only compares.

import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { tables } from './element-tables.mjs';
import { filePages, programPages } from './manual-blocks.mjs';
import { checkFigures, performanceTable } from './reference-figures.mjs';
import { metadataTable, supportTable } from './reference-formats.mjs';
import { writeOrCheck } from './generated.mjs';

const root = new URL('..', import.meta.url).pathname;
const read = (path) => readFileSync(root + path, 'utf8');
const LIST = ['ls-files', '--cached', '--others', '--exclude-standard', '--'];
const list = (...patterns) => execFileSync('git', [...LIST, ...patterns], { cwd: root, encoding: 'utf8' })
  .trim().split('\n').filter(Boolean);

const cell = (text = '') => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
const table = ([heads, rows]) => [heads, heads.map(() => '---'), ...rows]
  .map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

/** What is code in a text of the help: commands, options, JSON, tags, patterns and variables. */
const CODE = [
  /`[^`]+`/, /\{[^{}]*"[^{}]*\}/,
  /\bcropkit (?:(?:crop|batch|targets|info|recipe|mark|open|serve)\b(?: --[\w-]+)?|--[\w-]+(?: [A-Z]+)?)/,
  /\bsystemctl (?:--user )?enable --now [\w@-]+/, /\bGET \/\S*\w/, /(?<![\w/-])--?[a-z][\w-]*\b/,
  /<\/?[\w-]+>/, /\{\w*\}/, /\S*\*\S*/, /"[^" ]+"/, /\$?[A-Z]{2,}_\w+/,
].map((one) => one.source).join('|');
const marked = (text) => text.replace(new RegExp(CODE, 'g'), (word) => (word.startsWith('`') ? word : `\`${word}\``));

/** The link to another manual page from a page in docs/reference or, if `isProgram`, in its folder cli. */
function page(name, isProgram) {
  const file = { 'cropkit-recipe(5)': 'recipe.md', 'cropkit-targets(5)': 'targets.md' }[name];
  if (file) return `[${file.slice(0, -3)}](${isProgram ? '../' : ''}${file})`;
  return name.replace(/^(cropkit[\w-]*)\(\d\)$/, `[$1](${isProgram ? '' : 'cli/'}$1.md)`);
}

function styled(part) {
  if (typeof part === 'string') return part;
  return part.bold ? `\`${part.bold}\`` : `*${part.italic}*`;
}

/** The Markdown of a block of a manual page. */
function markdown({ heading, paragraph, code, usage, item, also }, isProgram) {
  if (heading) return `## ${heading}`;
  if (usage) return `\`\`\`text\n${usage}\n\`\`\``;
  if (code) return `\`\`\`text\n${code.replace(/^ {2}/gm, '')}\n\`\`\``;
  if (also) return `See also ${also.map((name) => page(name, isProgram)).join(', ')}.`;
  if (!item) return marked(paragraph);
  return `- ${item.head.map(styled).join('')}: ${marked(item.text)}${item.more ? ` ${marked(item.more)}` : ''}`;
}

/** Blocks, with items that follow each other as one list. */
const manual = ({ blocks, section }) => blocks.map((block, index) =>
  (index && block.item && blocks[index - 1].item ? '\n' : '\n\n') + markdown(block, section !== 5)).join('').trim();

/** An article of the library's documentation: its symbols as code, its headings one level higher. */
function article(name) {
  const text = read(`Sources/CropUIKit/CropUIKit.docc/${name}.md`)
    .replace(/^# .*\n+/, '').replace(/^## Overview\n+/m, '').replace(/^###/gm, '##')
    .replace(/(?<!`)``([^`\n]+)``(?!`)/g, (_, symbol) => `\`${symbol.replaceAll('/', '.')}\``);
  return text.trim();
}

/** A file of an example, in a block of its language. */
const example = (path) => `\`\`\`${path.split('.').pop()}\n${read(path).trimEnd()}\n\`\`\``;

/** The development build, if it is newer than what its help is made from. */
function freshPrograms() {
  const folder = `${root}Tools/.build/debug`;
  try {
    const built = Math.min(...['cropkit', 'cropkit-server'].map((name) => statSync(`${folder}/${name}`).mtimeMs));
    const tools = ['cropkit', 'cropkit-server', 'CropArguments'].map((name) => `Tools/Sources/${name}`);
    const sources = list(...tools, 'Schema');
    return sources.every((path) => statSync(root + path).mtimeMs < built) ? folder : undefined;
  } catch {
    return undefined;
  }
}

const isCheck = process.argv.includes('--check');
const folder = process.argv.slice(2).find((word) => !word.startsWith('--')) ?? freshPrograms();
const programs = folder && programPages(folder);

/** @type {Record<string, (name: string) => string | undefined>} the text of a part; undefined to leave it */
const KINDS = {
  element: (name) => table(tables[name]),
  formats: (name) => table({ support: supportTable, metadata: metadataTable }[name]()),
  file: example,
  article,
  manual: (name) => manual(filePages.find((one) => one.name === name)),
  help: (name) => programs && manual(programs.find((one) => one.name === name)),
  python: () => execFileSync('python3', [`${root}Scripts/python-reference.py`], { encoding: 'utf8' }).trim(),
  figures: (name) => table(performanceTable(name)),
};

const PART = /^<!-- generated: (\w+) ?(\S*) -->\n([^]*?)^<!-- end -->$/gm;
const texts = {};
for (const path of list('docs/*.md', 'README.md')) {
  texts[path] = read(path).replace(PART, (_, kind, name, old) => {
    if (!(kind in KINDS)) throw new Error(`reference: ${path}: ${kind} is not known`);
    const text = KINDS[kind](name) ?? old.trim();
    return `<!-- generated: ${[kind, name].filter(Boolean).join(' ')} -->\n${text}\n<!-- end -->`;
  });
}
writeOrCheck(texts, 'reference', 'its sources say');
for (const problem of checkFigures()) {
  console.error(`reference: ${problem}`);
  process.exitCode = 1;
}
if (!isCheck && !programs) console.log('reference: docs/reference/cli is unchanged; the programs are not built');
