#!/usr/bin/env node
// Checks the links of all Markdown files: that the file and the heading exist, and that docs/README.md leads to every
// page.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { headings, links } from './markdown.mjs';

const root = new URL('..', import.meta.url).pathname;
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', '*.md'],
  { cwd: root, encoding: 'utf8' }).trim().split('\n').filter((path) => existsSync(root + path));
const texts = new Map(files.map((path) => [path, readFileSync(root + path, 'utf8')]));
let found = 0;
function report(path, line, problem) {
  found += 1;
  console.error(`doc-links: ${path}${line ? `:${line}` : ''}: ${problem}`);
}

/** The page that a link leads to, from the root; undefined for one outside the repository. */
function leadsTo(path, target) {
  if (/^(?:[a-z]+:|<)/.test(target)) return undefined;
  const [file] = target.split('#');
  return file ? posix.normalize(posix.join(posix.dirname(path), decodeURI(file))) : path;
}

/** @param {string} file @param {string} anchor */
const hasAnchor = (file, anchor) => headings(texts.get(file)).some((one) => one.anchor === anchor)
  || texts.get(file).includes(`id="${anchor}"`);

// The libraries' articles link by symbol.
for (const [path, text] of [...texts].filter(([one]) => !one.includes('.docc/'))) {
  for (const { target, line } of links(text)) {
    const file = leadsTo(path, target);
    if (file === undefined) continue;
    const anchor = target.split('#')[1];
    if (!existsSync(root + file)) report(path, line, `${target} does not exist`);
    else if (anchor && !texts.has(file)) report(path, line, `${target}: only Markdown files have headings`);
    else if (anchor && !hasAnchor(file, anchor)) report(path, line, `${target}: no such heading`);
    else if (statSync(root + file).isDirectory() && path.startsWith('docs/') && file.startsWith('docs/')) {
      report(path, line, `${target} is a folder; link a page of it`);
    }
  }
}

const INDEX = 'docs/README.md';
const listed = new Set(links(texts.get(INDEX)).map(({ target }) => leadsTo(INDEX, target)));
const below = (path) => path.startsWith('docs/reference/cli/');
for (const path of files.filter((one) => one.startsWith('docs/') && one !== INDEX && !below(one))) {
  if (!listed.has(path)) report(INDEX, 0, `does not list ${path}`);
}
if (files.length < 40) throw new Error(`doc-links: only ${files.length} files found; is this the whole repository?`);
if (found > 0) process.exitCode = 1;
