// @ts-check
// What a screen reader calls the element. The host is the group where the browser lets an element say so of
// itself; elsewhere the part inside that holds what the keyboard reaches is.

/**
 * @param {HTMLElement} host whose `aria-label` and `aria-labelledby` come first
 * @param {ElementInternals} internals @param {HTMLElement} inside
 * @param {string} usual the labels' text, or what it is called without a name
 */
export function nameGroup(host, internals, inside, usual) {
  if ('role' in internals && 'ariaLabel' in internals) {
    // Attributes of the host win by themselves over what is said here.
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
