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

const COIN: ExpectedPayment = { tokenSymbol: 'POL', amount: '1.000000000000000001' };
const TOKEN: ExpectedPayment = { tokenSymbol: 'USDT', amount: '10.5' };
const TEN = 10_500_000n;

const shown = (changes: Readonly<Record<string, bigint>>, permissions: readonly string[] = []): Simulation => ({
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
const RIGHT = facts(shown({ [USDT.toLowerCase()]: -TEN }));

const review = (unsigned: UnsignedEvm, expected: ExpectedPayment, rest: Partial<ReviewInput>) =>
  reviewEvm({ unsigned, expected, network: NETWORK, signer: PAYER, ...rest });
const wrong = (...args: Parameters<typeof review>) =>
  review(...args)
    .checks.filter(({ verdict }) => verdict !== 'pass')
    .map(({ id, verdict }) => `${id} ${verdict}`);
const payAnna = () => givenCall(USDT, transferData(ANNA, TEN));

describe('a node', () => {
  it('that shows what was asked for, and nothing else, leaves nothing to say', () => {
    expect(wrong(payAnna(), TOKEN, { node: RIGHT })).toEqual([]);
    expect(wrong(given(), COIN, { node: facts(shown({ coin: -1_000_000_000_000_000_001n })) })).toEqual([]);
    expect(wrong(payAnna(), TOKEN, { node: facts({ kind: 'runs' }) })).toEqual([]);
    expect(wrong(payAnna(), TOKEN, { node: facts(shown({ [USDT]: -TEN, [USDC]: 3n })) })).toEqual([]);
    expect(wrong(givenCall(USDT, approveData(SPLITTER, TEN)), TOKEN, { node: facts(shown({}, [SPLITTER])) })).toEqual(
      [],
    );
  });

  it.each<[string, NodeFacts, string]>([
    ['is of another chain', facts(shown({ [USDT]: -TEN }), { chainId: 137n }), 'chain refuse'],
    ['has mined that nonce already', facts(RIGHT.simulation, { minedNonce: 8n, pendingNonce: 8n }), 'nonce refuse'],
    ['has that nonce waiting already', facts(RIGHT.simulation, { pendingNonce: 8n }), 'nonce refuse'],
    ['says that it fails', facts({ kind: 'fails', reason: 'execution reverted: paused' }), 'simulation refuse'],
    ['shows less', facts(shown({ [USDT]: -TEN + 1n })), 'simulation refuse'],
    ['shows more', facts(shown({ [USDT]: -TEN - 1n })), 'simulation refuse'],
    ['shows nothing', facts(shown({})), 'simulation refuse'],
    ['shows another token instead', facts(shown({ [USDC]: -TEN })), 'simulation refuse'],
    ['shows another token as well', facts(shown({ [USDT]: -TEN, [STRANGER]: -1n })), 'simulation refuse'],
    ['shows coin as well', facts(shown({ [USDT]: -TEN, coin: -1n })), 'simulation refuse'],
  ])('that %s stops a payment that reads well, whatever is allowed', (_, node, check) => {
    const overrides: Overrides = { allowBlind: true, allowRecipients: [ANNA, SPLITTER] };
    expect(wrong(payAnna(), TOKEN, { node, overrides })).toEqual([check]);
    const result = review(payAnna(), TOKEN, { node, overrides });
    expect(failureOf(() => approve(result, 'confirmed')).code).toBe('refused_by_review');
  });

  it('names in a refusal what was expected and what was found', () => {
    const says = (node: NodeFacts) => review(payAnna(), TOKEN, { node }).checks[0]?.message;
    expect(says(facts(RIGHT.simulation, { minedNonce: 9n, pendingNonce: 9n }))).toMatch(
      /Nonce: 7; the payer's next by the node is 9/,
    );
    expect(says(facts(shown({ [USDT]: -1n })))).toMatch(/the payer loses 0\.000001 USDT; it should lose 10\.5 USDT/);
    expect(says(facts({ kind: 'fails', reason: 'paused' }))).toContain('the transaction fails: paused');
  });

  it('whose next nonce is below leaves a gap, which only transactions sent from here may fill', () => {
    const node = facts(RIGHT.simulation, { minedNonce: 4n, pendingNonce: 5n });
    expect(wrong(payAnna(), TOKEN, { node })).toEqual(['nonce refuse']);
    expect(wrong(payAnna(), TOKEN, { node, nonces: { sent: [6], last: undefined } })).toEqual(['nonce refuse']);
    expect(wrong(payAnna(), TOKEN, { node, nonces: { sent: [6, 5], last: undefined } })).toEqual([]);
    const far = givenCall(USDT, transferData(ANNA, TEN), { nonce: '4000000' });
    expect(wrong(far, TOKEN, { node: RIGHT, nonces: { sent: [7, 8], last: 6 } })).toEqual(['nonce refuse']);
  });

  it.each<[string, UnsignedEvm, ExpectedPayment, Partial<NodeFacts>, readonly string[]]>([
    [
      'the coin for the fee',
      payAnna(),
      TOKEN,
      { coin: 0n },
      ['treasury has 0 POL on polygon; the transaction needs 0.009 POL.'],
    ],
    [
      'a part of the coin that is paid',
      given(),
      COIN,
      { coin: 10n ** 18n },
      [
        'treasury has 1 POL on polygon; the transaction needs 1.000630000000000001 POL (0.000630000000000001 POL missing).',
      ],
    ],
    [
      'the token and the coin',
      payAnna(),
      TOKEN,
      { coin: 1n, tokens: new Map([[USDT.toLowerCase(), TEN - 1n]]) },
      [
        'treasury has 10.499999 USDT on polygon; the transaction needs 10.5 USDT (0.000001 USDT missing).',
        'treasury has 0.000000000000000001 POL on polygon; the transaction needs 0.009 POL (0.008999999999999999 POL missing).',
      ],
    ],
    [
      'a token of a call that is not understood',
      givenCall(STRANGER, '0xdeadbeef'),
      TOKEN,
      { tokens: new Map([[USDT.toLowerCase(), 0n]]) },
      ['treasury has 0 USDT on polygon; the transaction needs 10.5 USDT.'],
    ],
  ])(
    'that shows that the payer lacks %s refuses it, with what is missing and once',
    (_, unsigned, expected, has, says) => {
      const fails: Simulation = { kind: 'fails', reason: 'insufficient funds' };
      const overrides = { allowBlind: true };
      const result = review(unsigned, expected, { node: facts(fails, has), payerName: 'treasury', overrides });
      const refused = result.checks.filter(({ verdict }) => verdict === 'refuse');
      expect(refused.map(({ id, message }) => ({ id, message }))).toEqual(
        says.map((text) => ({ id: 'funds', message: text })),
      );
      const lacking = refused.map(({ lacks }) => `${lacks?.amount} ${lacks?.token}`);
      const missing = says.map((text) => /\((.+) missing\)/.exec(text)?.[1] ?? /needs (.+)\.$/.exec(text)?.[1]);
      expect(lacking).toEqual(missing);
    },
  );

  it('is asked for the payer by address where the key has no name, and counts what goes back to the payer as kept', () => {
    const broke = review(payAnna(), TOKEN, { node: { ...RIGHT, coin: 0n } });
    expect(broke.checks[0]?.message).toBe(`${PAYER} has 0 POL on polygon; the transaction needs 0.009 POL.`);
    const toSelf = givenCall(USDT, transferData(PAYER, TEN));
    const node = facts(shown({}), { tokens: new Map([[USDT.toLowerCase(), 0n]]) });
    expect(wrong(toSelf, { tokenSymbol: 'USDT' }, { node })).not.toContain('funds refuse');
  });

  it('cannot make good what the bytes say', () => {
    const thief = givenCall(USDT, transferData(STRANGER, TEN));
    const expected = { ...TOKEN, receivers: [{ wallet: ANNA, percent: '100' }] };
    expect(wrong(thief, expected, { node: RIGHT })).toContain('shares refuse');
    expect(wrong(givenCall(USDT, '0xdeadbeef'), TOKEN, { node: RIGHT })).toEqual(['call refuse']);
  });

  it('stops a call that is allowed blindly and takes, or lets somebody take, more than was asked', () => {
    const blind = givenCall(STRANGER, '0xdeadbeef');
    const overrides = { allowBlind: true };
    expect(wrong(blind, TOKEN, { node: RIGHT, overrides })).toEqual([]);
    expect(wrong(blind, TOKEN, { node: facts(shown({ [USDT]: -2n * TEN })), overrides })).toEqual([
      'simulation refuse',
    ]);
    const lets = facts(shown({ [USDT]: -TEN }, [STRANGER]));
    expect(wrong(blind, TOKEN, { node: lets, overrides })).toEqual(['simulation refuse']);
    expect(wrong(blind, {}, { node: RIGHT })).toEqual(['call confirm', 'simulation confirm']);
  });

  it('asks what such a call is for, though no balance of the payer changes: a contract may keep something for the payer', () => {
    const unstated = [
      { fact: 'amount', subject: 'The amount is', value: undefined, by: 'the transaction', option: '--amount-from' },
    ] as const;
    const node = facts(shown({}));
    const overrides = { allowBlind: true };
    expect(wrong(givenCall(STRANGER, '0xdeadbeef'), {}, { node, overrides, unstated })).toEqual([
      'stated.amount confirm',
    ]);
    expect(wrong(givenCall(USDT, transferData(ANNA, 0n)), {}, { node, unstated })).toEqual([]);
  });

  it('compares what such a call takes with the bound of a price in another currency', () => {
    const blind = givenCall(STRANGER, '0xdeadbeef');
    const overrides = { allowBlind: true };
    const priced = (atMost?: string, market?: string): ExpectedPayment => ({
      tokenSymbol: 'USDT',
      price: { amount: '49.90', currency: 'BRL', atMost, market },
      receivers: [{ wallet: ANNA, percent: '100' }],
    });
    const taking = (changes: Readonly<Record<string, bigint>>, to = STRANGER): NodeFacts => {
      const gains = Object.entries(changes).map(([of, units]) => ({ of: of.toLowerCase(), to, units: -units }));
      return facts({ ...(shown(changes) as Extract<Simulation, { kind: 'shown' }>), gains });
    };
    const found = (node: NodeFacts, expected: ExpectedPayment) => wrong(blind, expected, { node, overrides });
    expect(found(taking({ [USDT]: -TEN }), priced('10.5'))).toEqual([]);
    expect(found(taking({ [USDT]: -TEN - 1n }), priced('10.5'))).toEqual(['above_bound refuse']);
    expect(found(taking({ [USDT]: -TEN, [USDC]: -1n }), priced('12'))).toContain('simulation refuse');
    expect(found(taking({ coin: -1n }), priced('12'))).toContain('simulation refuse');
    expect(found(taking({ [USDT]: -TEN }), priced())).toEqual(['amount confirm']);
    expect(found(taking({ [USDT]: -TEN }), priced(undefined, '10.4'))).toEqual([]);
    expect(found(taking({ [USDT]: -2n * TEN }), priced(undefined, '10.4'))).toEqual(['amount confirm']);
    expect(found(taking({ [USDT]: -TEN }, SPLITTER), priced('12')), 'to nobody of the payment').toEqual([
      'receivers refuse',
    ]);
    expect(found(taking({ [USDT]: -TEN }, ANNA), priced('12'))).toEqual([]);
    expect(wrong(blind, priced('12'), { node: taking({ [USDT]: -TEN }) })).toEqual(['call confirm']);
  });
});

describe('a contract that the operator pinned', () => {
  const pins = [{ chain: 'polygon', address: STRANGER.toLowerCase(), selector: '0xdeadbeef' }];
  const call = () => givenCall(STRANGER, `0xdeadbeef${'0'.repeat(64)}`);

  it('is fine when a simulation takes the amount that was asked, and nothing else', () => {
    expect(wrong(call(), TOKEN, { pins, node: RIGHT })).toEqual([]);
    expect(
      review(call(), TOKEN, { pins, node: RIGHT })
        .checks.map(({ message: says }) => says)
        .join(),
    ).toContain('you pinned');
    const waits = [{ chain: 'polygon', address: STRANGER, selector: '0x6a761202' }];
    expect(wrong(givenCall(STRANGER, '0x6a761202'), TOKEN, { pins: waits, node: RIGHT })).toEqual([]);
  });

  it.each<[string, Partial<ReviewInput>, ExpectedPayment]>([
    ['without a node', { pins }, TOKEN],
    ['with a node that cannot simulate', { pins, node: facts({ kind: 'runs' }) }, TOKEN],
    ['of another chain', { pins: [{ chain: 'bsc', address: STRANGER, selector: '0xdeadbeef' }], node: RIGHT }, TOKEN],
    ['at another address', { pins: [{ chain: 'polygon', address: ANNA, selector: '0xdeadbeef' }], node: RIGHT }, TOKEN],
    [
      'by another function',
      { pins: [{ chain: 'polygon', address: STRANGER, selector: '0xdeadbeee' }], node: RIGHT },
      TOKEN,
    ],
    ['when nothing was asked to compare with', { pins, node: RIGHT }, {}],
    ['when the amount cannot be compared', { pins, node: RIGHT }, { ...TOKEN, amount: 'unknown' }],
  ])('still needs the word of the user %s', (_, rest, expected) => {
    expect(wrong(call(), expected, rest)).toContain('call confirm');
  });

  it.each<[string, NodeFacts]>([
    ['takes a unit more', facts(shown({ [USDT]: -TEN - 1n }))],
    ['takes another token too', facts(shown({ [USDT]: -TEN, [USDC]: -1n }))],
    ['lets somebody take more later', facts(shown({ [USDT]: -TEN }, [STRANGER]))],
    ['fails', facts({ kind: 'fails', reason: 'x' })],
  ])('is refused when it %s', (_, node) => {
    expect(wrong(call(), TOKEN, { pins, node, overrides: { allowBlind: true } })).toContain('simulation refuse');
  });

  it('is not vouched for by its pin when it lets somebody take more later', () => {
    const node = facts(shown({ [USDT]: -TEN }, [STRANGER]));
    expect(wrong(call(), TOKEN, { pins, node })).toEqual(['simulation refuse', 'call confirm']);
  });

  it('is never a token itself: what it does to a balance is not all that a token can do', () => {
    const onToken = [{ chain: 'polygon', address: USDT, selector: '0x39509351' }];
    const increase = givenCall(USDT, `0x39509351${'0'.repeat(128)}`);
    expect(wrong(increase, TOKEN, { pins: onToken, node: RIGHT })).toContain('call refuse');
  });
});

describe('a nonce', () => {
  it('of another payment that may have been sent is no reason to ask, for one of the two lands: it is named by its hash', () => {
    const nonceUsedBy = `0x${'ab'.repeat(32)}`;
    expect(wrong(payAnna(), TOKEN, { nonceUsedBy })).toEqual([]);
    expect(wrong(payAnna(), { ...TOKEN, nonce: 7 }, { nonceUsedBy })).toEqual([]);
    const says = review(payAnna(), TOKEN, { nonceUsedBy }).checks.filter(({ id }) => id === 'nonce');
    expect(says.map((check) => check.message).join(' ')).toContain(nonceUsedBy);
  });
});

describe('a nonce without a node', () => {
  const says = (nonce: number, last: number | undefined) =>
    review(given({ nonce: String(nonce) }), COIN, { nonces: { sent: [], last } }).checks.filter(
      ({ id }) => id === 'nonce',
    );

  it('is said not to be checked', () => {
    const unchecked = (nonce: number) => [
      { id: 'nonce', verdict: 'pass', message: `nonce ${nonce}, not checked: no node`, unchecked: true },
    ];
    expect(says(7, undefined)).toEqual(unchecked(7));
    expect(says(4_000_000, undefined), 'of a wallet that the journal does not know').toEqual(unchecked(4_000_000));
    expect(says(1012, 12)).toEqual(unchecked(1012));
    expect(review(given(), COIN, {}).checks).toContainEqual(unchecked(7)[0]);
  });

  it('more than 1,000 above the last one of the journal is for the user to decide', () => {
    expect(says(1013, 12)).toEqual([
      {
        id: 'nonce',
        verdict: 'confirm',
        message:
          'Nonce: 1013; the last one of this wallet on polygon in the journal is 12. A node can check it: --rpc-url.',
      },
    ]);
  });
});
