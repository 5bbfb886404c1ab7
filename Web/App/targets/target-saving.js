// @ts-check
// Saves all targets of a photo together: in the library, or as one file to download.

import { Problem } from '../server/api.js';
import { CropError } from '../../Element/errors.js';
import { render } from '../../Element/offscreen.js';
import { canShare, download, shared } from '../saving/device.js';
import { explain, isCancelled } from '../server/explain.js';
import { moveToTrash } from '../server/library-api.js';
import { losslessOf } from '../saving/output.js';
import { croppedName, originalOf } from '../editor/photo.js';
import { playShutter } from '../ui/sound.js';
import { fileName } from './file-names.js';
import { labelOf } from './target-list.js';
import { canvasOf } from './target-set.js';
import { saveTargets, targetFiles } from '../server/targets-api.js';
import { FILE_NAMES } from './targets-screen.js';
import { counted, formatBytes, formatNumber, words } from '../ui/words.js';
import { zipped } from '../saving/zip.js';

/** @typedef {import('../editor/photo.js').Photo} Photo */
/** @typedef {import('./targets-screen.js').TargetsScreen} TargetsScreen */
/** @typedef {{ screen: TargetsScreen, photo: Photo, signal: AbortSignal, card: ReturnType<import('../ui/notice.js').Notices['work']> }} Job */

/**
 * @param {TargetsScreen} screen
 * @param {{ work: import('../shell/current-task.js').CurrentTask, keeping: import('../saving/session-storage.js').SessionStorage }} parts
 * @param {{ album(): string | null }} ways `album`: the address of the album that the library saves in; null if
 * there is none
 */
export async function saveAllTargets(screen, { work, keeping }, ways) {
  const { photo } = screen;
  if (!photo || screen.isBusy) return;
  playShutter();
  void screen.shine();
  screen.toast.leave();
  const signal = work.begin();
  screen.setBusy(true);
  const card = screen.notices.work(words('cropping'), () => work.cancel());
  const job = { screen, photo, signal, card };
  try {
    if (photo.entry) await saveInLibrary(job, ways);
    else {
      await saveAsFile(job, work.hasServer);
      keeping.savedTargets(photo);
    }
  } catch (error) {
    if (signal.aborted || isCancelled(error)) screen.notices.clear();
    else tell(screen, error, photo.name);
  } finally {
    screen.setBusy(false);
  }
}

/** @param {TargetsScreen} screen @param {unknown} error @param {string} name */
function tell(screen, error, name) {
  const { title, detail } = explain(error, name, 'problemCrop');
  screen.notices.problem(title, detail);
}

/** @param {Job} job @param {{ album(): string | null }} ways */
async function saveInLibrary({ screen, photo, signal }, ways) {
  const { entry } = photo;
  if (!entry) return;
  const { document } = screen.set;
  const { saved, failed } = await saveTargets(entry, document, FILE_NAMES.get(), screen.encoding, signal);
  screen.notices.clear();
  const fresh = saved.filter((file) => file.new);
  const album = ways.album();
  const leave = () => screen.toast.leave();
  screen.toast.show({
    title: counted('targetsSaved', saved.length), detail: saved.map(({ name }) => name).join(', '), actions: [
      ...(album ? [{ label: words('albumCropped'), act: leave, href: album }] : []),
      ...(fresh.length ? [{ label: words('trashCrop'), act: () => void undo(screen, fresh) }] : []),
    ],
  });
  if (failed.length) {
    const names = failed.map(({ target }) => labelOf({ name: target })).join(', ');
    screen.notices.problem(words('targetsFailed', names), failed[0].message);
  }
}

/** @param {TargetsScreen} screen @param {import('../server/targets-api.js').SavedTarget[]} files */
async function undo(screen, files) {
  try {
    for (const { id } of files) await moveToTrash(id);
    screen.toast.show({ title: words('trashedCount', formatNumber(files.length)), seconds: 10 });
  } catch (error) {
    tell(screen, error, words('photos'));
  }
}

/** @param {Job} job @param {boolean} hasServer */
async function saveAsFile(job, hasServer) {
  const { screen, photo, signal, card } = job;
  const { document: { targets } } = screen.set;
  const name = `${photo.name.replace(/\.[^.]+$/, '')}-targets.zip`;
  const archives = hasServer
    ? [await targetFiles(await originalOf(photo, { signal }), photo.name, screen.set.document, FILE_NAMES.get(),
      photo.isLenient ? { ...screen.encoding, lenient: true } : screen.encoding, { signal, onProgress: card.sent })]
    : await zipped(await madeHere(job));
  if (signal.aborted) return;
  screen.notices.clear();
  const [file] = archives.map((archive) => new File([archive], name, { type: 'application/zip' }));
  download(file);
  screen.toast.show({
    title: counted('targetsSaved', targets.length), detail: `${name} · ${formatBytes(file.size)}`, actions: [
      { label: words('download'), act: () => void download(file) },
      ...(canShare(file) ? [{ label: words('share'), act: () => void share(screen, file) }] : []),
    ],
  });
}

/** @param {TargetsScreen} screen @param {File} file */
async function share(screen, file) {
  if (!await shared(file)) screen.notices.problem(words('problemShare'), '');
}

/**
 * Makes the files in the browser, one after another, if there is no server.
 * @param {Job} job @returns {Promise<File[]>}
 */
async function madeHere({ screen, photo, signal, card }) {
  const { view: { picture }, encoding } = screen;
  const { targets } = screen.set.document;
  if (!picture) return [];
  /** @type {File[]} */ const files = [];
  for (const [index, target] of targets.entries()) {
    const { name } = target;
    card.say(words('queueMaking', formatNumber(index), formatNumber(targets.length)));
    const crop = screen.crops.get(name);
    if (!crop) throw new Problem('invalid-targets');
    const { format, quality, strip, background } = encoding;
    const { blob } = await render(picture, crop.recipe, {
      type: format && `image/${format}`, quality: quality && quality / 100, strip, background, signal,
      lossless: losslessOf(encoding), ...canvasOf(target),
    }).catch((error) => {
      throw error instanceof CropError ? new Problem(error.code) : error;
    });
    signal.throwIfAborted();
    const { width, height } = crop.recipe.output && 'width' in crop.recipe.output ? crop.recipe.output : crop.recipe.rect;
    const ending = croppedName(photo.name, blob).replace(/^.*\./, '.');
    files.push(new File([blob], fileName(FILE_NAMES.get(), ending, {
      name: photo.name.replace(/\.[^.]+$/, ''), target: name, number: index + 1, width, height,
    }), { type: blob.type }));
  }
  return files;
}
