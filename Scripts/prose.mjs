#!/usr/bin/env node
// Checks the wording of what people read: documentation, help, messages, the web app's English words, comments. The
// patterns are those that docs/internals/writing.md says to avoid. Silent if it finds nothing.

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { withoutCode } from './markdown.mjs';

/** What to avoid, and what to write instead. */
const PATTERNS = [
  [/\b(?:is|are|was|were|be) (?:told|said)\b/, 'is reported, warns, prints'],
  [/\btells? of\b/, 'reports'],
  [/\b(?:what|that|which) (?:is|are) there\b|\bif (?:it|they) (?:is|are) there\b/, 'existing, if it exists'],
  [/\bone (?:line|row|file|object) a\b|\bone a (?:core|line)\b/, 'per'],
  [/\banew\b/, 're-encoded, rebuilt, again'],
  [/\bof (?:its|their|his|your) own\b/, 'separate, or nothing'],
  [/\bby itself\b/, 'automatically'],
  [/\bfor good\b/, 'permanently'],
  [/\bfor ever\b/, 'forever'],
  [/\bin truth\b/, 'actually'],
  [/\bwhoever\b/i, 'a user who, anyone who'],
  [/(?<!\bthere )\b(?:is|are) no (?!longer\b|more\b|such\b|other\b)[a-z]/i, 'is not a'],
  [/\bcan['’]t be[.;,]/, 'is not allowed, must be'],
  [/\bgo(?:es)? without\b/, 'has none'],
  [/\bput right\b/, 'corrected'],
  [/\b(?:laid|lays?) down\b/, 'stored, oriented'],
  [/\bcarr(?:y|ies|ied) (?:it |them |this )?out\b/, 'apply, run'],
  [/\bin place of\b/, 'instead of'],
  [/\bunless (?:you say|said|it says)\b/, 'default:'],
  [/\bbeg(?:ins?|un)\b(?!=)/, 'start'],
  [/\bheeded\b/, 'used, respected'],
  [/\bmeanwhile\b/, 'in the meantime, or say what changed'],
  [/\bsign of life\b/, 'keep-alive'],
];

/** Only in texts for users: in code, a press is a pointer's event. */
const IN_TEXTS = [[/\b(?:a press|is pressed|are pressed)\b/, 'click, tap']];

/** Other words for a thing that has one word; code, keys of JSON and what a program inserts don't count. */
const ONE_WORD = [
  [/(?<!\b(?:in|by|quarter|its) )\bturn(?:s|ed|ing)?\b(?! (?:on|off|into|out|green|the badge|gestures|a pandas|the device)\b)/i, 'rotate'],
  [/\bmirror(?:s|ed|ing)?\b/i, 'flip'],
  [/\b(?:web|project's|server's|gallery's) address(?:es)?\b|\baddress(?:es)? of (?:an? |the )?(?:objects?|page|images?|files?)\b/i, 'URL'],
  [/\b(?:all|each|every|thin) faces?\b/i, 'front end'],
  [/\bpictures?\b/i, 'image, photo'],
  [/\bcut (?:photos?|images?)\b/i, 'crop'],
  [/\b(?:anti|counter-)clockwise\b/i, 'counterclockwise'],
];
const WEB_APP = [[/(?<!\bReload )\bthe page\b(?! of\b)/i, 'the web app; or which page']];
/** Texts about pages on which the element is, and articles of Apple's documentation. */
const ABOUT_PAGES = /^(?:docs\/web|Web\/Package|Examples\/web|docs\/internals\/(?:writing|releasing)|docs\/ios|Checks)|\.docc\//;
/** The names of an API. */
const NAMES = /^docs\/web\/api\.md$/;
const withoutKeys = (text) => text.replace(/^ *\w+$/, '').replace(/\\\((?:[^()]|\([^()]*\))*\)|\{\w*\}|\\?"\w+\\?"|<code>[^<]*|<[^>]*>|^ *"\w+": .*|~\/\S*/g, '')
  .replace(/`[^`]*`/g, '');
/** @param {string} path */
const oneWord = (path) => (NAMES.test(path) ? [] : ABOUT_PAGES.test(path) ? ONE_WORD : [...ONE_WORD, ...WEB_APP]);

/** Plain texts; the page about writing quotes what to avoid. */
const TEXTS = ['*.md', 'Packaging/*.txt', 'Packaging/debian/control', 'Packaging/desktop/*.xml', 'Packaging/*.toml', 'Packaging/systemd',
  'Python/pyproject.toml', 'Examples/web/*.html', '.github/*.md', ':!docs/internals/writing.md'];
/** Files with messages and help: their texts in quotes count. */
const MESSAGES = ['Tools/Sources/*.swift', 'Sources/CropSystem/*.swift', 'Sources/CropFormats/*.swift',
  'Sources/CropImaging/*.swift', 'Sources/CropPixels/*.swift', 'Sources/PhotoLibrary/*.swift', 'Schema/options.json', 'Schema/errors.json',
  'Schema/recipe-errors.json', 'Schema/engine.json', 'Web/Package/custom-elements.json', 'Words/*/en.json'];
/** Files with comments and docstrings, and patterns that only count there. */
const SOURCES = ['Package.swift', 'Sources', 'Tools/Sources', 'Web/App', 'Web/Element', 'Web/Sources', 'Python/src', 'Scripts']
  .flatMap((folder) => ['swift', 'c', 'h', 'js', 'mjs', 'py', 'sh'].map((ending) => `${folder}/*.${ending}`));
const IN_COMMENTS = [
  [/^(?:What|Whoever) (?:[a-z]+ ){0,3}(?:is|are|has|have|can|does) (?:[a-z]+ )*(?:is|are|has|can|stays?|goes|comes)\b/, 'subject, verb, object'],
  [/\ba person\b/, 'a user'],
  [/\b(?:carried|carries|carry) out\b/, 'apply, run'],
  [/\bfor ever\b|\blets? go of\b|\bgives? up\b(?! the)/, 'endlessly, releases, cancels'],
];
const root = new URL('../', import.meta.url);
const list = (patterns) => execFileSync('git', ['ls-files', ...patterns], { cwd: root, encoding: 'utf8' })
  .split('\n').filter(Boolean);

let found = 0;
/**
 * @param {string} path @param {number} line @param {string} text @param {typeof PATTERNS} [more]
 * @param {typeof PATTERNS} [always]
 */
function check(path, line, text, more = [], always = PATTERNS) {
  for (const [pattern, advice] of [...always, ...more]) {
    const match = pattern.exec(text);
    if (!match) continue;
    found += 1;
    console.error(`prose: ${path}:${line}: "${match[0]}"; write: ${advice}`);
  }
}

const texts = list(TEXTS);
for (const path of texts) {
  const text = readFileSync(new URL(path, root), 'utf8');
  text.split('\n').forEach((line, index) => check(path, index + 1, line, IN_TEXTS));
  (path.endsWith('.md') ? withoutCode(text).replace(/^ {4}.*/gm, '') : text).split('\n')
    .forEach((line, index) => check(path, index + 1, withoutKeys(line), oneWord(path), []));
}
for (const path of list(MESSAGES)) {
  let isInText = false;
  readFileSync(new URL(path, root), 'utf8').split('\n').forEach((line, index) => {
    const isEdge = line.includes('"""');
    const read = (text) => {
      check(path, index + 1, text, IN_TEXTS);
      check(path, index + 1, withoutKeys(text), oneWord(path), []);
    };
    if (isInText && !isEdge) read(line);
    if (isEdge) isInText = !isInText;
    if (isInText || isEdge || /^\s*\/\//.test(line)) return;
    for (const [, text] of line.matchAll(/"((?:[^"\\]|\\.)*)"/g)) if (text.includes(' ')) read(text);
  });
}

for (const path of list(SOURCES).filter((path) => path !== 'Scripts/prose.mjs')) {
  const isPython = path.endsWith('.py');
  const comment = isPython || path.endsWith('.sh') ? /^\s*#:?\s(.*)/ : /^\s*(?:\/\/\/?|\/\*\*?|\*)\s(.*)/;
  let isInDocstring = false;
  readFileSync(new URL(path, root), 'utf8').split('\n').forEach((line, index) => {
    const edges = isPython ? line.split('"""').length - 1 : 0;
    const text = isInDocstring || edges > 0 ? line : comment.exec(line)?.[1];
    if (edges % 2) isInDocstring = !isInDocstring;
    if (text) check(path, index + 1, text, IN_COMMENTS);
  });
}

const spelling = spawnSync('codespell', ['--builtin', 'clear,rare,en-GB_to_en-US', '--ignore-words-list', 'upto,nam,cancelled,nowe', ...texts, 'Schema/options.json', ...list(['Words/*/en.json'])],
  { cwd: root, encoding: 'utf8' });
if (spelling.error) {
  console.error('prose: codespell is missing; Debian has it in codespell');
  found += 1;
} else if (spelling.status !== 0) {
  console.error(spelling.stdout.trim());
  found += 1;
}
if (texts.length < 20) throw new Error(`prose: only ${texts.length} texts found; is this the whole repository?`);
if (found > 0) process.exitCode = 1;
