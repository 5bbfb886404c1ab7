// @ts-check
// The sections of the editor's panel.

import { Lossless, Ratio, Style } from '../../Element/interface.js';
import { collapsible } from '../ui/collapsible.js';
import { actionSections, available, hiding, selectionSections, styleSection } from '../ui/crop-sections.js';
import { tool } from '../ui/icons.js';
import { outputSection, outputText } from '../ui/output.js';
import { buttons } from '../ui/section.js';
import { words } from '../ui/words.js';
import { canvasSection } from './fit.js';
import { ratioSection } from './ratio.js';
import { straightenSection } from './ruler.js';
import { sizeSection, sizeText } from './size.js';

/** @typedef {import('../../Element/crop-view.js').CropView} CropView */
/** @typedef {import('../ui/section.js').Section} Section */

/**
 * @param {CropView} view @param {import('../ui/output.js').Encoding} encoding changed in place
 * @param {{ changed(): void, trim(): void, findCorners(): void, snap(): void }} actions `trim`: frames the area inside
 * the photo's border; `findCorners`: moves the corners to a sheet's; `snap`: moves the frame to where the crop is
 * lossless
 * @param {Parameters<typeof outputSection>[3]} writing what the results can be
 * @returns {Section[]} in the order of the desktop's panel
 */
export function editorSections(view, encoding, { changed, trim, findCorners, snap }, writing) {
  const tools = [
    { button: tool('lossless', words('snapLossless'), snap), isHidden: (/** @type {State} */ state) => !canSnap(view, state) },
    { button: tool('trim', words('trimBorders'), trim), isHidden: hasCorners },
  ];
  const ratio = ratioSection(view, tools.map(({ button }) => button));
  return available(view, [
    styleSection(view),
    hiding(buttons(view, 'frame', 'corners', [{ label: 'findCorners', needs: 'selectAll', act: findCorners }]),
      (state) => !hasCorners(state)),
    {
      ...ratio,
      update: (state) => {
        for (const { button, isHidden } of tools) button.hidden = isHidden(state);
        ratio.update(state);
      },
    },
    canvasSection(view),
    hiding(straightenSection(view), hasCorners),
    buttons(view, 'more', 'turnAndMirror', [
      { label: 'turnLeft', icon: 'turnLeft', needs: 'turn', act: () => view.turn(-1) },
      { label: 'turnRight', icon: 'turnRight', needs: 'turn', act: () => view.turn(1) },
      { label: 'mirrorAcross', icon: 'mirror', needs: 'mirror', act: () => view.mirror('horizontal') },
      { label: 'mirrorDown', icon: 'mirrorDown', needs: 'mirror', act: () => view.mirror('vertical') },
    ]),
    ...selectionSections(view, encoding, changed),
    collapsible('size', sizeSection(view), ({ output }) => sizeText(output)),
    collapsible('output', outputSection(view, encoding, changed, writing),
      () => outputText(encoding, writing.here?.instead())),
    ...actionSections(view, [{
      label: 'trimBorders', needs: 'selectAll', act: trim, isNarrow: true, enabled: (state) => !hasCorners(state),
    }, {
      label: 'keepsRatio', needs: 'keepsRatio', chosen: (state) => state.keepsRatio,
      enabled: (state) => state.ratioKind !== Ratio.free,
      act: () => view.command('keepsRatio', view.state?.keepsRatio ? 0 : 1),
    }]),
  ]);
}

/** @typedef {import('../../Element/interface.js').State} State */

/** @param {State} state */
const hasCorners = (state) => state.style === Style.quad;

/**
 * Whether moving the frame by less than a block would make the crop lossless.
 * @param {CropView} view @param {State} state
 */
function canSnap(view, state) {
  return state.isOffGrid && state.lossless === Lossless.exact && view.writing === 'encoded' && !view.canvasOptions;
}
