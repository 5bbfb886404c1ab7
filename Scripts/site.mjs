// Writes the pages of the element's documentation from docs/site and Examples/web: site.mjs FOLDER
//
// A page is HTML with special comments: `<!-- title: … -->` first; `<!-- live NAME -->`, an example that runs;
// `<!-- source FILE -->`, its text; `<!-- table NAME -->`, from the element's description; `<!-- rows HEAD | HEAD`,
// one row per line, `-->`.

import { copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { tables } from './element-tables.mjs';

const [folder] = process.argv.slice(2);
const root = new URL('../', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');

/** The pages, in the order of the navigation list. */
const PAGES = ['index', 'element', 'recipes', 'servers', 'react', 'vue', 'upload', 'avatar', 'card', 'no-server',
  'csp', 'from-cropperjs', 'from-react-easy-crop'];

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  .replaceAll('"', '&quot;');
const cell = (text = '') => escaped(String(text)).replace(/`([^`]+)`/g, '<code>$1</code>');
const row = (cells, tag) => `<tr>${cells.map((text) => `<${tag}>${cell(text)}</${tag}>`).join('')}</tr>`;
const table = ([heads, rows]) => `<div class="scroll"><table>\n<thead>${row(heads, 'th')}</thead>\n<tbody>\n`
  + `${rows.map((cells) => row(cells, 'td')).join('\n')}\n</tbody></table></div>`;

function known(name) {
  if (!(name in tables)) throw new Error(`site: there is no table ${name}`);
  return tables[name];
}

/** A page's title, and its contents with the special comments expanded. */
function page(name) {
  const text = read(`docs/site/${name}.html`);
  const [first, title] = /^<!-- title: (.+) -->\n/.exec(text) ?? [];
  if (!title) throw new Error(`site: docs/site/${name}.html has no title`);
  const body = text.slice(first.length)
    .replace(/^<!-- live (\S+) -->$/gm, (_, file) =>
      `<iframe src="examples/${file}.html" title="Example: ${escaped(title)}"></iframe>`)
    .replace(/^<!-- source (\S+) -->$/gm, (_, file) =>
      `<pre tabindex="0"><code>${escaped(read(`Examples/web/${file}`).trimEnd())}</code></pre>`)
    .replace(/^<!-- table (\w+) -->$/gm, (_, what) => table(known(what)))
    .replace(/^<!-- rows (.+)\n([^]*?)^-->$/gm, (_, heads, rows) =>
      table([heads.split(' | '), rows.trimEnd().split('\n').map((line) => line.split(' | '))]));
  if (/<!-- \w+ /.test(body)) throw new Error(`site: docs/site/${name}.html has a line that is not known`);
  return { name, title, body };
}

const pages = PAGES.map(page);
const layout = read('docs/site/layout.html');
for (const { name, title, body } of pages) {
  const navigation = pages.map((other) => `<a href="${other.name}.html"`
    + `${other.name === name ? ' aria-current="page"' : ''}>${escaped(other.title)}</a>`).join('');
  const parts = { title: escaped(title), body, navigation };
  writeFileSync(`${folder}/${name}.html`, layout.replace(/\{(title|body|navigation)\}/g, (_, part) => parts[part]));
}
copyFileSync(new URL('docs/site/site.css', root), `${folder}/site.css`);
cpSync(new URL('Examples/web', root), `${folder}/examples`, { recursive: true });
console.log(`site: ${pages.length} pages`);
