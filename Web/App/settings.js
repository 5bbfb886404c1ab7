// @ts-check
// What a person has chosen about the page itself, kept by the browser from visit to visit.

/**
 * @param {string} name
 * @param {string} usual what it is until something was chosen
 */
export function setting(name, usual = '') {
  const key = `cropkit.${name}`;
  /** Where the browser keeps nothing, a choice lasts as long as the page. */
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
        // It may be full, or refused.
      }
    },
  };
}
