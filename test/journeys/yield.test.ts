import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSolanaKey } from '../support/cheap-key.ts';
import { built, depositOf, sceneOf, vaultOf } from '../support/hostile-yield.ts';
import { type Meddler, processesFirst } from '../support/journey.ts';
import { overriding } from '../support/overriding.ts';
import { asked, isBroadcast, startYieldJourney, tampering, type YieldJourney } from '../support/yield-journey.ts';

const way = processesFirst();

let journey: YieldJourney;

beforeAll(async () => {
  journey = await startYieldJourney(way.run);
});

afterAll(() => journey.end());

const HASH = /^[1-9A-HJ-NP-Za-km-z]{80,90}$/;

const send = (operation: string, ...more: readonly string[]) =>
  journey.json(overriding([...asked(operation), '--broadcast', '--yes'], more));

const journal = async () => {
  const folder = join(journey.home, 'state', 'journal');
  const last =
    (await readdir(folder))
      .filter((name) => name.endsWith('.ndjson'))
      .sort()
      .at(-1) ?? '';
  const text = await readFile(join(folder, last), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
};

const steps = async () => (await journal()).map(({ step }) => step);

/** Counts the broadcasts of some work. */
const counting = async <T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly bodies: string[] }> => {
  const bodies: string[] = [];
  const watching: Meddler = ({ path, body }, forward) => {
    if (isBroadcast(path)) bodies.push(body);
    return forward();
  };
  return { result: await journey.through(watching, work), bodies };
};

const STATED = ['--kind', 'deposit', '--amount', '10', '--asset', 'USDC', '--provider', 'provider_a'];

describe('through the service', () => {
  it('a deposit lands: the provider has the money, the positions are printed, and every step is on the disk', async () => {
    const { code, data } = await send('deposit');
    expect({ code, data }).toMatchObject({
      code: 0,
      data: {
        status: 'landed',
        operation: 'deposit',
        profile: 'sandbox',
        kind: 'sandbox',
        wallet: journey.wallet,
        transaction_hash: expect.stringMatching(HASH),
        positions: [{ provider: 'provider_a', before: '0', after: '9.99' }],
      },
    });
    expect(await journey.position('provider_a')).toBe('9.99');
    const order = ['begun', 'building', 'built', 'reviewed', 'signed_part', 'broadcasting', 'landed', 'settled'];
    expect(await steps()).toEqual(order);
    const signed = (await journal()).find(({ step }) => step === 'signed_part');
    expect(signed).toMatchObject({ hash: data['transaction_hash'], from: journey.wallet });
  });

  it('a withdrawal lands: the money is back in the wallet', async () => {
    const before = Number(await journey.held('USDC'));
    const { code, data } = await send('withdraw', '--amount', '4');
    expect({ code, data }).toMatchObject({
      code: 0,
      data: { operation: 'withdraw', positions: [{ provider: 'provider_a', before: '9.99', after: '5.99' }] },
    });
    expect(Number(await journey.held('USDC'))).toBe(before + 4);
  });

  it('a rebalance in one transaction moves the amount from provider_a to provider_b', async () => {
    const { result, bodies } = await counting(() => send('rebalance', '--amount', '5'));
    expect(result).toMatchObject({
      code: 0,
      data: {
        positions: [
          { provider: 'provider_a', before: '5.99', after: '0.99' },
          { provider: 'provider_b', before: '0', after: '5' },
        ],
      },
    });
    expect(bodies).toHaveLength(1);
  });
});

describe('in other forms', () => {
  beforeAll(way.change);

  it('the amount of a rebalance is sent as typed, and compared exactly', async () => {
    const sent: string[] = [];
    const watching: Meddler = ({ path, body }, forward) => {
      if (path === '/yield/rebalance') sent.push(JSON.parse(body).amount);
      return forward();
    };
    for (const amount of [' 1e-1 ', '.1']) {
      const { code, data } = await journey.through(watching, () => send('rebalance', '--amount', amount));
      expect({ code, data }).toMatchObject({ code: 0, data: { status: 'landed', amount: '0.1' } });
    }
    expect(sent).toEqual([' 1e-1 ', '.1']);
    const { stdout: stdin } = await journey.bursar([...asked('rebalance', 'USDC', '.1'), '--json']);
    const legs = ['--asset', 'USDC', '--provider-out', 'provider_a', '--provider-in', 'provider_b'];
    const sign = ['yield', 'sign', '--transaction', '-', '--key', 'saver', '--kind', 'rebalance', ...legs];
    expect((await journey.json([...sign, '--amount', ' 1e-1 '], { stdin })).code).toBe(0);
    expect((await journey.json([...sign, '--amount', '1e-2'], { stdin })).code).toBe(10);
    const twiceAsMuch: Meddler = async ({ path, body }, forward) => {
      const answer = await forward();
      if (path !== '/yield/rebalance') return answer;
      const data = await journey.ask('PATCH', path, { ...JSON.parse(body), amount: '2e-1' });
      return { ...answer, body: JSON.stringify({ ...JSON.parse(answer.body), data }) };
    };
    expect((await journey.through(twiceAsMuch, () => send('rebalance', '--amount', '1e-1'))).code).toBe(10);
  });

  it.each([
    [
      'by one call as the document has it',
      [],
      [['string', 'string']],
      ['broadcasting', 'broadcasting', 'landed', 'landed'],
    ],
    ['one by one', ['--one-by-one'], ['string', 'string'], ['broadcasting', 'landed', 'broadcasting', 'landed']],
  ] as const)(
    'a rebalance in two transactions lands in order, %s, with one password',
    async (_, more, sent, sending) => {
      const run = ['--broadcast', '--yes'];
      await journey.json([...asked('deposit', 'EURC'), ...run]);
      const was = await Promise.all(['provider_a', 'provider_b'].map((each) => journey.position(each, 'EURC')));
      const once = { stdin: 'pw\n', env: { BURSAR_KEY_PASSWORD: '' } };
      const { result, bodies } = await counting(() =>
        journey.json([...asked('rebalance', 'EURC', '5'), ...run, ...more, '--password-stdin'], once),
      );
      expect(result).toMatchObject({ code: 0, data: { transaction_hashes: [expect.any(String), expect.any(String)] } });
      const is = await Promise.all(['provider_a', 'provider_b'].map((each) => journey.position(each, 'EURC')));
      const changes = is.map((each, at) => (Number(each) - Number(was[at])).toFixed(3));
      expect(changes).toEqual(['-5.000', '5.000']);
      const typesOf = (each: unknown) => (Array.isArray(each) ? each.map((one) => typeof one) : typeof each);
      expect(bodies.map((body) => typesOf(JSON.parse(body).op_signed))).toEqual(sent);
      const two = ['signed_part', 'signed_part', ...sending, 'settled'];
      expect((await steps()).slice(-two.length)).toEqual(two);
    },
  );

  it('a legacy transaction lands like a v0 transaction', async () => {
    const before = Number(await journey.position('provider_a'));
    const legacy = ({ transaction }: Record<string, unknown>) => {
      const scene = sceneOf(String(transaction));
      const leg = depositOf(scene, vaultOf('provider_a'), { units: 10_000_000n });
      return { transaction: built(scene, [leg], { version: 'legacy' }) };
    };
    const { code, data } = await journey.through(tampering(legacy, []), () => send('deposit'));
    expect({ code, data }).toMatchObject({ code: 0, data: { status: 'landed' } });
    expect(Number(await journey.position('provider_a'))).toBeGreaterThan(before + 9);
  });
});

describe('before anything is sent', () => {
  it('without --yes and a terminal nothing is built, signed or sent: exit 2', async () => {
    const seen: string[] = [];
    const run = (amount: string) =>
      journey.through(
        tampering((each) => each, seen),
        () => journey.json([...overriding(asked('deposit'), ['--amount', amount]), '--broadcast']),
      );
    const { code, data } = await run('9.87');
    expect({ code, error: data['error'], seen }).toMatchObject({
      code: 2,
      error: { code: 'confirmation_needed', next: expect.stringMatching(/ --yes$/) },
      seen: [],
    });
    const { data: sent } = await send('deposit', '--amount', '9.86');
    const again = await run('9.86');
    const next = `bursar yield show ${sent['movement']}`;
    expect(again, 'an equal operation is shown, not repeated').toMatchObject({ code: 2, data: { error: { next } } });
    expect(seen).toEqual(['/_sandbox/health']);
  });

  it('a wallet that is not the wallet of the key is exit 2', async () => {
    const other = ['--wallet', '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU'];
    const { code, data } = await send('deposit', ...other);
    expect({ code, error: data['error'] }).toMatchObject({ code: 2, error: { errors: [{ option: '--wallet' }] } });
  });

  it('options of signing without --sign or --broadcast are exit 2', async () => {
    const { code, data } = await journey.json([...asked('deposit'), '--rpc-url', 'http://127.0.0.1:1']);
    expect({ code, message: data['error']?.['message'] }).toEqual({
      code: 2,
      message: expect.stringContaining('--sign'),
    });
  });

  it('without --sign bursar prints the built transaction for the wallet of the named key', async () => {
    const { code, data } = await journey.json(asked('deposit'));
    expect({ code, data }).toMatchObject({ code: 0, data: { transaction: expect.any(String) } });
    expect(sceneOf(String(data['transaction'])).owner.toBase58()).toBe(journey.wallet);
  });
});

describe('signing alone', () => {
  it('--sign prints the bytes for yield broadcast, records the signature, and sends nothing', async () => {
    const { result: signed, bodies } = await counting(() => journey.json([...asked('deposit'), '--sign']));
    expect(signed).toMatchObject({ code: 0, data: { hash: expect.stringMatching(HASH), from: journey.wallet } });
    expect({ bodies, steps: await steps() }).toEqual({ bodies: [], steps: ['begun', 'reviewed', 'signed_part'] });
    expect((await journey.json(['yield', 'list', '--open'])).data).toEqual([]);
    const op = ['--op-signed', String(signed.data['signed_transaction']), '--chain-name', 'solana', '--yes'];
    const sent = await journey.json(['yield', 'broadcast', ...op, ...STATED, '--wallet', journey.wallet]);
    expect(sent).toMatchObject({ code: 0, data: { status: 1, transactionHash: signed.data['hash'] } });
  });

  it('yield sign accepts the answer of the service, as a file too, and bare base64 on standard input', async () => {
    const { stdout } = await journey.bursar([...asked('deposit'), '--json']);
    const sign = ['yield', 'sign', '--transaction', '-', '--key', 'saver', ...STATED];
    const whole = await journey.json(sign, { stdin: stdout });
    const bare = await journey.json(sign, { stdin: String(JSON.parse(stdout).transaction) });
    expect(whole).toMatchObject({ code: 0, data: { from: journey.wallet, hash: expect.stringMatching(HASH) } });
    expect(bare.data).toEqual(whole.data);
    await writeFile(join(journey.home, 'built.json'), stdout);
    const ofFile = await journey.json(sign.map((word) => (word === '-' ? 'built.json' : word)));
    expect(ofFile).toEqual(whole);
  });

  it('yield sign without a statement is exit 10 with the options of a statement', async () => {
    const { stdout: stdin } = await journey.bursar([...asked('deposit'), '--json']);
    const sign = ['yield', 'sign', '--transaction', '-', '--key', 'saver'];
    const optionsOf = async (more: readonly string[]) => {
      const { code, data } = await journey.json([...sign, ...more], { stdin });
      const errors = (data['error']?.['errors'] ?? []) as { option: string }[];
      return [code, errors.map(({ option }) => option)];
    };
    expect(await optionsOf(['--yes'])).toEqual([10, ['--kind', '--amount', '--asset']]);
    expect(await optionsOf(['--kind', 'deposit', '--amount', '10'])).toEqual([10, ['--asset', '--provider-in']]);
    const other = STATED.map((word) => (word === '10' ? '11' : word));
    expect((await journey.json([...sign, ...other], { stdin })).code).toBe(10);
    expect((await journey.json([...sign, ...STATED, '--chain-name', 'polygon'], { stdin })).code).toBe(2);
  });

  it('yield sign of a withdrawal without its provider names the option that states the provider', async () => {
    const words = ['--chain-name', 'solana', '--asset', 'USDC', '--amount', '1'];
    const built = ['yield', 'withdraw', ...words, '--key', 'saver', '--provider', 'provider_a', '--json'];
    const { stdout: stdin } = await journey.bursar(built);
    const sign = ['yield', 'sign', '--transaction', '-', '--key', 'saver', '--kind', 'withdraw', ...words];
    const { code, data } = await journey.json(sign, { stdin });
    expect({ code, errors: data['error']?.['errors'] }).toMatchObject({
      code: 10,
      errors: expect.arrayContaining([expect.objectContaining({ field: 'token', option: '--provider-out' })]),
    });
    expect(data['error']?.['message']).toContain('If provider_a pays out, state it: --provider-out provider_a.');
    expect((await journey.json([...sign, '--provider-out', 'provider_a'], { stdin })).code).toBe(0);
  });

  it.each([
    ['deposit', ['--provider-in', 'provider_a', '--provider-out', 'provider_b']],
    ['withdraw', ['--provider-out', 'provider_b', '--provider-in', 'provider_a']],
  ])('yield sign of a %s with an extra provider is exit 2 and names both providers', async (kind, providers) => {
    const { stdout } = await journey.bursar([...asked('deposit'), '--json']);
    const stated = ['--kind', kind, '--amount', '10', '--asset', 'USDC', ...providers];
    const sign = ['yield', 'sign', '--transaction', '-', '--key', 'saver', ...stated];
    const { code, data } = await journey.json(sign, { stdin: stdout });
    expect({ code, ...data }).toMatchObject({ code: 2, error: { message: expect.stringContaining('provider_a') } });
    expect(data['error']?.['message']).toContain('provider_b');
  });

  it('yield sign refuses invalid bytes and a transaction of another wallet: exit 10', async () => {
    const sign = ['yield', 'sign', '--transaction', '-', '--key', 'saver'];
    expect((await journey.json(sign, { stdin: 'AAAA' })).code).toBe(10);
    await newSolanaKey(journey.home, 'other');
    const { stdout } = await journey.bursar([...asked('deposit'), '--json']);
    const other = await journey.json(['yield', 'sign', '--transaction', '-', '--key', 'other'], { stdin: stdout });
    expect(other).toMatchObject({ code: 10, data: { error: { code: 'refused_by_review' } } });
  });
});
