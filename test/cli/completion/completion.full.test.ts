import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AREAS } from '../../../src/cli/command/areas.ts';
import { fishScript } from '../../../src/cli/completion/fish.ts';
import { readGrammar } from '../../../src/cli/completion/grammar.ts';
import { bashScript, SCRIPTS } from '../../../src/cli/completion/scripts.ts';
import { runBursar } from '../../support/bursar.ts';
import { newHomeInProcess, runInProcess } from '../../support/in-process.ts';
import { temporaryFolder } from '../../support/io.ts';
import { envelope, startServer } from '../../support/server.ts';
import { folderWithProgram, hasShell } from '../../support/shells.ts';
import { listed, newListener, post } from '../../support/webhook.ts';

const run = promisify(execFile);
const FOLDER = fileURLToPath(new URL('../../../completions', import.meta.url));

const FILES = [
  ['bash', 'bursar.bash'],
  ['zsh', '_bursar'],
  ['fish', 'bursar.fish'],
  ['powershell', 'bursar.ps1'],
] as const;

let home: string;
let path: string;

const [OPEN, PAID] = ['20260101T000000.000Z-aaaa', '20260101T000001.000Z-aaaa'];
const [LEFT, HELD] = ['20260101T000002.000Z-aaaa', '20260101T000003.000Z-aaaa'];
const [PIX, CARD] = ['20260101T000004.000Z-aaaa', '20260101T000005.000Z-aaaa'];
const STOPPED = '20260101T000006.000Z-aaaa';

const AT = '2026-01-01T00:00:00.000Z';
const CRYPTO = { amount: '10', currency: 'USDT', chain: 'polygon', token: 'USDT', receivers: [], payer: '0x2' };
const DEPOSIT = { operation: 'deposit', amount: '1', asset: 'USDC', chain: 'solana', wallet: 'w', provider_in: 'a' };

/** The lines of an operation: its start and its later steps. */
const linesOf = (intent: object, ...steps: readonly object[]): string => {
  const begun = {
    step: 'begun',
    profile: 'shop',
    kind: 'live',
    base_url: 'https://x.example',
    intent,
    stated: { facts: {} },
  };
  return [begun, ...steps].map((step) => `${JSON.stringify({ v: 2, at: AT, movement: 'm', ...step })}\n`).join('');
};

/** The address file of a sandbox with the process id of this test, where polygon is disabled. */
const ADDRESS = {
  ...{ url: 'http://127.0.0.1:1', api_key: 'k', control_key: 'c', pid: process.pid },
  chains: ['ethereum', 'polygon', 'bsc', 'base', 'arbitrum', 'solana'].map((name) => ({
    name,
    enabled: name !== 'polygon',
  })),
  providers: ['provider_a', 'provider_b'],
};

/** A home with the keys till and treasury, the profile shop, an order, a sandbox, and operations, some of them open. */
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'bursar-completion-'));
  path = `${await folderWithProgram(home)}:${process.env['PATH']}`;
  const put = async (folder: string, name: string, text: string) => {
    await mkdir(dirname(join(home, folder, name)), { recursive: true });
    await writeFile(join(home, folder, name), text);
  };
  await put('keys', 'till.json', '{}');
  await put('keys', 'treasury.json', '{}');
  await put('keys', 'savings.json', '{"format":"bursar-solana-key"}');
  await put('.', 'profiles.json', '{"version":1,"profiles":{"shop":{}}}');
  await put('cache', 'orders', 'cmb1x2y3z0000abcd1234efgh\n');
  const paid = { step: 'ended', payment_id: 'pay_78', status: 'success', tid_hash: '0x1' };
  await put('state/journal', `${OPEN}.ndjson`, linesOf(CRYPTO, { step: 'registered', payment_id: 'pay_77' }));
  await put('state/journal', `${PAID}.ndjson`, linesOf(CRYPTO, { step: 'registered', payment_id: 'pay_78' }, paid));
  await put('state/journal', `${LEFT}.ndjson`, linesOf(DEPOSIT));
  await put('state/journal', `${HELD}.ndjson`, linesOf(DEPOSIT, { step: 'settled', positions: [] }));
  const charge = (operation: string) => ({ operation, type: `${operation}crypto`, amount: '5', currency: 'BRL' });
  const inSandbox = (text: string) => text.replace('"kind":"live"', '"kind":"sandbox"');
  const created = (payment_id: string) => [
    { step: 'registered', payment_id },
    { step: 'created', payment_id },
  ];
  await put('state/journal', `${PIX}.ndjson`, inSandbox(linesOf(charge('pix'), ...created('pay_pix'))));
  await put('state/journal', `${CARD}.ndjson`, inSandbox(linesOf(charge('card'), ...created('pay_card'))));
  const stopped = inSandbox(linesOf(charge('card'), { step: 'registered', payment_id: 'pay_stopped' }));
  await put('state/journal', `${STOPPED}.ndjson`, stopped);
  await put('sandbox', 'server.json', JSON.stringify(ADDRESS));
  await put('state/journal', '20260102T000000.000Z-bbbb.ndjson', '{"payment_id":"$(touch pwned)"}\n');
  const tokens = ['USDC', 'USDT', 'EURC', 'USDC', '$(touch pwned)'].map((symbol) => ({ token: { symbol, mint: 'm' } }));
  await put('cache', 'strategies/a.json', JSON.stringify({ v: 1, envelope: { data: { strategies: tokens } } }));
  await put('.', 'crypto_tx.json', '{}');
  await put('.', 'aliases.json', '{"aliases":{"nightly":["pay","run"]}}');
});

afterAll(() => rm(home, { recursive: true, force: true }));

describe.each(FILES)('the completion of %s', (shell, file) => {
  it(`completions/${file} is the one that is committed; npm run completions writes it`, async () => {
    await expect(SCRIPTS[shell](await readGrammar(AREAS))).toMatchFileSnapshot(join(FOLDER, file));
  });

  it('equals the output of bursar completion', async () => {
    const { stdout, stderr, code } = await runBursar(home, ['completion', shell]);
    expect([stdout, stderr, code]).toEqual([SCRIPTS[shell](await readGrammar(AREAS)), '', 0]);
  });

  it('contains only words without shell syntax', async () => {
    const { commands, options, globals, values } = await readGrammar(AREAS);
    const words = [...commands.values()].flat().map(({ word }) => word);
    for (const word of [...words, ...[...options.values(), ...values.values()].flat(), ...globals])
      expect(word).toMatch(/^[\w@.|=+-]+$/);
  });
});

it('an unknown shell is exit 2 with the list of shells', async () => {
  const { code, stderr } = await runInProcess(home, ['completion', 'fihs']);
  expect(code).toBe(2);
  expect(stderr).toContain('bash, zsh, fish, powershell');
  expect((await runInProcess(home, ['completion'])).stderr).toContain('SHELL');
});

/** A typed line, and the words that completion offers for its last word. */
const OFFERED: readonly (readonly [string, readonly string[]])[] = [
  ['bursar p', ['pay', 'products', 'profile']],
  ['bursar nig', ['nightly']],
  ['bursar nightly ', []],
  ['bursar pay re', ['register', 'resume']],
  ['bursar --json pay re', ['register', 'resume']],
  ['bursar --profile shop pay re', ['register', 'resume']],
  ['bursar pay sign --unsig', ['--unsigned']],
  ['bursar pay status --base', ['--base-url']],
  ['bursar pay sign --key ', ['till', 'treasury']],
  ['bursar pay sign --key tr', ['treasury']],
  ['bursar yield deposit --key ', ['savings']],
  ['bursar key show ', ['savings', 'till', 'treasury']],
  ['bursar key show ti', ['till']],
  ['bursar key new ti', []],
  ['bursar --profile sh', ['shop']],
  ['bursar profile use ', ['sandbox', 'shop']],
  ['bursar pay status pay_', ['pay_77', 'pay_78', 'pay_card', 'pay_pix', 'pay_stopped']],
  ['bursar pay resume ', ['pay_77', 'pay_card', 'pay_pix', 'pay_stopped']],
  ['bursar sandbox pix ', ['pay_pix']],
  ['bursar sandbox card ', ['pay_card']],
  ['bursar sandbox trigger --release ', []],
  ['bursar yield resume ', [LEFT]],
  ['bursar pay show 2', [OPEN, PAID, PIX, CARD, STOPPED]],
  ['bursar yield forget 2', [LEFT, HELD]],
  ['bursar pay transaction --chain-name ', ['arbitrum', 'base', 'bsc', 'ethereum']],
  ['bursar pay register --to-chain p', []],
  ['bursar pay register --profile shop --to-chain p', ['polygon']],
  ['bursar yield deposit --chain-name ', ['solana']],
  ['bursar yield rebalance --provider-in ', ['provider_a', 'provider_b']],
  ['bursar sandbox chain ', ['arbitrum', 'base', 'bsc', 'disable', 'enable', 'ethereum', 'polygon', 'solana']],
  ['bursar sandbox chain enable ', ['polygon']],
  ['bursar sandbox chain disable --json b', ['base', 'bsc']],
  ['bursar open ', ['dashboard', 'payment', 'reference']],
  ['bursar pay status pay_77 ', []],
  ['bursar order toggle cmb', ['cmb1x2y3z0000abcd1234efgh']],
  ['bursar pay transaction --transaction-type card', ['cardcrypto', 'cardfiat']],
  ['bursar completion z', ['zsh']],
  ['bursar sandbox fault pay.e', ['pay.execute']],
  ['bursar sandbox fault quote.market p', ['pair_not_found', 'params_mismatch']],
  ['bursar sandbox fault yield.earnings earnings_', ['earnings_lookup_failed']],
  ['bursar review crypto', ['crypto_tx.json']],
  ['bursar explain otp_e', ['otp_expired']],
  ['bursar hel', ['help']],
  ['bursar help ex', ['exit-codes', 'explain']],
  ['bursar help pay re', ['register', 'resume']],
  ['bursar yield best US', ['USDC', 'USDT']],
  ['bursar yield deposit --asset E', ['EURC']],
];

const env = () => ({ PATH: path, HOME: home, BURSAR_HOME: home, LANG: 'C.UTF-8', TERM: 'dumb' });

const offeredByBash = async (line: string): Promise<readonly string[]> => {
  const script = `source '${FOLDER}/bursar.bash'; source '${FOLDER}/bursar.bash'
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _bursar bursar; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = await run('bash', ['-c', script, 'bash', ...line.split(' ')], { env: env(), cwd: home });
  expect(stderr).toBe('');
  return stdout.split('\n').filter(Boolean).toSorted();
};

const offeredByFish = async (line: string): Promise<readonly string[]> => {
  const script = `source '${FOLDER}/bursar.fish'; source '${FOLDER}/bursar.fish'; complete -C '${line}'`;
  const { stdout, stderr } = await run('fish', ['--no-config', '-c', script], { env: env(), cwd: home });
  expect(stderr).toBe('');
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((one) => one.replace(/\t.*/, ''))
    .toSorted();
};

describe.runIf(hasShell('bash'))('bash', () => {
  it.each(OFFERED)('%s', async (line, offered) => {
    expect(await offeredByBash(line)).toEqual(offered);
  });

  it('offers a value after an opening quote', async () => {
    expect(await offeredByBash("bursar pay sign --key 'tr")).toEqual(['treasury']);
  });

  it('offers a value after an equals sign', async () => {
    expect(await offeredByBash('bursar pay sign --key = tr')).toEqual(['treasury']);
    expect(await offeredByBash('bursar pay sign --key =')).toEqual(['till', 'treasury']);
  });

  it('parses, and has fewer than 25,000 characters', async () => {
    await run('bash', ['-n', join(FOLDER, 'bursar.bash')]);
    expect(bashScript(await readGrammar(AREAS)).length).toBeLessThan(25_000);
  });
});

describe.runIf(hasShell('fish'))('fish', () => {
  it.each(OFFERED)('%s', async (line, offered) => {
    expect(await offeredByFish(line)).toEqual(offered);
  });

  it('offers the value after an equals sign', async () => {
    expect(await offeredByFish('bursar pay sign --key=tr')).toEqual(['--key=treasury']);
  });

  it('shows the description of a command and of an option', async () => {
    const script = fishScript(await readGrammar(AREAS));
    for (const [typed, described] of [
      ['bursar pay sta', /^status\t\S/],
      ['bursar pay sign --unsig', /^--unsigned\t\S/],
    ] as const) {
      const words = ['--no-config', '-c', `${script}complete -C '${typed}'`];
      expect((await run('fish', words, { env: env() })).stdout).toMatch(described);
    }
  });
});

describe('completion --values', () => {
  const values = (kind: string) => runBursar(home, ['completion', '--values', kind]);

  it('prints one value a line, newest first, without shell syntax', async () => {
    expect((await values('payments')).stdout).toBe('pay_stopped\npay_card\npay_pix\npay_78\npay_77\n');
    expect((await values('movements')).stdout.split('\n')[0]).toBe('20260102T000000.000Z-bbbb');
    expect((await values('keys')).stdout).toBe('savings\ntill\ntreasury\n');
  });

  it('prints the ids of the newest deliveries, and no id that a sender chose', async () => {
    const { home: own, bursar } = await newHomeInProcess();
    const { url, ended } = await newListener(['--count', '3'], {}, own);
    for (const body of ['{"n":1}', '\n{"v":1,"id":"wh_of-a-sender"}\n', '{"n":2}'])
      await post(url, body, { digest: '"id":"wh_x"' });
    await ended;
    const ids = (await listed(own)).map(({ id }) => id);
    for (const words of [[], ['bursar', 'webhook', 'show', '']]) {
      const { stdout } = await bursar(['completion', '--values', 'webhooks', '--', ...words]);
      expect(stdout.trim().split('\n')).toEqual(ids);
    }
  });

  it('prints the orders of the last list, without shell syntax and without options', async () => {
    const orders = ['cmb_a', '--yes', 'cmb_b', '$(touch pwned)'].map((id) => ({ id, active: true }));
    const { url } = await startServer(envelope(200, 'orders_listed', { data: { orders, pagination: {} } }));
    const { bursar } = await newHomeInProcess();
    const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k' };
    expect((await bursar(['order', 'list'], { env })).code).toBe(0);
    expect((await bursar(['completion', '--values', 'orders'])).stdout).toBe('cmb_a\ncmb_b\n');
  });

  const offered = async (kind: string, words: readonly string[] = [], given = {}) =>
    (await runInProcess(home, ['completion', '--values', kind, '--', ...words], given)).stdout.trimEnd().split('\n');

  it('prints the chains of the sandbox only for a line that uses the sandbox', async () => {
    const all = ['ethereum', 'polygon', 'bsc', 'base', 'arbitrum'];
    const enabled = all.filter((name) => name !== 'polygon');
    const atHome = (words: readonly string[], env = {}) => offered('evm-chains', words, { env });
    expect(await atHome([])).toEqual(enabled);
    expect(await atHome(['pay', 'run', '--profile', 'shop'])).toEqual(all);
    expect(await atHome(['--profile=sandbox'], { BURSAR_PROFILE: 'shop' })).toEqual(enabled);
    expect(await atHome(['--profile', '=', 'sandbox'], { BURSAR_PROFILE: 'shop' })).toEqual(enabled);
    expect(await atHome(['--base-url', 'https://x.example'])).toEqual(all);
    expect(await atHome([], { BURSAR_PROFILE: 'shop' })).toEqual(all);
    expect(await atHome([], { BURSAR_BASE_URL: 'https://x.example' })).toEqual(all);
    const cwd = join(home, 'project', 'inner');
    await mkdir(cwd, { recursive: true });
    await writeFile(join(home, 'project', 'bursar.json'), '{"profile":"shop"}');
    expect(await offered('evm-chains', [], { cwd })).toEqual(all);
    await run('mkfifo', [join(cwd, 'bursar.json')]);
    expect(await offered('evm-chains', [], { cwd })).toEqual(all);
  });

  it('prints the providers and chains of a profile', async () => {
    const { home: own, bursar } = await newHomeInProcess();
    const shop = { providers: { fast: 'p-1', safe: 'p-2' }, chains: [{ name: 'devnet' }, { name: '$(touch pwned)' }] };
    await writeFile(join(own, 'profiles.json'), JSON.stringify({ version: 1, active: 'shop', profiles: { shop } }));
    expect((await bursar(['completion', '--values', 'providers'])).stdout).toBe('fast\nsafe\n');
    expect((await bursar(['completion', '--values', 'evm-chains'])).stdout).toMatch(/\narbitrum\ndevnet\n$/);
  });

  it('prints all chains when the sandbox of the address file does not run', async () => {
    const { home: own, bursar } = await newHomeInProcess();
    await mkdir(join(own, 'sandbox'));
    await writeFile(join(own, 'sandbox', 'server.json'), JSON.stringify({ ...ADDRESS, pid: 2 ** 22 + 1 }));
    expect((await bursar(['completion', '--values', 'evm-chains'])).stdout).toContain('polygon\n');
    await writeFile(join(own, 'sandbox', 'server.json'), 'no JSON');
    expect((await bursar(['completion', '--values', 'providers'])).stdout).toBe('provider_a\nprovider_b\n');
  });

  it('prints nothing for an unknown name or in an empty home: exit 0', async () => {
    expect(await values('toString')).toEqual({ code: 0, stdout: '', stderr: '' });
    const empty = await temporaryFolder();
    for (const kind of ['keys', 'payments', 'movements', 'orders', 'pay-open', 'yield-open', 'switchable-chains'])
      expect(await runInProcess(empty, ['completion', '--values', kind])).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
