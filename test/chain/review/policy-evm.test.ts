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

const USDT_UNITS = 10_000_000n;

const review = (
  unsigned: UnsignedEvm,
  policy: Policy,
  rest: Partial<ReviewInput> = {},
  moved: readonly Outflow[] = [],
) => reviewEvm({ unsigned, network: NETWORK, signer: PAYER, policy: inForce(policy, { moved }), ...rest });

/** The policy checks that do not pass, each with its verdict. */
const failedPolicyChecks = (...args: Parameters<typeof review>) =>
  review(...args)
    .checks.filter(({ id, verdict }) => id.startsWith('policy') && verdict !== 'pass')
    .map(({ id, verdict }) => `${id} ${verdict}`);

const payAnna = (units = USDT_UNITS, token = USDT) => givenCall(token, transferData(ANNA, units));
const word = (value: bigint | string) =>
  (typeof value === 'string' ? value.slice(2).toLowerCase() : value.toString(16)).padStart(64, '0');

/** A call splitToken(token, [..], [..]) of the splitter. */
const split = (...payments: readonly (readonly [string, bigint])[]) => {
  const count = BigInt(payments.length);
  const head = [word(USDT), word(96n), word(96n + 32n * (count + 1n))];
  const addresses = [word(count), ...payments.map(([to]) => word(to))];
  return givenCall(
    SPLITTER,
    `0x48145485${[...head, ...addresses, word(count), ...payments.map(([, units]) => word(units))].join('')}`,
  );
};

/** A call multicall(bytes[]) with calls of the same contract. */
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

const node = (gains: readonly TokenGain[], lost = USDT_UNITS): NodeFacts => ({
  chainId: 1_000_137n,
  minedNonce: 7n,
  pendingNonce: 7n,
  ...RICH,
  simulation: { kind: 'shown', changes: [{ of: USDT.toLowerCase(), units: -lost }], gains, permissions: [] },
});
const gain = (to: string, units = USDT_UNITS): TokenGain => ({ of: USDT.toLowerCase(), to: to.toLowerCase(), units });

const BLIND = givenCall(STRANGER, '0xdeadbeef');
const PINS = [{ chain: 'polygon', address: STRANGER, selector: '0xdeadbeef' }];
const EXPECTED: ExpectedPayment = { tokenSymbol: 'USDT', amount: '10', receivers: [{ wallet: ANNA, percent: '100' }] };
const PINNED: Partial<ReviewInput> = { pins: PINS, expected: EXPECTED, node: node([gain(ANNA)]) };

describe('a policy for an EVM transaction', () => {
  it.each<[string, UnsignedEvm, Policy, Partial<ReviewInput>?]>([
    ['a chain by name in another case', payAnna(), { chains: ['Polygon'] }],
    ['a token by symbol in another case', payAnna(), { tokens: ['usdt'] }],
    ['a token by contract', payAnna(), { tokens: [USDT.toLowerCase()] }],
    ['the coin by symbol', given(), { tokens: ['POL'] }],
    ['a listed recipient', payAnna(), { recipients: [ANNA.toLowerCase()] }],
    [
      'a transfer to the payer',
      givenCall(USDT, transferData(PAYER, USDT_UNITS)),
      { recipients: [], most_per_transaction: { USDT: '0' } },
    ],
    ['a listed spender', givenCall(USDT, approveData(SPLITTER, USDT_UNITS)), { recipients: [SPLITTER] }],
    ['a transfer without an entry for its token in contracts', payAnna(), { contracts: [] }],
    [
      'an approval without an entry for its token in contracts',
      givenCall(USDT, approveData(SPLITTER, USDT_UNITS)),
      { contracts: [] },
    ],
    ['coin with an empty list of contracts', given(), { contracts: [] }],
    ['the listed splitter', split([ANNA, USDT_UNITS]), { contracts: [SPLITTER], recipients: [ANNA] }],
    [
      'an amount equal to the limits',
      payAnna(),
      { most_per_transaction: { USDT: '10' }, most_per_day: { USDT: '10.000000' } },
    ],
    ['any amount of a token without a limit', payAnna(), { most_per_transaction: { USDC: '1' } }],
    ['a decoded transaction with blind_signing never', payAnna(), { blind_signing: 'never' }],
    [
      'a pinned call with a simulation',
      BLIND,
      { blind_signing: 'never', contracts: [STRANGER], recipients: [ANNA], most_per_transaction: { USDT: '10' } },
      PINNED,
    ],
    ['an EVM transaction with an empty list of Solana programs', payAnna(), { programs: [] }],
  ])('allows %s', (_, unsigned, policy, rest) => {
    expect(failedPolicyChecks(unsigned, policy, rest)).toEqual([]);
    expect(review(unsigned, policy, rest).checks.map(({ id }) => id)).toContain('policy');
  });

  it.each<[string, UnsignedEvm, Policy, string, Partial<ReviewInput>?]>([
    ['a chain that is not listed', payAnna(), { chains: ['bsc', 'solana'] }, 'policy.chains'],
    ['any chain with an empty list', payAnna(), { chains: [] }, 'policy.chains'],
    ['a token that is not listed', payAnna(), { tokens: ['USDC', 'POL'] }, 'policy.tokens'],
    ['a coin that is not listed', given(), { tokens: ['USDT'] }, 'policy.tokens'],
    ['a recipient that is not listed', payAnna(), { recipients: [BRUNO] }, 'policy.recipients'],
    [
      'two recipients of which one is not listed',
      split([ANNA, 1n], [BRUNO, 1n]),
      { recipients: [ANNA] },
      'policy.recipients',
    ],
    [
      'a spender that is not listed',
      givenCall(USDT, approveData(SPLITTER, USDT_UNITS)),
      { recipients: [ANNA] },
      'policy.recipients',
    ],
    ['a splitter that is not listed', split([ANNA, USDT_UNITS]), { contracts: [STRANGER] }, 'policy.contracts'],
    [
      'a transfer of an unknown token with an empty list of contracts',
      givenCall(STRANGER, transferData(ANNA, 1n)),
      { contracts: [] },
      'policy.contracts',
    ],
    ['a contract that is not listed', BLIND, { contracts: [ANNA] }, 'policy.contracts'],
    [
      'another function of a listed token than a transfer',
      givenCall(STRANGER, '0xdeadbeef'),
      { contracts: [], tokens: [STRANGER, 'POL'] },
      'policy.contracts',
    ],
    [
      'an amount one unit above most_per_transaction',
      payAnna(USDT_UNITS + 1n),
      { most_per_transaction: { usdt: '10' } },
      'policy.most_per_transaction',
    ],
    [
      'two shares with a sum above most_per_transaction',
      split([ANNA, USDT_UNITS], [BRUNO, 1n]),
      { most_per_transaction: { USDT: '10' } },
      'policy.most_per_transaction',
    ],
    [
      'an allowance above most_per_transaction',
      givenCall(USDT, approveData(SPLITTER, USDT_UNITS + 1n)),
      { most_per_transaction: { USDT: '10' } },
      'policy.most_per_transaction',
    ],
    ['coin above most_per_transaction', given(), { most_per_transaction: { POL: '1' } }, 'policy.most_per_transaction'],
    ['an amount above most_per_day', payAnna(USDT_UNITS + 1n), { most_per_day: { USDT: '10' } }, 'policy.most_per_day'],
    [
      'a call that cannot be decoded with blind_signing never',
      BLIND,
      { blind_signing: 'never' },
      'policy.blind_signing',
    ],
    [
      'an unknown token with a limit for another token',
      givenCall(STRANGER, transferData(ANNA, 1n)),
      { most_per_transaction: { USDT: '10' } },
      'policy.most_per_transaction',
    ],
    [
      'a receiver in the simulation of a pinned call that is not listed',
      BLIND,
      { recipients: [BRUNO] },
      'policy.recipients',
      PINNED,
    ],
    [
      'a contract that keeps the money and is not a listed recipient',
      BLIND,
      { recipients: [ANNA] },
      'policy.recipients',
      { ...PINNED, node: node([gain(STRANGER)]) },
    ],
    [
      'a listed contract that keeps the money when the requested receiver is not listed',
      BLIND,
      { recipients: [STRANGER] },
      'policy.recipients',
      { ...PINNED, node: node([gain(STRANGER)]) },
    ],
    [
      'a loss in the simulation above most_per_transaction',
      BLIND,
      { most_per_transaction: { USDT: '9.999999' } },
      'policy.most_per_transaction',
      PINNED,
    ],
  ])('refuses %s', (_, unsigned, policy, id, rest = {}) => {
    const overrides: Overrides = { allowRecipients: [ANNA, BRUNO, SPLITTER, STRANGER] };
    const result = review(unsigned, policy, { overrides, ...rest });
    expect(failedPolicyChecks(unsigned, policy, { overrides, ...rest })).toContain(`${id} refuse`);
    const failure = failureOf(() => approve(result, 'confirmed'));
    expect(failure.code).toBe('refused_by_review');
    expect(failure.details.errors?.map(({ field }) => field)).toContain(id);
    expect(failure.message).toContain(`bursar profile set acme ${id}`);
  });

  it('states the actual value, the allowed values and the command that changes the policy', () => {
    const { checks } = review(payAnna(), { tokens: ['USDC', 'EURC'] });
    expect(checks[0]?.message).toBe(
      'The token is USDT. The policy of the profile acme allows only these tokens: USDC, EURC. No option overrides a policy; this command changes it: bursar profile set acme policy.tokens=VALUES.',
    );
  });

  it('with blind_signing never refuses --allow-blind itself', () => {
    const policy: Policy = { blind_signing: 'never' };
    for (const unsigned of [BLIND, payAnna()]) {
      const [check] = review(unsigned, policy, { overrides: { allowBlind: true } }).checks;
      expect(check).toMatchObject({ id: 'policy.blind_signing', verdict: 'refuse' });
      expect(check?.message).toContain('--allow-blind was given');
    }
    const unknownToken = givenCall(STRANGER, transferData(ANNA, 1n));
    expect(failedPolicyChecks(unknownToken, policy), 'a transfer of an unknown token is blind signing too').toEqual([
      'policy.blind_signing refuse',
    ]);
  });

  it('checks the contracts, the recipients and the sum of the calls in a batch', () => {
    const batch = multicall(USDT, transferData(ANNA, USDT_UNITS), transferData(BRUNO, USDT_UNITS));
    expect(failedPolicyChecks(batch, { contracts: [] })).toEqual(['policy.contracts refuse']);
    expect(failedPolicyChecks(batch, { contracts: [USDT], recipients: [ANNA] })).toEqual(['policy.recipients refuse']);
    expect(failedPolicyChecks(batch, { contracts: [USDT], most_per_transaction: { USDT: '19.9' } })).toEqual([
      'policy.most_per_transaction refuse',
    ]);
    expect(
      failedPolicyChecks(batch, { contracts: [USDT], recipients: [ANNA, BRUNO], most_per_transaction: { USDT: '20' } }),
    ).toEqual([]);
  });

  it('refuses a call whose amount and receivers are unknown when the policy limits them', () => {
    const overrides = { allowBlind: true };
    for (const policy of [{ tokens: ['USDT', 'POL'] }, { recipients: [ANNA] }, { most_per_day: { USDT: '99' } }]) {
      expect(failedPolicyChecks(BLIND, policy, { overrides, expected: EXPECTED })).toContain('policy refuse');
      expect(failedPolicyChecks(BLIND, policy, { ...PINNED, overrides })).not.toContain('policy refuse');
    }
    expect(failedPolicyChecks(BLIND, { chains: ['polygon'] }, { overrides })).toEqual([]);
    const unknownBatch = multicall(STRANGER, transferData(ANNA, 1n));
    expect(
      failedPolicyChecks(unknownBatch, { recipients: [ANNA] }, { overrides }),
      'a batch of an unknown contract',
    ).toContain('policy refuse');
  });

  it('adds earlier outflows of the same token on any chain and in any case to most_per_day', () => {
    const policy: Policy = { most_per_day: { USDT: '30' } };
    const earlier = (amount: string) => [
      { token: 'usdt', amount, address: '0x55d398326f99059fF775485246999027B3197955' },
      { token: 'USDC', amount: '1000', address: USDC },
    ];
    expect(failedPolicyChecks(payAnna(), policy, {}, earlier('20'))).toEqual([]);
    expect(failedPolicyChecks(payAnna(), policy, {}, earlier('20.000001'))).toEqual(['policy.most_per_day refuse']);
    const [check] = review(payAnna(), policy, {}, earlier('25')).checks;
    expect(check?.message).toContain('moves 10 USDT. In the last 24 hours 25 USDT left or may have left');
  });

  it('does not count the fee, and does not allow a receiver outside the requested split', () => {
    const highFee = given({ maxFeePerGas: '"90000000000000"', gasLimit: '"50000"' });
    expect(failedPolicyChecks(highFee, { most_per_transaction: { POL: '1.1' } })).toEqual([]);
    const checks = review(
      payAnna(),
      { recipients: [ANNA] },
      { expected: { receivers: [{ wallet: BRUNO, percent: '100' }] } },
    );
    expect(checks.verdict).toBe('refuse');
  });

  it('without entries is no policy for limitsSomething', () => {
    expect(limitsSomething({})).toBe(false);
    expect(limitsSomething({ most_per_day: {} })).toBe(false);
    expect(limitsSomething({ chains: [] })).toBe(true);
  });
});

describe('random policies and transactions', () => {
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
  const expecteds = fc.constantFrom<ExpectedPayment | undefined>(undefined, undefined, EXPECTED);
  const nodes = fc.constantFrom<NodeFacts | undefined>(
    undefined,
    undefined,
    undefined,
    node([gain(ANNA)]),
    node([gain(STRANGER)]),
  );
  const EARLIER: readonly Outflow[] = [{ token: 'USDT', amount: '5', address: USDT }];
  const RANK = { pass: 0, confirm: 1, refuse: 2 };

  it('never get a better verdict than without the policy, and are refused outside its limits', () => {
    let notRefused = 0;
    fc.assert(
      fc.property(transactions, policies, overrides, expecteds, nodes, (unsigned, policy, allowed, expected, facts) => {
        const rest = { overrides: allowed, expected, node: facts, pins: PINS };
        const bare = reviewEvm({ unsigned, network: NETWORK, signer: PAYER, ...rest });
        const result = review(unsigned, policy, rest, EARLIER);
        expect(RANK[result.verdict]).toBeGreaterThanOrEqual(RANK[bare.verdict]);
        expect(result.outflows).toEqual(bare.outflows);
        if (result.verdict === 'refuse') return;
        notRefused += 1;
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
    expect(notRefused, 'number of reviews that were not refused').toBeGreaterThan(30);
  });
});
