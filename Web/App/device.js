// @ts-check
// Files on their way to the device: shared, saved where the person says, or downloaded.

import { node } from './dom.js';
import { freeName } from './zip.js';

/** Whether the browser lets a person choose the folder; elsewhere there is the download. */
export function canChooseWhere() {
  return isSecureContext && 'showSaveFilePicker' in window;
}

/**
 * @param {File} file
 * @returns {Promise<boolean>} false when the person changed their mind; rejects when it can't be written
 */
export async function saveToDevice(file) {
  if (!isSecureContext || !window.showSaveFilePicker) return download(file);
  let handle;
  try {
    handle = await window.showSaveFilePicker({ suggestedName: file.name });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return false;
    // The press was too long ago, or the page is framed.
    return download(file);
  }
  const stream = await handle.createWritable();
  await stream.write(file);
  await stream.close();
  return true;
}

/** Whether the browser lets a person choose a folder for several files. */
export function canChooseFolder() {
  return isSecureContext && 'showDirectoryPicker' in window;
}

/** @returns {Promise<FolderHandle | null>} null when the person changed their mind */
export async function chooseFolder() {
  try {
    return await window.showDirectoryPicker?.({ mode: 'readwrite', id: 'crops' }) ?? null;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    throw error;
  }
}

/**
 * Saves a file under its name, or the first free one; nothing is replaced.
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

/** @param {File} file */
export function canShare(file) {
  return navigator.canShare?.({ files: [file] }) ?? false;
}

/**
 * @param {File} file
 * @returns {Promise<boolean>} false when it failed; a person who changed their mind is no failure
 */
export async function shared(file) {
  try {
    await navigator.share({ files: [file] });
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError';
  }
}
