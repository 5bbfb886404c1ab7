// @ts-check
// Saves all targets of a photo in one go: beside it in the library, or as one file to download.

import { Problem } from './api.js';
import { CropError } from '../Element/errors.js';
import { render } from '../Element/offscreen.js';
import { canShare, download, shared } from './device.js';
import { explain, isCancelled } from './explain.js';
import { moveToTrash } from './library-api.js';
import { losslessOf } from './output.js';
import { croppedName, originalOf } from './photo.js';
import { playShutter } from './sound.js';
import { labelOf } from './target-list.js';
import { saveTargets, targetFiles } from './targets-api.js';
import { FILE_NAMES } from './targets-screen.js';
import { counted, formatBytes, formatNumber, words } from './words.js';
import { zipped } from './zip.js';

/** @typedef {import('./photo.js').Photo} Photo */
/** @typedef {import('./targets-screen.js').TargetsScreen} TargetsScreen */
/** @typedef {{ screen: TargetsScreen, photo: Photo, signal: AbortSignal, card: ReturnType<import('./notice.js').Notices['work']> }} Job */

/**
 * @param {TargetsScreen} screen
 * @param {{ work: import('./work.js').Work, keeping: import('./keeping.js').Keeping }} parts
 * @param {{ album(): string | null }} ways the address of the album that the library saves in, if that is one
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

/** @param {TargetsScreen} screen @param {import('./targets-api.js').SavedTarget[]} files */
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
 * Without a server the browser makes them, one after another.
 * @param {Job} job @returns {Promise<File[]>}
 */
async function madeHere({ screen, photo, signal, card }) {
  const { view: { picture }, encoding } = screen;
  const { targets } = screen.set.document;
  if (!picture) return [];
  /** @type {File[]} */ const files = [];
  for (const [index, { name }] of targets.entries()) {
    card.say(words('queueMaking', formatNumber(index), formatNumber(targets.length)));
    const crop = screen.crops.get(name);
    if (!crop) throw new Problem('invalid-targets');
    const { format, quality, strip, background } = encoding;
    const { blob } = await render(picture, crop.recipe, {
      type: format && `image/${format}`, quality: quality && quality / 100, strip, background, signal,
      lossless: losslessOf(encoding),
    }).catch((error) => {
      throw error instanceof CropError ? new Problem(error.code) : error;
    });
    signal.throwIfAborted();
    files.push(new File([blob], fileName(photo.name, name, index, blob), { type: blob.type }));
  }
  return files;
}

/** @param {string} photo @param {string} target @param {number} index @param {Blob} blob */
function fileName(photo, target, index, blob) {
  const ending = croppedName(photo, blob).replace(/^.*\./, '.');
  const stem = FILE_NAMES.get().replace('.{ext}', '').replaceAll('{name}', photo.replace(/\.[^.]+$/, ''))
    .replaceAll('{target}', target).replaceAll('{number}', String(index + 1));
  return `${stem.replace(/[/\\:*?"<>|\u0000-\u001f]/g, '_')}${ending}`;
}
