// @ts-check
// One image of the command: read, cropped and saved.

import { constants } from 'node:fs';
import { link, mkdir, open, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { failure, misuse, needed } from './faults.js';
import { Photo } from './photo.js';
import { unreadable } from './source.js';
import { WORDS } from './words.js';

/** @typedef {import('./arguments.js').Command} Command */

/** A crop of one image. */
export class Job {
  /** The result in one line. */
  summary = '';

  /** @param {string} input a path, or `-` @param {Command} command */
  constructor(input, command) {
    this.input = input;
    this.command = command;
    const { output, directory } = command;
    this.output = output ?? join(/** @type {string} */ (directory), `${basename(input, extname(input))}.jpg`);
    this.name = input === '-' ? 'standard input' : input;
    /** The output's name in messages. */
    this.shown = this.output === '-' ? 'standard output' : this.output;
  }

  /** @returns {Promise<Report>} @throws {import('./faults.js').CropError} */
  async run() {
    const { options, directory } = this.command;
    checkExtension(this.output, options.format, this.shown);
    const bytes = await read(this.input, this.name);
    if (this.output !== '-') await this.#checkOutput();
    const photo = await Photo.open(bytes, this.name, 'command');
    const result = await photo.crop(options);
    if (directory !== null) await mkdir(directory, { recursive: true }).catch((error) => uncreatable(directory, error));
    await this.#save(result.bytes);
    this.summary = summary(result, options.lossless);
    return {
      input: this.input, output: this.output, format: 'jpeg', width: result.width, height: result.height,
      bytes: result.bytes.length, lossless: true, rect: result.rect, gainMap: result.gainMap ?? undefined,
      requantized: result.requantized ?? undefined, warnings: result.warnings,
    };
  }

  async #checkOutput() {
    const path = this.output;
    const there = await stat(path).catch(() => null);
    if (!there) return;
    const own = this.input === '-' ? null : await stat(this.input).catch(() => null);
    if (own && own.dev === there.dev && own.ino === there.ino) throw failure('outputIsInput', { path }, 'command');
    if (there.isDirectory()) throw failure('outputUncreatable', { path, detail: 'it is a folder' });
    if (!this.command.isForced) throw failure('outputExists', { path }, 'command');
  }

  /**
   * Saves the result atomically.
   * @param {Uint8Array} bytes
   */
  async #save(bytes) {
    if (this.output === '-') {
      await new Promise((resolve, reject) => {
        process.stdout.write(bytes, (error) => (error ? reject(error) : resolve(null)));
      }).catch((error) => { throw failure('writeFailed', { path: this.shown, detail: error.message }); });
      return;
    }
    const part = join(dirname(this.output), `.${basename(this.output)}.${process.pid}.part`);
    try {
      const mode = this.input === '-' ? 0o666 : (await stat(this.input)).mode & 0o777;
      const file = await open(part, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode);
      try {
        await writeFile(file, bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await place(part, this.output, this.command.isForced);
    } catch (error) {
      await unlink(part).catch(() => {});
      throw unsaved(this.output, error);
    }
  }
}

/**
 * The report of a crop, as the programs print it.
 * @typedef {object} Report
 * @property {string} input @property {string} output @property {'jpeg'} format @property {number} width
 * @property {number} height @property {number} bytes @property {true} lossless
 * @property {import('./photo.js').Rect} rect @property {string} [gainMap]
 * @property {import('./photo.js').Requantized} [requantized]
 * @property {readonly import('./faults.js').CropWarning[]} warnings
 */

/**
 * Moves a complete file to its name.
 * @param {string} part @param {string} path @param {boolean} isForced
 */
async function place(part, path, isForced) {
  if (isForced) return rename(part, path);
  try {
    await link(part, path);
  } catch (error) {
    // Some file systems have no links.
    const { code = '' } = /** @type {{ code?: string }} */ (error);
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw error;
    return rename(part, path);
  }
  return unlink(part);
}

/** @param {string} path @param {unknown} error of the file system @returns {unknown} */
function unsaved(path, error) {
  const { code, message } = /** @type {Error & { code?: string }} */ (error);
  if (code === undefined) return error;
  if (code === 'EEXIST') return failure('outputExists', { path }, 'command', error);
  if (code === 'ENOSPC') return failure('diskFull', { path }, 'command', error);
  const isWriting = ['EIO', 'EFBIG', 'EDQUOT'].includes(code);
  return failure(isWriting ? 'writeFailed' : 'outputUncreatable', { path, detail: message }, 'command', error);
}

/** @param {string} path @param {Error} error @returns {never} */
function uncreatable(path, error) {
  throw failure('outputUncreatable', { path, detail: error.message }, 'command', error);
}

/** @param {string} input @param {string} name @returns {Promise<Uint8Array>} */
async function read(input, name) {
  if (input === '-') {
    /** @type {Uint8Array[]} */ const pieces = [];
    for await (const piece of process.stdin) pieces.push(piece);
    return new Uint8Array(await new Blob(pieces).arrayBuffer());
  }
  try {
    return new Uint8Array(await readFile(input));
  } catch (error) {
    throw unreadable(name, error);
  }
}

/**
 * Only JPEGs are written.
 * @param {string} output @param {unknown} format @param {string} shown
 */
function checkExtension(output, format, shown) {
  const extension = extname(output).slice(1);
  if (output === '-' || extension === '' || format !== undefined) return;
  const found = WORDS.formats.find(({ extensions }) => extensions.includes(extension.toLowerCase()));
  if (found?.name === 'jpeg') return;
  if (found) throw needed('output', shown, 'command', found.title);
  const known = WORDS.formats.map(({ extensions: [first] }) => first).join(', ');
  const words = `use one of ${known}, or set the format with --format`;
  throw misuse(`${output}: .${extension} is not a known file extension; ${words}`);
}

/**
 * The result in one line, as the programs print it.
 * @param {import('./photo.js').Result} result @param {string} [mode]
 */
function summary({ width, height, rect, requantized, gainMap }, mode) {
  const from = mode === 'snap' || mode === 'outward' ? ` from ${rect.x},${rect.y}` : '';
  const edges = requantized ? ` except for ${edgeWords(requantized)}` : '';
  return [`lossless${edges}`, `${width} × ${height}${from}`, ...(gainMap ? [`gain map ${gainMap}`] : [])].join(', ');
}

/**
 * "the last 8 columns and rows", "the first column and the last 3 rows".
 * @param {import('./photo.js').Requantized} edges
 */
function edgeWords({ left, top, right, bottom }) {
  const [columns, rows] = [Math.max(left, right), Math.max(top, bottom)];
  const [across, down] = [left > 0 ? 'first' : 'last', top > 0 ? 'first' : 'last'];
  const part = (/** @type {string} */ place, /** @type {number} */ count, /** @type {string} */ unit) =>
    (count === 1 ? `the ${place} ${unit}` : `the ${place} ${count} ${unit}s`);
  if (rows === 0) return part(across, columns, 'column');
  if (columns === 0) return part(down, rows, 'row');
  if (columns === rows && columns > 1 && across === down) return `${part(across, columns, 'column')} and rows`;
  return `${part(across, columns, 'column')} and ${part(down, rows, 'row')}`;
}
