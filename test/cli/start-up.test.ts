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

/** Files that loading a chunk loads too, without any dynamic import. */
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

describe('start-up loads only what is needed', () => {
  it('nothing of others for --version', async () => {
    expect(packagesOf(await readMetafile(), 'dist/main.js')).toEqual([]);
  });

  it('colours for help, and nothing of the command that it is about', async () => {
    const metafile = await readMetafile();
    const parts = ['src/cli/run.ts', 'src/cli/help/prepared.ts', 'src/cli/help/lay-out.ts', 'page:help-pay-run'];
    const inputs = parts.flatMap((part) => inputsOf(metafile, chunkWith(metafile, part)));
    expect(inputs.filter((path) => /src\/cli\/(?:command|commands|argv)\//.test(path))).toEqual([]);
    for (const part of parts)
      expect(packagesOf(metafile, chunkWith(metafile, part)).filter((name) => name !== 'chalk')).toEqual([]);
    // A page that the build has not made.
    const packages = packagesOf(metafile, chunkWith(metafile, 'src/cli/help/show.ts'));
    expect(packages.filter((name) => !['chalk', 'lossless-json'].includes(name))).toEqual([]);
  });

  it('no schema and no signature for the list of keys', async () => {
    const metafile = await readMetafile();
    const packages = packagesOf(metafile, chunkWith(metafile, 'src/cli/commands/key/list.ts'));
    expect(packages.toSorted()).toEqual(['base-x', 'bs58', 'lossless-json']);
  });

  it('no undici for a call that only reads', async () => {
    const metafile = await readMetafile();
    expect(packagesOf(metafile, chunkWith(metafile, 'src/io/http/read.ts'))).toEqual([]);
    expect(packagesOf(metafile, chunkWith(metafile, 'src/io/http/http.ts'))).not.toContain('undici');
  });

  it('the parser, and no schema, until a command is known', async () => {
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

  it("undici's client alone, and that is the one of its public entry", async () => {
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

  it('no signature library before something is signed', async () => {
    const metafile = await readMetafile();
    for (const part of ['key/manage', 'key/transfer', 'key/message', 'key/policy', 'kyc/index', 'yield/actions']) {
      const packages = packagesOf(metafile, chunkWith(metafile, `src/cli/commands/${part}.ts`));
      expect([part, packages.includes('tweetnacl')]).toEqual([part, false]);
    }
  });

  it('no HTTP/2, which is never offered', async () => {
    const metafile = await readMetafile();
    const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
    expect(imported).toContain('node:http');
    expect(imported).not.toContain('node:http2');
  });

  it('no module of Node that a newer version warns of', async () => {
    const metafile = await readMetafile();
    const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
    expect(imported.filter((path) => /^(?:node:)?punycode$/.test(path))).toEqual([]);
  });

  it('the review of pay sign only while its key is being unlocked', async () => {
    const metafile = await readMetafile();
    const before = inputsOf(metafile, chunkWith(metafile, 'src/cli/commands/pay/sign.ts'));
    expect(before).toContain('src/keystore/unlock.ts');
    // The options that state a payment are those of the contract, which is zod; a key file is read without.
    const packages = packagesOf(metafile, chunkWith(metafile, 'src/cli/commands/pay/sign.ts'));
    for (const heavy of ['ethers', '@noble/curves']) expect(packages).not.toContain(heavy);
    for (const later of ['src/chain/evm/review.ts', 'src/flows/pay/sign.ts', 'src/flows/pay/execute.ts']) {
      expect(before).not.toContain(later);
    }
  });
});

describe('the sandbox', () => {
  it('is loaded by dynamic import alone, and so are the libraries of io', async () => {
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
  /** The program alone, as an installation without optional dependencies has it: no node_modules at all. */
  const bare = async () => {
    const folder = await temporaryFolder();
    for (const part of ['bin', 'dist']) {
      await mkdir(join(folder, part));
      await cp(join(dirname(PROGRAM), '..', part), join(folder, part), { recursive: true });
    }
    await cp(join(dirname(PROGRAM), '../package.json'), join(folder, 'package.json'));
    return { folder, program: join(folder, 'bin/bursar.js') };
  };

  it('commands against a deployment work', async () => {
    const { folder, program } = await bare();
    const { url } = await startServer(envelope(200, 'quote_ok', { data: { price: '1' } }));
    const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k' };
    const quote = await runBursar(folder, ['quote', 'BTC', 'USDT', '--json'], { env, program });
    expect(quote).toMatchObject({ code: 0, stderr: '' });
    const password = { BURSAR_KEY_PASSWORD: 'p' };
    const key = await runBursar(folder, ['key', 'new', 'k', '--chain', 'evm', '--json'], { env: password, program });
    expect(key.code).toBe(0);
  });

  it('the sandbox says in one line what is missing and how to get it', async () => {
    const { folder, program } = await bare();
    const { code, stderr } = await runBursar(folder, ['sandbox', 'start'], { program });
    expect(code).toBe(5);
    expect(stderr).toMatch(/^error: .*libsql/);
    expect(stderr).not.toMatch(/\n {4}at /);
  });
});
