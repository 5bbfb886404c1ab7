// @ts-check
// Platform features, with fallbacks without a DOM, where importing the element does nothing.

/** @type {typeof HTMLElement} */
export const BaseElement = globalThis.HTMLElement ?? /** @type {unknown} */ (class {});

/** @type {Map<string, MediaQueryList>} */
const queries = new Map();

/**
 * A media query that all elements share.
 * @param {string} text
 */
function media(text) {
  let query = queries.get(text);
  if (!query) queries.set(text, query = matchMedia(text));
  return query;
}

/** Matches if the user prefers reduced motion. */
export const reducedMotion = () => media('(prefers-reduced-motion: reduce)');
/** Matches if the user prefers a dark color scheme. */
export const darkMode = () => media('(prefers-color-scheme: dark)');
