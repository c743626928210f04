import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Inside node_modules, so that the packages that stay outside the bundle are found from there. */
const FOLDER = at('../../node_modules/.cache/bursar-entries');

/** How a program of a test is bundled: as the real one, in one kind of module. */
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
  logLevel: 'error',
};

/** For the tests of a file: a program of a test's own, from `entries/`, as a process runs it. */
export const useEntry = (name: string): (() => string) => {
  const outdir = `${FOLDER}/${process.pid}-${name}`;
  beforeAll(async () => {
    await build({
      entryPoints: { [name]: at(`./entries/${name}.ts`) },
      outdir,
      ...BUNDLE,
    });
  });
  afterAll(() => rm(outdir, { recursive: true, force: true }));
  return () => `${outdir}/${name}.mjs`;
};
