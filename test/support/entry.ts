import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';
import { installedWasm } from './wasm-path.mjs';

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** A folder inside node_modules, where the bundle finds the packages that it does not include. */
const FOLDER = pathOf('../../node_modules/.cache/bursar-entries');

/** How programs of tests are bundled: like the real one, but as ES modules. */
export const BUNDLE: BuildOptions = {
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: ['libsql', '@foundry-rs/*', 'litesvm-*', 'bufferutil', 'utf-8-validate'],
  banner: {
    js: "import{createRequire as bursarRequire}from'node:module';const require=bursarRequire(import.meta.url);",
  },
  plugins: [installedWasm],
  logLevel: 'error',
};

/** Bundles a program of `entries/` for the tests of a file. The returned function gives its path. */
export const useEntry = (name: string): (() => string) => {
  const outdir = `${FOLDER}/${process.pid}-${name}`;
  beforeAll(async () => {
    await build({
      entryPoints: { [name]: pathOf(`./entries/${name}.ts`) },
      outdir,
      ...BUNDLE,
    });
  });
  afterAll(() => rm(outdir, { recursive: true, force: true }));
  return () => `${outdir}/${name}.mjs`;
};
