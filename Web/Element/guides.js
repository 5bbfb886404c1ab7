// @ts-check
// Guides over the crop, such as the head box of a passport photo, from the element's attribute.

/** @typedef {import('./session-view.js').SessionView} SessionView */

/**
 * Shows the guides that the attribute names, if they are valid. Their table is loaded with the first one.
 * @param {SessionView} view @param {boolean} [isNew] whether to report an error of the attribute
 */
export async function showGuides(view, isNew = false) {
  const text = textOf(view);
  try {
    const found = text ? (await import('./guide-marks.js')).guideMarks(text) : { marks: [], problem: null };
    // Another one may have been set in the meantime.
    if (textOf(view) !== text) return;
    if (isNew && found.problem) view.failAttribute(found.problem);
    if (view.core && view.picture) view.apply(view.core.setGuide({ marks: found.marks }));
  } catch (error) {
    view.fail(error);
  }
}

/** @param {SessionView} view */
const textOf = (view) => (view.getAttribute('guides') ?? '').trim();
