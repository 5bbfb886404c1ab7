// Files that a script makes of a description: written, or with --check only compared.

import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Writes what differs, or complains about it.
 * @param {Record<string, string>} made texts by path from the root
 * @param {string} script which makes them @param {string} source what it makes them of
 * @param {boolean} [isQuiet] without a word of what is written
 */
export function writeOrCheck(made, script, source, isQuiet = false) {
  const isCheck = process.argv.includes('--check');
  for (const [path, text] of Object.entries(made)) {
    const place = new URL(`../${path}`, import.meta.url);
    let old = '';
    try {
      old = readFileSync(place, 'utf8');
    } catch {
      // Made for the first time.
    }
    if (old === text) continue;
    if (isCheck) {
      console.error(`${script}: ${path} is not what ${source} says; run Scripts/${script}.mjs`);
      process.exitCode = 1;
    } else {
      writeFileSync(place, text);
      if (!isQuiet) console.log(`${script}: wrote ${path}`);
    }
  }
}
