// The scripts that render and check the documentation.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headings, html, links, slug } from '../../Scripts/markdown.mjs';
import { differences } from '../../Scripts/reference-figures.mjs';

test('anchors are those of GitHub', () => {
  assert.equal(slug('Why wasn’t it `lossless`?'), 'why-wasnt-it-lossless');
  assert.equal(slug('`POST /api/crop`'), 'post-apicrop');
  assert.equal(slug('A [link](x.md) & more'), 'a-link--more');
  const text = '# A\n## B\n```sh\n# no heading\n```\n## B\n';
  assert.deepEqual(headings(text).map(({ anchor }) => anchor), ['a', 'b', 'b-1']);
});

test('code is not formatted, and text is escaped', () => {
  assert.equal(html('a `<b> **c**` <d> **e**'), '<p>a <code>&lt;b&gt; **c**</code> &lt;d&gt; <strong>e</strong></p>');
  assert.equal(html('```sh\na < b\n```'), '<pre tabindex="0" class="sh"><code>a &lt; b</code></pre>');
});

test('lists hold lists and blocks', () => {
  assert.equal(html('- a\n  - b\n- c:\n\n  ```ini\n  d\n  ```\n\ne'),
    '<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul></li>\n'
    + '<li>c:\n<pre tabindex="0" class="ini"><code>d</code></pre></li>\n</ul>\n<p>e</p>');
});

test('a cell may hold a bar, and an empty header is a cell', () => {
  const table = html('| | A |\n|---|---|\n| `a \\| b` | c |');
  assert.match(table, /<tr><td><\/td><th>A<\/th><\/tr>/);
  assert.match(table, /<td><code>a \| b<\/code><\/td><td>c<\/td>/);
});

test('links are replaced, or left out', () => {
  const link = (/** @type {string} */ target) => (target === 'gone.md' ? undefined : target.replace('.md', '.html'));
  assert.equal(html('[a](b.md#c) [d](gone.md) [e][f]\n\n[f]: g.md', { link }),
    '<p><a href="b.html#c">a</a> d <a href="g.html">e</a></p>');
});

test('links in code are none', () => {
  const found = links('[a](b)\n`[c](d)`\n```\n[e](f)\n```\n[g](h)');
  assert.deepEqual(found, [{ target: 'b', line: 1 }, { target: 'h', line: 6 }]);
});

test('a figure without evidence in the results is a problem', () => {
  const section = '## 2026-11-22, once more at rest';
  const evidence = ['| progressive | 0.810 | 0.926 | 0.265 | 0.628 |'];
  const problems = (/** @type {object} */ figure) => [...differences({ section, evidence, ...figure }, 'here')];
  assert.deepEqual(problems({ rows: [['x', '0.810']] }), []);
  assert.deepEqual(problems({ rows: [['x', '0.811']] }), ['here: 0.811 has no evidence']);
  assert.equal(problems({ evidence: ['| nothing |'] }).length, 1);
  assert.equal(problems({ section: '## no such day' }).length, 1);
});
