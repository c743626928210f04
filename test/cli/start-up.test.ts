import { cp, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROGRAM, runBursar } from '../support/bursar.ts';
import { temporaryFolder } from '../support/io.ts';
import { envelope, startServer } from '../support/server.ts';

type Output = {
  readonly imports: readonly { path: string; kind: string; external?: boolean }[];
  readonly inputs: object;
};
type Metafile = { readonly outputs: Readonly<Record<string, Output>> };

const readMetafile = async (): Promise<Metafile> =>
  JSON.parse(await readFile(join(dirname(PROGRAM), '../dist/metafile.json'), 'utf8'));

/** The files of a chunk and of its static imports. */
const inputsOf = ({ outputs }: Metafile, entry: string): readonly string[] => {
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const one of outputs[path]?.imports ?? [])
      if (one.kind === 'import-statement' && !one.external) visit(one.path);
  };
  visit(entry);
  return [...seen].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}));
};

const packagesOf = (metafile: Metafile, entry: string): readonly string[] => {
  const names = inputsOf(metafile, entry).map((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? '');
  return [...new Set(names)].filter(Boolean);
};

const chunkWith = ({ outputs }: Metafile, input: string): string => {
  const found = Object.keys(outputs).find((path) => Object.hasOwn(outputs[path]?.inputs ?? {}, input));
  if (found === undefined) throw new Error(`no chunk has ${input}`);
  return found;
};

describe('start-up loads', () => {
  it('no package for --version', async () => {
    expect(packagesOf(await readMetafile(), 'dist/main.js')).toEqual([]);
  });

  it('only chalk for help, and no command', async () => {
    const metafile = await readMetafile();
    const parts = ['src/cli/run.ts', 'src/cli/help/prepared.ts', 'src/cli/help/lay-out.ts', 'page:help-pay-run'];
    const inputs = parts.flatMap((part) => inputsOf(metafile, chunkWith(metafile, part)));
    expect(inputs.filter((path) => /src\/cli\/(?:command|commands|argv)\//.test(path))).toEqual([]);
    for (const part of parts)
      expect(packagesOf(metafile, chunkWith(metafile, part)).filter((name) => name !== 'chalk')).toEqual([]);
    // A help page that the build has not prepared.
    const packages = packagesOf(metafile, chunkWith(metafile, 'src/cli/help/show.ts'));
    expect(packages.filter((name) => !['chalk', 'lossless-json'].includes(name))).toEqual([]);
  });

  it('no schema and no signature library for the list of keys', async () => {
    const metafile = await readMetafile();
    const packages = packagesOf(metafile, chunkWith(metafile, 'src/cli/commands/key/list.ts'));
    expect(packages.toSorted()).toEqual(['base-x', 'bs58', 'lossless-json']);
  });

  it('no undici for a call that only reads', async () => {
    const metafile = await readMetafile();
    expect(packagesOf(metafile, chunkWith(metafile, 'src/io/http/read.ts'))).toEqual([]);
    expect(packagesOf(metafile, chunkWith(metafile, 'src/io/http/http.ts'))).not.toContain('undici');
  });

  it('the parser and no schema before a command is chosen', async () => {
    const metafile = await readMetafile();
    expect([...packagesOf(metafile, chunkWith(metafile, 'src/cli/argv/parse.ts'))].sort()).toEqual([
      'chalk',
      'commander',
      'lossless-json',
    ]);
  });

  it('no signing library for a quote', async () => {
    const metafile = await readMetafile();
    const packages = packagesOf(metafile, chunkWith(metafile, 'src/cli/commands/quote/index.ts'));
    expect(packages).toContain('zod');
    for (const heavy of ['ethers', 'inquirer', 'ora', '@noble/curves']) expect(packages).not.toContain(heavy);
  });

  it('only the client of undici, which is the client of its public entry', async () => {
    const [{ Client }, { default: alone }] = await Promise.all([
      import('undici'),
      import('undici/lib/dispatcher/client.js'),
    ]);
    expect(alone).toBe(Client);
    const { outputs } = await readMetafile();
    const bundled = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
    expect(bundled).toContain('node_modules/undici/lib/dispatcher/client.js');
    expect(bundled.filter((path) => /undici\/lib\/(?:mock|interceptor)\//.test(path))).toEqual([]);
  });

  it('no signature library before a signature', async () => {
    const metafile = await readMetafile();
    for (const part of ['key/manage', 'key/transfer', 'key/message', 'key/policy', 'kyc/index', 'yield/actions']) {
      const packages = packagesOf(metafile, chunkWith(metafile, `src/cli/commands/${part}.ts`));
      expect([part, packages.includes('tweetnacl')]).toEqual([part, false]);
    }
  });

  it('no HTTP/2', async () => {
    const metafile = await readMetafile();
    const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
    expect(imported).toContain('node:http');
    expect(imported).not.toContain('node:http2');
  });

  it('no punycode, which newer versions of Node deprecate', async () => {
    const metafile = await readMetafile();
    const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
    expect(imported.filter((path) => /^(?:node:)?punycode$/.test(path))).toEqual([]);
  });

  it('no review for pay sign before its key is unlocked', async () => {
    const metafile = await readMetafile();
    const before = inputsOf(metafile, chunkWith(metafile, 'src/cli/commands/pay/sign.ts'));
    expect(before).toContain('src/keystore/unlock.ts');
    // The options that state a payment come from the contract, which needs zod. A key file needs no zod.
    const packages = packagesOf(metafile, chunkWith(metafile, 'src/cli/commands/pay/sign.ts'));
    for (const heavy of ['ethers', '@noble/curves']) expect(packages).not.toContain(heavy);
    for (const later of ['src/chain/evm/review.ts', 'src/flows/pay/sign.ts', 'src/flows/pay/execute.ts']) {
      expect(before).not.toContain(later);
    }
  });
});

describe('the sandbox', () => {
  it('is loaded only by dynamic import, and so are the libraries of io', async () => {
    const metafile = await readMetafile();
    const cli = Object.keys(metafile.outputs).filter((path) =>
      Object.keys(metafile.outputs[path]?.inputs ?? {}).some((input) => input.startsWith('src/cli/')),
    );
    expect(cli.length).toBeGreaterThan(5);
    const reached = cli.flatMap((path) => inputsOf(metafile, path));
    expect(reached.filter((input) => input.startsWith('src/sandbox/'))).toEqual([]);
    const io = packagesOf(metafile, chunkWith(metafile, 'src/io/system.ts'));
    for (const heavy of ['undici', 'inquirer', 'ora', 'conf', 'ajv']) expect(io).not.toContain(heavy);
  });
});

describe('without the optional packages', () => {
  /** The program without node_modules, as after an installation without optional dependencies. */
  const bare = async () => {
    const folder = await temporaryFolder();
    for (const part of ['bin', 'dist']) {
      await mkdir(join(folder, part));
      await cp(join(dirname(PROGRAM), '..', part), join(folder, part), { recursive: true });
    }
    await cp(join(dirname(PROGRAM), '../package.json'), join(folder, 'package.json'));
    return { folder, program: join(folder, 'bin/bursar.js') };
  };

  it('quote and key new succeed against a deployment', async () => {
    const { folder, program } = await bare();
    const { url } = await startServer(envelope(200, 'quote_ok', { data: { price: '1' } }));
    const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k' };
    const quote = await runBursar(folder, ['quote', 'BTC', 'USDT', '--json'], { env, program });
    expect(quote).toMatchObject({ code: 0, stderr: '' });
    const password = { BURSAR_KEY_PASSWORD: 'p' };
    const key = await runBursar(folder, ['key', 'new', 'k', '--chain', 'evm', '--json'], { env: password, program });
    expect(key.code).toBe(0);
  });

  it('sandbox start is exit 5, and the error names the missing package and its installation', async () => {
    const { folder, program } = await bare();
    const { code, stderr } = await runBursar(folder, ['sandbox', 'start'], { program });
    expect(code).toBe(5);
    expect(stderr).toMatch(/^error: .*libsql/);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('npm install --include=optional');
    expect(stderr).not.toMatch(/\n {4}at /);
  });
});
