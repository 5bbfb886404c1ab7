// @ts-check
// Saves all targets of a photo together: in the library, or as one file to download.

import { render } from '../../Element/offscreen.js';
import { parsePrint, printed } from '../../Element/questions.js';
import { FILE_NAMES, fileName } from '../model/file-names.js';
import { croppedName, named, originalOf } from '../model/photo.js';
import { albumHash } from '../model/routes.js';
import { labelOf } from '../model/target-list.js';
import { zipped } from '../model/zip.js';
import { crop, Problem } from '../server/api.js';
import { isCancelled, rethrow, showError } from '../server/explain.js';
import { moveToTrash } from '../server/library-api.js';
import { saveTargets, targetFiles } from '../server/targets-api.js';
import { canShare, download, share } from '../ui/device.js';
import { elementOptions, formatInstead, losslessOf } from '../ui/output.js';
import { playShutter } from '../ui/sound.js';
import { counted, formatBytes, formatNumber, words } from '../ui/words.js';
import { canvasOf } from './target-set.js';

/** @typedef {import('../model/photo.js').Photo} Photo */
/** @typedef {import('./targets-screen.js').TargetsScreen} TargetsScreen */
/** @typedef {{ screen: TargetsScreen, photo: Photo, signal: AbortSignal, card: ReturnType<import('../ui/notice.js').Notices['work']> }} Job */

/** @param {TargetsScreen} screen */
export async function saveAllTargets(screen) {
  if (!screen.photo || screen.isBusy) return;
  playShutter();
  void screen.shine();
  screen.toast.leave();
  await run(screen, async (job) => {
    if (job.photo.entry) await saveInLibrary(job);
    else {
      await saveAsFile(job);
      screen.model.unsaved.savedTargets(job.photo);
    }
  });
}

/**
 * Works on the open photo, which can be cancelled, and shows an error.
 * @param {TargetsScreen} screen @param {(job: Job) => Promise<void>} act
 */
async function run(screen, act) {
  const { photo, model: { task }, notices } = screen;
  if (!photo || screen.isBusy) return;
  const signal = task.begin();
  screen.setBusy(true);
  const card = notices.work(words('cropping'), () => task.cancel());
  try {
    await act({ screen, photo, signal, card });
  } catch (error) {
    if (signal.aborted || isCancelled(error)) notices.clear();
    else showError(notices, error, photo.name, 'problemCrop');
  } finally {
    screen.setBusy(false);
  }
}

/**
 * Downloads a file, and offers to do that again or to share it.
 * @param {TargetsScreen} screen @param {File} file @param {string} title @param {string} detail
 */
function deliver({ notices, toast }, file, title, detail) {
  notices.clear();
  download(file);
  toast.show({ title, detail, actions: [
    { label: words('download'), act: () => void download(file) },
    ...(canShare(file) ? [{ label: words('share'), act: () => void share(file, notices) }] : []),
  ] });
}

/** @param {Job} job */
async function saveInLibrary({ screen, photo, signal }) {
  const { entry } = photo;
  if (!entry) return;
  const { document } = screen.set;
  const { saved, failed } = await saveTargets(entry, document, FILE_NAMES.get(), screen.model.encoding, signal);
  screen.notices.clear();
  const fresh = saved.filter((file) => file.new);
  const album = screen.model.library.album('cropped');
  const leave = () => screen.toast.leave();
  screen.toast.show({
    title: counted('targetsSaved', saved.length), detail: saved.map(({ name }) => name).join(', '), actions: [
      ...(album ? [{ label: words('albumCropped'), act: leave, href: albumHash(album.id) }] : []),
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
    showError(screen.notices, error, words('photos'), 'problemCrop');
  }
}

/** @param {Job} job */
async function saveAsFile(job) {
  const { screen, photo, signal, card } = job;
  const { model: { encoding, hasServer }, set: { document } } = screen;
  const name = `${photo.name.replace(/\.[^.]+$/, '')}-targets`;
  const file = hasServer
    ? new File([await targetFiles(await originalOf(photo, { signal }), photo.name, document, FILE_NAMES.get(),
      photo.isLenient ? { ...encoding, lenient: true } : encoding, { signal, onProgress: card.sent })], `${name}.zip`, { type: 'application/zip' })
    : (await zipped(await madeHere(job), name))[0];
  if (signal.aborted) return;
  deliver(screen, file, counted('targetsSaved', document.targets.length), `${file.name} · ${formatBytes(file.size)}`);
}

/**
 * Makes a sheet of prints of a target's crop, to download.
 * @param {TargetsScreen} screen @param {import('./target-set.js').Target} target @param {string} paper
 */
export async function saveSheet(screen, { name, size, dpi, bleed }, paper) {
  const { model: { encoding }, crops } = screen;
  const recipe = crops.get(name)?.recipe;
  if (!recipe || typeof size !== 'string') return;
  await run(screen, async ({ photo, signal, card }) => {
    const written = { ...encoding, size, ...(dpi ? { dpi } : {}), ...(bleed ? { bleed } : {}), sheet: paper };
    const { blob } = await crop(await originalOf(photo, { signal }), photo.name, recipe,
      photo.isLenient ? { ...written, lenient: true } : written, { signal, onProgress: card.sent });
    const file = named(blob, croppedName(photo.name, blob).replace(/(\.[^.]+)?$/, `-${name}-sheet$1`));
    deliver(screen, file, file.name, formatBytes(file.size));
  });
}

/**
 * How the browser writes the files, unless a canvas is transparent.
 * @param {TargetsScreen} screen @returns {import('../ui/output.js').Encoding}
 */
export function writtenHere({ view: { picture }, photo, model: { encoding } }) {
  return { ...encoding, format: encoding.format ?? formatInstead(photo?.format ?? '', picture?.translucent ?? false) };
}

/**
 * The density of a target's crop on paper.
 * @param {TargetsScreen} screen @param {import('./target-set.js').Target} target
 * @param {import('../../Element/core.js').RectRecipe} recipe
 */
function densityOf({ view: { core } }, { size, dpi, bleed }, recipe) {
  const print = typeof size === 'string' ? parsePrint(size, bleed) : null;
  const made = core && print && printed(core, print, dpi, recipe.rect);
  return made ? { dpi: Math.max(1, Math.round(made.dpi)) } : {};
}

/**
 * Makes the files in the browser, one after another, if there is no server.
 * @param {Job} job @returns {Promise<File[]>}
 */
async function madeHere({ screen, photo, signal, card }) {
  const { view: { picture }, model: { encoding } } = screen;
  const { targets } = screen.set.document;
  if (!picture) return [];
  /** @type {File[]} */ const files = [];
  for (const [index, target] of targets.entries()) {
    const { name } = target;
    card.say(words('queueMaking', formatNumber(index), formatNumber(targets.length)));
    const made = screen.crops.get(name);
    if (!made) throw new Problem('invalid-targets');
    const canvas = canvasOf(target);
    const { blob } = await render(picture, made.recipe, {
      ...elementOptions(canvas?.fill === 'transparent' ? encoding : writtenHere(screen)), ...densityOf(screen, target, made.recipe),
      lossless: losslessOf(encoding), ...canvas, signal,
    }).catch(rethrow);
    signal.throwIfAborted();
    const { width, height } = made.recipe.output && 'width' in made.recipe.output ? made.recipe.output : made.recipe.rect;
    const ending = croppedName(photo.name, blob).replace(/^.*\./, '.');
    files.push(named(blob, fileName(FILE_NAMES.get(), ending, {
      name: photo.name.replace(/\.[^.]+$/, ''), target: name, number: index + 1, width, height,
    })));
  }
  return files;
}
