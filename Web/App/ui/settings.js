// @ts-check
// The user's settings for the page, stored by the browser between visits.

/**
 * @param {string} name
 * @param {string} usual the default
 */
export function setting(name, usual = '') {
  const key = `cropkit.${name}`;
  /** Without storage, a choice lasts until the page is closed. */
  let chosen = usual;
  return {
    get() {
      try {
        return localStorage.getItem(key) ?? chosen;
      } catch {
        return chosen;
      }
    },
    /** @param {string} value */
    set(value) {
      chosen = value;
      try {
        localStorage.setItem(key, value);
      } catch {
        // The storage may be full or blocked.
      }
    },
  };
}
