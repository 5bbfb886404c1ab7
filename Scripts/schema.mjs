#!/usr/bin/env node
// Makes what the faces know of formats and options of their descriptions in Schema/: tables for Swift, JavaScript
// and Python, and the lists of formats in texts and packaging. `--check` only compares.

import { fileURLToPath } from 'node:url';
import { writeOrCheck } from './generated.mjs';
import { formatTables } from './schema-formats.mjs';
import { optionTables } from './schema-options.mjs';

export const made = { ...formatTables(), ...optionTables() };

if (process.argv[1] === fileURLToPath(import.meta.url)) writeOrCheck(made, 'schema', 'Schema');
