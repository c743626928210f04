// Bundles the simulation with the program into one file.
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { installedWasm } from '../support/wasm-path.mjs';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const hasOnce = (text, part) => text.split(part).length === 2;

const sourceOf = ({ file }) => readFileSync(join(ROOT, file), 'utf8');

/** The text with a mutant's change. Throws if it no longer has the text to change. */
const mutated = ({ file, from, to }, text) => {
  if (!hasOnce(text, from)) throw new Error(`${file} does not have this once: ${from}`);
  return text.replace(from, () => to);
};

/** The mutants that can be in one program together, and the text of each changed file: no two change the same text. */
const changedTogether = (mutants) => {
  const texts = new Map();
  const together = mutants.filter((mutant) => {
    const text = texts.get(mutant.file) ?? sourceOf(mutant);
    if (!hasOnce(text, mutant.from)) return false;
    texts.set(mutant.file, mutated(mutant, text));
    return true;
  });
  return { together, texts };
};

/** A plugin that gives files of `texts`, by path, another text. */
const replacing = (texts) => ({
  name: 'replacing',
  setup: (plugin) => {
    plugin.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const contents = texts.get(relative(ROOT, path));
      return contents === undefined ? undefined : { contents, loader: 'ts' };
    });
  },
});

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
    // The methods of a map work on the map alone.
    'const bound = (own, value) => (own instanceof Map && typeof value === "function" ? value.bind(own) : value);',
    'const valueOf = (own, property) => bound(own, own[property]);',
    'const read = (name) => new Proxy(source[name], { get: (_, property) => valueOf(chosen()[name], property) });',
    'const kinds = { function: called, object: read };',
    'const standIn = (name) => kinds[typeof source[name]]?.(name) ?? source[name];',
    ...exportsOf(readFileSync(path, 'utf8')).map((name) => `export const ${name} = standIn('${name}');`),
  ].join('\n');
};

/** A plugin that makes one bundle of the program and of its mutants. */
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
        return loaded(mutant ? mutated(mutant, sourceOf(mutant)) : readFileSync(path, 'utf8'), path);
      });
      plugin.onLoad({ filter: /\.ts$/ }, ({ path }) =>
        mutantsOf(path).length > 0 ? loaded(switching(path, mutantsOf(path)), path) : undefined,
      );
    },
  };
};

/** Writes a bundle to `file`. `entry` is a file of this folder, `define` has constants for esbuild. */
export const bundle = async (file, { entry = 'main.ts', define = {}, plugins = [] } = {}) => {
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
    plugins: [installedWasm, ...plugins],
  });
  return file;
};

/** Writes a bundle of the program and of each mutant. `globalThis.mutant` chooses. */
export const bundleMutants = (file, mutants) => bundle(file, { plugins: [withMutants(mutants)] });

/** Writes a bundle with the changes of mutants in one program. Returns those that it has. */
export const bundleTogether = async (file, mutants) => {
  const { together, texts } = changedTogether(mutants);
  await bundle(file, { plugins: [replacing(texts)] });
  return together;
};
