import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AREAS } from '../../../src/cli/command/areas.ts';
import { readGrammar } from '../../../src/cli/completion/grammar.ts';
import { SCRIPTS } from '../../../src/cli/completion/scripts.ts';
import { PROGRAM } from '../../support/bursar.ts';
import { temporaryFolder } from '../../support/io.ts';
import { envelope, startServer } from '../../support/server.ts';

const OF_JOURNAL = ['payments', 'movements', 'pay-operations', 'pay-open', 'yield-operations', 'yield-open'];
const OF_WEBHOOKS = ['webhooks'];
const OF_SERVICE = ['evm-chains', 'yield-chains', 'providers'];
const KINDS = ['keys', 'profiles', 'orders', 'assets', ...OF_JOURNAL, ...OF_SERVICE, ...OF_WEBHOOKS];

const AT = '2026-01-01T00:00:00.000Z';
const CRYPTO = { amount: '10', currency: 'USDT', chain: 'polygon', token: 'USDT', receivers: [], payer: '0x2' };
const DEPOSIT = { operation: 'deposit', amount: '1', asset: 'USDC', chain: 'solana', wallet: 'w', provider_in: 'a' };

/** A home with many keys, payments and yield operations. */
const fullHome = async (): Promise<string> => {
  const home = await temporaryFolder();
  const put = async (path: string, text: string) => {
    await mkdir(join(home, path, '..'), { recursive: true });
    await writeFile(join(home, path), text, { mode: 0o600 });
  };
  for (let at = 0; at < 100; at += 1) await put(`keys/key-${at}.json`, '{}');
  await put('profiles.json', JSON.stringify({ version: 1, active: 'shop', profiles: { shop: {} } }));
  await put('cache/orders', 'cmb1x2y3z0000abcd1234efgh\n');
  const symbols = Array.from({ length: 2000 }, (_, at) => ({ token: { symbol: `T${at % 50}` } }));
  await put('cache/strategies/a.json', JSON.stringify({ v: 1, envelope: { data: { strategies: symbols } } }));
  for (let at = 0; at < 8; at += 1) {
    const lines = Array.from(
      { length: 60 },
      (_, n) => `{"v":1,"id":"wh_20260101T00000000${at}Z-${String(n).padStart(8, '0')}","body":"${'x'.repeat(9_000)}"}`,
    );
    await put(`state/webhooks/20260101T00000000${at}Z-0123abcd.ndjson`, `${lines.join('\n')}\n`);
  }
  for (let at = 0; at < 3000; at += 1) {
    const id = `20260101T${String(at).padStart(6, '0')}Z-0123abcd`;
    const intent = at % 2 === 0 ? CRYPTO : DEPOSIT;
    const begun = { v: 2, at: AT, movement: id, step: 'begun', profile: 'p', kind: 'live', base_url: 'u', intent };
    const line = { ...begun, stated: { facts: {} }, payment_id: `pay_${at}` };
    await put(`state/journal/${id}.ndjson`, `${JSON.stringify(line)}\n`);
  }
  return home;
};

/** Counts the loaded bytes of the program, the opened operations and the calls to another machine. */
const HOOK = `
const fs = require('node:fs');
const told = { calls: 0, opened: 0 };
const watch = (module, name, count) => {
  const own = module[name];
  module[name] = function (...args) { count(args); return own.apply(this, args); };
};
const isCall = () => { told.calls += 1; };
watch(require('node:net'), 'connect', isCall);
watch(require('node:net'), 'createConnection', isCall);
watch(require('node:net').Socket.prototype, 'connect', isCall);
watch(require('node:dns'), 'lookup', isCall);
watch(require('node:dns'), 'resolve', isCall);
const paths = new Set();
for (const module of [fs, fs.promises]) {
  for (const name of ['open', 'readFile', 'openSync'].filter((each) => each in module)) {
    watch(module, name, ([path]) => { if (String(path).endsWith('.ndjson')) told.opened = paths.add(path).size; });
  }
}
process.on('exit', () => {
  const loaded = Object.keys(require.cache).filter((path) => path !== __filename);
  const bytes = loaded.reduce((sum, path) => sum + fs.statSync(path).size, 0);
  fs.writeFileSync(process.env.TOLD, JSON.stringify({ ...told, bytes }));
});`;

type Told = { readonly calls: number; readonly opened: number; readonly bytes: number; readonly stdout: string };

const runner = async (home: string, env: Readonly<Record<string, string>> = {}) => {
  const [hook, told] = [join(home, 'hook.cjs'), join(home, 'told')];
  await writeFile(hook, HOOK);
  return async (args: readonly string[]): Promise<Told> => {
    const { stdout, stderr } = spawnSync(process.execPath, ['--require', hook, ...args], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', HOME: home, BURSAR_HOME: home, TOLD: told, ...env },
    });
    expect(stderr).toBe('');
    return { ...JSON.parse(await readFile(told, 'utf8')), stdout };
  };
};

describe('completion --values', () => {
  it('makes no network call, also with a configured service', async () => {
    const { url, received } = await startServer(envelope(200, 'orders_listed', { data: {} }));
    const run = await runner(await fullHome(), { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k' });
    for (const kind of KINDS) {
      const { calls, stdout } = await run([PROGRAM, 'completion', '--values', kind]);
      expect(stdout, kind).not.toBe('');
      expect(calls, kind).toBe(0);
    }
    expect(received).toEqual([]);
  });

  it('runs under a hook that counts a connection', async () => {
    const { url } = await startServer(envelope(200, 'quote_ok', { data: { price: '1' } }));
    const run = await runner(await temporaryFolder(), { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k' });
    // A server on this thread cannot answer during spawnSync: only the start of a call counts.
    const { calls } = await run(['-e', `require('node:net').connect(${new URL(url).port}, '127.0.0.1').destroy()`]);
    expect(calls).toBeGreaterThan(0);
  });

  // The bench measures the time. These limits are its reason: little code, and few of many files.
  it('loads little of the program, and opens only the newest operations', async () => {
    const run = await runner(await fullHome());
    for (const kind of KINDS) {
      const { bytes, opened } = await run([PROGRAM, 'completion', '--values', kind]);
      expect(bytes, kind).toBeGreaterThan(10_000);
      expect(bytes, kind).toBeLessThan(125_500);
      const most = OF_JOURNAL.includes(kind) ? 100 : OF_WEBHOOKS.includes(kind) ? 2 : 0;
      expect(opened, kind).toBe(most);
    }
  });
});

describe('the completion script', () => {
  it.each(Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[])('of %s has fewer than 51,500 characters', async (shell) => {
    expect(SCRIPTS[shell](await readGrammar(AREAS)).length).toBeLessThan(53_500);
  });
});
