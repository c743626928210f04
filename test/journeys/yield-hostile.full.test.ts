import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Keypair, PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTokenAccount } from '../../src/sandbox/solana/instructions.ts';
import { depositLeg } from '../../src/sandbox/yield/operation.ts';
import {
  built,
  burning,
  depositOf,
  payment,
  type Scene,
  sceneOf,
  vaultOf,
  withdrawalOf,
} from '../support/hostile-yield.ts';
import type { Meddler } from '../support/journey.ts';
import { asked, isBroadcast, startYieldJourney, tampering, type YieldJourney } from '../support/yield-journey.ts';

let journey: YieldJourney;

beforeAll(async () => {
  journey = await startYieldJourney();
  for (const asset of ['USDC', 'EURC'])
    await journey.json([...asked('deposit', asset, '1000'), '--broadcast', '--yes']);
});

afterAll(() => journey.end());

// An operation in doubt of one test would stop the next test.
beforeEach(() => rm(join(journey.home, 'state', 'journal'), { recursive: true, force: true }));

const THIEF = Keypair.fromSeed(new Uint8Array(32).fill(7)).publicKey;
const TEN = 10_000_000n;
const A = vaultOf('provider_a');
const B = vaultOf('provider_b');

const send = (operation: string, asset = 'USDC', ...more: readonly string[]) =>
  journey.json([...asked(operation, asset), '--broadcast', '--yes', ...more]);

type Change = (scene: Scene, data: Record<string, unknown>) => Record<string, unknown>;

const one = (transaction: string) => ({ transaction });

const stolen = (scene: Scene, units: bigint) => [
  createTokenAccount(scene.owner, THIEF, new PublicKey(A.token.mint)),
  payment(scene, THIEF, A, units),
];

const TAMPERED: readonly (readonly [string, string, Change])[] = [
  ['deposit', 'more than was asked', (scene) => one(built(scene, [depositOf(scene, A, { units: TEN * 2n })]))],
  ['deposit', 'less than was asked', (scene) => one(built(scene, [depositOf(scene, A, { units: TEN - 1n })]))],
  ['deposit', 'the vault of another provider', (scene) => one(built(scene, [depositOf(scene, B, { units: TEN })]))],
  [
    'deposit',
    'another token',
    (scene) => one(built(scene, [depositOf(scene, vaultOf('provider_a', 'USDT'), { units: TEN })])),
  ],
  [
    'deposit',
    'shares that do not come',
    (scene) => one(built(scene, [depositOf(scene, A, { units: TEN, shares: 0n })])),
  ],
  [
    'deposit',
    'a payment to a stranger beside it',
    (scene) => one(built(scene, [depositOf(scene, A, { units: TEN })], { instructions: stolen(scene, 5_000_000n) })),
  ],
  [
    'deposit',
    'the whole of it to a stranger',
    (scene) => one(built(scene, [depositOf(scene, A, { units: 0n })], { instructions: stolen(scene, TEN) })),
  ],
  [
    'deposit',
    'an enormous fee',
    (scene) => one(built(scene, [depositOf(scene, A, { units: TEN })], { unitPrice: 4_000_000_000_000 })),
  ],
  [
    'deposit',
    'a fee that it states as high as it likes',
    (scene) => ({
      ...one(built(scene, [depositOf(scene, A, { units: TEN, fee: 50n * TEN })])),
      charged_platform_fee_amount: 500,
    }),
  ],
  [
    'deposit',
    'a burning of the token beside the shares',
    (scene) =>
      one(
        built(scene, [depositOf(scene, A, { units: 0n, shares: 9_000_000_000n })], {
          instructions: [burning(scene, A, TEN)],
        }),
      ),
  ],
  [
    'deposit',
    'shares for a stranger',
    (scene) =>
      one(
        built(scene, [
          depositLeg({ vault: A, owner: scene.owner, credited: THIEF, units: TEN, shares: TEN * 900n }, 0n),
        ]),
      ),
  ],
  [
    'rebalance',
    'a position of a stranger',
    (scene) => ({
      mode: 'single_transaction',
      ...one(
        built(scene, [
          withdrawalOf(scene, A, { units: TEN }),
          depositLeg({ vault: B, owner: scene.owner, credited: THIEF, units: TEN, shares: TEN * 900n }, 0n),
        ]),
      ),
    }),
  ],
  [
    'deposit',
    'another fee payer',
    (scene) => one(built(scene, [depositOf(scene, A, { units: TEN })], { payer: THIEF })),
  ],
  ['deposit', 'a withdrawal instead', (scene) => one(built(scene, [withdrawalOf(scene, A, { units: TEN })]))],
  ['deposit', 'a changed byte', (_, { transaction }) => one(`${String(transaction).slice(0, -8)}AAAAAAAA`)],
  ['deposit', 'more bytes at the end', (_, { transaction }) => one(`${String(transaction)}AAAA`)],
  ['deposit', 'no transaction', () => one('aGVsbG8gd29ybGQh')],
  [
    'withdraw',
    'more shares than it is worth',
    (scene) => one(built(scene, [withdrawalOf(scene, A, { units: TEN, shares: 20_000_000_000n })])),
  ],
  ['withdraw', 'less than was asked', (scene) => one(built(scene, [withdrawalOf(scene, A, { units: TEN / 2n })]))],
  [
    'withdraw',
    'the shares of another provider',
    (scene) => one(built(scene, [withdrawalOf(scene, B, { units: TEN })])),
  ],
  [
    'rebalance',
    'only its first half',
    (scene) => ({ mode: 'single_transaction', ...one(built(scene, [withdrawalOf(scene, A, { units: TEN })])) }),
  ],
  [
    'rebalance',
    'its way back to the same provider',
    (scene) => ({
      mode: 'single_transaction',
      ...one(built(scene, [withdrawalOf(scene, A, { units: TEN }), depositOf(scene, A, { units: TEN })])),
    }),
  ],
  [
    'rebalance',
    'a second transaction that pays a stranger',
    (scene) => ({
      mode: 'dual_transaction',
      transaction: undefined,
      transactions: [
        built(scene, [withdrawalOf(scene, A, { units: TEN })]),
        built(scene, [depositOf(scene, B, { units: 0n })], { instructions: stolen(scene, TEN) }),
      ],
    }),
  ],
  [
    'rebalance',
    'its two transactions the wrong way round',
    (scene) => ({
      mode: 'dual_transaction',
      transaction: undefined,
      transactions: [
        built(scene, [depositOf(scene, B, { units: TEN })]),
        built(scene, [withdrawalOf(scene, A, { units: TEN })]),
      ],
    }),
  ],
];

describe('a transaction of the service that differs from the request is refused, and nothing is broadcast: exit 10', () => {
  it.each(TAMPERED)('%s: %s', async (operation, _, change) => {
    const seen: string[] = [];
    const tamper = (data: Record<string, unknown>) => {
      const first = data['transaction'] ?? (data['transactions'] as string[])[0];
      return { ...data, ...change(sceneOf(String(first)), data) };
    };
    const { code, data } = await journey.through(tampering(tamper, seen), () => send(operation));
    expect({ code, error: data['error'] }).toMatchObject({ code: 10, error: { code: 'refused_by_review' } });
    expect(seen.filter(isBroadcast)).toEqual([]);
  });

  it('a deposit as requested is accepted, so the tests above fail only for their change', async () => {
    const honest = (data: Record<string, unknown>) => {
      const scene = sceneOf(String(data['transaction']));
      const stated = ['charged_platform_fee_amount', 'charged_whitelabel_fee_amount'].map((name) => Number(data[name]));
      const fee = BigInt(Math.round(stated.reduce((one, other) => one + other, 0) * 1_000_000));
      return { ...data, ...one(built(scene, [depositOf(scene, A, { units: TEN - fee, fee })])) };
    };
    expect((await journey.through(tampering(honest, []), () => send('deposit'))).code).toBe(0);
  });

  it('two transactions for a deposit, or in place of one, are exit 5, and nothing is broadcast', async () => {
    const seen: string[] = [];
    const two = ({ transaction, ...data }: Record<string, unknown>) => ({
      ...data,
      transactions: [transaction, transaction],
    });
    expect((await journey.through(tampering(two, seen), () => send('deposit'))).code).toBe(5);
    const twice = (data: Record<string, unknown>) => ({
      ...data,
      mode: 'single_transaction',
      transaction: [data['transaction'], data['transaction']],
    });
    const { code } = await journey.through(tampering(twice, seen), () => send('rebalance'));
    expect({ code, sent: seen.filter(isBroadcast) }).toEqual({ code: 5, sent: [] });
  });
});

type Then = (...given: Parameters<Meddler>) => ReturnType<Meddler>;

/** Changes the broadcasts, each by its own function, and counts them. */
const broadcasting =
  (turns: readonly Then[], sent: string[]): Meddler =>
  (request, forward, response) => {
    if (!isBroadcast(request.path)) return forward();
    const turn = turns[sent.length] ?? (() => forward());
    sent.push(request.body);
    return turn(request, forward, response);
  };

const honestly: Then = (_, forward) => forward();

const dropped: Then = async (_, __, response) => {
  response.destroy();
  return undefined;
};

const answering =
  (status: number, body: Record<string, unknown>): Then =>
  async () => ({ status, body: JSON.stringify({ statusCode: status, success: status < 300, message: 'm', ...body }) });

const GOOD = 'broadcast_operation_yield_strategy_ok';
const OTHER_HASH = '5'.repeat(87);
const EXPIRED = answering(409, { status: 'solana_blockhash_expired' });

describe('an answer to broadcast that proves nothing', () => {
  it.each<readonly [string, Then]>([
    ['a connection that breaks before the service has it', dropped],
    [
      'a connection that breaks after',
      async (_, forward, response) => {
        await forward();
        response.destroy();
        return undefined;
      },
    ],
    ['a proxy page', async () => ({ status: 502, body: '<html>bad gateway</html>' })],
    ['a status that is not 1', answering(200, { status: GOOD, data: { status: 2 } })],
    ['no status', answering(200, { status: GOOD, data: {} })],
    ['another hash', answering(200, { status: GOOD, data: { status: 1, transactionHash: OTHER_HASH } })],
    ['an unknown success status', answering(200, { status: 'fine', data: { status: 1 } })],
    [
      'a refusal that names our transaction, as a gateway gets that repeats a call',
      async ({ body }, forward) => {
        await forward();
        expect(body).toContain('op_signed');
        return forward();
      },
    ],
  ])('%s: exit 11 with the hash and the resume command; sent once', async (_, then) => {
    const sent: string[] = [];
    const { code, data } = await journey.through(broadcasting([then], sent), () => send('deposit'));
    expect({ code, error: data['error'] }).toMatchObject({
      code: 11,
      error: {
        code: 'outcome_unknown',
        data: { hash: expect.any(String) },
        next: expect.stringContaining('bursar yield resume '),
      },
    });
    expect(sent).toHaveLength(1);
  });

  it('an expired blockhash by the service alone: exit 9, and no other transaction is sent', async () => {
    const sent: string[] = [];
    const { code, data } = await journey.through(broadcasting([EXPIRED], sent), () => send('deposit'));
    expect({ code, error: data['error'] }).toMatchObject({ code: 9, error: { status: 'solana_blockhash_expired' } });
    expect(sent).toHaveLength(1);
  });
});

describe('a rebalance in two transactions, one by one', () => {
  it.each<readonly [string, Then, number]>([
    ['failed', answering(200, { status: GOOD, data: { status: 2 } }), 11],
    ['has an unknown outcome', dropped, 11],
    ['was refused', answering(400, { status: 'invalid_parameters' }), 9],
  ])('does not send the second transaction when the first %s', async (_, then, exit) => {
    const sent: string[] = [];
    const { code } = await journey.through(broadcasting([then], sent), () => send('rebalance', 'EURC', '--one-by-one'));
    expect({ code, sent: sent.length }).toEqual({ code: exit, sent: 1 });
  });

  it.each<readonly [string, Then, number]>([
    ['refused', answering(400, { status: 'invalid_parameters' }), 9],
    ['lost', dropped, 11],
    ['refused as expired', EXPIRED, 9],
  ])('with a second transaction that is %s names the first as landed; nothing is sent again', async (_, then, exit) => {
    const sent: string[] = [];
    const meddler = broadcasting([honestly, then], sent);
    const { code, data } = await journey.through(meddler, () => send('rebalance', 'EURC', '--one-by-one'));
    expect({ code, error: data['error'], sent: sent.length }).toMatchObject({
      code: exit,
      error: { data: { landed: [expect.any(String)] }, hint: expect.stringContaining('has landed') },
      sent: 2,
    });
  });
});

describe('a rebalance in two transactions by one call', () => {
  const resumed = async (data: Record<string, never>) => {
    const { movement: operationId } = (data['error'] as unknown as { data: { movement: string } }).data;
    return journey.json(['yield', 'resume', operationId, '--yes']);
  };
  const positions = async () =>
    (await Promise.all(['provider_a', 'provider_b'].map((each) => journey.position(each, 'EURC')))).map(Number);
  /** The changes of the positions in tenths, so interest does not count. */
  const since = async (before: readonly number[]) =>
    (await positions()).map((each, at) => Math.round((each - (before[at] ?? 0)) * 10));
  /** A service that sends only the first transaction. */
  const firstAlone: Then = async ({ body }) => {
    const { op_signed } = JSON.parse(body) as { op_signed: [string, string] };
    await journey.ask('POST', '/yield/broadcast', { chain_name: 'solana', op_signed: op_signed[0] });
    return answering(200, { status: GOOD, data: { status: 0 } })({} as never, undefined as never, undefined as never);
  };
  const lostAfter: Then = async (_, forward, response) => {
    await forward();
    response.destroy();
    return undefined;
  };

  it.each<readonly [string, Then]>([
    ['is lost after both landed', lostAfter],
    [
      'names another hash',
      async (request, forward, response) => {
        await forward();
        return answering(200, { status: GOOD, data: { status: 1, transactionHash: OTHER_HASH } })(
          request,
          forward,
          response,
        );
      },
    ],
  ])('with an answer that %s: the node of the sandbox shows both, exit 0, sent once', async (_, then) => {
    const [sent, before]: [string[], number[]] = [[], await positions()];
    const { code } = await journey.through(broadcasting([then], sent), () => send('rebalance', 'EURC'));
    expect([code, sent.length, await since(before)]).toEqual([0, 1, [-100, 100]]);
  });

  it.each<readonly [string, Then, number, number]>([
    ['lost before the service has them', dropped, 11, 0],
    ['refused', answering(400, { status: 'invalid_parameters' }), 9, 0],
    ['sent by halves', firstAlone, 11, 1],
  ])(
    'with both transactions %s: sent once, both stay live, and a resume completes each exactly once',
    async (_, then, exit, landed) => {
      const [sent, before]: [string[], number[]] = [[], await positions()];
      const { code, data } = await journey.through(broadcasting([then], sent), () => send('rebalance', 'EURC'));
      expect({ code, error: data['error'] }).toMatchObject({
        code: exit,
        error: { data: { landed: { length: landed }, hash: expect.any(String), live: true } },
      });
      expect(sent).toHaveLength(1);
      expect(await resumed(data)).toMatchObject({ code: 0, data: { status: 'landed' } });
      expect(await since(before)).toEqual([-100, 100]);
    },
  );
});
