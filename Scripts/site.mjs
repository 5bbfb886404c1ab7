// Writes the documentation as HTML: site.mjs FOLDER
//
// The pages are the Markdown files in docs, with the folders as there, and those in PROJECT. docs/README.md is
// index.html, and its lists are the navigation. In a page, `<!-- live NAME -->` shows a running example from
// Examples/web.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { escaped, headings, html } from './markdown.mjs';

const [folder] = process.argv.slice(2);
const root = new URL('../', import.meta.url).pathname;
const read = (path) => readFileSync(root + path, 'utf8');

/** Files outside docs that are pages too, and their names on the site. */
const PROJECT = {
  'README.md': 'project/readme.html', 'CHANGELOG.md': 'project/changes.html',
  'CONTRIBUTING.md': 'project/contributing.html', 'SECURITY.md': 'project/security.html',
  'Benchmarks/RESULTS.md': 'project/results.html', 'Checks/UIKitStub/README.md': 'project/ios-checks.html',
};
const INDEX = 'docs/README.md';
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', 'docs'],
  { cwd: root, encoding: 'utf8' }).trim().split('\n');

/** The page's path in the folder, by the path of its file. */
const places = new Map([
  ...files.filter((path) => path.endsWith('.md'))
    .map((path) => [path, path === INDEX ? 'index.html' : path.replace(/^docs\/(.*)\.md$/, '$1.html')]),
  ...Object.entries(PROJECT),
]);
const pictures = files.filter((path) => /\.(?:jpg|png|webp|svg)$/.test(path));

/** The file that a link leads to; undefined for a URL. */
const target = (from, link) => (/^[a-z]+:/.test(link) ? undefined
  : posix.normalize(posix.join(posix.dirname(from), link.split('#')[0] || posix.basename(from))));

/** The link from a page to another one, or to a picture; undefined if the site does not have it. */
function onSite(from, link) {
  const file = target(from, link);
  if (file === undefined) return link;
  const place = places.get(file) ?? (pictures.includes(file) ? file.slice('docs/'.length) : undefined);
  const anchor = link.includes('#') ? `#${link.split('#')[1]}` : '';
  return place && posix.relative(posix.dirname(places.get(from)), place) + anchor;
}

const base = (path) => posix.relative(posix.dirname(places.get(path)), '.') || '.';
const title = (path) => headings(read(path))[0].title.replaceAll('`', '');

/** The sections of the index with the pages that they link, which are open for the current page. */
const sections = read(INDEX).split(/^## /m).slice(1).map((text) => {
  const pages = [...text.matchAll(/\[([^\]]+)\]\(([^)#\s]+)\)/g)]
    .map(([, words, link]) => ({ words, file: target(INDEX, link) })).filter(({ file }) => places.has(file));
  return { name: text.split('\n')[0], pages };
});
function navigation(path) {
  const folder = posix.dirname(path);
  return sections.map(({ name, pages }) => {
    const isOpen = pages.some(({ file }) => file === path
      || (folder === 'docs/reference/cli' && posix.dirname(file) === folder));
    const list = pages.map(({ words, file }) => {
      const url = posix.relative(posix.dirname(places.get(path)), places.get(file));
      const current = file === path ? ' aria-current="page"' : '';
      return `<a href="${url}"${current}>${escaped(words[0].toUpperCase() + words.slice(1))}</a>`;
    });
    return `<details${isOpen ? ' open' : ''}><summary>${escaped(name)}</summary>${list.join('')}</details>`;
  }).join('\n');
}

/** A running example. */
function live(path, comment) {
  const [, name] = /^live (\S+)$/.exec(comment) ?? [];
  const url = `${base(path)}/examples/${name}.html`;
  return name ? `<iframe src="${url}" title="Example: ${escaped(title(path))}"></iframe>` : '';
}

const layout = read('docs/site/layout.html');
for (const [path, place] of places) {
  const body = html(read(path), { link: (link) => onSite(path, link), comment: (comment) => live(path, comment) });
  const parts = { title: escaped(title(path)), body, navigation: navigation(path), base: base(path) };
  mkdirSync(posix.dirname(`${folder}/${place}`), { recursive: true });
  writeFileSync(`${folder}/${place}`, layout.replace(/\{(title|body|navigation|base)\}/g, (_, part) => parts[part]));
}
for (const path of [...pictures, 'docs/site/site.css']) {
  const place = `${folder}/${path.replace(/^docs\/(?:site\/)?/, '')}`;
  mkdirSync(posix.dirname(place), { recursive: true });
  cpSync(root + path, place);
}
cpSync(`${root}Examples/web`, `${folder}/examples`, { recursive: true });
console.log(`site: ${places.size} pages`);
