import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ParsedArgs } from '../../../src/cli/command/options.ts';
import { sign } from '../../../src/cli/commands/pay/sign.ts';
import type { ProfileSettings } from '../../../src/cli/profiles/profile.ts';
import type { ProfileLimits } from '../../../src/cli/profiles/selection.ts';
import type { Service } from '../../../src/client/service.ts';
import { findEvmChain } from '../../../src/contract/chains.ts';
import { ANNA, cryptoTxJson, transferData } from '../../chain/evm/given.ts';
import { newEvmKey } from '../../support/cheap-key.ts';
import { testIo } from '../../support/io.ts';
import { LIVE, profiled } from '../../support/profiled.ts';

const USDT = findEvmChain('polygon')?.tokens.USDT.address ?? '';
const ENV = { BURSAR_KEY_PASSWORD: 'pw' };

/** Options that state a transfer of USDT in smallest units. */
const STATED = (units = 1_500_000_000n): ParsedArgs => ({
  'amount-from': String(Number(units) / 1_000_000),
  'payer-token-symbol': 'USDT',
  'chain-name': 'polygon',
  split: [`${ANNA}=100`],
});

/** A home with a key, and a transfer of USDT on Polygon for that key to sign. */
const signing = async (
  settings: ProfileSettings,
  answers: readonly (string | boolean)[] | undefined,
  more: {
    readonly units?: bigint;
    readonly gasPrice?: string;
    readonly given?: ParsedArgs;
    readonly service?: Service;
    readonly beside?: readonly ProfileLimits[];
  } = {},
) => {
  const test = await testIo({ env: ENV, ...(answers && { answers }) });
  const { io } = test;
  const { address } = await newEvmKey(test.home, 'k');
  const request = {
    from: `"${address}"`,
    to: `"${USDT}"`,
    data: `"${transferData(ANNA, more.units ?? 1_500_000_000n)}"`,
    value: '0',
    chainId: '137',
    gasLimit: '"300000"',
    maxFeePerGas: `"${more.gasPrice ?? '30000000000'}"`,
  };
  await io.files.replacePrivate(join(test.home, 'tx.json'), cryptoTxJson(request));
  const given = { unsigned: join(test.home, 'tx.json'), key: 'k', json: true, ...STATED(more.units), ...more.given };
  const error = await sign.run(profiled(io, given, settings, more.service, more.beside), given).then(
    () => undefined,
    (thrown: unknown) => thrown as { code: string; message: string },
  );
  return { ...test, error };
};
const isSigned = ({ said }: { said: { stdout: string } }) => said.stdout.includes('signed_transaction');

const ABOVE: ProfileSettings = { type_amount_above: { usdt: '1000', '*': '1' } };

describe('a live profile without a policy, above its amount', () => {
  it.each(['1500', '1500.00', ' 1500.000000 '])('asks for the typed amount, and signs for "%s"', async (typed) => {
    const ended = await signing(ABOVE, [typed]);
    expect(ended.error).toBeUndefined();
    expect(isSigned(ended)).toBe(true);
    expect(ended.asked).toEqual(['1500 USDT on polygon (acme, live) will leave. Type the amount of USDT to sign it:']);
  });

  it.each(['', 'y', '1500.01', '1,500', '15e2', '01500'])(
    'signs nothing for the typed text "%s": exit 10',
    async (typed) => {
      const ended = await signing(ABOVE, [typed]);
      expect(ended.error).toMatchObject({ code: 'refused_by_review', message: expect.stringContaining('1500 USDT') });
      expect(isSigned(ended)).toBe(false);
    },
  );

  it('accepts --yes in place of the typed amount; without --yes and a terminal nothing is signed', async () => {
    expect(isSigned(await signing(ABOVE, undefined, { given: { yes: true } }))).toBe(true);
    expect((await signing(ABOVE, undefined)).error).toMatchObject({ code: 'confirmation_needed' });
  });

  it.each<[string, ProfileSettings, { units?: bigint; service?: Service }]>([
    ['exactly the amount', ABOVE, { units: 1_000_000_000n }],
    ['a token without an amount, and none for the others', { type_amount_above: { POL: '1' } }, {}],
    ['a profile with a policy', { ...ABOVE, policy: { chains: ['polygon'] } }, {}],
    ['a profile that is not live', ABOVE, { service: { ...LIVE, kind: 'sandbox' } }],
  ])('asks no question for %s when all facts are stated', async (_, settings, more) => {
    const ended = await signing(settings, [], more);
    expect(isSigned(ended)).toBe(true);
    expect(ended.asked).toEqual([]);
    const unstated = await signing(settings, [true], { ...more, given: { split: undefined } });
    expect(unstated.asked[0]).toMatch(/^Sign a transaction of .* on polygon \(acme, \w+\)\? Some checks need/);
  });

  it('asks for the amount also when a check needs a confirmation; --yes confirms no check', async () => {
    const dear = { gasPrice: '100000000000000' };
    const typed = await signing(ABOVE, ['1500'], dear);
    expect(isSigned(typed)).toBe(true);
    expect(typed.asked[0]).toMatch(/^Some checks need your confirmation\. 1500 USDT on polygon/);
    const yes = await signing(ABOVE, [false], { ...dear, given: { yes: true } });
    expect(yes.asked[0], 'the user is asked to confirm the check').toMatch(
      /^Sign a transaction of .* \(acme, live\)\? Some checks need your confirmation\.$/,
    );
    expect(isSigned(yes)).toBe(false);
    expect((await signing(ABOVE, undefined, { ...dear, given: { yes: true } })).error).toMatchObject({
      code: 'refused_by_review',
    });
  });

  it('treats an empty policy as none, and * as any other token', async () => {
    expect((await signing({ ...ABOVE, policy: {} }, ['no'])).error).toMatchObject({ code: 'refused_by_review' });
    expect((await signing({ type_amount_above: { '*': '1499' } }, ['no'])).error).toBeDefined();
  });
});

describe('the amount of another profile whose limits apply too', () => {
  const usual: ProfileLimits = { name: 'usual', baseUrl: 'https://usual.example', ...ABOVE };

  it('must be typed with any limits of the profile in use', async () => {
    for (const settings of [{}, { type_amount_above: { USDT: '9000' } }, { policy: { chains: ['polygon'] } }]) {
      const ended = await signing(settings, ['no'], { beside: [usual] });
      expect(ended.error).toMatchObject({ code: 'refused_by_review' });
      expect(isSigned(ended)).toBe(false);
    }
    expect(isSigned(await signing({}, ['1500'], { beside: [usual] }))).toBe(true);
  });

  it('is not typed when that profile has a policy', async () => {
    const limited = { ...usual, policy: { chains: ['polygon'] } };
    expect((await signing({}, [], { beside: [limited] })).asked).toEqual([]);
  });
});

describe('pay sign under a policy', () => {
  it('is recorded and counted: the next signature above the daily limit is refused and recorded', async () => {
    const policy = { most_per_day: { USDT: '2000' }, recipients: [ANNA] };
    const { io, home } = await signing({ policy }, [true]);
    const given = { unsigned: join(home, 'tx.json'), key: 'k', json: true, yes: true };
    await expect(
      sign.run(profiled(io, given, { policy }), given),
      'the same bytes count once',
    ).resolves.toBeUndefined();
    const text = new TextDecoder().decode(await io.files.read(join(home, 'tx.json')));
    await io.files.replacePrivate(join(home, 'tx.json'), text.replace('"nonce":7', '"nonce":8'));
    await expect(sign.run(profiled(io, given, { policy }), given)).rejects.toMatchObject({
      code: 'refused_by_review',
      details: { errors: [expect.objectContaining({ field: 'policy.most_per_day' })] },
    });
    const folder = join(io.places.state, 'journal');
    const journals = await Promise.all(
      (await readdir(folder))
        .filter((name) => name.endsWith('.ndjson'))
        .map((name) => readFile(join(folder, name), 'utf8')),
    );
    const steps = journals.map((all) =>
      all
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).step)
        .join(' '),
    );
    expect(steps.toSorted()).toEqual(['begun refused', 'begun reviewed signed', 'begun reviewed signed']);
    expect(journals.join('')).toContain('policy.most_per_day');
  });

  it('refuses another recipient, also with --allow-recipient, --allow-blind and --yes', async () => {
    const given = { 'allow-recipient': [ANNA], 'allow-blind': true, yes: true };
    const ended = await signing({ policy: { recipients: [] } }, undefined, { given });
    expect(ended.error).toMatchObject({
      code: 'refused_by_review',
      message: expect.stringContaining('policy.recipients'),
    });
    expect(isSigned(ended)).toBe(false);
  });
});
