// @ts-check
// What the platform gives, and nothing where there is no DOM: there, importing the element does nothing.

/** @type {typeof HTMLElement} */
export const BaseElement = globalThis.HTMLElement ?? /** @type {unknown} */ (class {});

/** @type {Map<string, MediaQueryList>} */
const queries = new Map();

/**
 * A media query that is asked for once for all elements.
 * @param {string} text
 */
function media(text) {
  let query = queries.get(text);
  if (!query) queries.set(text, query = matchMedia(text));
  return query;
}

/** The person wants little to move. */
export const stillness = () => media('(prefers-reduced-motion: reduce)');
/** The person likes it dark. */
export const darkness = () => media('(prefers-color-scheme: dark)');
