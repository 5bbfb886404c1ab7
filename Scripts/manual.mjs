#!/usr/bin/env node
// Generates the manual pages from the programs' help: manual.mjs PROGRAMS OUT
//
// PROGRAMS is the folder with cropkit and cropkit-server; man1, man5 and man8 are created in OUT. The texts of
// cropkit-recipe(5) and cropkit-targets(5), which are not programs, are in Packaging.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const root = new URL('..', import.meta.url).pathname;
const [programs, out] = process.argv.slice(2);
if (!programs || !out) {
  console.error('manual: say where the programs are and where the pages go: manual.mjs PROGRAMS OUT');
  process.exit(64);
}
const run = (file, ...words) => execFileSync(file, words, { encoding: 'utf8', maxBuffer: 1 << 24 });
const version = run(`${root}Scripts/version.sh`).trim();

/** Escapes text for roff, also lines that start like a request. */
const plain = (text) => text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replace(/^([.'])/gm, '\\&$1');
const bold = (text) => `\\fB${plain(text)}\\fR`;
const italic = (text) => `\\fI${plain(text)}\\fR`;

/** Splits paragraphs; those with only indented lines are printed as they are. */
const paragraphs = (text) => text.split('\n\n').flatMap((one) =>
  (one.split('\n').every((line) => line.startsWith('  '))
    ? ['.PP', '.EX', plain(one), '.EE'] : ['.PP', plain(one)]));

/** An option or argument, and its description. */
function item({ kind, names, preferredName, valueName, abstract = '', discussion, allValues, defaultValue }) {
  const dashed = ({ kind, name }) => bold(kind === 'short' ? `-${name}` : `--${name}`);
  const value = kind === 'flag' ? '' : italic(valueName);
  const head = kind === 'positional' ? value
    : (names ?? [preferredName]).map(dashed).join(', ') + (value && ` ${value}`);
  const said = [abstract];
  const isSaid = (word) => abstract.includes(word);
  if (allValues && !allValues.every(isSaid)) said.push(`One of ${allValues.join(', ')}.`);
  if (defaultValue && kind === 'option') said.push(`Default: ${defaultValue}.`);
  return ['.TP', head, plain(said.join(' ')), ...(discussion ? ['.IP', plain(discussion)] : [])];
}

/** The sections for options and arguments. */
function sections(command) {
  const shown = command.arguments.filter(({ shouldDisplay }) => shouldDisplay);
  const titles = [...new Set(shown.map((one) =>
    one.sectionTitle ?? (one.kind === 'positional' ? 'Arguments' : 'Options')))];
  return titles.flatMap((title) => [`.SH ${title.toUpperCase()}`, ...shown.filter((one) =>
    (one.sectionTitle ?? (one.kind === 'positional' ? 'Arguments' : 'Options')) === title).flatMap(item)]);
}

/** A command's usage, from its help. */
function usage(file, words) {
  const text = run(file, ...words, '--help');
  return (/^USAGE: (.*(?:\n {2,}.*)*)/m.exec(text)?.[1] ?? '').replaceAll(/\n */g, ' ');
}

const titles = { 1: 'User Commands', 5: 'File Formats', 8: 'System Administration' };
const head = (name, section) =>
  `.TH ${plain(name.toUpperCase())} ${section} "" "CropKit ${version}" "${titles[section]}"`;
const also = (pages) => ['.SH SEE ALSO', `.BR ${pages.map((page) =>
  plain(page).replace('(', ' (')).join(' ,\n.BR ')}`];

function write(name, section, lines) {
  const folder = `${out}/man${section}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/${name}.${section}`, [head(name, section), ...lines, ''].join('\n'));
}

/** The page of a command, and of its subcommands. */
function page(command, { file, words, name, section, more = [], others = [] }) {
  const below = (command.subcommands ?? []).filter(({ commandName }) => commandName !== 'help');
  const list = below.flatMap((one) =>
    ['.TP', `${bold(`${name}-${one.commandName}`)}(1)`, plain(one.abstract)]);
  write(name, section, [
    '.SH NAME', `${plain(name)} \\- ${plain(command.abstract.replace(/\.$/, ''))}`,
    '.SH SYNOPSIS', bold(usage(file, words)),
    '.SH DESCRIPTION', ...paragraphs(command.discussion),
    ...(list.length ? ['.SH COMMANDS', ...list] : []),
    ...sections(command), ...more, ...also(others),
  ]);
  const pages = below.map((one) => `${name}-${one.commandName}(1)`);
  for (const one of below) {
    page(one, {
      file, words: [...words, one.commandName], name: `${name}-${one.commandName}`, section,
      others: [`${name}(1)`, ...pages.filter((other) => other !== `${name}-${one.commandName}(1)`),
        'cropkit-recipe(5)', ...(['targets', 'batch'].includes(one.commandName) ? ['cropkit-targets(5)'] : []), ...(['open', 'serve'].includes(one.commandName) ? ['cropkit-server(8)'] : [])],
    });
  }
}

/** The sections of a plain text: headings in capitals, and terms with indented text below them. */
const text = (file) => readFileSync(`${root}Packaging/${file}`, 'utf8').trim().split('\n\n').flatMap((one) => {
  if (/^[A-Z ]+$/.test(one)) return [`.SH ${one}`];
  const [term, ...rest] = one.split('\n');
  if (rest.length && !term.startsWith(' ') && rest.every((line) => line.startsWith('  '))) {
    return ['.TP', bold(term), plain(rest.map((line) => line.trim()).join('\n'))];
  }
  return paragraphs(one);
});

const described = (file) => JSON.parse(run(file, '--experimental-dump-help')).command;
const [cropkit, server] = [`${programs}/cropkit`, `${programs}/cropkit-server`];
page(described(cropkit), {
  file: cropkit, words: [], name: 'cropkit', section: 1,
  others: ['cropkit-recipe(5)', 'cropkit-targets(5)', 'cropkit-server(8)'],
});
page(described(server), {
  file: server, words: [], name: 'cropkit-server', section: 8,
  more: text('cropkit-server.8.txt'), others: ['cropkit(1)', 'cropkit-serve(1)', 'systemd.unit(5)'],
});
write('cropkit-recipe', 5, [
  '.SH NAME', 'cropkit\\-recipe \\- what to crop from an image, as JSON', ...text('cropkit-recipe.5.txt'),
  ...also(['cropkit(1)', 'cropkit-crop(1)', 'cropkit-batch(1)'])]);
write('cropkit-targets', 5, [
  '.SH NAME', 'cropkit\\-targets \\- the targets that a photo is cropped for, as JSON', ...text('cropkit-targets.5.txt'),
  ...also(['cropkit(1)', 'cropkit-targets(1)', 'cropkit-batch(1)', 'cropkit-recipe(5)'])]);
