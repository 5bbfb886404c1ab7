// @ts-check
// The panel's sections. Each names the commands it needs; a build without them does not show it.

import { node, setAttribute } from './dom.js';
import { icon } from './icons.js';
import { pixelFields } from './fields.js';
import { outputSection } from './output.js';
import { ratioSection } from './ratio.js';
import { shapeSection } from './shape.js';
import { sizeSection } from './size.js';
import { straightenSection } from './ruler.js';
import { isMuted, setMuted } from './sound.js';
import { words } from './words.js';

/** @typedef {import('./core.js').CommandName} CommandName */
/** @typedef {import('./core.js').State} State */
/** @typedef {import('./crop-view.js').CropView} CropView */
/** @typedef {import('./words.js').WordKey} WordKey */

/** @typedef {'frame' | 'turn' | 'mirror' | 'shape' | 'grid' | 'more'} Tab */

/**
 * @typedef {object} Section
 * @property {Tab} tab where a phone shows it
 * @property {CommandName[]} needs any of these; empty where none is needed
 * @property {HTMLElement} root
 * @property {(state: State) => void} update
 */

/** The tabs of a phone, in order. `more` opens from the bar. */
export const TABS = Object.freeze(/** @type {const} */ ([
  { tab: 'frame', icon: 'crop', label: 'frame' },
  { tab: 'turn', icon: 'turnLeft', label: 'turn' },
  { tab: 'mirror', icon: 'mirror', label: 'mirror' },
  { tab: 'shape', icon: 'shape', label: 'shape' },
  { tab: 'grid', icon: 'grid', label: 'grid' },
]));

/**
 * @param {CropView} view
 * @param {import('./api.js').Encoding} encoding
 * @returns {Section[]} in the order of the desktop's panel
 */
export function makeSections(view, encoding) {
  const sections = [
    choice(view, 'more', 'styleTitle', 'style', ['styleMarquee', 'styleViewfinder', 'styleStudio'],
      (state) => state.style, 'segments'),
    coverSection(view),
    ratioSection(view),
    pixelFields(view),
    straightenSection(view),
    buttons(view, 'turn', 'turn', [
      { label: 'turnLeft', icon: 'turnLeft', needs: 'turn', act: () => view.turn(-1) },
      { label: 'turnRight', icon: 'turnRight', needs: 'turn', act: () => view.turn(1) },
    ]),
    buttons(view, 'mirror', 'mirror', [
      { label: 'mirrorAcross', icon: 'mirror', needs: 'mirror',
        act: () => view.mirror('horizontal') },
      { label: 'mirrorDown', icon: 'mirrorDown', needs: 'mirror',
        act: () => view.mirror('vertical') },
    ]),
    shapeSection(view),
    choice(view, 'grid', 'grid', 'grid',
      ['gridOff', 'gridThirds', 'gridGolden', 'gridCentre', 'gridUniform'],
      (state) => state.grid, 'chips'),
    buttons(view, 'more', 'zoom', [
      { label: 'zoomOut', icon: 'minus', needs: 'zoomBy', act: () => view.zoomBy(1 / 1.3) },
      { label: 'zoomIn', icon: 'plus', needs: 'zoomBy', act: () => view.zoomBy(1.3) },
      { label: 'zoomFit', icon: 'fit', needs: 'fit', act: () => view.command('fit') },
    ]),
    buttons(view, 'more', 'frame', [
      { label: 'drawFrame', needs: 'armDraw', enabled: (state) => state.style !== 1,
        chosen: (state) => state.armed === 1,
        act: () => view.command('armDraw', view.state?.armed === 1 ? 0 : 1) },
      { label: 'levelLine', needs: 'armLevel', chosen: (state) => state.armed === 2,
        act: () => view.command('armLevel', view.state?.armed === 2 ? 0 : 1) },
      { label: 'selectAll', needs: 'selectAll', act: () => view.command('selectAll') },
      { label: 'centre', needs: 'center', act: () => view.command('center'),
        enabled: (state) => state.valid },
      { label: 'clear', needs: 'clear', act: () => view.command('clear'),
        enabled: (state) => state.valid && state.style === 0 },
    ]),
    sizeSection(view),
    outputSection(view, encoding),
    soundSection(),
  ];
  return sections.filter(({ needs }) => needs.length === 0
    || needs.some((name) => view.commands.has(name)));
}

/**
 * @param {string} name a class for the section's own layout
 * @param {WordKey} title @param {...(Node | false)} children
 */
export function sectionRoot(name, title, ...children) {
  const id = `section-${name}`;
  return node(`section.section.${name}`, { 'aria-labelledby': id },
    node('h2', { id }, words(title)), ...children);
}

/**
 * A choice of one: the command takes the index.
 * @param {CropView} view @param {Tab} tab @param {WordKey} title
 * @param {CommandName} command @param {WordKey[]} labels
 * @param {(state: State) => number} chosen @param {'segments' | 'chips'} look
 * @returns {Section}
 */
function choice(view, tab, title, command, labels, chosen, look) {
  const options = labels.map((label, index) => node('button.chip', {
    type: 'button', 'aria-pressed': 'false', onclick: () => view.command(command, index),
  }, words(label)));
  return {
    tab,
    needs: [command],
    root: sectionRoot(command, title, node(`div.${look}`, {}, ...options)),
    update: (state) => {
      const at = chosen(state);
      options.forEach((option, index) => {
        setAttribute(option, 'aria-pressed', index === at);
      });
    },
  };
}

/**
 * How the viewfinder's picture covers the opening; the other styles have no such choice.
 * @param {CropView} view @returns {Section}
 */
function coverSection(view) {
  const section = choice(view, 'more', 'cover', 'cover', ['coverFill', 'coverFit'],
    (state) => state.cover, 'segments');
  return {
    ...section,
    update: (state) => {
      section.root.hidden = state.style !== 1;
      section.update(state);
    },
  };
}

/** @returns {Section} */
function soundSection() {
  const toggle = node('button.chip', {
    type: 'button',
    onclick: () => {
      setMuted(!isMuted());
      show();
    },
  });
  const show = () => {
    toggle.replaceChildren(icon(isMuted() ? 'soundOff' : 'soundOn', 20),
      words(isMuted() ? 'soundOff' : 'soundOn'));
  };
  show();
  return {
    tab: 'more', needs: [], root: sectionRoot('sound', 'sound', node('div.row', {}, toggle)),
    update: () => {},
  };
}

/**
 * On a phone, what the bar's menu has elsewhere.
 * @param {import('./menu.js').Item[]} items @returns {Section}
 */
export function savingSection(items) {
  return {
    tab: 'more', needs: [], update: () => {},
    root: sectionRoot('saving', 'saveMenu', node('div.row', {}, ...items.map(({ label, act }) =>
      node('button.chip', { type: 'button', onclick: act }, label)))),
  };
}

/**
 * @typedef {object} Button
 * @property {WordKey} label
 * @property {import('./icons.js').IconName} [icon]
 * @property {CommandName} needs
 * @property {() => void} act
 * @property {(state: State) => boolean} [enabled]
 * @property {(state: State) => boolean} [chosen] for a button that stays pressed
 */

/**
 * @param {CropView} view @param {Tab} tab @param {WordKey} title @param {Button[]} list
 * @returns {Section}
 */
function buttons(view, tab, title, list) {
  const made = list.filter(({ needs }) => view.commands.has(needs)).map((button) => ({
    ...button,
    root: button.icon
      ? node('button.tool', {
        type: 'button', 'aria-label': words(button.label), title: words(button.label),
        onclick: button.act,
      }, icon(button.icon))
      : node('button.chip', { type: 'button', onclick: button.act }, words(button.label)),
  }));
  return {
    tab,
    needs: list.map(({ needs }) => needs),
    root: sectionRoot(`${title}-buttons`, title,
      node('div.row', {}, ...made.map(({ root }) => root))),
    update: (state) => {
      for (const { root, enabled, chosen } of made) {
        root.disabled = enabled ? !enabled(state) : false;
        if (chosen) setAttribute(root, 'aria-pressed', chosen(state));
      }
    },
  };
}
