// The contents of the manual pages, from the programs' help and the texts in Packaging, as a list of blocks:
// `{ heading }`, `{ usage }`, `{ paragraph }`, `{ code }`, `{ item: { head, text, more } }` (`head` is a list of texts,
// `{ bold }` and `{ italic }`) and `{ also }`, the other pages. manual.mjs writes them as manual pages, reference.mjs
// as Markdown.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const root = new URL('..', import.meta.url).pathname;
const run = (file, ...words) => execFileSync(file, words, { encoding: 'utf8', maxBuffer: 1 << 24 });

/** Paragraphs; those with only indented lines are printed as they are. */
const paragraphs = (text) => text.split('\n\n').map((one) =>
  (one.split('\n').every((line) => line.startsWith('  ')) ? { code: one } : { paragraph: one }));

/** An option or argument, and its description. */
function item({ kind, names, preferredName, valueName, abstract = '', discussion, allValues, defaultValue }) {
  const dashed = ({ kind, name }) => ({ bold: kind === 'short' ? `-${name}` : `--${name}` });
  const value = kind === 'flag' ? [] : [{ italic: valueName }];
  const head = kind === 'positional' ? value
    : [...(names ?? [preferredName]).flatMap((one, index) => (index ? [', ', dashed(one)] : [dashed(one)])),
      ...(value.length ? [' ', ...value] : [])];
  const text = [abstract];
  const isNamed = (word) => abstract.includes(word);
  if (allValues && !allValues.every(isNamed)) text.push(`One of ${allValues.join(', ')}.`);
  if (defaultValue && kind === 'option') text.push(`Default: ${defaultValue}.`);
  return { item: { head, text: text.join(' '), more: discussion } };
}

/** The sections for options and arguments. */
function sections(command) {
  const shown = command.arguments.filter(({ shouldDisplay }) => shouldDisplay);
  const title = (one) => one.sectionTitle ?? (one.kind === 'positional' ? 'Arguments' : 'Options');
  return [...new Set(shown.map(title))].flatMap((heading) =>
    [{ heading }, ...shown.filter((one) => title(one) === heading).map(item)]);
}

/** A command's usage, from its help. */
function usage(file, words) {
  const text = run(file, ...words, '--help');
  return (/^USAGE: (.*(?:\n {2,}.*)*)/m.exec(text)?.[1] ?? '').replaceAll(/\n */g, ' ');
}

/** The page of a command, and of its subcommands. */
function* pages(command, { file, words, name, section, more = [], others = [] }) {
  const below = (command.subcommands ?? []).filter(({ commandName }) => commandName !== 'help');
  const list = below.map((one) =>
    ({ item: { head: [{ bold: `${name}-${one.commandName}` }, '(1)'], text: one.abstract } }));
  yield {
    name, section, summary: command.abstract.replace(/\.$/, ''), blocks: [
      { heading: 'Synopsis' }, { usage: usage(file, words) },
      { heading: 'Description' }, ...paragraphs(command.discussion),
      ...(list.length ? [{ heading: 'Commands' }, ...list] : []), ...sections(command), ...more, { also: others },
    ],
  };
  const names = below.map((one) => `${name}-${one.commandName}(1)`);
  for (const one of below) {
    const { commandName } = one;
    yield* pages(one, {
      file, words: [...words, commandName], name: `${name}-${commandName}`, section,
      others: [`${name}(1)`, ...names.filter((other) => other !== `${name}-${commandName}(1)`), 'cropkit-recipe(5)',
        ...(['targets', 'batch'].includes(commandName) ? ['cropkit-targets(5)'] : []),
        ...(['open', 'serve'].includes(commandName) ? ['cropkit-server(8)'] : [])],
    });
  }
}

/** The blocks of a plain text: headings in capitals, and terms with indented text below them. */
const text = (file) => readFileSync(`${root}Packaging/${file}`, 'utf8').trim().split('\n\n').flatMap((one) => {
  if (/^[A-Z ]+$/.test(one)) return [{ heading: one[0] + one.slice(1).toLowerCase() }];
  const [term, ...rest] = one.split('\n');
  if (rest.length && !term.startsWith(' ') && rest.every((line) => line.startsWith('  '))) {
    return [{ item: { head: [{ bold: term }], text: rest.map((line) => line.trim()).join('\n') } }];
  }
  return paragraphs(one);
});

const described = (file) => JSON.parse(run(file, '--experimental-dump-help')).command;

/** The pages of the programs in a folder. */
export function programPages(folder) {
  const [cropkit, server] = [`${folder}/cropkit`, `${folder}/cropkit-server`];
  return [
    ...pages(described(cropkit), {
      file: cropkit, words: [], name: 'cropkit', section: 1,
      others: ['cropkit-recipe(5)', 'cropkit-targets(5)', 'cropkit-server(8)'],
    }),
    ...pages(described(server), {
      file: server, words: [], name: 'cropkit-server', section: 8,
      more: text('cropkit-server.8.txt'), others: ['cropkit(1)', 'cropkit-serve(1)', 'systemd.unit(5)'],
    }),
  ];
}

/** The pages of file formats. */
export const filePages = [
  {
    name: 'cropkit-recipe', section: 5, summary: 'what to crop from an image, as JSON', blocks: [
      ...text('cropkit-recipe.5.txt'), { also: ['cropkit(1)', 'cropkit-crop(1)', 'cropkit-batch(1)'] }],
  },
  {
    name: 'cropkit-targets', section: 5, summary: 'the targets that a photo is cropped for, as JSON', blocks: [
      ...text('cropkit-targets.5.txt'),
      { also: ['cropkit(1)', 'cropkit-targets(1)', 'cropkit-batch(1)', 'cropkit-recipe(5)'] }],
  },
];
