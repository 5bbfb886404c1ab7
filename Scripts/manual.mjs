#!/usr/bin/env node
// Generates the manual pages from the programs' help: manual.mjs PROGRAMS OUT
//
// PROGRAMS is the folder with cropkit and cropkit-server; man1, man5 and man8 are created in OUT. The texts of
// cropkit-recipe(5) and cropkit-targets(5), which are not programs, are in Packaging.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { filePages, programPages } from './manual-blocks.mjs';

const root = new URL('..', import.meta.url).pathname;
const [programs, out] = process.argv.slice(2);
if (!programs || !out) {
  console.error('manual: usage: manual.mjs PROGRAMS OUT');
  process.exit(64);
}
const version = execFileSync(`${root}Scripts/version.sh`, { encoding: 'utf8' }).trim();

/** Escapes text for roff, also lines that start like a request. */
const plain = (text) => text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replace(/^([.'])/gm, '\\&$1');
const bold = (text) => `\\fB${plain(text)}\\fR`;
const italic = (text) => `\\fI${plain(text)}\\fR`;
function styled(part) {
  if (typeof part === 'string') return plain(part);
  return part.bold ? bold(part.bold) : italic(part.italic);
}

/** The requests and lines of a block. */
function lines({ heading, paragraph, code, usage, item, also }) {
  if (heading) return [`.SH ${heading.toUpperCase()}`];
  if (usage) return [bold(usage)];
  if (code) return ['.PP', '.EX', plain(code), '.EE'];
  if (item) {
    const more = item.more ? ['.IP', plain(item.more)] : [];
    return ['.TP', item.head.map(styled).join(''), plain(item.text), ...more];
  }
  if (also) return ['.SH SEE ALSO', `.BR ${also.map((page) => plain(page).replace('(', ' (')).join(' ,\n.BR ')}`];
  return ['.PP', plain(paragraph)];
}

const titles = { 1: 'User Commands', 5: 'File Formats', 8: 'System Administration' };

for (const { name, section, summary, blocks } of [...programPages(programs), ...filePages]) {
  const folder = `${out}/man${section}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/${name}.${section}`, [
    `.TH ${plain(name.toUpperCase())} ${section} "" "CropKit ${version}" "${titles[section]}"`,
    '.SH NAME', `${plain(name)} \\- ${plain(summary)}`, ...blocks.flatMap(lines), ''].join('\n'));
}
