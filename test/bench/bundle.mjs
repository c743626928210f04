import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { installedWasm } from '../support/wasm-path.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BANNER = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** Bundles code of the sources as the build does, and loads it. `contents` is the source of the entry point. */
export const loadBundle = async (folder, name, contents) => {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    stdin: { contents, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile,
    banner: { js: BANNER },
    plugins: [installedWasm],
    logLevel: 'silent',
  });
  return import(pathToFileURL(outfile).href);
};
