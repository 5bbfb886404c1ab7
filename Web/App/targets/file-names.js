// @ts-check
// The names of a photo's target files: the syntax of name patterns, for a page without a server.

/** The allowed placeholders. */
const PARTS = Object.freeze(['name', 'target', 'number', 'width', 'height', 'ext']);

/** @param {string} text a valid pattern gives each target's file a different name without folders */
export function isPattern(text) {
  const rest = text.replaceAll(/\{(\w+)\}/g, (whole, part) => (PARTS.includes(part) ? '' : whole));
  return /\{(target|number)\}/.test(text) && !/[{}/\\]/.test(rest);
}

/**
 * @param {string} pattern @param {string} ending of the file, with the dot
 * @param {{ name: string, target: string, number: number, width: number, height: number }} values
 */
export function fileName(pattern, ending, values) {
  const stem = pattern.replace('.{ext}', '')
    .replaceAll(/\{(\w+)\}/g, (whole, part) => String(/** @type {Record<string, unknown>} */ (values)[part] ?? whole));
  return `${stem.replace(/[/\\:*?"<>|\u0000-\u001f]/g, '_')}${ending}`;
}
