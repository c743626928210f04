import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExpectedPayment, NodeFacts, Overrides, ReviewInput, TokenGain } from '../../../src/chain/evm/context.ts';
import { approve, reviewEvm } from '../../../src/chain/evm/review.ts';
import type { UnsignedEvm } from '../../../src/chain/evm/transaction.ts';
import { limitsSomething, type Outflow, type Policy } from '../../../src/chain/review/policy.ts';
import { compareDecimals } from '../../../src/core/decimal.ts';
import { inForce } from '../../support/policy.ts';
import {
  ANNA,
  approveData,
  BRUNO,
  CLARA,
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
} from '../evm/given.ts';

const TEN = 10_000_000n;

const review = (
  unsigned: UnsignedEvm,
  policy: Policy,
  rest: Partial<ReviewInput> = {},
  moved: readonly Outflow[] = [],
) => reviewEvm({ unsigned, network: NETWORK, signer: PAYER, policy: inForce(policy, { moved }), ...rest });

const wrong = (...args: Parameters<typeof review>) =>
  review(...args)
    .checks.filter(({ id, verdict }) => id.startsWith('policy') && verdict !== 'pass')
    .map(({ id, verdict }) => `${id} ${verdict}`);

const payAnna = (units = TEN, token = USDT) => givenCall(token, transferData(ANNA, units));
const word = (value: bigint | string) =>
  (typeof value === 'string' ? value.slice(2).toLowerCase() : value.toString(16)).padStart(64, '0');

/** splitToken(token, [..], [..]) of the splitter. */
const split = (...payments: readonly (readonly [string, bigint])[]) => {
  const count = BigInt(payments.length);
  const head = [word(USDT), word(96n), word(96n + 32n * (count + 1n))];
  const addresses = [word(count), ...payments.map(([to]) => word(to))];
  return givenCall(
    SPLITTER,
    `0x48145485${[...head, ...addresses, word(count), ...payments.map(([, units]) => word(units))].join('')}`,
  );
};

/** multicall(bytes[]) of calls of the same contract. */
const multicall = (to: string, ...calls: readonly string[]) => {
  const entries = calls.map((call) => {
    const hex = call.slice(2);
    return word(BigInt(hex.length / 2)) + hex.padEnd(Math.ceil(hex.length / 64) * 64, '0');
  });
  let at = BigInt(entries.length * 32);
  const offsets = entries.map((entry) => {
    const offset = word(at);
    at += BigInt(entry.length / 2);
    return offset;
  });
  return givenCall(to, `0xac9650d8${[word(32n), word(BigInt(calls.length)), ...offsets, ...entries].join('')}`);
};

const node = (gains: readonly TokenGain[], lost = TEN): NodeFacts => ({
  chainId: 1_000_137n,
  minedNonce: 7n,
  pendingNonce: 7n,
  ...RICH,
  simulation: { kind: 'shown', changes: [{ of: USDT.toLowerCase(), units: -lost }], gains, permissions: [] },
});
const gain = (to: string, units = TEN): TokenGain => ({ of: USDT.toLowerCase(), to: to.toLowerCase(), units });

const BLIND = givenCall(STRANGER, '0xdeadbeef');
const PINS = [{ chain: 'polygon', address: STRANGER, selector: '0xdeadbeef' }];
const ASKED: ExpectedPayment = { tokenSymbol: 'USDT', amount: '10', receivers: [{ wallet: ANNA, percent: '100' }] };
const PINNED: Partial<ReviewInput> = { pins: PINS, expected: ASKED, node: node([gain(ANNA)]) };

describe('a policy over an EVM transaction', () => {
  it.each<[string, UnsignedEvm, Policy, Partial<ReviewInput>?]>([
    ['a chain by its name, in any case', payAnna(), { chains: ['Polygon'] }],
    ['a token by its symbol, in any case', payAnna(), { tokens: ['usdt'] }],
    ['a token by its contract', payAnna(), { tokens: [USDT.toLowerCase()] }],
    ['the coin by its symbol', given(), { tokens: ['POL'] }],
    ['a recipient', payAnna(), { recipients: [ANNA.toLowerCase()] }],
    [
      'the payer itself',
      givenCall(USDT, transferData(PAYER, TEN)),
      { recipients: [], most_per_transaction: { USDT: '0' } },
    ],
    ['a spender that is listed', givenCall(USDT, approveData(SPLITTER, TEN)), { recipients: [SPLITTER] }],
    ['a plain transfer without an entry for its token', payAnna(), { contracts: [] }],
    ['an approval without an entry for its token', givenCall(USDT, approveData(SPLITTER, TEN)), { contracts: [] }],
    ['coin without any contract', given(), { contracts: [] }],
    ['the splitter where it is listed', split([ANNA, TEN]), { contracts: [SPLITTER], recipients: [ANNA] }],
    ['exactly the most', payAnna(), { most_per_transaction: { USDT: '10' }, most_per_day: { USDT: '10.000000' } }],
    ['any amount of a token without a limit', payAnna(), { most_per_transaction: { USDC: '1' } }],
    ['what is understood', payAnna(), { blind_signing: 'never' }],
    [
      'a pinned call that a simulation shows',
      BLIND,
      { blind_signing: 'never', contracts: [STRANGER], recipients: [ANNA], most_per_transaction: { USDT: '10' } },
      PINNED,
    ],
    ['programs of another family', payAnna(), { programs: [] }],
  ])('lets pass %s', (_, unsigned, policy, rest) => {
    expect(wrong(unsigned, policy, rest)).toEqual([]);
    expect(review(unsigned, policy, rest).checks.map(({ id }) => id)).toContain('policy');
  });

  it.each<[string, UnsignedEvm, Policy, string, Partial<ReviewInput>?]>([
    ['another chain', payAnna(), { chains: ['bsc', 'solana'] }, 'policy.chains'],
    ['any chain where none is listed', payAnna(), { chains: [] }, 'policy.chains'],
    ['another token', payAnna(), { tokens: ['USDC', 'POL'] }, 'policy.tokens'],
    ['the coin where it is not listed', given(), { tokens: ['USDT'] }, 'policy.tokens'],
    ['another recipient', payAnna(), { recipients: [BRUNO] }, 'policy.recipients'],
    ['one of two recipients', split([ANNA, 1n], [BRUNO, 1n]), { recipients: [ANNA] }, 'policy.recipients'],
    ['a spender', givenCall(USDT, approveData(SPLITTER, TEN)), { recipients: [ANNA] }, 'policy.recipients'],
    ['the splitter', split([ANNA, TEN]), { contracts: [STRANGER] }, 'policy.contracts'],
    [
      'a transfer of a token that is not known',
      givenCall(STRANGER, transferData(ANNA, 1n)),
      { contracts: [] },
      'policy.contracts',
    ],
    ['another contract', BLIND, { contracts: [ANNA] }, 'policy.contracts'],
    [
      'a function of a token contract that is no transfer',
      givenCall(STRANGER, '0xdeadbeef'),
      { contracts: [], tokens: [STRANGER, 'POL'] },
      'policy.contracts',
    ],
    [
      'a unit more than the most',
      payAnna(TEN + 1n),
      { most_per_transaction: { usdt: '10' } },
      'policy.most_per_transaction',
    ],
    [
      'the sum of two shares above the most',
      split([ANNA, TEN], [BRUNO, 1n]),
      { most_per_transaction: { USDT: '10' } },
      'policy.most_per_transaction',
    ],
    [
      'an allowance above the most',
      givenCall(USDT, approveData(SPLITTER, TEN + 1n)),
      { most_per_transaction: { USDT: '10' } },
      'policy.most_per_transaction',
    ],
    ['coin above the most', given(), { most_per_transaction: { POL: '1' } }, 'policy.most_per_transaction'],
    ['more than a day allows', payAnna(TEN + 1n), { most_per_day: { USDT: '10' } }, 'policy.most_per_day'],
    ['a call that is not understood', BLIND, { blind_signing: 'never' }, 'policy.blind_signing'],
    [
      'a token that is not known, under a limit of any token',
      givenCall(STRANGER, transferData(ANNA, 1n)),
      { most_per_transaction: { USDT: '10' } },
      'policy.most_per_transaction',
    ],
    ['who gains by a pinned call', BLIND, { recipients: [BRUNO] }, 'policy.recipients', PINNED],
    [
      'the contract that keeps the money',
      BLIND,
      { recipients: [ANNA] },
      'policy.recipients',
      { ...PINNED, node: node([gain(STRANGER)]) },
    ],
    [
      'a receiver of the split behind a contract that keeps the money',
      BLIND,
      { recipients: [STRANGER] },
      'policy.recipients',
      { ...PINNED, node: node([gain(STRANGER)]) },
    ],
    [
      'what a simulation takes',
      BLIND,
      { most_per_transaction: { USDT: '9.999999' } },
      'policy.most_per_transaction',
      PINNED,
    ],
  ])('refuses %s', (_, unsigned, policy, id, rest = {}) => {
    const overrides: Overrides = { allowRecipients: [ANNA, BRUNO, SPLITTER, STRANGER] };
    const result = review(unsigned, policy, { overrides, ...rest });
    expect(wrong(unsigned, policy, { overrides, ...rest })).toContain(`${id} refuse`);
    const failure = failureOf(() => approve(result, 'confirmed'));
    expect(failure.code).toBe('refused_by_review');
    expect(failure.details.errors?.map(({ field }) => field)).toContain(id);
    expect(failure.message).toContain(`bursar profile set acme ${id}`);
  });

  it('says what was found, what is allowed, and where that is changed', () => {
    const { checks } = review(payAnna(), { tokens: ['USDC', 'EURC'] });
    expect(checks[0]?.message).toBe(
      'The token is USDT. The policy of the profile acme allows only these tokens: USDC, EURC. No option overrides a policy; this command changes it: bursar profile set acme policy.tokens=VALUES.',
    );
  });

  it('refuses --allow-blind itself where blind signing is never, and says so', () => {
    const policy: Policy = { blind_signing: 'never' };
    for (const unsigned of [BLIND, payAnna()]) {
      const [check] = review(unsigned, policy, { overrides: { allowBlind: true } }).checks;
      expect(check).toMatchObject({ id: 'policy.blind_signing', verdict: 'refuse' });
      expect(check?.message).toContain('--allow-blind was given');
    }
    const strange = givenCall(STRANGER, transferData(ANNA, 1n));
    expect(wrong(strange, policy), 'a token that nobody knows is signed blindly too').toEqual([
      'policy.blind_signing refuse',
    ]);
  });

  it('looks into a batch: every contract, token, recipient and the sum', () => {
    const batch = multicall(USDT, transferData(ANNA, TEN), transferData(BRUNO, TEN));
    expect(wrong(batch, { contracts: [] })).toEqual(['policy.contracts refuse']);
    expect(wrong(batch, { contracts: [USDT], recipients: [ANNA] })).toEqual(['policy.recipients refuse']);
    expect(wrong(batch, { contracts: [USDT], most_per_transaction: { USDT: '19.9' } })).toEqual([
      'policy.most_per_transaction refuse',
    ]);
    expect(
      wrong(batch, { contracts: [USDT], recipients: [ANNA, BRUNO], most_per_transaction: { USDT: '20' } }),
    ).toEqual([]);
  });

  it('cannot hold a limit against what nobody can tell', () => {
    const overrides = { allowBlind: true };
    for (const policy of [{ tokens: ['USDT', 'POL'] }, { recipients: [ANNA] }, { most_per_day: { USDT: '99' } }]) {
      expect(wrong(BLIND, policy, { overrides, expected: ASKED })).toContain('policy refuse');
      expect(wrong(BLIND, policy, { ...PINNED, overrides })).not.toContain('policy refuse');
    }
    expect(wrong(BLIND, { chains: ['polygon'] }, { overrides })).toEqual([]);
    const hollow = multicall(STRANGER, transferData(ANNA, 1n));
    expect(wrong(hollow, { recipients: [ANNA] }, { overrides }), 'a batch that is only its word').toContain(
      'policy refuse',
    );
  });

  it('counts what left before, of the same token on any chain and in any spelling', () => {
    const policy: Policy = { most_per_day: { USDT: '30' } };
    const earlier = (amount: string) => [
      { token: 'usdt', amount, address: '0x55d398326f99059fF775485246999027B3197955' },
      { token: 'USDC', amount: '1000', address: USDC },
    ];
    expect(wrong(payAnna(), policy, {}, earlier('20'))).toEqual([]);
    expect(wrong(payAnna(), policy, {}, earlier('20.000001'))).toEqual(['policy.most_per_day refuse']);
    const [check] = review(payAnna(), policy, {}, earlier('25')).checks;
    expect(check?.message).toContain('moves 10 USDT. In the last 24 hours 25 USDT left or may have left');
  });

  it('does not count the fee, and does not make good who is not in the split', () => {
    const dear = given({ maxFeePerGas: '"90000000000000"', gasLimit: '"50000"' });
    expect(wrong(dear, { most_per_transaction: { POL: '1.1' } })).toEqual([]);
    const checks = review(
      payAnna(),
      { recipients: [ANNA] },
      { expected: { receivers: [{ wallet: BRUNO, percent: '100' }] } },
    );
    expect(checks.verdict).toBe('refuse');
  });

  it('that limits nothing is none', () => {
    expect(limitsSomething({})).toBe(false);
    expect(limitsSomething({ most_per_day: {} })).toBe(false);
    expect(limitsSomething({ chains: [] })).toBe(true);
  });
});

describe('whatever the policy and the transaction', () => {
  const address = fc.constantFrom(ANNA, BRUNO, CLARA, SPLITTER, STRANGER);
  const units = fc.bigInt({ min: 1n, max: 40n }).map((n) => n * 1_000_000n);
  const transactions = fc.oneof(
    fc
      .tuple(fc.constantFrom(USDT, USDC, STRANGER), address, units)
      .map(([token, to, n]) => givenCall(token, transferData(to, n))),
    fc.tuple(fc.constantFrom(USDT, USDC), address, units).map(([token, to, n]) => givenCall(token, approveData(to, n))),
    fc.tuple(address, units, address, units).map(([a, n, b, m]) => split([a, n], [b, m])),
    fc.constantFrom(given(), BLIND, given({ to: `"${BRUNO}"` })),
  );
  const some = <T>(values: readonly T[]) =>
    fc.option(fc.subarray([...values], { minLength: 1 }), { nil: undefined, freq: 2 });
  const limits = fc.option(fc.record({ USDT: fc.constantFrom('5', '10', '20'), POL: fc.constantFrom('0.5', '2') }), {
    nil: undefined,
    freq: 2,
  });
  const policies: fc.Arbitrary<Policy> = fc.record({
    chains: some(['polygon', 'bsc']),
    tokens: some(['USDT', 'USDC', 'POL', STRANGER]),
    recipients: some([ANNA, BRUNO, CLARA, SPLITTER]),
    contracts: some([SPLITTER, STRANGER]),
    most_per_transaction: limits,
    most_per_day: limits,
    blind_signing: fc.constantFrom(undefined, undefined, 'never' as const),
  });
  const overrides: fc.Arbitrary<Overrides> = fc.record({
    allowBlind: fc.boolean(),
    allowRecipients: fc.subarray([ANNA, BRUNO, CLARA, SPLITTER, STRANGER]),
  });
  const expecteds = fc.constantFrom<ExpectedPayment | undefined>(undefined, undefined, ASKED);
  const nodes = fc.constantFrom<NodeFacts | undefined>(
    undefined,
    undefined,
    undefined,
    node([gain(ANNA)]),
    node([gain(STRANGER)]),
  );
  const LEFT: readonly Outflow[] = [{ token: 'USDT', amount: '5', address: USDT }];
  const RANK = { pass: 0, confirm: 1, refuse: 2 };

  it('a policy never makes a review better, and what is approved is within all of it', () => {
    let passed = 0;
    fc.assert(
      fc.property(transactions, policies, overrides, expecteds, nodes, (unsigned, policy, allowed, expected, facts) => {
        const rest = { overrides: allowed, expected, node: facts, pins: PINS };
        const bare = reviewEvm({ unsigned, network: NETWORK, signer: PAYER, ...rest });
        const result = review(unsigned, policy, rest, LEFT);
        expect(RANK[result.verdict]).toBeGreaterThanOrEqual(RANK[bare.verdict]);
        expect(result.outflows).toEqual(bare.outflows);
        if (result.verdict === 'refuse') return;
        passed += 1;
        expect(policy.chains ?? ['polygon']).toContain('polygon');
        for (const { token, amount } of result.outflows) {
          expect(policy.tokens ?? [token]).toContain(token);
          const sum = compareDecimals(amount, policy.most_per_transaction?.[token as 'USDT'] ?? amount);
          expect(sum).toBeLessThanOrEqual(0);
          if (token === 'USDT' && policy.most_per_day) expect(policy.most_per_day['USDT']).toMatch(/^(?:10|20)$/);
        }
        for (const { to } of result.moves) expect(policy.recipients ?? [to]).toContain(to);
        if (policy.blind_signing === 'never') expect(allowed.allowBlind).toBe(false);
      }),
      { numRuns: 700, seed: 20_261_121 },
    );
    expect(passed, 'the property looked at approved reviews too').toBeGreaterThan(30);
  });
});
