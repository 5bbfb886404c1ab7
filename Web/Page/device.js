// @ts-check
// Files on their way to the device: shared, saved where the person says, or downloaded.

import { node } from './dom.js';

/** Whether the browser lets a person choose the folder; elsewhere there is the download. */
export function canChooseWhere() {
  return isSecureContext && 'showSaveFilePicker' in window;
}

/**
 * @param {File} file
 * @returns {Promise<void>} also when the person changed their mind; rejects when it can't be written
 */
export async function saveToDevice(file) {
  if (!canChooseWhere()) return download(file);
  let handle;
  try {
    handle = await /** @type {any} */ (window).showSaveFilePicker({ suggestedName: file.name });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return;
    // The press was too long ago, or the page is framed.
    return download(file);
  }
  const stream = await handle.createWritable();
  await stream.write(file);
  await stream.close();
}

/** @param {File} file */
export function download(file) {
  const url = URL.createObjectURL(file);
  node('a', { href: url, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
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
