import { describe, expect, it } from 'vitest';
import type { ExpectedPayment, NodeFacts, Overrides, ReviewInput, Simulation } from '../../../src/chain/evm/context.ts';
import { approve, reviewEvm } from '../../../src/chain/evm/review.ts';
import type { UnsignedEvm } from '../../../src/chain/evm/transaction.ts';
import {
  ANNA,
  approveData,
  failureOf,
  given,
  givenCall,
  NETWORK,
  PAYER,
  RICH,
  SPLITTER,
  STRANGER,
  transferData,
  USDC,
  USDT,
} from './given.ts';

const EXPECTED_COIN: ExpectedPayment = { tokenSymbol: 'POL', amount: '1.000000000000000001' };
const EXPECTED_TOKEN: ExpectedPayment = { tokenSymbol: 'USDT', amount: '10.5' };
const USDT_UNITS = 10_500_000n;

/** A simulation with balance changes of the payer and the spenders that get approvals. */
const simulated = (changes: Readonly<Record<string, bigint>>, permissions: readonly string[] = []): Simulation => ({
  kind: 'shown',
  changes: Object.entries(changes).map(([of, units]) => ({ of, units })),
  gains: [],
  permissions: permissions.map((spender) => ({ token: USDT.toLowerCase(), spender })),
});
const facts = (simulation: Simulation, rest: Partial<NodeFacts> = {}): NodeFacts => ({
  chainId: 1_000_137n,
  minedNonce: 7n,
  pendingNonce: 7n,
  ...RICH,
  simulation,
  ...rest,
});
const MATCHING_NODE = facts(simulated({ [USDT.toLowerCase()]: -USDT_UNITS }));

const review = (unsigned: UnsignedEvm, expected: ExpectedPayment, rest: Partial<ReviewInput>) =>
  reviewEvm({ unsigned, expected, network: NETWORK, signer: PAYER, ...rest });
/** The checks that do not pass, each with its verdict. */
const failedChecks = (...args: Parameters<typeof review>) =>
  review(...args)
    .checks.filter(({ verdict }) => verdict !== 'pass')
    .map(({ id, verdict }) => `${id} ${verdict}`);
const payAnna = () => givenCall(USDT, transferData(ANNA, USDT_UNITS));

describe('the review with facts of a node', () => {
  it('passes when the node shows exactly the requested payment', () => {
    expect(failedChecks(payAnna(), EXPECTED_TOKEN, { node: MATCHING_NODE })).toEqual([]);
    expect(
      failedChecks(given(), EXPECTED_COIN, { node: facts(simulated({ coin: -1_000_000_000_000_000_001n })) }),
    ).toEqual([]);
    expect(failedChecks(payAnna(), EXPECTED_TOKEN, { node: facts({ kind: 'runs' }) })).toEqual([]);
    expect(
      failedChecks(payAnna(), EXPECTED_TOKEN, { node: facts(simulated({ [USDT]: -USDT_UNITS, [USDC]: 3n })) }),
    ).toEqual([]);
    expect(
      failedChecks(givenCall(USDT, approveData(SPLITTER, USDT_UNITS)), EXPECTED_TOKEN, {
        node: facts(simulated({}, [SPLITTER])),
      }),
    ).toEqual([]);
  });

  it.each<[string, NodeFacts, string]>([
    ['belongs to another chain', facts(simulated({ [USDT]: -USDT_UNITS }), { chainId: 137n }), 'chain refuse'],
    [
      'has mined the nonce already',
      facts(MATCHING_NODE.simulation, { minedNonce: 8n, pendingNonce: 8n }),
      'nonce refuse',
    ],
    ['has a pending transaction with the nonce', facts(MATCHING_NODE.simulation, { pendingNonce: 8n }), 'nonce refuse'],
    [
      'shows that the transaction fails',
      facts({ kind: 'fails', reason: 'execution reverted: paused' }),
      'simulation refuse',
    ],
    ['shows a smaller amount', facts(simulated({ [USDT]: -USDT_UNITS + 1n })), 'simulation refuse'],
    ['shows a larger amount', facts(simulated({ [USDT]: -USDT_UNITS - 1n })), 'simulation refuse'],
    ['shows no change', facts(simulated({})), 'simulation refuse'],
    ['shows another token instead', facts(simulated({ [USDC]: -USDT_UNITS })), 'simulation refuse'],
    [
      'shows a loss of another token too',
      facts(simulated({ [USDT]: -USDT_UNITS, [STRANGER]: -1n })),
      'simulation refuse',
    ],
    ['shows a loss of coin too', facts(simulated({ [USDT]: -USDT_UNITS, coin: -1n })), 'simulation refuse'],
  ])('refuses a matching payment, even with overrides, when the node %s', (_, node, check) => {
    const overrides: Overrides = { allowBlind: true, allowRecipients: [ANNA, SPLITTER] };
    expect(failedChecks(payAnna(), EXPECTED_TOKEN, { node, overrides })).toEqual([check]);
    const result = review(payAnna(), EXPECTED_TOKEN, { node, overrides });
    expect(failureOf(() => approve(result, 'confirmed')).code).toBe('refused_by_review');
  });

  it('states the expected and the actual value in the message of a refusal', () => {
    const firstMessage = (node: NodeFacts) => review(payAnna(), EXPECTED_TOKEN, { node }).checks[0]?.message;
    expect(firstMessage(facts(MATCHING_NODE.simulation, { minedNonce: 9n, pendingNonce: 9n }))).toMatch(
      /Nonce: 7; the payer's next by the node is 9/,
    );
    expect(firstMessage(facts(simulated({ [USDT]: -1n })))).toMatch(
      /the payer loses 0\.000001 USDT; it should lose 10\.5 USDT/,
    );
    expect(firstMessage(facts({ kind: 'fails', reason: 'paused' }))).toContain('the transaction fails: paused');
  });

  it('refuses a gap between the next nonce of the node and the nonce, unless transactions in the journal fill the gap', () => {
    const node = facts(MATCHING_NODE.simulation, { minedNonce: 4n, pendingNonce: 5n });
    expect(failedChecks(payAnna(), EXPECTED_TOKEN, { node })).toEqual(['nonce refuse']);
    expect(failedChecks(payAnna(), EXPECTED_TOKEN, { node, nonces: { sent: [6], last: undefined } })).toEqual([
      'nonce refuse',
    ]);
    expect(failedChecks(payAnna(), EXPECTED_TOKEN, { node, nonces: { sent: [6, 5], last: undefined } })).toEqual([]);
    const far = givenCall(USDT, transferData(ANNA, USDT_UNITS), { nonce: '4000000' });
    expect(failedChecks(far, EXPECTED_TOKEN, { node: MATCHING_NODE, nonces: { sent: [7, 8], last: 6 } })).toEqual([
      'nonce refuse',
    ]);
  });

  it.each<[string, UnsignedEvm, ExpectedPayment, Partial<NodeFacts>, readonly string[]]>([
    [
      'coin for the fee',
      payAnna(),
      EXPECTED_TOKEN,
      { coin: 0n },
      ['treasury has 0 POL on polygon; the transaction needs 0.009 POL.'],
    ],
    [
      'coin for the payment',
      given(),
      EXPECTED_COIN,
      { coin: 10n ** 18n },
      [
        'treasury has 1 POL on polygon; the transaction needs 1.000630000000000001 POL (0.000630000000000001 POL missing).',
      ],
    ],
    [
      'token and coin',
      payAnna(),
      EXPECTED_TOKEN,
      { coin: 1n, tokens: new Map([[USDT.toLowerCase(), USDT_UNITS - 1n]]) },
      [
        'treasury has 10.499999 USDT on polygon; the transaction needs 10.5 USDT (0.000001 USDT missing).',
        'treasury has 0.000000000000000001 POL on polygon; the transaction needs 0.009 POL (0.008999999999999999 POL missing).',
      ],
    ],
    [
      'token for a call that cannot be decoded',
      givenCall(STRANGER, '0xdeadbeef'),
      EXPECTED_TOKEN,
      { tokens: new Map([[USDT.toLowerCase(), 0n]]) },
      ['treasury has 0 USDT on polygon; the transaction needs 10.5 USDT.'],
    ],
  ])(
    'refuses once for each missing asset, with the missing amount, when the payer has too little %s',
    (_, unsigned, expected, balances, messages) => {
      const fails: Simulation = { kind: 'fails', reason: 'insufficient funds' };
      const overrides = { allowBlind: true };
      const result = review(unsigned, expected, { node: facts(fails, balances), payerName: 'treasury', overrides });
      const refused = result.checks.filter(({ verdict }) => verdict === 'refuse');
      expect(refused.map(({ id, message }) => ({ id, message }))).toEqual(
        messages.map((text) => ({ id: 'funds', message: text })),
      );
      const missingInChecks = refused.map(({ lacks }) => `${lacks?.amount} ${lacks?.token}`);
      const missingInMessages = messages.map(
        (text) => /\((.+) missing\)/.exec(text)?.[1] ?? /needs (.+)\.$/.exec(text)?.[1],
      );
      expect(missingInChecks).toEqual(missingInMessages);
    },
  );

  it('names the payer by address when the key has no name, and needs no funds for a payment to the payer', () => {
    const broke = review(payAnna(), EXPECTED_TOKEN, { node: { ...MATCHING_NODE, coin: 0n } });
    expect(broke.checks[0]?.message).toBe(`${PAYER} has 0 POL on polygon; the transaction needs 0.009 POL.`);
    const toSelf = givenCall(USDT, transferData(PAYER, USDT_UNITS));
    const node = facts(simulated({}), { tokens: new Map([[USDT.toLowerCase(), 0n]]) });
    expect(failedChecks(toSelf, { tokenSymbol: 'USDT' }, { node })).not.toContain('funds refuse');
  });

  it('refuses bytes that differ from the request even if the node shows the requested amount', () => {
    const thief = givenCall(USDT, transferData(STRANGER, USDT_UNITS));
    const expected = { ...EXPECTED_TOKEN, receivers: [{ wallet: ANNA, percent: '100' }] };
    expect(failedChecks(thief, expected, { node: MATCHING_NODE })).toContain('shares refuse');
    expect(failedChecks(givenCall(USDT, '0xdeadbeef'), EXPECTED_TOKEN, { node: MATCHING_NODE })).toEqual([
      'call refuse',
    ]);
  });

  it('refuses a call under --allow-blind that takes or approves more than was requested', () => {
    const blind = givenCall(STRANGER, '0xdeadbeef');
    const overrides = { allowBlind: true };
    expect(failedChecks(blind, EXPECTED_TOKEN, { node: MATCHING_NODE, overrides })).toEqual([]);
    expect(
      failedChecks(blind, EXPECTED_TOKEN, { node: facts(simulated({ [USDT]: -2n * USDT_UNITS })), overrides }),
    ).toEqual(['simulation refuse']);
    const withApproval = facts(simulated({ [USDT]: -USDT_UNITS }, [STRANGER]));
    expect(failedChecks(blind, EXPECTED_TOKEN, { node: withApproval, overrides })).toEqual(['simulation refuse']);
    expect(failedChecks(blind, {}, { node: MATCHING_NODE })).toEqual(['call confirm', 'simulation confirm']);
  });

  it('asks for a missing amount of a call that cannot be decoded, even if no balance of the payer changes', () => {
    const unstated = [
      { fact: 'amount', subject: 'The amount is', value: undefined, by: 'the transaction', option: '--amount-from' },
    ] as const;
    const node = facts(simulated({}));
    const overrides = { allowBlind: true };
    expect(failedChecks(givenCall(STRANGER, '0xdeadbeef'), {}, { node, overrides, unstated })).toEqual([
      'stated.amount confirm',
    ]);
    expect(failedChecks(givenCall(USDT, transferData(ANNA, 0n)), {}, { node, unstated })).toEqual([]);
  });

  it('compares the loss by a call that cannot be decoded with the maximum for a price in another currency', () => {
    const blind = givenCall(STRANGER, '0xdeadbeef');
    const overrides = { allowBlind: true };
    const priced = (atMost?: string, market?: string): ExpectedPayment => ({
      tokenSymbol: 'USDT',
      price: { amount: '49.90', currency: 'BRL', atMost, market },
      receivers: [{ wallet: ANNA, percent: '100' }],
    });
    const taking = (changes: Readonly<Record<string, bigint>>, to = STRANGER): NodeFacts => {
      const gains = Object.entries(changes).map(([of, units]) => ({ of: of.toLowerCase(), to, units: -units }));
      return facts({ ...(simulated(changes) as Extract<Simulation, { kind: 'shown' }>), gains });
    };
    const checksFor = (node: NodeFacts, expected: ExpectedPayment) =>
      failedChecks(blind, expected, { node, overrides });
    expect(checksFor(taking({ [USDT]: -USDT_UNITS }), priced('10.5'))).toEqual([]);
    expect(checksFor(taking({ [USDT]: -USDT_UNITS - 1n }), priced('10.5'))).toEqual(['above_bound refuse']);
    expect(checksFor(taking({ [USDT]: -USDT_UNITS, [USDC]: -1n }), priced('12'))).toContain('simulation refuse');
    expect(checksFor(taking({ coin: -1n }), priced('12'))).toContain('simulation refuse');
    expect(checksFor(taking({ [USDT]: -USDT_UNITS }), priced())).toEqual(['amount confirm']);
    expect(checksFor(taking({ [USDT]: -USDT_UNITS }), priced(undefined, '10.4'))).toEqual([]);
    expect(checksFor(taking({ [USDT]: -2n * USDT_UNITS }), priced(undefined, '10.4'))).toEqual(['amount confirm']);
    expect(
      checksFor(taking({ [USDT]: -USDT_UNITS }, SPLITTER), priced('12')),
      'the receiver is not one of the payment',
    ).toEqual(['receivers refuse']);
    expect(checksFor(taking({ [USDT]: -USDT_UNITS }, ANNA), priced('12'))).toEqual([]);
    expect(failedChecks(blind, priced('12'), { node: taking({ [USDT]: -USDT_UNITS }) })).toEqual(['call confirm']);
  });
});

describe('a call of a pinned contract', () => {
  const pins = [{ chain: 'polygon', address: STRANGER.toLowerCase(), selector: '0xdeadbeef' }];
  const call = () => givenCall(STRANGER, `0xdeadbeef${'0'.repeat(64)}`);

  it('passes when the simulation shows exactly the requested amount', () => {
    expect(failedChecks(call(), EXPECTED_TOKEN, { pins, node: MATCHING_NODE })).toEqual([]);
    expect(
      review(call(), EXPECTED_TOKEN, { pins, node: MATCHING_NODE })
        .checks.map((check) => check.message)
        .join(),
    ).toContain('you pinned');
    const dangerousPin = [{ chain: 'polygon', address: STRANGER, selector: '0x6a761202' }];
    expect(
      failedChecks(givenCall(STRANGER, '0x6a761202'), EXPECTED_TOKEN, { pins: dangerousPin, node: MATCHING_NODE }),
    ).toEqual([]);
  });

  it.each<[string, Partial<ReviewInput>, ExpectedPayment]>([
    ['without a node', { pins }, EXPECTED_TOKEN],
    ['with a node that cannot simulate', { pins, node: facts({ kind: 'runs' }) }, EXPECTED_TOKEN],
    [
      'with a pin of another chain',
      { pins: [{ chain: 'bsc', address: STRANGER, selector: '0xdeadbeef' }], node: MATCHING_NODE },
      EXPECTED_TOKEN,
    ],
    [
      'with a pin of another address',
      { pins: [{ chain: 'polygon', address: ANNA, selector: '0xdeadbeef' }], node: MATCHING_NODE },
      EXPECTED_TOKEN,
    ],
    [
      'with a pin of another function',
      { pins: [{ chain: 'polygon', address: STRANGER, selector: '0xdeadbeee' }], node: MATCHING_NODE },
      EXPECTED_TOKEN,
    ],
    ['without a request to compare with', { pins, node: MATCHING_NODE }, {}],
    ['with an amount that cannot be compared', { pins, node: MATCHING_NODE }, { ...EXPECTED_TOKEN, amount: 'unknown' }],
  ])('requires a confirmation %s', (_, rest, expected) => {
    expect(failedChecks(call(), expected, rest)).toContain('call confirm');
  });

  it.each<[string, NodeFacts]>([
    ['takes one unit more', facts(simulated({ [USDT]: -USDT_UNITS - 1n }))],
    ['takes another token too', facts(simulated({ [USDT]: -USDT_UNITS, [USDC]: -1n }))],
    ['approves another spender', facts(simulated({ [USDT]: -USDT_UNITS }, [STRANGER]))],
    ['fails', facts({ kind: 'fails', reason: 'x' })],
  ])('is refused, even with --allow-blind, when it %s', (_, node) => {
    expect(failedChecks(call(), EXPECTED_TOKEN, { pins, node, overrides: { allowBlind: true } })).toContain(
      'simulation refuse',
    );
  });

  it('is refused and requires a confirmation despite its pin when it approves another spender', () => {
    const node = facts(simulated({ [USDT]: -USDT_UNITS }, [STRANGER]));
    expect(failedChecks(call(), EXPECTED_TOKEN, { pins, node })).toEqual(['simulation refuse', 'call confirm']);
  });

  it('is refused when the pinned contract is a token, because a token can do more than change balances', () => {
    const onToken = [{ chain: 'polygon', address: USDT, selector: '0x39509351' }];
    const increase = givenCall(USDT, `0x39509351${'0'.repeat(128)}`);
    expect(failedChecks(increase, EXPECTED_TOKEN, { pins: onToken, node: MATCHING_NODE })).toContain('call refuse');
  });
});

describe('a nonce of another payment in the journal', () => {
  it('passes, because only one of the two can be mined, and the check shows the hash of the other payment', () => {
    const nonceUsedBy = `0x${'ab'.repeat(32)}`;
    expect(failedChecks(payAnna(), EXPECTED_TOKEN, { nonceUsedBy })).toEqual([]);
    expect(failedChecks(payAnna(), { ...EXPECTED_TOKEN, nonce: 7 }, { nonceUsedBy })).toEqual([]);
    const nonceChecks = review(payAnna(), EXPECTED_TOKEN, { nonceUsedBy }).checks.filter(({ id }) => id === 'nonce');
    expect(nonceChecks.map((check) => check.message).join(' ')).toContain(nonceUsedBy);
  });
});

describe('a nonce without a node', () => {
  const nonceChecks = (nonce: number, last: number | undefined) =>
    review(given({ nonce: String(nonce) }), EXPECTED_COIN, { nonces: { sent: [], last } }).checks.filter(
      ({ id }) => id === 'nonce',
    );

  it('passes as not checked', () => {
    const unchecked = (nonce: number) => [
      { id: 'nonce', verdict: 'pass', message: `nonce ${nonce}, not checked: no node`, unchecked: true },
    ];
    expect(nonceChecks(7, undefined)).toEqual(unchecked(7));
    expect(nonceChecks(4_000_000, undefined), 'of a wallet without transactions in the journal').toEqual(
      unchecked(4_000_000),
    );
    expect(nonceChecks(1012, 12)).toEqual(unchecked(1012));
    expect(review(given(), EXPECTED_COIN, {}).checks).toContainEqual(unchecked(7)[0]);
  });

  it('requires a confirmation when it is more than 1,000 above the last nonce of the wallet in the journal', () => {
    expect(nonceChecks(1013, 12)).toEqual([
      {
        id: 'nonce',
        verdict: 'confirm',
        message:
          'Nonce: 1013; the last one of this wallet on polygon in the journal is 12. A node can check it: --rpc-url.',
      },
    ]);
  });
});
