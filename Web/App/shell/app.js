// @ts-check
// The page: it makes the screens, which only know the model, and connects them.

import { compile } from '../../Element/modules.js';
import { CameraScreen } from '../camera/camera-screen.js';
import { watchCameras } from '../camera/camera.js';
import { Editor } from '../editor/editor.js';
import { LibraryScreen } from '../library/library-screen.js';
import { Model } from '../model/model.js';
import { ResultScreen } from '../result/result-screen.js';
import { Targets } from '../targets/targets.js';
import { listenForPhotoNavigation } from '../ui/photo-navigation.js';
import { devicesButton } from './devices.js';
import { offerInstall, registerServiceWorker } from './install.js';
import { openLaunchFiles } from './launch-files.js';
import { Router } from './router.js';
import { Sources } from './sources.js';
import { StartScreen } from './start.js';

const model = new Model();
const start = new StartScreen(model);
const library = new LibraryScreen(model);
const editor = new Editor(model);
const result = new ResultScreen(model);
const camera = new CameraScreen(model);
const targets = new Targets(model);
const sources = new Sources(model);

library.albums.root.append(devicesButton());
// The targets' screen is added when it is shown: few photos have targets.
for (const { root } of [start, library, editor, result, camera, targets]) {
  root.hidden = true;
  root.tabIndex = -1;
  if (root !== targets.root) document.body.append(root);
}
document.body.append(sources.root, sources.target);

const router = new Router(model, { start, library, editor, targets, result, camera }, sources);

// Opening a photo starts with a touch, a key or a drag, so the module and the scripts for an open photo are preloaded
// then. A failure shows when a photo is opened.
const preload = () => void Promise.allSettled([compile(), editor.prepare(), targets.prepare()]);
for (const type of ['pointerdown', 'keydown', 'dragenter']) {
  addEventListener(type, preload, { once: true, capture: true });
}
listenForPhotoNavigation((way) => router.step(way));
openLaunchFiles((files) => sources.take(files));
watchCameras((can) => library.offerCamera(can));
offerInstall([start.install, library.albums.install]);
registerServiceWorker();
