// @ts-check
// The accessible name of the element. The host is the group if the browser lets an element set its role; otherwise,
// the inner part that has the focusable elements is.

/**
 * @param {HTMLElement} host whose `aria-label` and `aria-labelledby` take precedence
 * @param {ElementInternals} internals @param {HTMLElement} inside
 * @param {string} usual the text of the labels, or the default name
 */
export function nameGroup(host, internals, inside, usual) {
  if ('role' in internals && 'ariaLabel' in internals) {
    // The host's attributes take precedence over these values.
    internals.role = 'group';
    internals.ariaLabel = usual;
    return;
  }
  const root = /** @type {Document | ShadowRoot} */ (host.getRootNode());
  const named = (host.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter(Boolean)
    .map((id) => root.querySelector(`#${CSS.escape(id)}`)?.textContent?.trim()).filter(Boolean).join(' ');
  inside.setAttribute('role', 'group');
  inside.setAttribute('aria-label', named || host.getAttribute('aria-label')?.trim() || usual);
}
