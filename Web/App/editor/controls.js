// @ts-check
// The panel's sections. Each names the commands it needs; a build without them does not show it.

import { Armed, Ratio, Style } from '../../Element/interface.js';
import { node } from '../ui/dom.js';
import { pixelFields, pixelsText } from './number-fields.js';
import { canvasSection } from './fit.js';
import { collapsible } from '../ui/collapsible.js';
import { icon } from '../ui/icons.js';
import { outputText, outputSection } from '../saving/output.js';
import { ratioSection } from './ratio.js';
import { straightenSection } from './ruler.js';
import { buttons, choice, sectionRoot } from '../ui/section.js';
import { SHAPES, shapeSection } from './shape.js';
import { showShortcuts } from '../shell/shortcuts.js';
import { sizeText, sizeSection } from './size.js';
import { isMuted, setMuted } from '../ui/sound.js';
import { words } from '../ui/words.js';

/** @typedef {import('../../Element/crop-view.js').CropView} CropView */
/** @typedef {import('../ui/section.js').Section} Section */
/** @typedef {import('../../Element/interface.js').State} State */

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
 * @param {import('../server/api.js').Encoding} encoding changed in place @param {() => void} changed
 * @param {{ trim(): void, findCorners(): void } | null} finding `trim`: frames the area inside the photo's border;
 * `findCorners`: moves the corners to a sheet's; null if that is not offered
 * @param {boolean} [canBake] whether the pixels of a turned JPEG may be rotated instead of setting its flag
 * @param {boolean} [isTarget] whether it is one crop of several: then the orientation, its ratio and size, and the
 * output are set elsewhere
 * @returns {Section[]} in the order of the desktop's panel
 */
export function makeSections(view, encoding, changed, finding, canBake = false, isTarget = false) {
  const labels = { shape: SHAPES, grid: GRIDS };
  const chosen = (/** @type {'shape' | 'grid'} */ name) =>
    (/** @type {State} */ state) => ({
      text: words(labels[name][state[name]]), isChanged: state[name] !== 0,
    });
  const sections = [
    choice(view, 'more', 'styleTitle', 'style',
      // A target's crop is a rectangle.
      ['styleMarquee', 'styleViewfinder', 'styleStudio', ...(isTarget ? [] : /** @type {const} */ (['stylePerspective']))],
      (state) => state.style, 'segments'),
    ...(finding ? [only(Style.quad, cornersSection(view, finding.findCorners))] : []),
    ...(isTarget ? [] : [ratioSection(view), canvasSection(view), outside(Style.quad, straightenSection(view)),
      orientationSection(view)]),
    outside(Style.quad, collapsible('pixels', pixelFields(view), () => pixelsText(view))),
    collapsible('shape', shapeSection(view, encoding, changed), chosen('shape')),
    collapsible('grid', choice(view, 'grid', 'grid', 'grid', [...GRIDS], (state) => state.grid, 'chips'),
      chosen('grid')),
    ...(isTarget ? [] : [
      collapsible('size', sizeSection(view), ({ output }) => sizeText(output)),
      collapsible('output', outputSection(view, encoding, changed, canBake), () => outputText(encoding)),
    ]),
    collapsible('frame', buttons(view, 'more', 'frame', [
      { label: 'drawFrame', needs: 'armDraw', enabled: (state) => [Style.marquee, Style.studio].includes(state.style),
        chosen: (state) => state.armed === Armed.draw,
        act: () => view.command('armDraw', view.state?.armed === Armed.draw ? 0 : 1) },
      ...(isTarget ? [] : [levelButton(view)]),
      { label: 'selectAll', needs: 'selectAll', act: () => view.command('selectAll') },
      ...(finding ? [/** @type {const} */ ({ label: 'trimBorders', needs: 'selectAll', act: finding.trim })] : []),
      { label: 'center', needs: 'center', act: () => view.command('center'),
        enabled: (state) => state.valid },
      { label: 'clear', needs: 'clear', act: () => view.command('clear'),
        enabled: (state) => state.valid && state.style === Style.marquee },
      ...(isTarget ? [] : [keepsRatioButton(view)]),
    ])),
    collapsible('zoom', buttons(view, 'more', 'zoom', [
      { label: 'zoomOut', icon: 'minus', needs: 'zoomBy', act: () => view.zoomBy(1 / (view.constants?.zoomStep ?? 1)) },
      { label: 'zoomIn', icon: 'plus', needs: 'zoomBy', act: () => view.zoomBy(view.constants?.zoomStep ?? 1) },
      { label: 'zoomFit', icon: 'fit', needs: 'fit', act: () => view.command('fit') },
    ])),
    collapsible('cover', coverSection(view), ({ cover }) => (
      { text: words(cover ? 'coverFit' : 'coverFill'), isChanged: false })),
    collapsible('keys', soundSection()),
  ];
  return sections.filter(({ needs }) => needs.length === 0
    || needs.some((name) => view.commands.has(name)));
}

/**
 * The photo's orientation.
 * @param {CropView} view @returns {Section}
 */
function orientationSection(view) {
  return buttons(view, 'more', 'turnAndMirror', [
    { label: 'turnLeft', icon: 'turnLeft', needs: 'turn', act: () => view.turn(-1) },
    { label: 'turnRight', icon: 'turnRight', needs: 'turn', act: () => view.turn(1) },
    { label: 'mirrorAcross', icon: 'mirror', needs: 'mirror', act: () => view.mirror('horizontal') },
    { label: 'mirrorDown', icon: 'mirrorDown', needs: 'mirror', act: () => view.mirror('vertical') },
  ]);
}

/**
 * The commands for four corners.
 * @param {CropView} view @param {() => void} act finds them @returns {Section}
 */
function cornersSection(view, act) {
  return buttons(view, 'frame', 'corners', [{ label: 'findCorners', needs: 'selectAll', act }]);
}

/** @param {CropView} view @returns {import('../ui/section.js').Button} */
function levelButton(view) {
  return {
    label: 'levelLine', needs: 'armLevel', chosen: (state) => state.armed === Armed.level,
    enabled: (state) => state.style !== Style.quad,
    act: () => view.command('armLevel', view.state?.armed === Armed.level ? 0 : 1),
  };
}

/** @param {CropView} view @returns {import('../ui/section.js').Button} */
function keepsRatioButton(view) {
  return {
    label: 'keepsRatio', needs: 'keepsRatio', chosen: (state) => state.keepsRatio,
    enabled: (state) => state.ratioKind !== Ratio.free,
    act: () => view.command('keepsRatio', view.state?.keepsRatio ? 0 : 1),
  };
}

/**
 * Hides a section in a style that does not use it.
 * @param {number} style @param {Section} section @returns {Section}
 */
function outside(style, section) {
  return hiding(section, (state) => state.style === style);
}

/**
 * Shows a section only in one style.
 * @param {number} style @param {Section} section @returns {Section}
 */
function only(style, section) {
  return hiding(section, (state) => state.style !== style);
}

/** @param {Section} section @param {(state: State) => boolean} isHidden @returns {Section} */
function hiding(section, isHidden) {
  return {
    ...section,
    update: (state) => {
      section.root.hidden = isHidden(state);
      section.update(state);
    },
  };
}

/**
 * How the viewfinder's photo covers the viewfinder; only that style has this choice.
 * @param {CropView} view @returns {Section}
 */
function coverSection(view) {
  return only(Style.viewfinder, choice(view, 'more', 'cover', 'cover', ['coverFill', 'coverFit'],
    (state) => state.cover, 'segments'));
}

/**
 * A setting of the page, not of the photo.
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
 * On phones: the items that the bar's menu has elsewhere.
 * @param {import('../ui/menu.js').Item[]} items @param {import('../ui/toast.js').Toast} toast @returns {Section}
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
      ...items.map(({ label, act, isChosen }) => node('button.chip',
        { type: 'button', 'aria-current': isChosen ? 'true' : null, onclick: act }, label)))),
  };
}
