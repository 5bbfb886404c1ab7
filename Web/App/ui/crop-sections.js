// @ts-check
// The panel's sections for any crop. Each names the commands it needs; a build without them does not show it.

import { Armed, Style } from '../../Element/interface.js';
import { chip, choices } from './chips.js';
import { collapsible } from './collapsible.js';
import { node } from './dom.js';
import { gridSection, gridSummary } from './grid-section.js';
import { icon } from './icons.js';
import { pixelFields, pixelsText } from './number-fields.js';
import { buttons, choice, sectionRoot } from './section.js';
import { SHAPES, shapeSection } from './shape.js';
import { showShortcuts } from './shortcuts.js';
import { isMuted, setMuted } from './sound.js';
import { words } from './words.js';

/** @typedef {import('../../Element/crop-view.js').CropView} CropView */
/** @typedef {import('../../Element/interface.js').State} State */
/** @typedef {import('./section.js').Section} Section */

/** The tabs of a phone, in order. `more` opens from the bar. */
export const TABS = Object.freeze(/** @type {const} */ ([
  { tab: 'frame', icon: 'crop', label: 'crop' },
  { tab: 'shape', icon: 'shape', label: 'shape' },
  { tab: 'grid', icon: 'grid', label: 'grid' },
]));

/** In the core's order. */
const STYLES = Object.freeze(/** @type {const} */ ([
  { label: 'styleMarquee', icon: 'draw', hint: 'styleMarqueeHint' },
  { label: 'styleViewfinder', icon: 'hand', hint: 'styleViewfinderHint' },
  { label: 'styleStudio', icon: 'handles', hint: 'styleStudioHint' },
  { label: 'stylePerspective', icon: 'document', hint: 'stylePerspectiveHint' },
]));

/**
 * The sections for which the core has commands.
 * @param {CropView} view @param {Section[]} sections
 */
export function available({ commands }, sections) {
  return sections.filter(({ needs }) => needs.length === 0 || needs.some((name) => commands.has(name)));
}

/**
 * What a drag does, as icons with a line that explains the chosen one.
 * @param {CropView} view @param {number} [last] the last offered style @returns {Section}
 */
export function styleSection(view, last = Style.quad) {
  const options = choices(STYLES.slice(0, last + 1).map(({ label, icon: glyph }, index) => [
    index, [icon(glyph, 20), node('span', {}, words(label))]]), (index) => view.command('style', index));
  const hint = node('p.explain', { id: 'style-hint' });
  const group = node('div.segments', { 'aria-describedby': hint.id }, ...options.chips);
  return {
    tab: 'more', needs: ['style'], root: sectionRoot('style', 'styleTitle', group, hint),
    update: ({ style }) => {
      options.show(style);
      const text = words(STYLES[style]?.hint ?? 'styleStudioHint');
      if (hint.textContent !== text) hint.textContent = text;
    },
  };
}

/**
 * What is selected, in numbers, its shape, and the lines over it.
 * @param {CropView} view
 * @param {import('./output.js').Encoding} encoding changed in place @param {() => void} changed
 * @param {{ isTarget?: boolean }} options `isTarget`: the ratio is that of a target
 * @returns {Section[]}
 */
export function selectionSections(view, encoding, changed, { isTarget = false } = {}) {
  return [
    hiding(collapsible('pixels', pixelFields(view), () => pixelsText(view)), (state) => state.style === Style.quad),
    collapsible('shape', shapeSection(view, encoding, changed),
      ({ shape }) => ({ text: words(SHAPES[shape]), isChanged: shape !== 0 })),
    collapsible('grid', gridSection(view, !isTarget), gridSummary(view)),
  ];
}

/**
 * The actions on the frame, the zoom, and settings of the page.
 * @param {CropView} view @param {import('./section.js').Button[]} [others] more actions on the frame
 * @returns {Section[]}
 */
export function actionSections(view, others = []) {
  const step = () => view.constants?.zoomStep ?? 1;
  return [
    collapsible('frame', buttons(view, 'more', 'frame', [
      { label: 'drawFrame', needs: 'armDraw',
        enabled: (state) => state.style === Style.marquee || state.style === Style.studio,
        chosen: (state) => state.armed === Armed.draw,
        act: () => view.command('armDraw', view.state?.armed === Armed.draw ? 0 : 1) },
      { label: 'selectAll', needs: 'selectAll', act: () => view.command('selectAll') },
      { label: 'centerFrame', needs: 'center', act: () => view.command('center'),
        enabled: (state) => state.valid },
      { label: 'clear', needs: 'clear', act: () => view.command('clear'),
        enabled: (state) => state.valid && state.style === Style.marquee },
      ...others,
    ])),
    collapsible('zoom', buttons(view, 'more', 'zoom', [
      { label: 'zoomOut', icon: 'minus', needs: 'zoomBy', act: () => view.zoomBy(1 / step()) },
      { label: 'zoomIn', icon: 'plus', needs: 'zoomBy', act: () => view.zoomBy(step()) },
      { label: 'zoomFit', icon: 'fit', needs: 'fit', act: () => view.command('fit') },
    ])),
    // Only this style has the choice how the photo covers the viewfinder.
    collapsible('cover', hiding(choice(view, 'more', 'cover', 'cover', ['coverFill', 'coverFit'],
      (state) => state.cover, 'segments'), (state) => state.style !== Style.viewfinder),
    ({ cover }) => ({ text: words(cover ? 'coverFit' : 'coverFill'), isChanged: false })),
    collapsible('keys', soundSection()),
  ];
}

/** @param {Section} section @param {(state: State) => boolean} isHidden @returns {Section} */
export function hiding(section, isHidden) {
  return {
    ...section,
    update: (state) => {
      section.root.hidden = isHidden(state);
      section.update(state);
    },
  };
}

/**
 * A setting of the page, not of the photo.
 * @returns {Section}
 */
function soundSection() {
  const sound = chip('', () => {
    setMuted(!isMuted());
    show();
  });
  const show = () => {
    sound.replaceChildren(icon(isMuted() ? 'soundOff' : 'soundOn', 20),
      words(isMuted() ? 'shutterOff' : 'shutterOn'));
  };
  show();
  return {
    tab: 'more', needs: [], root: sectionRoot('sound', 'soundAndKeys', node('div.row', {}, sound,
      node('button.chip.keyboard', { type: 'button', onclick: showShortcuts }, words('shortcuts')))),
    update: () => {},
  };
}
