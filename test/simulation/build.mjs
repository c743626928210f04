// Bundles the simulation with the program into one file.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The text of a file with a mutant's change. Throws if the source no longer has the text to change. */
const mutated = ({ file, from, to }) => {
  const text = readFileSync(join(ROOT, file), 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${file} does not have this once: ${from}`);
  return text.replace(from, () => to);
};

/** The names of the values that a source exports. */
const exportsOf = (text) => [...text.matchAll(/^export (?:const|(?:async )?function) (\w+)/gm)].map(([, name]) => name);

/**
 * A module that stands for a source and for each of its mutants. `globalThis.mutant` names the mutant, at each call and at
 * each use of a property.
 */
const switching = (path, mutants) => {
  const from = (name) => JSON.stringify(`mutant:${name}:${path}`);
  return [
    `import * as source from ${from('')};`,
    ...mutants.map(({ stored }, at) => `import * as mutant${at} from ${from(stored)};`),
    `const mutants = { ${mutants.map(({ stored }, at) => `${JSON.stringify(stored)}: mutant${at}`).join(', ')} };`,
    'const chosen = () => mutants[globalThis.mutant] ?? source;',
    'const called = (name) => (...args) => chosen()[name](...args);',
    'const read = (name) => new Proxy(source[name], { get: (_, property) => chosen()[name][property] });',
    'const kinds = { function: called, object: read };',
    'const standIn = (name) => kinds[typeof source[name]]?.(name) ?? source[name];',
    ...exportsOf(readFileSync(path, 'utf8')).map((name) => `export const ${name} = standIn('${name}');`),
  ].join('\n');
};

/** Makes one bundle of the program and of its mutants. */
const withMutants = (mutants) => {
  const mutantsOf = (path) => mutants.filter(({ file }) => join(ROOT, file) === path);
  const loaded = (contents, path) => ({ contents, loader: 'ts', resolveDir: dirname(path) });
  return {
    name: 'mutants',
    setup: (plugin) => {
      plugin.onResolve({ filter: /^mutant:/ }, ({ path }) => ({ path, namespace: 'mutant' }));
      plugin.onLoad({ filter: /./, namespace: 'mutant' }, ({ path: named }) => {
        const [, name, path] = named.split(':');
        const mutant = mutantsOf(path).find(({ stored }) => stored === name);
        return loaded(mutant ? mutated(mutant) : readFileSync(path, 'utf8'), path);
      });
      plugin.onLoad({ filter: /\.ts$/ }, ({ path }) =>
        mutantsOf(path).length > 0 ? loaded(switching(path, mutantsOf(path)), path) : undefined,
      );
    },
  };
};

/** Writes a bundle to `file`. `entry` is a file of this folder, `define` has constants for esbuild. */
export const bundle = async (file, { entry = 'main.ts', define = {}, mutants = [] } = {}) => {
  await build({
    absWorkingDir: ROOT,
    entryPoints: [join('test/simulation', entry)],
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    outfile: file,
    define: { 'import.meta.url': '__filename', ...define },
    external: ['@foundry-rs/*', 'litesvm*', 'libsql', 'bufferutil', 'utf-8-validate'],
    logLevel: 'error',
    plugins: [withMutants(mutants)],
  });
  return file;
};
