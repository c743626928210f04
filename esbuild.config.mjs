import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join, relative } from 'node:path';

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
    onResolve({ filter: /^(?:node:)?http2$/ }, () => ({ path: 'http2', namespace: 'no-http2' }));
    onLoad({ filter: /.*/, namespace: 'no-http2' }, () => ({
      contents: 'export class Http2ServerRequest {} export const constants = {};',
    }));
  },
};

/** web3.js has a fetch for a Node without one. It brings a table of names, and a module that Node 24 warns of. */
const withoutNodeFetch = {
  name: 'without-node-fetch',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^node-fetch$/ }, ({ path }) => ({ path, namespace: 'no-fetch' }));
    onLoad({ filter: /.*/, namespace: 'no-fetch' }, () => ({ contents: 'export default undefined;' }));
  },
};

/** Puts other code in place of one piece of a library's file, which must be there. */
const replacing = (name, filter, piece, other) => ({
  name,
  setup: ({ onLoad }) =>
    onLoad({ filter }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes(piece)) throw new Error(`${path}: ${piece} is no longer there`);
      return { contents: text.replaceAll(piece, other) };
    }),
});

/** Puts other code in place of a whole file of a library. */
const insteadOf = (name, filter, contents) => ({
  name,
  setup: ({ onLoad }) => onLoad({ filter }, () => ({ contents })),
});

/**
 * undici takes two things from Node's own HTTP, which it can do without where the size of headers is said and no body is
 * a request of Node's. Loading it costs a call a twentieth of its time.
 */
const withoutNodeHttp = replacing(
  'without-node-http',
  /undici[\\/]lib[\\/](?:dispatcher[\\/]client|core[\\/]util)\.js$/,
  "require('node:http')",
  '{}',
);

/**
 * ethers' curve builds a table of 4,000 points before its first signature, which pays off after dozens of them; a
 * command makes one or two. A table of 500 is built in a tenth of the time, and a signature takes as long again.
 */
const smallerCurveTable = replacing(
  'smaller-curve-table',
  /ethers[\\/].*curves[\\/]esm[\\/]abstract[\\/]weierstrass\.js$/,
  'Point.BASE._setWindowSize(8)',
  'Point.BASE._setWindowSize(4)',
);

/** commander takes what starts programs for commands that are programs of their own. bursar has none. */
const withoutPrograms = replacing(
  'without-programs',
  /commander[\\/]lib[\\/]command\.js$/,
  "require('node:child_process')",
  '{}',
);

const ETHERS = join(process.cwd(), 'node_modules/ethers/lib.esm');
const KECCAK = join(ETHERS, 'crypto/keccak.js');

/**
 * esbuild puts a library's index and all that it names into one chunk. Two files need keccak256 alone, or the address that
 * is made with it: they get it without the curve that stands beside it.
 */
const keccakAlone = {
  name: 'keccak-alone',
  setup: ({ onResolve }) => {
    const files = { 'ethers/address': join(ETHERS, 'address/address.js'), 'ethers/crypto': KECCAK };
    onResolve({ filter: /^ethers\// }, ({ path, importer }) =>
      /(?:keystore[\\/]keccak|chain[\\/]evm[\\/]address)\.ts$/.test(importer)
        ? { path: files[path], sideEffects: false }
        : undefined,
    );
    onResolve({ filter: /crypto\/index\.js$/ }, ({ importer }) =>
      importer === files['ethers/address'] ? { path: KECCAK, sideEffects: false } : undefined,
    );
  },
};

/** noble takes Node's cryptography while it loads, and needs it for random bytes alone. */
const lateRandom = insteadOf(
  'late-random',
  /@noble[\\/]hashes[\\/]esm[\\/]cryptoNode\.js$/,
  'export const crypto = { getRandomValues: (bytes) => globalThis.crypto.getRandomValues(bytes) };',
);

/** libsecp256k1 is a file beside the chunk that loads it. */
const WASM = 'secp256k1.wasm';
const ownWasmPath = insteadOf(
  'own-wasm-path',
  /tiny-secp256k1[\\/]lib[\\/]wasm_path\.js$/,
  "export const path = (name) => require('node:path').join(__dirname, name);",
);

/** open looks for its own xdg-open beside itself, which is not shipped: without a place of its own it takes the system's. */
const withoutOwnXdgOpen = replacing(
  'without-own-xdg-open',
  /node_modules[\\/]open[\\/]index\.js$/,
  'import.meta.url',
  'undefined',
);

/** Chalk looks for what a terminal can show while it loads. bursar decides that itself, and says it to each instance. */
const withoutDetection = insteadOf(
  'without-detection',
  /chalk[\\/]source[\\/]vendor[\\/]supports-color[\\/]index\.js$/,
  'export default { stdout: false, stderr: false };',
);

/** The pages of help, each in a file of its own: a command that prints one loads no other part of the program. */
const preparedPages = (pages) => ({
  name: 'prepared-pages',
  setup: ({ onLoad, onResolve }) => {
    const fileOf = (name) => `help-${name.replaceAll(' ', '-') || 'bursar'}`;
    const files = new Map(Object.entries(pages).map(([name, page]) => [fileOf(name), page]));
    onLoad({ filter: /cli[\\/]help[\\/]prepared\.ts$/ }, () => {
      const loads = Object.keys(pages).map((name) => `${JSON.stringify(name)}:()=>import("page:${fileOf(name)}")`);
      return {
        contents: `const PAGES={${loads}};
export const preparedPage=async(words,length)=>{const name=words.join(' ');return Object.hasOwn(PAGES,name)?(await PAGES[name]()).default[length]:undefined};`,
      };
    });
    onResolve({ filter: /^page:/ }, ({ path }) => ({ path: path.slice('page:'.length), namespace: 'page' }));
    onLoad({ filter: /.*/, namespace: 'page' }, ({ path }) => ({
      contents: `export default ${JSON.stringify(files.get(path))}`,
    }));
  },
});

/** The names that completion offers, without the contract that they come from. */
const knownNames = (known) => ({
  name: 'known-names',
  setup: ({ onLoad }) =>
    onLoad({ filter: /cli[\\/]completion[\\/]known\.ts$/ }, () => ({
      contents: `export const KNOWN=${JSON.stringify(known)};`,
    })),
});

const bundle = ({ build }, { pages, known }) =>
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
    plugins: [
      ...[
        withoutHttp2,
        withoutNodeFetch,
        withoutNodeHttp,
        withoutPrograms,
        withoutDetection,
        smallerCurveTable,
        keccakAlone,
        lateRandom,
        ownWasmPath,
        withoutOwnXdgOpen,
      ],
      preparedPages(pages),
      knownNames(known),
    ],
    write: false,
    logLevel: 'warning',
  });

/** A chunk imports esbuild's own helpers even where it uses none of them: an import without a name of a chunk without a source. */
const withoutIdleImports = (text, { imports }, { outputs }) =>
  imports
    .filter(({ path }) => outputs[path] && Object.keys(outputs[path].inputs).length === 0 && !outputs[path].entryPoint)
    .reduce((rest, { path }) => rest.replace(new RegExp(`import"[./]*(?:chunks/)?${basename(path)}";`), ''), text);

const isOurs = (path) => !path.startsWith('node_modules/');

/** esbuild splits ES modules alone; Node loads CommonJS in less time, with none of what its ES loader needs. */
const COMMON_JS = {
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': '__filename' },
  logOverride: { 'equals-negative-zero': 'silent' },
};

/** V8 reads a file with one other character at half the speed. esbuild escapes texts, and leaves regular expressions. */
const inAscii = (code) =>
  code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Man pages, the reference and the pages of help come from the program's own declarations: they are bundled by themselves,
 * and run. Returns the pages of help, and the names that completion offers.
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
  const { helpPages, known, manual } = createRequire(import.meta.url)(`./${outfile}`);
  await rm(outfile);
  const seconds = process.env.SOURCE_DATE_EPOCH;
  const date = (seconds ? new Date(Number(seconds) * 1000) : new Date()).toISOString().slice(0, 10);
  await mkdir('dist/man', { recursive: true });
  for (const { path, text } of await manual({ version, date })) await writeFile(`dist/${path}`, text);
  return { pages: await helpPages(), known };
};

/**
 * What is loaded together, by the sources that begin it. Node takes a third of a millisecond for each file, however
 * small, so these come as one file each. A part belongs to the first that needs it.
 */
const PACKS = {
  start: [
    'cli/argv/command-line',
    'cli/run',
    'cli/help/prepared',
    'cli/help/lay-out',
    'cli/completion/values',
    'io/system',
  ],
  store: ['journal/open-store'],
  command: ['cli/argv/parse', 'cli/prompt/name-next'],
  failure: ['cli/print/exit'],
  keys: ['cli/commands/key/list', 'keystore/keccak'],
  records: ['cli/operations/records', 'cli/commands/pay/journal'],
  call: ['cli/commands/quote/index', 'io/http/http', 'io/http/read'],
  sandbox: ['sandbox/launcher'],
  pay: ['cli/commands/pay/run', 'cli/commands/pay/sign', 'flows/policy/gate'],
  unlocked: ['cli/commands/pay/run-unlocked', 'cli/commands/pay/sign-unlocked'],
};

/** The pack of each chunk that is in one. */
const packsOf = ({ outputs }) => {
  const packs = new Map();
  const add = (pack, path) => {
    if (packs.has(path)) return;
    packs.set(path, pack);
    for (const { path: needed, kind, external } of outputs[path].imports)
      if (kind === 'import-statement' && !external) add(pack, needed);
  };
  const chunkFrom = (input) => {
    const found = Object.keys(outputs).find((path) => outputs[path].entryPoint === input);
    if (found === undefined) throw new Error(`nothing loads ${input} by itself`);
    return found;
  };
  for (const [pack, parts] of Object.entries(PACKS)) for (const part of parts) add(pack, chunkFrom(`src/${part}.ts`));
  return packs;
};

/** node:crypto takes longer to load than a command takes to run that does not use it: it is loaded on its first use. */
const withLateCrypto = (code) =>
  code.replaceAll(
    /\b(import_node_crypto\w*)=require\("node:crypto"\)/g,
    '$1=new Proxy({},{get:(_,name)=>require("node:crypto")[name]})',
  );

/** A pack has each of its chunks as one name. */
const nameIn = (chunk) => `_${basename(chunk, '.js').replaceAll(/\W/g, '_')}`;

/** Lets a file take from packs what is in them. */
const withPacks = (code, packs) =>
  inAscii(withLateCrypto(code)).replaceAll(
    /\brequire\("(\.\/(?:chunks\/)?)([\w.-]+\.js)"\)/g,
    (whole, folder, name) => {
      const pack = packs.get(`dist/chunks/${name}`);
      return pack === undefined ? whole : `require("${folder}${pack}.js").${nameIn(name)}`;
    },
  );

/** Chunks as one module of CommonJS. What a chunk loads later stays a call, even to the pack itself. */
const packed = async ({ build }, chunks) => {
  const inPack = {
    name: 'in-pack',
    setup: ({ onLoad, onResolve }) => {
      onResolve({ filter: /^\.\// }, ({ path, kind }) =>
        kind === 'import-statement' && chunks.has(basename(path))
          ? { path: basename(path), namespace: 'chunk' }
          : { path: `./${basename(path)}`, external: true },
      );
      onLoad({ filter: /.*/, namespace: 'chunk' }, ({ path }) => ({ contents: chunks.get(path) }));
    },
  };
  const contents = [...chunks.keys()].map((name) => `export * as ${nameIn(name)} from "./${name}";`).join('\n');
  const options = {
    ...COMMON_JS,
    bundle: true,
    stdin: { contents },
    plugins: [inPack],
    write: false,
    logLevel: 'warning',
  };
  const { outputFiles } = await build(options);
  // As of each module of CommonJS that was one of ES.
  const marks = 'for(const part of Object.values(module.exports))part.__esModule=true;';
  return outputFiles[0].text + marks;
};

/** Writes the program: the packs, and each other chunk as a file. */
const writeProgram = async (esbuild, { metafile, outputFiles }) => {
  const packs = packsOf(metafile);
  const inPacks = new Map(Object.keys(PACKS).map((pack) => [pack, new Map()]));
  for (const file of outputFiles) {
    const path = relative('.', file.path).replaceAll('\\', '/');
    const made = metafile.outputs[path];
    const text = withoutIdleImports(file.text, made, metafile);
    // A third less to read at each start; our own names stay, for those who look into a stack.
    const minifyIdentifiers = !Object.keys(made.inputs).some(isOurs);
    const pack = inPacks.get(packs.get(path));
    const format = pack ? 'esm' : 'cjs';
    const { code } = await esbuild.transform(text, {
      ...COMMON_JS,
      format,
      minifyIdentifiers,
      ...(pack && { supported: {} }),
    });
    if (pack) pack.set(basename(path), code);
    else await writeFile(path, withPacks(code, packs));
  }
  for (const [pack, chunks] of inPacks)
    await writeFile(`dist/chunks/${pack}.js`, withPacks(await packed(esbuild, chunks), packs));
};

/** What other programs import, by the file that it comes from. */
const KIT = { client: 'createClient', sandbox: 'startSandbox' };

/**
 * The kit is one file of CommonJS for each import, and a small ES module that takes its names from it. Both have the same
 * declarations, which come from the contract.
 */
const writeKit = async ({ build }) => {
  await mkdir('dist/kit');
  const inputs = {};
  for (const [name, exported] of Object.entries(KIT)) {
    const { metafile } = await build({
      ...COMMON_JS,
      stdin: { contents: `export { ${exported} } from './src/kit/${name}.ts';`, resolveDir: '.' },
      bundle: true,
      outfile: `dist/kit/${name}.cjs`,
      minifyIdentifiers: true,
      legalComments: 'none',
      metafile: true,
      // An error that a program does not handle prints its line, which must fit a screen.
      lineLimit: 160,
      banner: { js: "const kitFile=require('node:url').pathToFileURL(__filename).href;" },
      define: { 'import.meta.url': 'kitFile' },
      plugins: [withoutHttp2, withoutNodeHttp],
      logLevel: 'warning',
    });
    Object.assign(inputs, metafile.inputs);
    const module = `import kit from './${name}.cjs';\n\nexport const { ${exported} } = kit;\n`;
    await writeFile(`dist/kit/${name}.js`, module);
  }
  const outfile = 'dist/declare.cjs';
  await build({
    ...COMMON_JS,
    entryPoints: ['src/kit/declare.ts'],
    bundle: true,
    outfile,
    define: { 'import.meta.url': '__filename' },
    plugins: [withoutHttp2, withoutNodeHttp],
    logLevel: 'error',
  });
  const texts = createRequire(import.meta.url)(`./${outfile}`).declarations();
  await rm(outfile);
  for (const name of Object.keys(KIT))
    for (const ending of ['d.ts', 'd.cts']) await writeFile(`dist/kit/${name}.${ending}`, texts[name]);
  await writeFile('dist/kit/package.json', JSON.stringify({ type: 'module' }));
  return { inputs };
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
const bundled = await bundle(esbuild, await writeManual(esbuild));
const { metafile } = bundled;
await writeProgram(esbuild, bundled);
await copyFile(`node_modules/tiny-secp256k1/lib/${WASM}`, `dist/chunks/${WASM}`);
await writeFile('dist/package.json', JSON.stringify({ type: 'commonjs' }));
await writeFile('dist/metafile.json', JSON.stringify(metafile));
const kit = await writeKit(esbuild);
await writeFile('dist/THIRD-PARTY-LICENSES.txt', await notices({ inputs: { ...metafile.inputs, ...kit.inputs } }));
