// @ts-check
// Images on the clipboard, of which browsers only accept PNG.

/**
 * Copies an image that is still being made. Browsers attribute this to the click only if nothing is awaited before.
 * @param {Promise<Blob | null>} png
 * @returns {Promise<boolean>} false if there is no image; rejects if the browser does not allow it
 */
export async function copied(png) {
  const made = png.then((blob) => blob ?? Promise.reject(new Error('there is nothing to copy')));
  made.catch(() => {});
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': made })]);
  } catch (error) {
    // Reports why there is no image instead of the clipboard's own error.
    if (await png === null) return false;
    throw error;
  }
  return true;
}
