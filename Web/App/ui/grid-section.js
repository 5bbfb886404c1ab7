// @ts-check
// The lines over the crop: the grid, and a guide such as the head box of a passport photo.

import { node } from './dom.js';
import { GUIDES } from './guide-list.js';
import { choice } from './section.js';
import { formatDay, regionName, words } from './words.js';

/** @typedef {import('../../Element/crop-view.js').CropView} CropView */

const GRIDS = Object.freeze(/** @type {const} */ ([
  'gridOff', 'gridThirds', 'gridGolden', 'gridCenter', 'gridUniform']));

/** The guides for apps, by the names of their formats, which are the same in all languages. */
const APPS = Object.freeze(/** @type {Record<string, string>} */ ({
  'instagram-story': 'Instagram Story', 'instagram-reel': 'Instagram Reel', tiktok: 'TikTok', 'youtube-short': 'YouTube Short',
}));

/** @param {string} name of a guide */
const guideNamed = (name) => GUIDES.find((guide) => guide.name === name);

/** @param {string} name @returns {boolean} whether there is a guide of this name, such as that of a target */
export const hasGuide = (name) => guideNamed(name) !== undefined;

/** The countries of passport photos. */
const REGIONS = Object.freeze(/** @type {Record<string, string>} */ ({
  us: 'US', uk: 'GB', canada: 'CA', australia: 'AU', india: 'IN', china: 'CN', japan: 'JP',
}));

/**
 * A guide's name for users; empty for none.
 * @param {string} name
 */
export function titleOfGuide(name) {
  if (APPS[name]) return APPS[name];
  const [kind, place] = name.split('-');
  if (kind === 'passport') return words('guidePassport', place ? regionName(REGIONS[place]) : '35 × 45 mm');
  return name === 'diagonals' ? words('guideDiagonals') : name.startsWith('trim:') ? words('guideTrim') : '';
}

/**
 * @param {CropView} view @param {boolean} setsRatio whether the crop takes the ratio of a chosen guide
 * @returns {import('./section.js').Section}
 */
export function gridSection(view, setsRatio) {
  const grid = choice(view, 'grid', 'grid', 'grid', [...GRIDS], (state) => state.grid, 'chips');
  const guide = guideChoice(view, setsRatio);
  grid.root.append(...guide.parts);
  return {
    ...grid,
    update: (state) => {
      grid.update(state);
      guide.update();
    },
  };
}

/**
 * The grid and the guide in one line.
 * @param {CropView} view
 */
export const gridSummary = (view) => (/** @type {import('./section.js').State} */ { grid }) => (
  { text: titleOfGuide(view.guides) || words(GRIDS[grid]), isChanged: grid !== 0 || view.guides !== '' });

/** @param {CropView} view @param {boolean} setsRatio */
function guideChoice(view, setsRatio) {
  const option = (/** @type {string} */ name) => node('option', { value: name }, titleOfGuide(name) || words('gridOff'));
  const other = option('');
  other.hidden = true;
  const select = node('select', {
    onchange: () => {
      view.guides = select.value;
      const guide = guideNamed(select.value);
      if (guide && setsRatio) view.command('ratio', guide.width, guide.height);
    },
  }, ...['', 'diagonals', ...GUIDES.map(({ name }) => name)].map(option), other);
  const hint = node('p.explain', { 'aria-live': 'polite' });
  let shown = '';
  const update = () => {
    const name = view.guides;
    if (shown === name && select.value === name) return;
    // A guide that is not in the list, such as the cut line of a print.
    const isListed = [...select.options].some((one) => one !== other && one.value === name);
    other.hidden = isListed;
    other.value = isListed ? '' : name;
    other.textContent = isListed ? '' : titleOfGuide(name);
    select.value = name;
    shown = name;
    void explain(name, hint);
  };
  return { parts: [node('label.field.guide', {}, node('span', {}, words('guide')), select), hint], update };
}

/**
 * Says what a guide is for, and where its figures are from.
 * @param {string} name @param {HTMLElement} hint
 */
async function explain(name, hint) {
  const guide = guideNamed(name);
  hint.hidden = !guide;
  hint.dataset.guide = name;
  if (!guide) return hint.replaceChildren();
  hint.replaceChildren(words(guide.isHead ? 'guideHeadHint' : 'guideCoveredHint'));
  const { source, date } = (await import('./guide-sources.js')).GUIDE_SOURCES[name];
  if (hint.dataset.guide !== name) return;
  const link = node('a', { href: source, target: '_blank', rel: 'noopener' }, new URL(source).hostname);
  const [before, after] = words('guideRead', '\n', formatDay(date)).split('\n');
  hint.append(' ', before, link, after);
}
