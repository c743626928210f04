import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cryptoTxJson } from '../chain/evm/given.ts';
import { newEvmKey } from '../support/cheap-key.ts';
import { PAYMENT, RECEIVERS } from '../support/journey.ts';
import { killedAt } from '../support/kill-at.ts';
import { overriding } from '../support/overriding.ts';
import { register } from '../support/prepared-payment.ts';
import { startYieldJourney, type YieldJourney } from '../support/yield-journey.ts';

/* The policy of a key in the built program against the sandbox. The key is the same for every name of the service. */

let journey: YieldJourney;

beforeAll(async () => {
  journey = await startYieldJourney();
  await writeFile(join(journey.home, 'payment.json'), JSON.stringify(PAYMENT));
});

afterAll(() => journey.end());

beforeEach(async () => {
  for (const name of ['payer', 'saver']) await journey.bursar(['key', 'policy', 'unset', name]);
  await journey.bursar(['profile', 'set', 'sandbox', 'policy=']);
});

const paid = async () => (await Promise.all(RECEIVERS.map(journey.balance))).reduce((sum, one) => sum + one, 0);

let count = 0;
const payBy = async (more: readonly string[] = [], settings: Parameters<YieldJourney['bursar']>[1] = {}) => {
  count += 1;
  const args = ['--body', join(journey.home, 'payment.json'), '--key', 'payer', '--yes', '--intent', `key-${count}`];
  const { code, stdout, stderr } = await journey.bursar(overriding(['pay', 'run', ...args, '--json'], more), settings);
  const { error, ...data } = JSON.parse(stdout || '{}');
  return { code, stderr, data, fields: (error?.errors ?? []).map(({ field }: { field: string }) => field) };
};
const depositOf = async (asset: string, amount: string, more: readonly string[] = []) => {
  const what = ['--chain-name', 'solana', '--asset', asset, '--provider', 'provider_a', '--amount', amount];
  const { code, stdout } = await journey.bursar([
    ...['yield', 'deposit', ...what, '--key', 'saver', '--sign', '--json'],
    ...more,
  ]);
  const { error } = JSON.parse(stdout || '{}');
  return { code, fields: (error?.errors ?? []).map(({ field }: { field: string }) => field) };
};
const deposit = (...more: readonly string[]) => depositOf('USDC', '2', more);

const EVM_SETTINGS = [
  ['chains=ethereum', 'policy.chains'],
  ['tokens=USDC', 'policy.tokens'],
  [`recipients=${RECEIVERS[0]}`, 'policy.recipients'],
  ['contracts=0x9999999999999999999999999999999999999999', 'policy.contracts'],
  ['most_per_transaction.USDT=9.99', 'policy.most_per_transaction'],
  ['most_per_transaction.*=9.99', 'policy.most_per_transaction'],
  ['most_per_day.USDT=9.99', 'policy.most_per_day'],
  ['most_per_day.*=9.99', 'policy.most_per_day'],
  ['most_fee.polygon=0.000000001', 'policy.most_fee'],
  ['ask_above.USDT=9.99', 'policy.ask_above'],
  ['ask_above.*=9.99', 'policy.ask_above'],
] as const;

const SOLANA_SETTINGS = [
  ['chains=polygon', 'policy.chains'],
  ['programs=MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', undefined],
  ['most_fee.solana=0', 'policy.most_fee'],
  ['most_per_day.USDC=1', 'policy.most_per_day'],
  [`recipients=${RECEIVERS[0]}`, 'policy.recipients'],
] as const;

describe.each(['key', 'profile'] as const)('each setting of the policy of a %s', (of) => {
  const setOf = (name: string, setting: string) =>
    of === 'key'
      ? journey.bursar(['key', 'policy', 'set', name, setting])
      : journey.bursar(['profile', 'set', 'sandbox', `policy.${setting}`]);

  it.each(EVM_SETTINGS)('%s refuses a payment with exit 10, and nothing is signed', async (setting, field) => {
    const before = await journey.signatures();
    expect((await setOf('payer', setting)).code).toBe(0);
    const { code, fields } = await payBy();
    expect({ code, fields }).toEqual({ code: 10, fields: expect.arrayContaining([field]) });
    expect(await journey.signatures()).toBe(before);
  });

  it.each(SOLANA_SETTINGS)('%s applies to a deposit', async (setting, field) => {
    expect((await setOf('saver', setting)).code).toBe(0);
    const { code, fields } = await deposit();
    expect({ code, fields }).toEqual(
      field ? { code: 10, fields: expect.arrayContaining([field]) } : { code: 0, fields: [] },
    );
  });

  it('blind_signing=never refuses --allow-blind', async () => {
    expect((await setOf('payer', 'blind_signing=never')).code).toBe(0);
    const { code, fields } = await payBy(['--allow-blind']);
    expect({ code, fields }).toEqual({ code: 10, fields: expect.arrayContaining(['policy.blind_signing']) });
  });
});

describe('nothing lifts the policy of a key', () => {
  it('no profile, variable, project file, spelling of the address of the service, name of the key or option', async () => {
    await journey.bursar(['key', 'policy', 'set', 'payer', 'most_per_transaction.USDT=9.99']);
    const { url, api_key } = JSON.parse(await readFile(join(journey.home, 'sandbox', 'server.json'), 'utf8'));
    const local = url.replace('127.0.0.1', 'localhost');
    const own = { BURSAR_API_KEY: api_key, BURSAR_PROFILE: '' };
    await writeFile(join(journey.home, 'bursar.json'), JSON.stringify({ profile: 'sandbox' }));
    const ways: readonly (readonly [readonly string[], Record<string, string>?])[] = [
      [['--profile', 'sandbox']],
      [[], { BURSAR_PROFILE: 'sandbox' }],
      [['--base-url', local], own],
      [['--base-url', url], own],
      [['--allow-recipient', RECEIVERS[0], '--allow-blind', '--quiet']],
      [['--key', 'renamed']],
      [['--key', 'second']],
    ];
    expect((await journey.bursar(['key', 'rename', 'payer', 'renamed'])).code).toBe(0);
    for (const name of ['payer', 'second'])
      await copyFile(join(journey.home, 'keys', 'renamed.json'), join(journey.home, 'keys', `${name}.json`));
    const before = await journey.signatures();
    for (const [more, env] of ways) {
      const { code, fields } = await payBy(more, env ? { env } : {});
      expect({ more, code }).toEqual({ more, code: 10 });
      expect(fields).toContain('policy.most_per_transaction');
    }
    expect(await journey.signatures()).toBe(before);
  });

  it('an address has one day for all profiles, and the policy of a profile applies beside it', async () => {
    await journey.bursar(['key', 'policy', 'set', 'payer', 'most_per_day.USDT=1000']);
    const { data } = await journey.json(['key', 'show', 'payer']);
    const counted = (all: { world: string; counted: string }[]) =>
      Number(all.find(({ world }) => world === 'sandbox')?.counted);
    const before = counted(data['limits'] as never);
    expect((await payBy()).code).toBe(0);
    const after = (await journey.json(['key', 'show', 'payer', '--profile', 'sandbox'])).data['limits'];
    expect(counted(after as never)).toBe(before + 10);
    await journey.bursar(['key', 'policy', 'set', 'payer', `most_per_day.USDT=${before + 15}`]);
    const { code, fields } = await payBy();
    expect({ code, fields }).toEqual({ code: 10, fields: ['policy.most_per_day'] });
    await journey.bursar(['profile', 'set', 'sandbox', 'policy.chains=bsc']);
    expect((await payBy()).fields).toEqual(expect.arrayContaining(['policy.chains', 'policy.most_per_day']));
  });

  it('a deposit that was signed and not sent does not count beside its replacement', async () => {
    await journey.bursar(['key', 'policy', 'set', 'saver', 'most_per_day.EURC=100']);
    const what = ['--chain-name', 'solana', '--asset', 'EURC', '--provider', 'provider_a', '--amount', '60'];
    const args = ['yield', 'deposit', ...what, '--key', 'saver', '--broadcast', '--yes', '--json'];
    expect((await journey.bursar(args, killedAt('journal:broadcasting:before'))).code).toBe(null);
    const { code, stdout } = await journey.bursar(['yield', 'resume', '--yes', '--json']);
    expect(code, stdout).toBe(0);
    expect((await depositOf('EURC', '40.01')).fields).toEqual(['policy.most_per_day']);
    expect((await depositOf('EURC', '40')).code).toBe(0);
  });

  it('an operation that counts for the day cannot be forgotten: exit 10', async () => {
    const { data } = await payBy();
    const forget = () => journey.json(['pay', 'forget', String(data['movement']), '--yes']);
    await journey.bursar(['key', 'policy', 'set', 'payer', 'most_per_day.USDT=1000']);
    expect(await forget()).toMatchObject({ code: 10, data: { error: { errors: [{ field: 'policy.most_per_day' }] } } });
    await journey.bursar(['key', 'policy', 'unset', 'payer']);
    expect((await forget()).code).toBe(0);
  });

  it('bytes that were signed elsewhere are checked against the policy of the key here', async () => {
    const registered = await journey.json(['pay', 'register', '--body', 'payment.json']);
    const id = String(registered.data['payment_id']);
    await journey.json([
      ...['pay', 'transaction', id, '--transaction-type', 'crypto', '--payer-email', 'payer@example.com'],
      ...['--payer-wallet', journey.address, '--chain-name', 'polygon', '--payer-token-symbol', 'USDT'],
    ]);
    const { data } = await journey.json(['pay', 'sign', id, '--key', 'payer']);
    await journey.bursar(['key', 'policy', 'set', 'payer', 'most_per_transaction.USDT=9.99']);
    const before = await paid();
    const hex = String(data['signed_transaction']);
    const sent = await journey.json(['pay', 'execute', id, '--signed-transaction', hex, '--yes']);
    expect(sent.code).toBe(10);
    expect(await paid()).toBe(before);
  });
});

describe('a standing mandate', () => {
  const MANDATE = [
    ...['chains=polygon', 'tokens=USDT', `recipients=${RECEIVERS.join(',')}`],
    'most_per_transaction.USDT=10',
  ] as const;

  it('is the statement for a payment that was not entered here, and needs the password', async () => {
    // Only the service has this payment: nothing of it was entered on this machine.
    const paymentId = await register(journey.ask, PAYMENT);
    await journey.ask('POST', '/payment/register/intents-create-transaction', {
      ...{ payment_id: paymentId, transaction_type: 'crypto', payer_email: PAYMENT.payer_email },
      ...{ payer_wallet: journey.address, chain_name: 'polygon', payer_token_symbol: 'USDT' },
    });
    const sign = () => journey.json(['pay', 'sign', paymentId, '--key', 'payer', '--yes']);
    expect((await sign()).code).toBe(10);
    const unsealed = await journey.bursar(['key', 'policy', 'set', 'payer', ...MANDATE], {
      env: { BURSAR_KEY_PASSWORD: '' },
    });
    expect(unsealed.code).toBe(2);
    expect((await journey.bursar(['key', 'policy', 'set', 'payer', ...MANDATE])).code).toBe(0);
    expect((await sign()).code).toBe(0);
    await journey.bursar(['key', 'policy', 'set', 'payer', 'most_per_transaction.USDT=9.99']);
    expect((await sign()).code).toBe(10);
  });
});

describe('signatures of the sandbox', () => {
  const file = () => join(journey.home, 'real.json');
  const sign = (more: readonly string[] = [], env: Record<string, string> = {}) =>
    journey.bursar(['pay', 'sign', '--unsigned', 'real.json', '--key', 'example', '--yes', '--json', ...more], { env });

  beforeAll(async () => {
    await newEvmKey(journey.home, 'example', { secret: new Uint8Array(32).fill(0x46) });
    await writeFile(file(), cryptoTxJson({ chainId: '137' }));
  });

  it.each<[string, readonly string[], Record<string, string>]>([
    ['--profile', ['--profile', 'sandbox'], { BURSAR_PROFILE: '' }],
    ['BURSAR_PROFILE', [], { BURSAR_PROFILE: 'sandbox' }],
  ])('a real chain id is never signed under a sandbox profile of %s', async (_, more, env) => {
    const before = await journey.signatures();
    const { code, stdout } = await sign(more, env);
    expect(code).toBe(10);
    expect(JSON.parse(stdout).error.errors).toContainEqual({
      field: 'world',
      message: expect.stringContaining('real chain'),
    });
    expect(await journey.signatures()).toBe(before);
  });

  it('on Solana the sandbox signs only with a blockhash of its own node', async () => {
    const built = await journey.json([
      ...['yield', 'deposit', '--chain-name', 'solana', '--asset', 'USDC', '--provider', 'provider_a', '--amount', '2'],
      ...['--wallet', journey.wallet],
    ]);
    const text = String(built.data['transaction']);
    const known = await journey.bursar(['yield', 'sign', '--transaction', '-', '--key', 'saver', '--json'], {
      stdin: text,
    });
    expect(known.stderr + known.stdout).not.toContain('"blockhash"');
    const bytes = Buffer.from(text, 'base64');
    const { parseSolana } = await import('../../src/chain/solana/parse.ts');
    const { addressBytes } = await import('../../src/chain/solana/address.ts');
    const own = Buffer.from(addressBytes(parseSolana(text).message.blockhash));
    bytes.fill(7, bytes.indexOf(own), bytes.indexOf(own) + 32);
    const forged = await journey.bursar(['yield', 'sign', '--transaction', '-', '--key', 'saver', '--json'], {
      stdin: bytes.toString('base64'),
    });
    expect(forged.code).toBe(10);
    expect(JSON.parse(forged.stdout).error.errors.map(({ field }: { field: string }) => field)).toContain('blockhash');
  });
});
