// Files that a script generates from a description: those that are checked in, and those that are generated before
// they are needed. `--check` only compares the first, `--build` only writes the second.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Whether files are only compared, and whether only those that are not checked in are written. */
export const isCheck = process.argv.includes('--check');
const isBuild = process.argv.includes('--build');

/**
 * Writes or compares what a script generates, as its options say.
 * @param {Record<string, string>} made texts by path from the root, of files that are checked in
 * @param {Record<string, string>} built of files that are not
 * @param {string} script that generates them @param {string} source of the script
 */
export function generate(made, built, script, source) {
  if (!isBuild) writeOrCheck(made, script, source);
  if (!isCheck) writeOrCheck(built, script, source, true);
}

/**
 * Writes files that differ, or reports them.
 * @param {Record<string, string>} made texts by path from the root
 * @param {string} script that generates them @param {string} source of the script
 * @param {boolean} [isQuiet] prints nothing about written files
 */
export function writeOrCheck(made, script, source, isQuiet = false) {
  for (const [path, text] of Object.entries(made)) {
    const place = new URL(`../${path}`, import.meta.url);
    let old = '';
    try {
      old = readFileSync(place, 'utf8');
    } catch {
      // The file does not exist yet.
    }
    if (old === text) continue;
    if (isCheck) {
      console.error(`${script}: ${path} is not what ${source} says; run Scripts/${script}.mjs`);
      process.exitCode = 1;
    } else {
      mkdirSync(new URL('.', place), { recursive: true });
      writeFileSync(place, text);
      if (!isQuiet) console.log(`${script}: wrote ${path}`);
    }
  }
}
