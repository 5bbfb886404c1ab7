// @ts-check
// The panel's sections. Each names the commands it needs; a build without them does not show it.

import { Armed, Ratio, Style } from '../Element/interface.js';
import { node } from './dom.js';
import { pixelFields, pixelsSaid } from './fields.js';
import { folding } from './fold.js';
import { icon } from './icons.js';
import { outputSaid, outputSection } from './output.js';
import { ratioSection } from './ratio.js';
import { straightenSection } from './ruler.js';
import { buttons, choice, sectionRoot } from './section.js';
import { SHAPES, shapeSection } from './shape.js';
import { showShortcuts } from './shortcuts.js';
import { sizeSaid, sizeSection } from './size.js';
import { isMuted, setMuted } from './sound.js';
import { words } from './words.js';

/** @typedef {import('../Element/crop-view.js').CropView} CropView */
/** @typedef {import('./section.js').Section} Section */
/** @typedef {import('../Element/interface.js').State} State */

/** The tabs of a phone, in order. `more` opens from the bar. */
export const TABS = Object.freeze(/** @type {const} */ ([
  { tab: 'frame', icon: 'crop', label: 'frame' },
  { tab: 'shape', icon: 'shape', label: 'shape' },
  { tab: 'grid', icon: 'grid', label: 'grid' },
]));

const GRIDS = Object.freeze(/** @type {const} */ ([
  'gridOff', 'gridThirds', 'gridGolden', 'gridCenter', 'gridUniform']));

/**
 * @param {CropView} view
 * @param {import('./api.js').Encoding} encoding changed in place @param {() => void} changed
 * @param {boolean} [isTarget] it is one crop of several: how they lie, its ratio and size, and how they are
 *   written are settled elsewhere
 * @returns {Section[]} in the order of the desktop's panel
 */
export function makeSections(view, encoding, changed, isTarget = false) {
  const labels = { shape: SHAPES, grid: GRIDS };
  const chosen = (/** @type {'shape' | 'grid'} */ name) =>
    (/** @type {State} */ state) => ({
      text: words(labels[name][state[name]]), isChanged: state[name] !== 0,
    });
  const sections = [
    choice(view, 'more', 'styleTitle', 'style', ['styleMarquee', 'styleViewfinder', 'styleStudio'],
      (state) => state.style, 'segments'),
    ...(isTarget ? [] : [ratioSection(view), straightenSection(view), layingSection(view)]),
    folding('pixels', pixelFields(view), () => pixelsSaid(view)),
    folding('shape', shapeSection(view, encoding, changed), chosen('shape')),
    folding('grid', choice(view, 'grid', 'grid', 'grid', [...GRIDS], (state) => state.grid, 'chips'),
      chosen('grid')),
    ...(isTarget ? [] : [
      folding('size', sizeSection(view), ({ output }) => sizeSaid(output)),
      folding('output', outputSection(view, encoding, changed), () => outputSaid(encoding)),
    ]),
    folding('frame', buttons(view, 'more', 'frame', [
      { label: 'drawFrame', needs: 'armDraw', enabled: (state) => state.style !== Style.viewfinder,
        chosen: (state) => state.armed === Armed.draw,
        act: () => view.command('armDraw', view.state?.armed === Armed.draw ? 0 : 1) },
      ...(isTarget ? [] : [levelButton(view)]),
      { label: 'selectAll', needs: 'selectAll', act: () => view.command('selectAll') },
      { label: 'center', needs: 'center', act: () => view.command('center'),
        enabled: (state) => state.valid },
      { label: 'clear', needs: 'clear', act: () => view.command('clear'),
        enabled: (state) => state.valid && state.style === Style.marquee },
      ...(isTarget ? [] : [keepsRatioButton(view)]),
    ])),
    folding('zoom', buttons(view, 'more', 'zoom', [
      { label: 'zoomOut', icon: 'minus', needs: 'zoomBy', act: () => view.zoomBy(1 / (view.constants?.zoomStep ?? 1)) },
      { label: 'zoomIn', icon: 'plus', needs: 'zoomBy', act: () => view.zoomBy(view.constants?.zoomStep ?? 1) },
      { label: 'zoomFit', icon: 'fit', needs: 'fit', act: () => view.command('fit') },
    ])),
    folding('cover', coverSection(view), ({ cover }) => (
      { text: words(cover ? 'coverFit' : 'coverFill'), isChanged: false })),
    folding('keys', soundSection()),
  ];
  return sections.filter(({ needs }) => needs.length === 0
    || needs.some((name) => view.commands.has(name)));
}

/**
 * How the photo lies.
 * @param {CropView} view @returns {Section}
 */
function layingSection(view) {
  return buttons(view, 'more', 'turnAndMirror', [
    { label: 'turnLeft', icon: 'turnLeft', needs: 'turn', act: () => view.turn(-1) },
    { label: 'turnRight', icon: 'turnRight', needs: 'turn', act: () => view.turn(1) },
    { label: 'mirrorAcross', icon: 'mirror', needs: 'mirror', act: () => view.mirror('horizontal') },
    { label: 'mirrorDown', icon: 'mirrorDown', needs: 'mirror', act: () => view.mirror('vertical') },
  ]);
}

/** @param {CropView} view @returns {import('./section.js').Button} */
function levelButton(view) {
  return {
    label: 'levelLine', needs: 'armLevel', chosen: (state) => state.armed === Armed.level,
    act: () => view.command('armLevel', view.state?.armed === Armed.level ? 0 : 1),
  };
}

/** @param {CropView} view @returns {import('./section.js').Button} */
function keepsRatioButton(view) {
  return {
    label: 'keepsRatio', needs: 'keepsRatio', chosen: (state) => state.keepsRatio,
    enabled: (state) => state.ratioKind !== Ratio.free,
    act: () => view.command('keepsRatio', view.state?.keepsRatio ? 0 : 1),
  };
}

/**
 * How the viewfinder's picture covers the viewfinder; the other styles have no such choice.
 * @param {CropView} view @returns {Section}
 */
function coverSection(view) {
  const section = choice(view, 'more', 'cover', 'cover', ['coverFill', 'coverFit'],
    (state) => state.cover, 'segments');
  return {
    ...section,
    update: (state) => {
      section.root.hidden = state.style !== Style.viewfinder;
      section.update(state);
    },
  };
}

/**
 * What is the page's own, and no matter of the photo.
 * @returns {Section}
 */
function soundSection() {
  const sound = node('button.chip', {
    type: 'button',
    onclick: () => {
      setMuted(!isMuted());
      show();
    },
  });
  const show = () => {
    sound.replaceChildren(icon(isMuted() ? 'soundOff' : 'soundOn', 20),
      words(isMuted() ? 'soundOff' : 'soundOn'));
  };
  show();
  return {
    tab: 'more', needs: [], root: sectionRoot('sound', 'soundAndKeys', node('div.row', {}, sound,
      node('button.chip.keyboard', { type: 'button', onclick: showShortcuts }, words('shortcuts')))),
    update: () => {},
  };
}

/**
 * On a phone, what the bar's menu has elsewhere.
 * @param {import('./menu.js').Item[]} items @param {import('./toast.js').Toast} toast @returns {Section}
 */
export function savingSection(items, toast) {
  const again = node('button.chip', { type: 'button', onclick: () => toast.again() },
    words('showSaved'));
  const update = () => {
    again.hidden = !toast.canReturn;
  };
  update();
  return {
    tab: 'more', needs: [], update,
    root: sectionRoot('saving', 'saveMenu', node('div.row', {}, again,
      ...items.map(({ label, act }) =>
        node('button.chip', { type: 'button', onclick: act }, label)))),
  };
}
