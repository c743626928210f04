import { describe, expect, it } from 'vitest';
import type { ReviewInput } from '../../../src/chain/evm/context.ts';
import { extendNetwork, networkFor } from '../../../src/chain/evm/network.ts';
import { reviewEvm } from '../../../src/chain/evm/review.ts';
import type { UnsignedEvm } from '../../../src/chain/evm/transaction.ts';
import { reviewChallenge } from '../../../src/chain/message/challenge.ts';
import { isMandate, type Policy, widens } from '../../../src/chain/review/policy.ts';
import { problemsInPolicy, unknownAmounts } from '../../../src/chain/review/policy-problems.ts';
import { SANDBOX_CONTRACTS } from '../../../src/contract/chains.ts';
import { inForce } from '../../support/policy.ts';
import { ANNA, BRUNO, given, givenCall, NETWORK, PAYER, SPLITTER, transferData, USDT } from '../evm/given.ts';

const KEY = { kind: 'key', name: 'treasury' } as const;
const OWN = networkFor('sandbox');
const TEN = 10_000_000n;

const review = (unsigned: UnsignedEvm, policy: Policy, rest: Partial<ReviewInput> = {}) =>
  reviewEvm({ unsigned, network: OWN, signer: PAYER, policy: inForce(policy, { owner: KEY }), ...rest });

const wrong = (...args: Parameters<typeof review>) =>
  review(...args)
    .checks.filter(({ id, verdict }) => id.startsWith('policy') && verdict !== 'pass')
    .map(({ id, verdict }) => `${id} ${verdict}`);

const payAnna = (units = TEN) => givenCall(SANDBOX_CONTRACTS.USDT, transferData(ANNA, units));

describe('the parts of a policy that are new', () => {
  it.each<[string, Policy, readonly string[]]>([
    ['a fee above the most of its chain', { most_fee: { Polygon: '0.0001' } }, ['policy.most_fee refuse']],
    ['a fee of exactly the most', { most_fee: { polygon: review(payAnna(), {}).fee.at_most } }, []],
    ['a fee where another chain has a most', { most_fee: { bsc: '0' } }, []],
    ['an amount above which the user is asked', { ask_above: { USDT: '9.99' } }, ['policy.ask_above confirm']],
    ['an amount that is not above it', { ask_above: { USDT: '10' } }, []],
    [
      'any other token, at once',
      { most_per_transaction: { '*': '9', USDC: '100' } },
      ['policy.most_per_transaction refuse'],
    ],
    ['any other token, in a day', { most_per_day: { '*': '9' } }, ['policy.most_per_day refuse']],
    ['any other token, to be asked about', { ask_above: { '*': '1' } }, ['policy.ask_above confirm']],
    ['a token with an amount of its own beside any other', { most_per_day: { '*': '1', usdt: '10' } }, []],
  ])('%s', (_, policy, found) => {
    expect(wrong(payAnna(), policy)).toEqual(found);
  });

  it('name the key and the command that changes its policy', () => {
    const [first] = review(payAnna(), { most_per_transaction: { USDT: '1' } }).checks;
    expect(first?.message).toContain('The policy of the key treasury allows at most 1 USDT');
    expect(first?.message).toContain('bursar key policy set treasury most_per_transaction');
  });
});

describe('a policy of a key against what a profile says', () => {
  const elsewhere = extendNetwork(OWN, [{ name: 'polygon', tokens: { USDT: { address: USDT, decimals: 36 } } }]);
  const payOther = givenCall(USDT, transferData(ANNA, TEN));

  it('a token that a profile calls USDT is not USDT to it, whatever decimals it has there', () => {
    expect(wrong(payOther, { tokens: ['USDT'] }, { network: elsewhere })).toEqual(['policy.tokens refuse']);
    expect(wrong(payOther, { most_per_transaction: { USDT: '1' } }, { network: elsewhere })).toEqual([
      'policy.most_per_transaction refuse',
    ]);
    expect(wrong(payOther, { tokens: [USDT] }, { network: elsewhere }), 'by its address it may be named').toEqual([]);
  });

  it('a splitter that only a profile knows is a call that is not understood, unless the policy lists it', () => {
    const word = (value: bigint | string) =>
      (typeof value === 'string' ? value.slice(2).toLowerCase() : value.toString(16)).padStart(64, '0');
    const data = [SANDBOX_CONTRACTS.USDT, 96n, 160n, 1n, ANNA, 1n, TEN].map(word).join('');
    const split = givenCall(SPLITTER, `0x48145485${data}`);
    const network = extendNetwork(OWN, [{ name: 'polygon', splitter: SPLITTER }]);
    expect(wrong(split, { recipients: [ANNA] }, { network })).toEqual(['policy refuse']);
    expect(wrong(split, { recipients: [ANNA], contracts: [SPLITTER] }, { network })).toEqual([]);
    expect(wrong(split, { recipients: [BRUNO], contracts: [SPLITTER] }, { network })).toEqual([
      'policy.recipients refuse',
    ]);
  });

  it('a chain that only a profile knows is named by its id', () => {
    const network = extendNetwork(OWN, [{ name: 'polygon2', id: 250, coin: 'POL' }]);
    const coin = given({ chainId: '250' }, { chain_name: '"polygon2"' });
    expect(wrong(coin, { chains: ['polygon2'] }, { network })).toEqual(['policy.chains refuse']);
    expect(wrong(coin, { chains: ['eip155:250'] }, { network })).toEqual([]);
    expect(wrong(coin, { tokens: ['POL'] }, { network }), 'its coin is not POL').toEqual(['policy.tokens refuse']);
    expect(wrong(coin, { most_per_transaction: { POL: '1000' } }, { network })).toEqual([
      'policy.most_per_transaction refuse',
    ]);
    expect(wrong(coin, { most_fee: { 'eip155:250': '0' } }, { network })).toEqual(['policy.most_fee refuse']);
  });

  it('a profile cannot rename what bursar knows, or give it other decimals', () => {
    const { USDT: own } = SANDBOX_CONTRACTS;
    const renamed = () => extendNetwork(OWN, [{ name: 'polygon', tokens: { FOO: { address: own, decimals: 6 } } }]);
    const finer = () => extendNetwork(OWN, [{ name: 'polygon', tokens: { USDT: { address: own, decimals: 30 } } }]);
    const coined = () => extendNetwork(OWN, [{ name: 'polygon', coin: 'USDT' }]);
    for (const work of [renamed, finer, coined]) expect(work).toThrow(/a profile cannot give it/);
  });

  it('the policy of a profile goes by that profile', () => {
    const policy = inForce({ tokens: ['USDT'] });
    const { checks } = reviewEvm({ unsigned: payOther, network: NETWORK, signer: PAYER, policy });
    expect(checks.filter(({ id }) => id.startsWith('policy')).map(({ verdict }) => verdict)).toEqual(['pass']);
  });
});

describe('what widens a policy', () => {
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
  ])('%s: from %j to %j', (isWider, before, after) => {
    expect(widens(before, after)).toBe(isWider);
  });

  it('a standing mandate has a most for each of its tokens', () => {
    const policy = { chains: ['polygon'], tokens: ['USDT', 'USDC'], recipients: [ANNA] };
    expect(isMandate({ ...policy, most_per_transaction: { usdt: '1' } })).toBe(false);
    expect(isMandate({ ...policy, most_per_transaction: { usdt: '1', USDC: '1' } })).toBe(true);
    expect(isMandate({ ...policy, most_per_transaction: { '*': '1' } })).toBe(true);
  });
});

describe('settings that would limit nothing', () => {
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
  ])('%s of a key for %s', (field, family, policy) => {
    const found = [...problemsInPolicy(policy, scope(family)), ...unknownAmounts(policy, scope(family))];
    expect(found.map((one) => one.field)).toEqual([field]);
  });
});

describe('challenge_hosts', () => {
  const judge = (message: string, policy?: Policy) =>
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

  it('lets pass a host that is listed, refuses any other, and needs no entry for the service', () => {
    expect(judge(signIn('login.partner.example')).verdict).not.toBe('pass');
    expect(judge(signIn('login.partner.example'), policy).checks.filter(({ verdict }) => verdict !== 'pass')).toEqual(
      [],
    );
    expect(judge(signIn('api.example.com'), policy).verdict).toBe('pass');
    const other = judge(signIn('evil.example'), policy);
    expect(other.verdict).toBe('refuse');
    expect(other.checks[0]).toMatchObject({ id: 'policy.challenge_hosts', verdict: 'refuse' });
  });
});
