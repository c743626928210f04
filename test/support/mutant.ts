import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { context } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';
import { temporaryFolder } from './io.ts';
import { installedWasm } from './wasm-path.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** One change of one file of the sources. */
export type Change = { readonly file: string; readonly from: string; readonly to: string };

/** The text of the changed file. Throws if the file does not contain `from` exactly once. */
const changed = async ({ file, from, to }: Change): Promise<string> => {
  const text = await readFile(join(ROOT, file), 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${file} does not contain this exactly once: ${from}`);
  return text.replace(from, to);
};

/** The change of the next build. */
let change: { readonly path: string; readonly contents: string } | undefined;

/** One incremental build of the program. Each mutant parses only the changed file again. */
const openBuild = async () => {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  return context({
    absWorkingDir: ROOT,
    entryPoints: ['src/cli/main.ts'],
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    outfile: 'main.js',
    write: false,
    define: { BURSAR_VERSION: JSON.stringify(version), 'import.meta.url': '__filename' },
    packages: 'bundle',
    external: ['@foundry-rs/*', 'litesvm*', 'libsql', 'bufferutil', 'utf-8-validate'],
    logLevel: 'silent',
    plugins: [
      installedWasm,
      {
        name: 'mutant',
        setup: (plugin) => {
          plugin.onLoad({ filter: /\.ts$/ }, ({ path }) =>
            path === change?.path
              ? { contents: change.contents, loader: 'ts' as const, resolveDir: dirname(path) }
              : undefined,
          );
        },
      },
    ],
  });
};

/** For the tests of a file: a function that builds the program with a fault and returns the path of the program. */
export const useMutants = (): ((fault: Change) => Promise<string>) => {
  let building: Awaited<ReturnType<typeof openBuild>>;
  beforeAll(async () => {
    building = await openBuild();
  });
  afterAll(() => building.dispose());
  return async (fault) => {
    const folder = await temporaryFolder();
    change = { path: join(ROOT, fault.file), contents: await changed(fault) };
    const { outputFiles } = await building.rebuild();
    await mkdir(join(folder, 'bin'));
    await mkdir(join(folder, 'dist'));
    await writeFile(join(folder, 'dist', 'main.js'), outputFiles?.[0]?.contents ?? '');
    await cp(join(ROOT, 'bin', 'bursar.js'), join(folder, 'bin', 'bursar.js'));
    await writeFile(join(folder, 'dist', 'package.json'), JSON.stringify({ type: 'commonjs' }));
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    return join(folder, 'bin', 'bursar.js');
  };
};
