import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { temporaryFolder } from './io.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** One change of one file of the sources. */
export type Change = { readonly file: string; readonly from: string; readonly to: string };

/** The changed file; throws where the sources have moved on and the change means nothing any more. */
const changed = async ({ file, from, to }: Change): Promise<string> => {
  const text = await readFile(join(ROOT, file), 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${file} does not have this once: ${from}`);
  return text.replace(from, to);
};

/** Builds the program with a fault in it. Gives the path to start it by. */
export const buildMutant = async (change: Change): Promise<string> => {
  const folder = await temporaryFolder();
  const contents = await changed(change);
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/cli/main.ts'],
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    outfile: join(folder, 'dist', 'main.js'),
    define: { BURSAR_VERSION: JSON.stringify(version), 'import.meta.url': '__filename' },
    packages: 'bundle',
    external: ['@foundry-rs/*', 'litesvm*', 'libsql', 'bufferutil', 'utf-8-validate'],
    logLevel: 'silent',
    plugins: [
      {
        name: 'mutant',
        setup: (plugin) => {
          plugin.onLoad({ filter: /\.ts$/ }, ({ path }) =>
            path === join(ROOT, change.file)
              ? { contents, loader: 'ts' as const, resolveDir: dirname(path) }
              : undefined,
          );
        },
      },
    ],
  });
  await mkdir(join(folder, 'bin'));
  await cp(join(ROOT, 'bin', 'bursar.js'), join(folder, 'bin', 'bursar.js'));
  await writeFile(join(folder, 'dist', 'package.json'), JSON.stringify({ type: 'commonjs' }));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return join(folder, 'bin', 'bursar.js');
};
