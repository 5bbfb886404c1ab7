// @ts-check
// Creates nodes without markup strings, so that nothing from a file name is ever parsed as HTML.

/**
 * @typedef {Record<string, string | number | boolean | null | undefined
 *   | ((event: never) => void)>} Attributes
 */

/**
 * Makes an element: `node('button.primary', { onclick }, 'Crop')`.
 *
 * Functions become listeners (`onclick`), `true` an empty attribute; false, null and undefined
 * are left out.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T | `${T}.${string}`} what tag and classes
 * @param {Attributes} [attributes]
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function node(what, attributes = {}, ...children) {
  const [tag, ...classes] = what.split('.');
  const element = /** @type {HTMLElementTagNameMap[T]} */ (document.createElement(tag));
  if (classes.length) element.className = classes.join(' ');
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

/**
 * Sets an attribute that differs; the same value again would still cost the browser a restyle.
 * @param {Element} element @param {string} name @param {string | boolean} value
 */
export function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
}

/** A phone or tablet: touch is the primary input, and there is a camera app. */
export const handheld = matchMedia('(pointer: coarse)');

/** Whether a dialog is over the page. */
export function hasDialog() {
  return document.querySelector('dialog[open]') !== null;
}

/**
 * Animates, unless the user prefers reduced motion. Resolves at the end.
 * @param {Element} element @param {Keyframe[]} frames @param {number} duration milliseconds
 */
export async function animate(element, frames, duration) {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  await element.animate(frames, { duration, easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)' })
    .finished.catch(() => {});
}
