import { describe, expect, it } from 'vitest';
import type { ReviewInput } from '../../../src/chain/evm/context.ts';
import { extendNetwork, networkFor } from '../../../src/chain/evm/network.ts';
import { reviewEvm } from '../../../src/chain/evm/review.ts';
import type { UnsignedEvm } from '../../../src/chain/evm/transaction.ts';
import { reviewChallenge } from '../../../src/chain/message/challenge.ts';
import type { Policy } from '../../../src/chain/review/policy.ts';
import { problemsInPolicy, unknownAmounts } from '../../../src/chain/review/policy-problems.ts';
import { isMandate, widens } from '../../../src/chain/review/policy-widens.ts';
import { SANDBOX_CONTRACTS } from '../../../src/contract/chains.ts';
import { inForce } from '../../support/policy.ts';
import { ANNA, BRUNO, given, givenCall, NETWORK, PAYER, SPLITTER, transferData, USDT } from '../evm/given.ts';

const KEY = { kind: 'key', name: 'treasury' } as const;
const SANDBOX_NETWORK = networkFor('sandbox');
const USDT_UNITS = 10_000_000n;

const review = (unsigned: UnsignedEvm, policy: Policy, rest: Partial<ReviewInput> = {}) =>
  reviewEvm({ unsigned, network: SANDBOX_NETWORK, signer: PAYER, policy: inForce(policy, { owner: KEY }), ...rest });

/** The policy checks that do not pass, each with its verdict. */
const failedPolicyChecks = (...args: Parameters<typeof review>) =>
  review(...args)
    .checks.filter(({ id, verdict }) => id.startsWith('policy') && verdict !== 'pass')
    .map(({ id, verdict }) => `${id} ${verdict}`);

const payAnna = (units = USDT_UNITS) => givenCall(SANDBOX_CONTRACTS.USDT, transferData(ANNA, units));

describe('the limits of a key policy', () => {
  it.each<[string, Policy, readonly string[]]>([
    ['refuse a fee above the most_fee of the chain', { most_fee: { Polygon: '0.0001' } }, ['policy.most_fee refuse']],
    ['allow a fee equal to most_fee', { most_fee: { polygon: review(payAnna(), {}).fee.at_most } }, []],
    ['allow any fee when most_fee is set for another chain', { most_fee: { bsc: '0' } }, []],
    [
      'require a confirmation for an amount above ask_above',
      { ask_above: { USDT: '9.99' } },
      ['policy.ask_above confirm'],
    ],
    ['allow an amount equal to ask_above', { ask_above: { USDT: '10' } }, []],
    [
      'refuse an amount above most_per_transaction for "*"',
      { most_per_transaction: { '*': '9', USDC: '100' } },
      ['policy.most_per_transaction refuse'],
    ],
    ['refuse an amount above most_per_day for "*"', { most_per_day: { '*': '9' } }, ['policy.most_per_day refuse']],
    [
      'require a confirmation for an amount above ask_above for "*"',
      { ask_above: { '*': '1' } },
      ['policy.ask_above confirm'],
    ],
    ['use the entry of the token instead of "*"', { most_per_day: { '*': '1', usdt: '10' } }, []],
  ])('%s', (_, policy, expected) => {
    expect(failedPolicyChecks(payAnna(), policy)).toEqual(expected);
  });

  it('are stated in a message with the key and the command that changes the policy', () => {
    const [first] = review(payAnna(), { most_per_transaction: { USDT: '1' } }).checks;
    expect(first?.message).toContain('The policy of the key treasury allows at most 1 USDT');
    expect(first?.message).toContain('bursar key policy set treasury most_per_transaction');
  });
});

describe('a key policy and the chain entries of a profile', () => {
  const profileNetwork = extendNetwork(SANDBOX_NETWORK, [
    { name: 'polygon', tokens: { USDT: { address: USDT, decimals: 36 } } },
  ]);
  const payOther = givenCall(USDT, transferData(ANNA, USDT_UNITS));

  it('a token that only a profile names USDT does not count as USDT', () => {
    expect(failedPolicyChecks(payOther, { tokens: ['USDT'] }, { network: profileNetwork })).toEqual([
      'policy.tokens refuse',
    ]);
    expect(failedPolicyChecks(payOther, { most_per_transaction: { USDT: '1' } }, { network: profileNetwork })).toEqual([
      'policy.most_per_transaction refuse',
    ]);
    expect(
      failedPolicyChecks(payOther, { tokens: [USDT] }, { network: profileNetwork }),
      'listed by its address',
    ).toEqual([]);
  });

  it('a splitter that only a profile defines cannot be decoded unless the policy lists it in contracts', () => {
    const word = (value: bigint | string) =>
      (typeof value === 'string' ? value.slice(2).toLowerCase() : value.toString(16)).padStart(64, '0');
    const data = [SANDBOX_CONTRACTS.USDT, 96n, 160n, 1n, ANNA, 1n, USDT_UNITS].map(word).join('');
    const split = givenCall(SPLITTER, `0x48145485${data}`);
    const network = extendNetwork(SANDBOX_NETWORK, [{ name: 'polygon', splitter: SPLITTER }]);
    expect(failedPolicyChecks(split, { recipients: [ANNA] }, { network })).toEqual(['policy refuse']);
    expect(failedPolicyChecks(split, { recipients: [ANNA], contracts: [SPLITTER] }, { network })).toEqual([]);
    expect(failedPolicyChecks(split, { recipients: [BRUNO], contracts: [SPLITTER] }, { network })).toEqual([
      'policy.recipients refuse',
    ]);
  });

  it('a chain that only a profile defines is listed by its EIP-155 id', () => {
    const network = extendNetwork(SANDBOX_NETWORK, [{ name: 'polygon2', id: 250, coin: 'POL' }]);
    const coin = given({ chainId: '250' }, { chain_name: '"polygon2"' });
    expect(failedPolicyChecks(coin, { chains: ['polygon2'] }, { network })).toEqual(['policy.chains refuse']);
    expect(failedPolicyChecks(coin, { chains: ['eip155:250'] }, { network })).toEqual([]);
    expect(failedPolicyChecks(coin, { tokens: ['POL'] }, { network }), 'its coin does not count as POL').toEqual([
      'policy.tokens refuse',
    ]);
    expect(failedPolicyChecks(coin, { most_per_transaction: { POL: '1000' } }, { network })).toEqual([
      'policy.most_per_transaction refuse',
    ]);
    expect(failedPolicyChecks(coin, { most_fee: { 'eip155:250': '0' } }, { network })).toEqual([
      'policy.most_fee refuse',
    ]);
  });

  it('a profile cannot rename a known token or coin, or change the decimals of a known token', () => {
    const { USDT: own } = SANDBOX_CONTRACTS;
    const renamed = () =>
      extendNetwork(SANDBOX_NETWORK, [{ name: 'polygon', tokens: { FOO: { address: own, decimals: 6 } } }]);
    const finer = () =>
      extendNetwork(SANDBOX_NETWORK, [{ name: 'polygon', tokens: { USDT: { address: own, decimals: 30 } } }]);
    const coined = () => extendNetwork(SANDBOX_NETWORK, [{ name: 'polygon', coin: 'USDT' }]);
    for (const work of [renamed, finer, coined]) expect(work).toThrow(/a profile cannot give it/);
  });

  it('the policy of the profile itself uses the token names of the profile', () => {
    const policy = inForce({ tokens: ['USDT'] });
    const { checks } = reviewEvm({ unsigned: payOther, network: NETWORK, signer: PAYER, policy });
    expect(checks.filter(({ id }) => id.startsWith('policy')).map(({ verdict }) => verdict)).toEqual(['pass']);
  });
});

describe('widens, which decides whether a change of a policy allows more', () => {
  it.each<[boolean, Policy, Policy]>([
    [false, {}, { chains: ['polygon'], most_per_day: { USDT: '1' }, blind_signing: 'never' }],
    [false, { chains: ['polygon', 'base'] }, { chains: ['Base'] }],
    [false, { most_per_day: { USDT: '10' } }, { most_per_day: { usdt: '9', USDC: '5' } }],
    [false, { recipients: [ANNA] }, { recipients: [ANNA.toLowerCase()] }],
    [true, { chains: ['polygon'] }, {}],
    [true, { chains: ['polygon'] }, { chains: ['polygon', 'base'] }],
    [true, { most_per_day: { USDT: '10' } }, { most_per_day: { USDT: '10.01' } }],
    [true, { most_per_day: { '*': '10' } }, { most_per_day: { '*': '10', USDT: '11' } }],
    [true, { most_fee: { polygon: '1' } }, {}],
    [true, { ask_above: { USDT: '1' } }, { ask_above: { USDT: '2' } }],
    [true, { blind_signing: 'never' }, {}],
    [true, {}, { programs: ['11111111111111111111111111111111'] }],
    [true, {}, { challenge_hosts: ['app.example.com'] }],
    [true, {}, { chains: ['polygon'], tokens: ['USDT'], recipients: [ANNA], most_per_transaction: { USDT: '1' } }],
  ])('returns %s for a change from %j to %j', (isWider, before, after) => {
    expect(widens(before, after)).toBe(isWider);
  });

  it('isMandate requires a most_per_transaction for each token of the policy', () => {
    const policy = { chains: ['polygon'], tokens: ['USDT', 'USDC'], recipients: [ANNA] };
    expect(isMandate({ ...policy, most_per_transaction: { usdt: '1' } })).toBe(false);
    expect(isMandate({ ...policy, most_per_transaction: { usdt: '1', USDC: '1' } })).toBe(true);
    expect(isMandate({ ...policy, most_per_transaction: { '*': '1' } })).toBe(true);
  });
});

describe('policy settings without an effect', () => {
  const scope = (family: 'evm' | 'solana') => ({ family, kinds: ['live', 'sandbox'] }) as const;
  it.each<[string, 'evm' | 'solana', Policy]>([
    ['most_per_day.USTD', 'evm', { most_per_day: { USTD: '1' } }],
    ['most_per_transaction.SOL', 'evm', { most_per_transaction: { SOL: '1' } }],
    ['ask_above.POL', 'solana', { ask_above: { POL: '1' } }],
    ['most_fee.solana', 'evm', { most_fee: { solana: '1' } }],
    ['most_fee.polgon', 'evm', { most_fee: { polgon: '1' } }],
    ['chains', 'evm', { chains: ['polgon'] }],
    ['programs', 'evm', { programs: ['11111111111111111111111111111111'] }],
    ['contracts', 'solana', { contracts: [SPLITTER] }],
    ['recipients', 'evm', { recipients: ['0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4f'] }],
  ])('are reported: %s of a key for %s', (field, family, policy) => {
    const problems = [...problemsInPolicy(policy, scope(family)), ...unknownAmounts(policy, scope(family))];
    expect(problems.map((one) => one.field)).toEqual([field]);
  });
});

describe('challenge_hosts', () => {
  const reviewWith = (message: string, policy?: Policy) =>
    reviewChallenge({
      message,
      key: { chain: 'evm', address: PAYER },
      now: 0,
      host: 'api.example.com',
      policy: policy && inForce(policy, { owner: KEY }),
    });
  const signIn = (host: string) =>
    `${host} wants you to sign in with your Ethereum account:\n${PAYER}\n\nURI: https://${host}\nVersion: 1\nChain ID: 1\nNonce: abcdefgh\nIssued At: 1970-01-01T00:00:00Z`;
  const policy = { challenge_hosts: ['login.partner.example'] };

  it('allows a listed host and the host of the service, and refuses other hosts', () => {
    expect(reviewWith(signIn('login.partner.example')).verdict).not.toBe('pass');
    expect(
      reviewWith(signIn('login.partner.example'), policy).checks.filter(({ verdict }) => verdict !== 'pass'),
    ).toEqual([]);
    expect(reviewWith(signIn('api.example.com'), policy).verdict).toBe('pass');
    const other = reviewWith(signIn('evil.example'), policy);
    expect(other.verdict).toBe('refuse');
    expect(other.checks[0]).toMatchObject({ id: 'policy.challenge_hosts', verdict: 'refuse' });
  });
});
