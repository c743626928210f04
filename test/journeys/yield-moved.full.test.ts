import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX_SOLANA } from '../../src/contract/chains.ts';
import { newSolanaKey } from '../support/cheap-key.ts';
import type { Meddler } from '../support/journey.ts';
import { overriding } from '../support/overriding.ts';
import { asked, forgetSignature, isBroadcast, startYieldJourney, type YieldJourney } from '../support/yield-journey.ts';

let journey: YieldJourney;

beforeAll(async () => {
  journey = await startYieldJourney();
});

afterAll(() => journey.end());

const errorOf = (data: Record<string, unknown>) =>
  data['error'] as { message: string; hint: string; next: string; data: Record<string, unknown> };

/** A service that confirms every broadcast and sends nothing to the chain. */
const liar: Meddler = async ({ path }, forward) => {
  if (!isBroadcast(path)) return forward();
  const data = { status: 1 };
  const status = 'broadcast_operation_yield_strategy_ok';
  return { status: 200, body: JSON.stringify({ statusCode: 200, success: true, status, message: 'Sent.', data }) };
};

const send = (operation: string, ...more: readonly string[]) =>
  journey.json(overriding([...asked(operation), '--broadcast', '--yes'], more));

describe('a service that reports a broadcast and sends nothing', () => {
  it('does not complete the deposit: exit 11 with the hash, and a resume completes it once', async () => {
    const before = Number(await journey.held('USDC'));
    const { code, data } = await journey.through(liar, () => send('deposit', '--timeout', '5'));
    const error = errorOf(data);
    expect({ exit: code, ...error }).toMatchObject({
      exit: 11,
      message: expect.stringContaining('has not shown the transaction'),
      data: { hash: expect.any(String) },
      next: expect.stringMatching(/^bursar yield resume /),
    });
    expect(Number(await journey.held('USDC'))).toBe(before);
    const resumed = await journey.json([...error.next.split(' ').slice(1), '--yes']);
    expect(resumed).toMatchObject({ code: 0, data: { status: 'landed' } });
    expect(Number(await journey.held('USDC'))).toBe(before - 10);
  });

  it('does not complete yield broadcast either: exit 11', async () => {
    const signed = await journey.json([...asked('deposit', 'USDC', '3'), '--sign']);
    const bytes = String(signed.data['signed_transaction']);
    const stated = [
      ...['--kind', 'deposit', '--amount', '3', '--asset', 'USDC'],
      ...['--wallet', journey.wallet, '--provider', 'provider_a'],
    ];
    const sending = ['yield', 'broadcast', '--chain-name', 'solana', '--op-signed', bytes, '--yes', '--timeout', '5'];
    const broadcast = [...sending, ...stated];
    const before = Number(await journey.held('USDC'));
    const { code, data } = await journey.through(liar, () => journey.json(broadcast));
    expect(code).toBe(11);
    expect(Number(await journey.held('USDC'))).toBe(before);
    expect((await journey.json([...errorOf(data).next.split(' ').slice(1), '--yes'])).code).toBe(0);
    expect(Number(await journey.held('USDC'))).toBe(before - 3);
  });
});

describe('signed bytes that may have landed stop an equal operation, in every order', () => {
  const FACTS = ['--kind', 'deposit', '--amount', '3', '--asset', 'USDC', '--provider', 'provider_a'];

  const sign = async (operation = 'deposit') =>
    String((await journey.json([...asked(operation, 'USDC', '3'), '--sign'])).data['signed_transaction']);

  const broadcast = (bytes: string, ...stated: readonly string[]) =>
    journey.json(['yield', 'broadcast', '--chain-name', 'solana', '--op-signed', bytes, '--yes', ...stated]);

  const stated = (...more: readonly string[]) => [...FACTS, '--wallet', journey.wallet, ...more];

  const deposit = (...more: readonly string[]) =>
    journey.json([...asked('deposit', 'USDC', '3'), '--broadcast', '--yes', ...more]);

  type Run = Awaited<ReturnType<typeof deposit>>;

  /** Runs against a service that sends nothing: exit 11, and the words of the printed command. */
  const inDoubt = async (run: () => Promise<Run>): Promise<readonly string[]> => {
    const { code, data } = await journey.through(liar, run);
    expect(code).toBe(11);
    return errorOf(data).next.split(' ').slice(1);
  };

  /** Expects exit 11 with a resume command, and no broadcast. */
  const expectStopped = async (run: () => Promise<Run>): Promise<void> => {
    const paths: string[] = [];
    const watching: Meddler = ({ path }, forward) => {
      paths.push(path);
      return forward();
    };
    const { code, data } = await journey.through(watching, run);
    const { message, next } = errorOf(data);
    expect({ code, message, next }).toEqual({
      code: 11,
      message: expect.stringContaining('may have landed'),
      next: expect.stringMatching(/^bursar yield resume /),
    });
    expect(paths.filter(isBroadcast)).toEqual([]);
  };

  /** Expects that a resume moves the money once, and that nothing stays open. */
  const expectMovedOnce = async (resume: readonly string[], before: number): Promise<void> => {
    expect((await journey.json([...resume, '--yes'])).code).toBe(0);
    expect(Number(await journey.held('USDC'))).toBe(before - 3);
    expect((await journey.json(['yield', 'list', '--open'])).data).toEqual([]);
  };

  it('a broadcast in doubt stops an equal deposit and an equal broadcast', async () => {
    const [bytes, other] = [await sign(), await sign()];
    const before = Number(await journey.held('USDC'));
    const resume = await inDoubt(() => broadcast(bytes, ...stated('--timeout', '5')));
    await expectStopped(() => deposit());
    await expectStopped(() => broadcast(other, ...stated()));
    expect((await broadcast(bytes)).code, 'the same bytes cannot land twice').toBe(0);
    await expectMovedOnce(resume, before);
    expect((await deposit()).code).toBe(0);
  });

  it('a deposit in doubt stops the broadcast of other bytes of the same deposit', async () => {
    const kept = await sign();
    const before = Number(await journey.held('USDC'));
    const resume = await inDoubt(() => deposit('--timeout', '5'));
    await expectStopped(() => broadcast(kept, ...stated()));
    await expectMovedOnce(resume, before);
  });

  it('a broadcast in doubt without a stated purpose stops every operation of the wallet', async () => {
    const bytes = await sign();
    // The signature of another machine has no record here.
    await forgetSignature(journey);
    const { vaults, fees } = SANDBOX_SOLANA;
    const recipients = `recipients=${[vaults.provider_a, fees].join(',')}`;
    const mandate = ['chains=solana', 'tokens=USDC', 'most_per_transaction.USDC=3', recipients];
    expect((await journey.bursar(['key', 'policy', 'set', 'saver', ...mandate])).code).toBe(0);
    const before = Number(await journey.held('USDC'));
    // A kind alone is an incomplete statement, and is compared with nothing.
    const resume = await inDoubt(() => broadcast(bytes, '--kind', 'withdraw', '--timeout', '5'));
    await journey.bursar(['key', 'policy', 'unset', 'saver']);
    await expectStopped(() => journey.json([...asked('withdraw'), '--broadcast', '--yes']));
    await expectStopped(() => deposit());
    await expectMovedOnce(resume, before);
  });

  it.each(['a broadcast', 'another deposit'])(
    'a deposit in doubt stops %s that waits for its turn',
    async (waiting) => {
      const bytes = await sign();
      const before = Number(await journey.held('USDC'));
      let beside: Promise<Run> | undefined;
      const slow: Meddler = async ({ path }, forward, response) => {
        if (path === '/yield/deposit' && beside === undefined) {
          beside = waiting === 'a broadcast' ? broadcast(bytes, ...stated()) : deposit();
          const isWaiting = async () =>
            JSON.stringify((await journey.json(['yield', 'list'])).data).includes('unfinished');
          await expect.poll(isWaiting, { timeout: 20_000 }).toBe(true);
        }
        return liar({ method: 'POST', path, body: '' } as Parameters<Meddler>[0], forward, response);
      };
      const other = overriding([...asked('deposit', 'USDC', '3'), '--broadcast', '--yes'], ['--amount', '2']);
      const [{ code, data }, waited] = await journey.through(slow, async () => [
        await journey.json([...other, '--timeout', '10']),
        await beside,
      ]);
      expect([code, waited?.code]).toEqual([11, 11]);
      expect(Number(await journey.held('USDC'))).toBe(before);
      expect((await journey.json([...errorOf(data).next.split(' ').slice(1), '--yes'])).code).toBe(0);
      expect(Number(await journey.held('USDC'))).toBe(before - 2);
      expect((await journey.json(['yield', 'list', '--open'])).data, 'the refused operation has ended').toEqual([]);
    },
  );

  it('two deposits at once both succeed: the second waits for the result of the first', async () => {
    const before = Number(await journey.held('USDC'));
    let isSent = false;
    let second: Promise<Run> | undefined;
    const slow: Meddler = async ({ path }, forward) => {
      if (isBroadcast(path)) isSent = true;
      if (path.startsWith('/yield/deposit') && second === undefined) second = deposit();
      // Longer than the usual wait for a claim.
      if (path.startsWith('/yield/earnings') && isSent) await new Promise((resolve) => setTimeout(resolve, 1500));
      return forward();
    };
    const first = overriding([...asked('deposit', 'USDC', '3'), '--broadcast', '--yes'], ['--amount', '2']);
    const both = await journey.through(slow, async () => [await journey.json(first), await second]);
    expect(
      both.map((each) => each?.code),
      JSON.stringify(both),
    ).toEqual([0, 0]);
    expect(Number(await journey.held('USDC'))).toBe(before - 5);
  });

  it('an invalid amount is refused before anything is recorded: exit 2', async () => {
    const { code, data } = await broadcast(await sign(), ...overriding(stated(), ['--amount', '10,5']));
    expect({ code, message: errorOf(data).message }).toEqual({
      code: 2,
      message: 'nothing was sent: --amount must be a decimal such as 10 or 10.50, and is 10,5',
    });
    expect((await journey.json(['yield', 'list', '--open'])).data).toEqual([]);
  });

  it('an operation that sent nothing does not resume beside an equal broadcast in doubt', async () => {
    const bytes = await sign();
    const failing: Meddler = async ({ path }, forward) =>
      path === '/yield/deposit' ? { status: 400, body: '{"success":false,"status":"invalid_parameters"}' } : forward();
    for (const key of [[], ['--intent', 'monday']]) {
      expect((await journey.through(failing, () => deposit(...key))).code).not.toBe(0);
    }
    const open = async () =>
      (await journey.json(['yield', 'list', '--open'])).data as unknown as { movement: string }[];
    expect(await open()).toHaveLength(2);
    const before = Number(await journey.held('USDC'));
    const resume = await inDoubt(() => broadcast(bytes, ...stated('--timeout', '5')));
    const [own, named = { movement: '' }, ...more] = await open();
    expect({ own: own?.movement, more }).toEqual({ own: resume.at(-1), more: [] });
    await expectStopped(() => journey.json(['yield', 'resume', named.movement, '--yes']));
    await journey.json(['yield', 'forget', named.movement, '--yes']);
    await expectMovedOnce(resume, before);
  });
});

describe('a wallet without money', () => {
  it('is refused before a signature, with the missing amounts and the fund command', async () => {
    await newSolanaKey(journey.home, 'empty');
    const deposit = overriding([...asked('deposit'), '--broadcast', '--yes'], ['--key', 'empty']);
    const { code, data } = await journey.json(deposit);
    const { message, next } = errorOf(data);
    expect({ code, next }).toEqual({
      code: 10,
      next: 'bursar sandbox fund empty --chain solana --token USDC --amount 10',
    });
    expect(message).toMatch(
      /^empty has 0 USDC on solana; the transaction needs 10 USDC\. empty has 0 SOL on solana; the transaction needs 0\.\d+ SOL\.$/,
    );
    expect((await journey.json(['yield', 'list', '--open'])).data).toEqual([]);
    expect((await journey.bursar(next.split(' ').slice(1))).code).toBe(0);
    expect((await journey.json(deposit)).code).toBe(0);
  });
});

describe('--fee-at-most', () => {
  it('refuses a fee above the limit, and accepts a lower fee', async () => {
    const { code, data } = await send('deposit', '--fee-at-most', '0.000001');
    expect({ code, message: errorOf(data).message }).toEqual({
      code: 10,
      message: expect.stringMatching(/^Fee: at most 0\.\d+ SOL, above the 0\.000001 SOL that --fee-at-most allows\.$/),
    });
    expect((await send('deposit', '--fee-at-most', '0.001')).code).toBe(0);
  });

  it('with an invalid amount, or without a signature, is exit 2', async () => {
    for (const more of [
      ['--fee-at-most', '1e-3'],
      ['--fee-at-most', '0.0000000001'],
    ]) {
      expect((await send('deposit', ...more)).code).toBe(2);
    }
    expect((await journey.json([...asked('deposit'), '--fee-at-most', '1'])).code).toBe(2);
  });
});
