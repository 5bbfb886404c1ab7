// @ts-check
// Saves files to the device: shared, saved to a chosen folder, or downloaded.

import { copied } from '../../Element/clipboard.js';
import { node } from './dom.js';
import { words } from './words.js';

/** Whether the browser lets users choose the folder; otherwise files are downloaded. */
export function canChooseWhere() {
  return isSecureContext && 'showSaveFilePicker' in window;
}

/**
 * @param {File} file
 * @returns {Promise<boolean>} false if the user cancelled; rejects if it can't be written
 */
export async function saveToDevice(file) {
  if (!isSecureContext || !window.showSaveFilePicker) return download(file);
  let handle;
  try {
    handle = await window.showSaveFilePicker({ suggestedName: file.name });
  } catch (error) {
    if (isAbort(error)) return false;
    // The click was too long ago, or the page is in a frame.
    return download(file);
  }
  const stream = await handle.createWritable();
  await stream.write(file);
  await stream.close();
  return true;
}

/** Whether the browser lets users choose a folder for several files. */
export function canChooseFolder() {
  return isSecureContext && 'showDirectoryPicker' in window;
}

/** @returns {Promise<FolderHandle | null>} null if the user cancelled */
export async function chooseFolder() {
  try {
    return await window.showDirectoryPicker?.({ mode: 'readwrite', id: 'crops' }) ?? null;
  } catch (error) {
    if (isAbort(error)) return null;
    throw error;
  }
}

/**
 * Saves a file under its name or, if that exists, the first free one. Nothing is overwritten.
 * @param {FolderHandle} folder @param {File} file
 */
export async function saveIn(folder, file) {
  const name = await freeName(file.name, (wanted) => folder.getFileHandle(wanted)
    .then(() => true, (error) => error.name !== 'NotFoundError'));
  const stream = await (await folder.getFileHandle(name, { create: true })).createWritable();
  await stream.write(file);
  await stream.close();
}

/** @param {File} file */
export function download(file) {
  const url = URL.createObjectURL(file);
  node('a', { href: url, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  return true;
}

/** Whether images can be copied to the clipboard. */
export function canCopy() {
  return isSecureContext && 'clipboard' in navigator && typeof ClipboardItem !== 'undefined';
}

/**
 * Copies an image to the clipboard: browsers only accept PNG.
 * @param {File} file @param {Blob} shown a version that the browser can decode
 * @param {import('./notice.js').Notices} notices where a failure is shown
 * @returns {Promise<boolean>} whether it was copied
 */
export async function copy(file, shown, notices) {
  try {
    const png = pngOf(file).catch(() => pngOf(shown));
    return await copied(png);
  } catch {
    notices.problem(words('problemCopy'), '');
    return false;
  }
}

/** @param {Blob} picture @returns {Promise<Blob>} */
async function pngOf(picture) {
  if (picture.type === 'image/png') return picture;
  const bitmap = await createImageBitmap(picture);
  const canvas = Object.assign(document.createElement('canvas'), { width: bitmap.width, height: bitmap.height });
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('it was not encoded'))), 'image/png');
  });
}

/** @param {File} file */
export function canShare(file) {
  return navigator.canShare?.({ files: [file] }) ?? false;
}

/** @param {File} file @param {import('./notice.js').Notices} notices where a failure is shown */
export async function share(file, notices) {
  try {
    await navigator.share({ files: [file] });
  } catch (error) {
    if (!isAbort(error)) notices.problem(words('problemShare'), '');
  }
}

/**
 * Whether the user cancelled.
 * @param {unknown} error
 */
function isAbort(error) {
  return error instanceof DOMException && error.name === 'AbortError';
}

/**
 * The name, or the first free name with a number.
 * @param {string} name @param {(name: string) => Promise<boolean>} isTaken
 */
export async function freeName(name, isTaken) {
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  let free = name;
  for (let number = 2; await isTaken(free); number += 1) free = `${stem} (${number})${extension}`;
  return free;
}
