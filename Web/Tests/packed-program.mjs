// The packed npm package cropkit, for tests that install it.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The path of the package; undefined before `make package`. */
export const tarball = (() => {
  try {
    return readdirSync(join(root, 'dist')).filter((name) => /^cropkit-[\d.]+\.tgz$/.test(name)).map((name) => join(root, 'dist', name))[0];
  } catch {
    return undefined;
  }
})();
