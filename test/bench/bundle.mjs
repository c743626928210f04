import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const BANNER = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** The program's own code, bundled as the program has it, and loaded; `contents` says what is exported. */
export const loadBundle = async (folder, name, contents) => {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    stdin: { contents, resolveDir: process.cwd() },
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile,
    banner: { js: BANNER },
  });
  return import(pathToFileURL(outfile).href);
};
