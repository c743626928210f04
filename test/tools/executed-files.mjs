// Runs one `pay run` from the sources, on a Node that strips types, against a sandbox of the built program. V8's coverage
// counts the files and functions of the source that it executes.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NODE = join(ROOT, 'test/nodes/node_modules/node24/bin/node');
const PROGRAM = join(ROOT, 'bin/bursar.js');
const SOURCE = pathToFileURL(join(ROOT, 'src')).href;
const START = `globalThis.BURSAR_VERSION = '0.0.0';
const { main } = await import(${JSON.stringify(`${SOURCE}/cli/main.ts`)});
await main(process, ${JSON.stringify(PROGRAM)});`;
const PAYMENT = [
  ...['pay', 'run', '--amount-from', '10', '--from-currency-symbol', 'USDT', '--to-currency-symbol', 'USDT'],
  ...['--to-chain', 'polygon', '--split', '0x1111111111111111111111111111111111111111=100'],
  ...[
    '--public-client-id',
    `cli_${'0'.repeat(32)}`,
    '--webhook-url',
    'https://example.com/hook',
    '--payer-email',
    'a@example.com',
  ],
  ...['--key', 'payer', '--yes', '--profile', 'sandbox'],
];

const executedIn = (folder) =>
  readdirSync(folder)
    .flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).result)
    .filter(({ url }) => url.startsWith(SOURCE))
    .map(({ functions }) => functions.filter(({ functionName, ranges }) => functionName && ranges[0].count > 0).length)
    .filter((count) => count > 0);

/** The number of files and functions of the source that a `pay run` executes; `undefined` if Node 24 is not installed. */
export const executedByPayRun = () => {
  if (!existsSync(NODE)) return undefined;
  const home = mkdtempSync(join(tmpdir(), 'bursar-executed-'));
  const coverage = join(home, 'coverage');
  const password = join(home, 'password');
  writeFileSync(password, 'correct horse battery staple', { mode: 0o600 });
  const env = { ...process.env, BURSAR_HOME: home, NODE_OPTIONS: '' };
  const bursar = (...args) =>
    execFileSync(process.execPath, [PROGRAM, ...args], { env, encoding: 'utf8', stdio: 'pipe' });
  try {
    bursar('sandbox', 'start', '--ephemeral');
    bursar('key', 'new', 'payer', '--chain', 'evm', '--password-file', password);
    bursar('sandbox', 'fund', 'payer');
    const run = spawnSync(
      NODE,
      ['--input-type=module', '-e', START, '--', PROGRAM, ...PAYMENT, '--password-file', password],
      {
        env: { ...env, NODE_V8_COVERAGE: coverage },
        encoding: 'utf8',
      },
    );
    if (run.status !== 0) throw new Error(`pay run ended with ${run.status}: ${run.stderr}`);
    const counts = executedIn(coverage);
    return { files: counts.length, functions: counts.reduce((sum, count) => sum + count, 0) };
  } finally {
    spawnSync(process.execPath, [PROGRAM, 'sandbox', 'stop'], { env });
    rmSync(home, { recursive: true, force: true });
  }
};
