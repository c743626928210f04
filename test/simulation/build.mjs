// Bundles the simulation with the program into one file.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { context } from 'esbuild';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The text of a file with a mutant's change. Throws if the source no longer has the text to change. */
const mutated = ({ file, from, to }) => {
  const text = readFileSync(join(ROOT, file), 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${file} does not have this once: ${from}`);
  return text.replace(from, () => to);
};

/**
 * One build, repeated for each mutant, so that unchanged files are parsed once. `entry` is a file of this folder, `define`
 * has constants for esbuild.
 */
export const openBuild = async (entry = 'main.ts', define = {}) => {
  let mutant;
  const building = await context({
    absWorkingDir: ROOT,
    entryPoints: [join('test/simulation', entry)],
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    outfile: 'simulation.cjs',
    write: false,
    define: { 'import.meta.url': '__filename', ...define },
    external: ['@foundry-rs/*', 'litesvm*', 'libsql', 'bufferutil', 'utf-8-validate'],
    logLevel: 'error',
    plugins: [
      {
        name: 'mutant',
        setup: (plugin) =>
          plugin.onLoad({ filter: /\.ts$/ }, ({ path }) =>
            mutant && path === join(ROOT, mutant.file)
              ? { contents: mutated(mutant), loader: 'ts', resolveDir: dirname(path) }
              : undefined,
          ),
      },
    ],
  });
  return {
    /** Writes the bundle. `change` is the mutant, which changes one file of the program. */
    bundle: async (file, change) => {
      mutant = change;
      const { outputFiles } = await building.rebuild();
      writeFileSync(file, outputFiles[0].contents);
      return file;
    },
    dispose: () => building.dispose(),
  };
};
