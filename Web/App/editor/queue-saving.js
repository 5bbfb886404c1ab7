// @ts-check
// Saves the crops of a queue's photos, one after another.

import { named } from '../model/photo.js';
import { photoHash } from '../model/routes.js';
import { zipped } from '../model/zip.js';
import { explain } from '../server/explain.js';
import { canChooseFolder, chooseFolder, download, saveIn } from '../ui/device.js';
import { formatNumber, words } from '../ui/words.js';

/** @typedef {import('../model/queue.js').Item} Item */
/** @typedef {import('./editor.js').Editor} Editor */

/**
 * Saves the unsaved crops: in a folder that the user chooses, if the browser supports that, otherwise as one file to
 * download. Those of photos in the library are saved there.
 * @param {Editor} editor @param {boolean} asZip
 */
export async function saveAll(editor, asZip) {
  const { queueList: list, model: { queue, unsaved } } = editor;
  const { isOfLibrary, savable: items } = queue;
  /** @type {FolderHandle | null} */ let folder = null;
  try {
    if (!asZip && canChooseFolder() && !isOfLibrary) {
      folder = await chooseFolder();
      if (!folder) return;
    }
    list.starts();
    /** @type {Item[]} */ const made = [];
    for (const item of items) {
      list.step(made.length, items.length);
      if (isOfLibrary) await saveEntry(editor, item);
      else if (!await madeOf(editor, item)) continue;
      // The user has cancelled, or moved on to something else.
      if (list.isStopped || !queue.items.includes(item)) break;
      if (folder) {
        await saveIn(folder, fileOf(item));
        unsaved.savedOf([item]);
      }
      made.push(item);
    }
    if (!isOfLibrary && !folder && made.length && !list.isStopped) {
      for (const archive of await zipped(made.map(fileOf), words('zipName'))) download(archive);
      unsaved.savedOf(made);
    }
    const saved = items.filter(({ isSaved }) => isSaved).length;
    list.ends(words('queueSaved', formatNumber(saved), formatNumber(items.length)));
  } catch (error) {
    const { title, detail } = explain(error, words('photos'), 'problemSave', 'problemSaveDo');
    list.ends(`${title} ${detail}`);
  }
}

/**
 * Saves the crop of a photo in the library there.
 * @param {Editor} editor @param {Item} item
 */
async function saveEntry({ cropping, opener, queueList, model: { queue } }, item) {
  queue.select(queue.items.indexOf(item));
  const id = item.entry ?? '';
  history.replaceState(history.state, '', photoHash(id));
  await opener.entry(id, { isChanged: true, isBrief: true, recipe: item.recipe, canvas: item.canvas, ratio: item.ratio });
  if (!queueList.isStopped && !queue.isUnfit) await cropping.library.save();
}

/**
 * @param {Editor} editor @param {Item} item
 * @returns {Promise<boolean>} false if it can't be opened or cropped; the error is shown over the photo
 */
async function madeOf({ cropping, opener, queueList, model }, item) {
  const { queue, hasServer } = model;
  if (item.result) return true;
  queue.select(queue.items.indexOf(item));
  await opener.item(item, { isBack: true });
  if (queueList.isStopped || model.photo?.original !== item.file || queue.isUnfit) return false;
  await cropping.run(words('cropping'), async (job) => {
    await cropping.make(job);
  }, !hasServer);
  return item.result !== null;
}

/** @param {Item} item with a result */
function fileOf({ file, result }) {
  return named(result?.blob ?? file, result?.name ?? file.name);
}
