#!/usr/bin/env node
// @ts-check
// `cropkit crop` for machines without the programs.

import { readFileSync } from 'node:fs';
import { checkPlaces, parse } from './arguments.js';
import { CropError } from './faults.js';
import { help } from './help.js';
import { Job } from './job.js';
import { check } from './photo.js';

const say = (/** @type {string} */ line) => process.stderr.write(`cropkit: ${line}\n`);

/** @param {readonly string[]} words @returns {Promise<number>} the exit status */
async function run(words) {
  if (words.includes('--version')) {
    const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
    process.stdout.write(`${version}\n`);
    return 0;
  }
  if (words.length === 0 || words.includes('--help') || words.includes('-h')) {
    process.stdout.write(help());
    return 0;
  }
  const command = parse(words);
  await check(command.options, 'command');
  checkPlaces(command);
  let failed = 0;
  let status = 0;
  for (const input of command.inputs) {
    const job = new Job(input, command);
    try {
      const report = await job.run();
      for (const { message } of report.warnings) say(`${job.shown}: warning: ${message}`);
      if (!command.isQuiet) say(`${job.shown}: ${job.summary}`);
      if (command.isJSON) process.stdout.write(`${JSON.stringify(report)}\n`);
    } catch (error) {
      if (!(error instanceof CropError)) throw error;
      const { code, message, exitStatus } = error;
      if (command.isJSON) process.stdout.write(`${JSON.stringify({ input, error: { code, message, exitStatus } })}\n`);
      say(message);
      failed += 1;
      status = exitStatus;
    }
  }
  const count = command.inputs.length;
  if (count === 1) return status;
  if (failed) say(`${failed} of ${count} images failed`);
  else if (!command.isQuiet) say(`${count} images cropped`);
  return failed ? 1 : 0;
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof CropError)) throw error;
  const isUsage = error.code === 'usage';
  say(isUsage ? `${error.message}; see 'cropkit crop --help'` : error.message);
  process.exitCode = error.exitStatus;
}
