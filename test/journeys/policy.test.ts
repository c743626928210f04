import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Policy } from '../../src/chain/review/policy.ts';
import type { Command } from '../../src/cli/command/command.ts';
import type { ParsedArgs } from '../../src/cli/command/options.ts';
import { walletProve } from '../../src/cli/commands/kyc/index.ts';
import { execute } from '../../src/cli/commands/pay/execute.ts';
import { run } from '../../src/cli/commands/pay/run.ts';
import { sign } from '../../src/cli/commands/pay/sign.ts';
import { depositCommand as deposit } from '../../src/cli/commands/yield/actions.ts';
import { SANDBOX_SOLANA } from '../../src/contract/chains.ts';
import { isFailure } from '../../src/core/failure.ts';
import { secret } from '../../src/core/secret.ts';
import { systemHttp } from '../../src/io/http/http.ts';
import { placesFrom } from '../../src/io/system.ts';
import { testIo } from '../support/io.ts';
import { PAYMENT, RECEIVERS } from '../support/journey.ts';
import { profiled } from '../support/profiled.ts';
import { startYieldJourney, type YieldJourney } from '../support/yield-journey.ts';

let journey: YieldJourney;

beforeAll(async () => {
  journey = await startYieldJourney();
});

afterAll(() => journey.end());

const RUN: ParsedArgs = { key: 'payer', yes: true, json: true, body: '-' };
const DEPOSIT: ParsedArgs = {
  'chain-name': 'solana',
  asset: 'USDC',
  provider: 'provider_a',
  key: 'saver',
  broadcast: true,
  yes: true,
  json: true,
};

type Policied = { readonly policy: Policy; readonly profile: string };

/** Runs a command against the sandbox of the journey, with a profile of that policy. */
const under = async ({ policy, profile }: Policied, leaf: Command, given: ParsedArgs, stdin?: string) => {
  const env = { BURSAR_HOME: journey.home, BURSAR_KEY_PASSWORD: 'pw' };
  const { io, said } = await testIo({ env, ...(stdin && { stdin }) });
  const { url, api_key } = JSON.parse(await readFile(join(journey.home, 'sandbox', 'server.json'), 'utf8'));
  const own = {
    ...io,
    cwd: journey.home,
    places: placesFrom(env, journey.home),
    http: systemHttp(new AbortController().signal),
    // Two payments of one wallet wait for each other: each claim belongs to this living process.
    processes: { ...io.processes, liveness: async () => 'alive' as const },
    random: { ...io.random, fraction: Math.random },
  };
  const service = { profile, kind: 'sandbox', baseUrl: url, apiKey: secret(api_key) } as const;
  // A deposit of this profile needs a node without a terminal.
  const all = leaf === deposit ? { ...given, 'rpc-url': `${url}/_chain/solana` } : given;
  const cli = profiled(own, { timeout: '60', ...all }, { policy }, service);
  try {
    await leaf.run(cli, all);
    return { code: 'done', answer: JSON.parse(said.stdout), fields: [] };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { code: error.code, answer: {}, fields: (error.details.errors ?? []).map(({ field }) => field) };
  }
};

const pay = (policied: Policied, payment: object = PAYMENT) => under(policied, run, RUN, JSON.stringify(payment));

/** The steps of each operation of a profile, the oldest first. */
const stepsOf = async (profile: string) => {
  const folder = join(journey.home, 'state', 'journal');
  const texts = await Promise.all(
    (await readdir(folder))
      .filter((name) => name.endsWith('.ndjson'))
      .toSorted()
      .map((name) => readFile(join(folder, name), 'utf8')),
  );
  return texts
    .map((text) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    )
    .filter(([begun]) => begun.profile === profile)
    .toSorted(([a], [b]) => (a.at < b.at ? -1 : 1))
    .map((lines) => lines.map(({ step }) => step));
};
const paid = async () => (await Promise.all(RECEIVERS.map(journey.balance))).reduce((sum, one) => sum + one, 0);

describe('a policy on real payments', () => {
  it('allows payments up to the exact daily limit; then exit 10, nothing sent, recorded in the journal', async () => {
    const policied = { profile: 'daily', policy: { most_per_day: { USDT: '20' } } };
    const before = await paid();
    expect((await pay(policied)).answer).toMatchObject({ status: 'success', profile: 'daily' });
    expect((await pay(policied)).answer).toMatchObject({ status: 'success' });
    expect(await pay(policied)).toMatchObject({ code: 'refused_by_review', fields: ['policy.most_per_day'] });
    expect(await paid()).toBe(before + 20);
    expect((await stepsOf('daily')).at(-1)?.at(-1)).toBe('refused');
    expect((await stepsOf('daily')).at(-1)).not.toContain('signed');
    expect((await pay({ ...policied, profile: 'another' })).code, 'another profile has its own count').toBe('done');
  });

  it('refuses one of two payments at once when the day has room for one', async () => {
    const policied = { profile: 'race', policy: { most_per_day: { USDT: '10' } } };
    const before = await paid();
    // Equal amounts would give the same bytes with the same nonce, which can pay once.
    const ended = await Promise.all([pay(policied), pay(policied, { ...PAYMENT, amount_from: '9' })]);
    expect(ended.map(({ code }) => code).toSorted()).toContain('refused_by_review');
    expect(await paid()).toBeLessThanOrEqual(before + 10);
  });

  it.each<[string, Policy]>([
    ['policy.chains', { chains: ['ethereum'] }],
    ['policy.tokens', { tokens: ['USDC'] }],
    ['policy.recipients', { recipients: [RECEIVERS[0]] }],
    ['policy.contracts', { contracts: [] }],
    ['policy.most_per_transaction', { most_per_transaction: { USDT: '9.99' } }],
  ])('%s refuses before a signature', async (id, policy) => {
    const before = await paid();
    expect(await pay({ profile: id, policy })).toMatchObject({ code: 'refused_by_review', fields: [id] });
    expect(await paid()).toBe(before);
    expect((await stepsOf(id)).at(-1)).not.toContain('signed');
  });

  it('counts a payment that is only signed, and the same bytes may then be executed', async () => {
    const policied = { profile: 'apart', policy: { most_per_day: { USDT: '15' } } };
    await journey.ask('POST', '/_sandbox/fund', { address: journey.address, chain: 'bsc' });
    const registered = await journey.json(['pay', 'register', '--body', '-'], { stdin: JSON.stringify(PAYMENT) });
    const id = String(registered.data['payment_id']);
    await journey.json([
      ...['pay', 'transaction', id, '--transaction-type', 'crypto', '--payer-email', 'payer@example.com'],
      ...['--payer-wallet', journey.address, '--chain-name', 'polygon', '--payer-token-symbol', 'USDT'],
    ]);
    const given = { payment_id: id, key: 'payer', yes: true, json: true };
    const { answer } = await under(policied, sign, given);
    const other = await pay(policied, { ...PAYMENT, to_chain: 'bsc', amount_from: '5.000001' });
    expect(other, 'on another chain both can land').toMatchObject({ fields: ['policy.most_per_day'] });
    const sent = await under(policied, execute, {
      ...given,
      key: undefined,
      'signed-transaction': answer.signed_transaction,
    });
    expect(sent.answer).toMatchObject({ id, tid_hash: answer.hash });
  });
});

describe('a policy on deposits', () => {
  it('counts a deposit, refuses the next above the daily limit, and records the refusal', async () => {
    const vaults = [SANDBOX_SOLANA.vaults.provider_a, SANDBOX_SOLANA.fees];
    const policied = { profile: 'saving', policy: { most_per_day: { USDC: '15' }, recipients: vaults } };
    expect((await under(policied, deposit, { ...DEPOSIT, amount: '10' })).answer).toMatchObject({ status: 'landed' });
    expect(await under(policied, deposit, { ...DEPOSIT, amount: '5.000001' })).toMatchObject({
      code: 'refused_by_review',
      fields: ['policy.most_per_day'],
    });
    expect((await stepsOf('saving')).at(-1)).toEqual(['begun', 'building', 'built', 'refused']);
    expect((await under(policied, deposit, { ...DEPOSIT, amount: '5' })).code).toBe('done');
  });

  it('refuses a deposit into a vault that is not a recipient, also with --sign', async () => {
    const policied = { profile: 'elsewhere', policy: { recipients: [RECEIVERS[0]] } };
    const signatures = await journey.signatures();
    const sent = { ...DEPOSIT, amount: '1' };
    for (const given of [sent, { ...sent, broadcast: undefined, sign: true }]) {
      expect(await under(policied, deposit, given)).toMatchObject({
        code: 'refused_by_review',
        fields: expect.arrayContaining(['policy.recipients']),
      });
    }
    expect((await stepsOf('elsewhere')).map((steps) => steps.at(-1))).toEqual(['refused', 'refused']);
    expect(await journey.signatures()).toBe(signatures);
  });
});

describe('a policy on the proof of a wallet', () => {
  it('refuses a wallet whose family has no chain in the policy, and signs for the other family', async () => {
    const policied = { profile: 'proof', policy: { chains: ['polygon', 'base'] } };
    expect(await under(policied, walletProve, { key: 'saver', json: true })).toMatchObject({
      code: 'refused_by_review',
      fields: ['policy.chains'],
    });
    expect((await under(policied, walletProve, { key: 'payer', json: true })).code).toBe('done');
  });
});
