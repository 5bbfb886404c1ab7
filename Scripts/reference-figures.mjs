// The figures of the documentation, from Benchmarks/figures.json, and their comparison with Benchmarks/RESULTS.md.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const root = new URL('..', import.meta.url).pathname;
const read = (path) => readFileSync(root + path, 'utf8');
const { sets, cited } = JSON.parse(read('Benchmarks/figures.json'));

/** The head and the rows of a table of docs/reference/performance.md. */
export const performanceTable = (name) => [sets[name].heads, sets[name].rows];

/** The text of RESULTS.md below a heading that starts like this. */
function section(start) {
  return read('Benchmarks/RESULTS.md').split(/^(?=## )/m).find((one) => one.startsWith(start));
}

const NUMBER = /(?<![\w.,])\d+(?:[.,]\d+)*(?![\w.])/g;

/** What differs between a figure and the results. */
export function* differences({ section: start, evidence, rows = [] }, where) {
  const text = section(start);
  if (!text) return yield `${where}: RESULTS.md has no section "${start}"`;
  for (const line of evidence) {
    if (!text.includes(line)) yield `${where}: RESULTS.md does not have "${line}" in "${start}"`;
  }
  const numbers = new Set(evidence.join(' ').match(NUMBER));
  for (const [, ...cells] of rows) {
    for (const number of cells.join(' ').match(NUMBER) ?? []) {
      if (!numbers.has(number) && !/\.\d+\.\d+/.test(number)) yield `${where}: ${number} has no evidence`;
    }
  }
}

/** Times in texts that neither a table nor `cited` has. */
function* unlisted() {
  const files = execFileSync('git', ['ls-files', 'README.md', 'docs/*.md', '*/README.md'],
    { cwd: root, encoding: 'utf8' });
  const others = /performance\.md|^docs\/internals|^Checks|^Benchmarks/;
  for (const path of files.trim().split('\n').filter((one) => !others.test(one))) {
    const text = read(path).replace(/^( *)```[^]*?^\1```$/gm, '');
    for (const [time] of text.matchAll(/\b\d+(?:\.\d+)? (?:ms|µs)\b/g)) {
      const isCited = cited.some((one) => one.in === path && one.text.includes(time));
      if (!isCited) yield `${path}: "${time}" is not in Benchmarks/figures.json`;
    }
  }
}

/** Problems of all figures. */
export function checkFigures() {
  return [
    ...Object.entries(sets).flatMap(([name, set]) => [...differences(set, name)]),
    ...cited.flatMap((one) => [...differences(one, one.in),
      ...(read(one.in).replace(/\s+/g, ' ').includes(one.text) ? [] : [`${one.in}: does not have "${one.text}"`])]),
    ...unlisted(),
  ];
}
