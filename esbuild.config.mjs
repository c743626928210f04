import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { relative } from 'node:path';

const { version, optionalDependencies } = JSON.parse(await readFile('package.json', 'utf8'));

/** What only the sandbox needs is resolved when it is used, so that everything else works without it. */
const LEFT_OUT = [...Object.keys(optionalDependencies), 'bufferutil', 'utf-8-validate'];

/** esbuild's binary is an optional package too. Without it its WebAssembly build does the same, only slower. */
const loadEsbuild = async () => {
  const native = await import('esbuild');
  try {
    await native.transform('');
    return native;
  } catch {
    return import('esbuild-wasm');
  }
};

/** bursar never offers HTTP/2, and loading Node's costs a call a fifth of its time. Two of its libraries would load it. */
const withoutHttp2 = {
  name: 'without-http2',
  setup: ({ onLoad, onResolve }) => {
    onLoad({ filter: /undici[\\/]lib[\\/]dispatcher[\\/]client-h2\.js$/ }, () => ({
      contents: "module.exports = () => { throw new Error('HTTP/2 was never offered'); };",
    }));
    // What Hono asks is whether a request is one of HTTP/2.
    onResolve({ filter: /^(?:node:)?http2$/ }, () => ({ path: 'http2', namespace: 'none' }));
    onLoad({ filter: /.*/, namespace: 'none' }, () => ({
      contents: 'export class Http2ServerRequest {} export const constants = {};',
    }));
  },
};

const HTTP = "require('node:http')";

/**
 * undici takes two things from Node's own HTTP, which it can do without where the size of headers is said and no body is
 * a request of Node's. Loading it costs a call a twentieth of its time.
 */
const withoutNodeHttp = {
  name: 'without-node-http',
  setup: ({ onLoad }) =>
    onLoad({ filter: /undici[\\/]lib[\\/](?:dispatcher[\\/]client|core[\\/]util)\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes(HTTP)) throw new Error(`${path}: ${HTTP} is no longer there`);
      return { contents: text.replace(HTTP, '{}') };
    }),
};

const WINDOW = 'Point.BASE._setWindowSize(8)';

/**
 * ethers' curve builds a table of 4,000 points before its first signature, which pays off after dozens of them; a
 * command makes one or two. A table of 500 is built in a tenth of the time, and a signature takes as long again.
 */
const smallerCurveTable = {
  name: 'smaller-curve-table',
  setup: ({ onLoad }) =>
    onLoad({ filter: /ethers[\\/].*curves[\\/]esm[\\/]abstract[\\/]weierstrass\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes(WINDOW)) throw new Error(`${path}: ${WINDOW} is no longer there`);
      return { contents: text.replace(WINDOW, 'Point.BASE._setWindowSize(4)') };
    }),
};

/** open looks for its own xdg-open beside itself, which is not shipped: without a place of its own it takes the system's. */
const withoutOwnXdgOpen = {
  name: 'without-own-xdg-open',
  setup: ({ onLoad }) =>
    onLoad({ filter: /node_modules[\\/]open[\\/]index\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll('import.meta.url', 'undefined'),
    })),
};

/** The pages of help, each in a file of its own: a command that prints one loads no other part of the program. */
const preparedPages = (pages) => ({
  name: 'prepared-pages',
  setup: ({ onLoad, onResolve }) => {
    const fileOf = (name) => `help-${name.replaceAll(' ', '-')}`;
    const files = new Map(Object.entries(pages).map(([name, page]) => [fileOf(name), page]));
    onLoad({ filter: /cli[\\/]help[\\/]prepared\.ts$/ }, () => {
      const loads = Object.keys(pages).map((name) => `${JSON.stringify(name)}:()=>import("page:${fileOf(name)}")`);
      return {
        contents: `const PAGES={${loads}};
export const preparedPage=async(name)=>Object.hasOwn(PAGES,name)?(await PAGES[name]()).default:undefined;`,
      };
    });
    onResolve({ filter: /^page:/ }, ({ path }) => ({ path: path.slice('page:'.length), namespace: 'page' }));
    onLoad({ filter: /.*/, namespace: 'page' }, ({ path }) => ({
      contents: `export default ${JSON.stringify(files.get(path))}`,
    }));
  },
});

const bundle = ({ build }, pages) =>
  build({
    entryPoints: ['src/cli/main.ts'],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    outdir: 'dist',
    chunkNames: 'chunks/[name]-[hash]',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    define: { BURSAR_VERSION: JSON.stringify(version) },
    external: LEFT_OUT,
    plugins: [withoutHttp2, withoutNodeHttp, smallerCurveTable, withoutOwnXdgOpen, preparedPages(pages)],
    write: false,
    logLevel: 'warning',
  });

/** esbuild splits ES modules alone; Node loads CommonJS in less time, with none of what its ES loader needs. */
const asCommonJs = async ({ transform }, { text }, { inputs }) => {
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    // A third less to read at each start; our own names stay, for those who look into a stack.
    minifyIdentifiers: Object.keys(inputs).every((path) => path.startsWith('node_modules/')),
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': '__filename' },
    logOverride: { 'equals-negative-zero': 'silent' },
  });
  return code;
};

/**
 * Man pages, the reference and the pages of help come from the program's own declarations: they are bundled by themselves,
 * and run. Returns the pages of help.
 */
const writeManual = async ({ build }) => {
  const outfile = 'dist/manual.cjs';
  await build({
    entryPoints: ['src/cli/manual/index.ts'],
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    outfile,
    define: { 'import.meta.url': '__filename' },
    external: LEFT_OUT,
    plugins: [withoutHttp2],
    logLevel: 'error',
  });
  const { helpPages, manual } = createRequire(import.meta.url)(`./${outfile}`);
  await rm(outfile);
  const seconds = process.env.SOURCE_DATE_EPOCH;
  const date = (seconds ? new Date(Number(seconds) * 1000) : new Date()).toISOString().slice(0, 10);
  await mkdir('dist/man', { recursive: true });
  for (const { path, text } of await manual({ version, date })) await writeFile(`dist/${path}`, text);
  return helpPages();
};

const packageOf = (input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];

const noticeOf = async (folder) => {
  const { name, version: of, license } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'));
  const file = (await readdir(folder)).find((one) => /^licen[cs]e/i.test(one));
  const text = file ? await readFile(`${folder}/${file}`, 'utf8') : `Licensed under ${license}.`;
  return `${name} ${of} (${license})\n\n${text.trim()}\n`;
};

/** The licences of everything that is bundled ask to be passed on with it. */
const notices = async ({ inputs }) => {
  const folders = [...new Set(Object.keys(inputs).map(packageOf).filter(Boolean))].sort();
  return (await Promise.all(folders.map(noticeOf))).join(`\n${'-'.repeat(80)}\n\n`);
};

await rm('dist', { recursive: true, force: true });
const esbuild = await loadEsbuild();
await mkdir('dist/chunks', { recursive: true });
const { metafile, outputFiles } = await bundle(esbuild, await writeManual(esbuild));
await Promise.all(
  outputFiles.map(async (file) => {
    const made = metafile.outputs[relative('.', file.path).replaceAll('\\', '/')];
    await writeFile(file.path, await asCommonJs(esbuild, file, made));
  }),
);
await writeFile('dist/package.json', JSON.stringify({ type: 'commonjs' }));
await writeFile('dist/metafile.json', JSON.stringify(metafile));
await writeFile('dist/THIRD-PARTY-LICENSES.txt', await notices(metafile));
