import { AbiCoder } from 'ethers/abi';
import { describe, expect, it } from 'vitest';
import type { ExpectedPayment, Overrides } from '../../../src/chain/evm/context.ts';
import { SELECTORS } from '../../../src/chain/evm/decode.ts';
import { networkFor } from '../../../src/chain/evm/network.ts';
import { approve, reviewEvm } from '../../../src/chain/evm/review.ts';
import type { UnsignedEvm } from '../../../src/chain/evm/transaction.ts';
import { SANDBOX_CONTRACTS } from '../../../src/contract/chains.ts';
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
  SPLITTER,
  STRANGER,
  transferData,
  USDC,
  USDT,
} from './given.ts';

const EXPECTED_COIN: ExpectedPayment = {
  chainName: 'polygon',
  tokenSymbol: 'POL',
  amount: '1.000000000000000001',
  receivers: [{ wallet: ANNA, percent: '100' }],
  nonce: 7,
};
const EXPECTED_TOKEN: ExpectedPayment = { ...EXPECTED_COIN, tokenSymbol: 'USDT', amount: '10.5' };
const EXPECTED_SPLIT: ExpectedPayment = {
  ...EXPECTED_TOKEN,
  amount: '10',
  receivers: [
    { wallet: ANNA, percent: '70' },
    { wallet: BRUNO, percent: '30' },
  ],
};

const review = (unsigned: UnsignedEvm, expected: ExpectedPayment, overrides: Overrides = {}) =>
  reviewEvm({ unsigned, expected, network: NETWORK, signer: PAYER, overrides });

/** The ids of the checks that do not pass. */
const failedIds = (unsigned: UnsignedEvm, expected: ExpectedPayment, overrides?: Overrides) =>
  review(unsigned, expected, overrides)
    .checks.filter((check) => check.verdict !== 'pass')
    .map((check) => check.id);

const coder = AbiCoder.defaultAbiCoder();
const splitToken = (payments: Readonly<Record<string, bigint>>, token = USDT) =>
  givenCall(
    SPLITTER,
    SELECTORS.splitToken +
      coder
        .encode(['address', 'address[]', 'uint256[]'], [token, Object.keys(payments), Object.values(payments)])
        .slice(2),
  );
const splitNative = (payments: Readonly<Record<string, bigint>>, value: bigint) =>
  givenCall(
    SPLITTER,
    SELECTORS.splitNative +
      coder.encode(['address[]', 'uint256[]'], [Object.keys(payments), Object.values(payments)]).slice(2),
    { value: String(value) },
  );

const payAnna = () => givenCall(USDT, transferData(ANNA, 10_500_000n));

describe('the review passes', () => {
  it('for a payment in coin, and shows the moves, the fee and the digest', () => {
    const result = review(given(), EXPECTED_COIN);
    expect(result).toMatchObject({
      verdict: 'pass',
      chain: 'polygon',
      chain_id: 1000137,
      from: PAYER,
      nonce: 7,
      moves: [{ token: 'POL', amount: '1.000000000000000001', to: ANNA, label: '100 %' }],
      fee: { at_most: '0.00063', coin: 'POL' },
      digest: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    expect(result.checks.map((check) => check.verdict)).not.toContain('confirm');
  });

  it('for a payment in a token', () => {
    expect(review(payAnna(), EXPECTED_TOKEN)).toMatchObject({
      verdict: 'pass',
      moves: [{ token: 'USDT', amount: '10.5', to: ANNA, label: '100 %' }],
    });
  });

  it('for a payment in a token of 18 decimals', () => {
    const unsigned = givenCall(
      USDT,
      transferData(ANNA, 10_500_000_000_000_000_001n),
      { chainId: '1000056', maxFeePerGas: '"3000000000"' },
      { chain_name: '"bsc"' },
    );
    const expected = { ...EXPECTED_TOKEN, chainName: 'bsc', amount: '10.500000000000000001' };
    expect(review(unsigned, expected).verdict).toBe('pass');
  });

  it('for a split that pays every receiver, in a token and in coin', () => {
    expect(review(splitToken({ [ANNA]: 7_000_000n, [BRUNO]: 3_000_000n }), EXPECTED_SPLIT)).toMatchObject({
      verdict: 'pass',
      moves: [
        { token: 'USDT', amount: '7', to: ANNA, label: '70 %' },
        { token: 'USDT', amount: '3', to: BRUNO, label: '30 %' },
      ],
    });
    const inCoin = { ...EXPECTED_SPLIT, tokenSymbol: 'POL', amount: '0.00000000000000001' };
    expect(review(splitNative({ [ANNA]: 7n, [BRUNO]: 3n }, 10n), inCoin).verdict).toBe('pass');
  });

  it('for one payment to a wallet that is listed twice', () => {
    const receivers = [
      { wallet: ANNA, percent: '70' },
      { wallet: ANNA.toLowerCase(), percent: '30' },
    ];
    const result = review(payAnna(), { ...EXPECTED_TOKEN, receivers });
    expect(result.verdict).toBe('pass');
    expect(result.moves[0]?.label).toBe('70 % + 30 %');
  });

  it('for names of the chain and the token in another case', () => {
    expect(review(payAnna(), { ...EXPECTED_TOKEN, chainName: 'Polygon', tokenSymbol: 'usdt' }).verdict).toBe('pass');
  });

  it('offline, with the bytes alone', () => {
    const offline = reviewEvm({ unsigned: payAnna(), network: NETWORK });
    expect(offline.verdict).toBe('pass');
    expect(offline.moves).toEqual([{ token: 'USDT', amount: '10.5', to: ANNA }]);
  });
});

describe('the review refuses', () => {
  it.each<[string, () => UnsignedEvm, ExpectedPayment, string]>([
    ['another chain_name', () => given({}, { chain_name: '"bsc"' }), EXPECTED_COIN, 'chain'],
    ['an unknown chain_name', () => given({}, { chain_name: '"mine"' }), EXPECTED_COIN, 'chain'],
    ['the chainId of the live chain', () => given({ chainId: '137' }), EXPECTED_COIN, 'chain'],
    ['the chainId of another chain', () => given({ chainId: '1000056' }), EXPECTED_COIN, 'chain'],
    ['another from', () => given({ from: `"${BRUNO}"` }), EXPECTED_COIN, 'signer'],
    ['another to', () => given({ to: `"${STRANGER}"` }), EXPECTED_COIN, 'shares'],
    ['a value that is one wei higher', () => given({ value: '1000000000000000002' }), EXPECTED_COIN, 'amount'],
    ['a value that is one wei lower', () => given({ value: '1000000000000000000' }), EXPECTED_COIN, 'amount'],
    ['another nonce', () => given({ nonce: '8' }), EXPECTED_COIN, 'nonce'],
    ['a lower nonce', () => given({ nonce: '6' }), EXPECTED_COIN, 'nonce'],
    ['a gasLimit above the limit of a block', () => given({ gasLimit: '"30000001"' }), EXPECTED_COIN, 'fee'],
    ['a gasLimit below the minimum', () => given({ gasLimit: '"20999"' }), EXPECTED_COIN, 'fee'],
    ['an excessive maxFeePerGas', () => given({ maxFeePerGas: `"${10n ** 18n}"` }), EXPECTED_COIN, 'fee'],
    [
      'a transfer to another receiver',
      () => givenCall(USDT, transferData(STRANGER, 10_500_000n)),
      EXPECTED_TOKEN,
      'shares',
    ],
    ['a transfer of one unit more', () => givenCall(USDT, transferData(ANNA, 10_500_001n)), EXPECTED_TOKEN, 'amount'],
    [
      'a transfer with an extra byte',
      () => givenCall(USDT, `${transferData(ANNA, 10_500_000n)}00`),
      EXPECTED_TOKEN,
      'call',
    ],
    ['an unlimited approval', () => givenCall(USDT, approveData(ANNA, 2n ** 255n)), EXPECTED_TOKEN, 'call'],
    ['a dangerous call', () => givenCall(USDT, `0xa22cb465${'0'.repeat(128)}`), EXPECTED_TOKEN, 'call'],
    ['a call of the token without data', () => givenCall(USDT, '0x'), EXPECTED_TOKEN, 'token'],
    ['a transfer of another token', () => givenCall(USDC, transferData(ANNA, 10_500_000n)), EXPECTED_TOKEN, 'token'],
    [
      'a transfer of an unknown token',
      () => givenCall(STRANGER, transferData(ANNA, 10_500_000n)),
      EXPECTED_TOKEN,
      'token',
    ],
    [
      'a transfer that also sends coin',
      () => givenCall(USDT, transferData(ANNA, 10_500_000n), { value: '1' }),
      EXPECTED_TOKEN,
      'value',
    ],
    [
      'a split with swapped shares',
      () => splitToken({ [ANNA]: 3_000_000n, [BRUNO]: 7_000_000n }),
      EXPECTED_SPLIT,
      'shares',
    ],
    ['a split without one receiver', () => splitToken({ [ANNA]: 10_000_000n }), EXPECTED_SPLIT, 'shares'],
    [
      'a split with an extra receiver',
      () => splitToken({ [ANNA]: 6_999_000n, [BRUNO]: 3_000_000n, [CLARA]: 1000n }),
      EXPECTED_SPLIT,
      'shares',
    ],
    [
      'a split with a higher total',
      () => splitToken({ [ANNA]: 7_000_001n, [BRUNO]: 3_000_000n }),
      EXPECTED_SPLIT,
      'amount',
    ],
    [
      'a split of another token',
      () => splitToken({ [ANNA]: 7_000_000n, [BRUNO]: 3_000_000n }, USDC),
      EXPECTED_SPLIT,
      'token',
    ],
    [
      'a coin split that sends more coin than it pays out',
      () => splitNative({ [ANNA]: 7n, [BRUNO]: 3n }, 11n),
      { ...EXPECTED_SPLIT, tokenSymbol: 'POL', amount: '0.00000000000000001' },
      'value',
    ],
  ])('%s, even with every override', (_, unsigned, expected, id) => {
    const result = review(unsigned(), expected);
    expect(result.verdict).toBe('refuse');
    expect(result.checks[0]?.verdict).toBe('refuse');
    expect(result.checks.filter((check) => check.verdict === 'refuse').map((check) => check.id)).toContain(id);
    expect(failureOf(() => approve(result, 'confirmed')).code).toBe('refused_by_review');
    const everything = { allowBlind: true, allowRecipients: [SPLITTER, USDT, USDC] };
    expect(review(unsigned(), expected, everything).verdict, 'with every override').toBe('refuse');
  });

  it('a fee above the maximum of --fee-at-most', () => {
    // The fee is 21,000 units of gas at 30 gwei.
    expect(failedIds(given(), EXPECTED_COIN, { feeAtMost: '0.00063' })).toEqual([]);
    const above = review(given(), EXPECTED_COIN, { feeAtMost: '0.000629999999999999' });
    expect([above.verdict, above.checks[0]?.message]).toEqual([
      'refuse',
      'Fee: at most 0.00063 POL, above the 0.000629999999999999 POL that --fee-at-most allows.',
    ]);
  });

  it('an amount with more decimals than the token has, without rounding', () => {
    expect(failedIds(payAnna(), { ...EXPECTED_TOKEN, amount: '10.5000001' })).toEqual(['amount']);
  });

  it('a requested split that does not sum to 100 percent', () => {
    expect(failedIds(payAnna(), { ...EXPECTED_TOKEN, receivers: [{ wallet: ANNA, percent: '99' }] })).toEqual([
      'shares',
    ]);
  });

  it.each([
    ['the zero address', () => givenCall(USDT, transferData(`0x${'0'.repeat(40)}`, 1n))],
    ['the token itself', () => givenCall(USDT, transferData(USDT, 1n))],
    ['another token', () => givenCall(USDT, transferData(USDC, 1n))],
    ['the splitter', () => splitToken({ [SPLITTER]: 1n })],
    ['a token contract in coin', () => given({ to: `"${USDT}"` })],
    ['an unknown token in the same token', () => givenCall(STRANGER, transferData(STRANGER, 1n))],
  ])('a payment to %s, which would be lost, even offline', (_, unsigned) => {
    const overrides = { allowBlind: true, allowRecipients: [USDT, USDC, SPLITTER, STRANGER] };
    const result = reviewEvm({ unsigned: unsigned(), network: NETWORK, overrides });
    expect(result.checks.filter((check) => check.verdict === 'refuse').map((check) => check.id)).toEqual(['receivers']);
  });
});

describe('a confirmation or override of the user', () => {
  const blind = () => givenCall(STRANGER, '0xdeadbeef');

  it('is required for a call that cannot be decoded: only --allow-blind', () => {
    const result = review(blind(), EXPECTED_TOKEN);
    expect(result.verdict).toBe('confirm');
    expect(result.checks[0]).toMatchObject({ id: 'call', allow_with: '--allow-blind' });
    const { code, details } = failureOf(() => approve(result, 'confirmed'));
    expect(code).toBe('refused_by_review');
    expect(details.hint).toContain('--allow-blind');
    const allowed = review(blind(), EXPECTED_TOKEN, { allowBlind: true });
    expect(allowed.verdict).toBe('pass');
    expect(approve(allowed, 'pass').digest).toBe(allowed.digest);
  });

  it('with --allow-blind does not allow a call to send coin that was not requested', () => {
    const withCoin = givenCall(STRANGER, '0xdeadbeef', { value: '1' });
    expect(failedIds(withCoin, EXPECTED_TOKEN, { allowBlind: true })).toEqual(['value']);
    expect(failedIds(withCoin, EXPECTED_COIN, { allowBlind: true })).toEqual(['value']);
    expect(failedIds(withCoin, { ...EXPECTED_COIN, amount: '0.000000000000000001' }, { allowBlind: true })).toEqual([]);
    expect(review(withCoin, EXPECTED_TOKEN).moves).toEqual([
      { token: 'POL', amount: '0.000000000000000001', to: STRANGER, label: 'sent with the call' },
    ]);
  });

  it('is required for an unknown token, whose amount is shown in smallest units', () => {
    const unsigned = givenCall(STRANGER, transferData(ANNA, 7n));
    const offline = reviewEvm({ unsigned, network: NETWORK });
    expect(offline).toMatchObject({
      verdict: 'confirm',
      moves: [{ token: STRANGER, amount: '7', to: ANNA, label: 'in smallest units' }],
    });
    const expected = { ...EXPECTED_TOKEN, tokenSymbol: 'BRZ' };
    expect(failedIds(unsigned, expected)).toEqual(['token', 'amount']);
    expect(review(unsigned, expected, { allowBlind: true }).verdict).toBe('pass');
  });

  it('is not accepted for a known token when an unknown token was requested', () => {
    expect(review(payAnna(), { ...EXPECTED_TOKEN, tokenSymbol: 'BRZ' }).verdict).toBe('refuse');
    expect(review(payAnna(), { ...EXPECTED_TOKEN, tokenSymbol: 'constructor' }).verdict).toBe('refuse');
  });

  it('with --allow-recipient allows exactly the named receiver outside the split', () => {
    const unsigned = splitToken({ [ANNA]: 6_900_000n, [BRUNO]: 3_000_000n, [CLARA]: 100_000n });
    const refusal = review(unsigned, EXPECTED_SPLIT);
    expect(refusal.checks.map((check) => check.allow_with)).toContain(`--allow-recipient ${CLARA}`);
    expect(review(unsigned, EXPECTED_SPLIT, { allowRecipients: [CLARA.toLowerCase()] }).verdict).toBe('pass');
    expect(review(unsigned, EXPECTED_SPLIT, { allowRecipients: [STRANGER] }).verdict).toBe('refuse');
    const two = splitToken({ [ANNA]: 6_900_000n, [BRUNO]: 2_900_000n, [CLARA]: 100_000n, [STRANGER]: 100_000n });
    expect(failedIds(two, EXPECTED_SPLIT, { allowRecipients: [CLARA] })).toEqual(['shares', 'shares', 'receivers']);
    expect(review(two, EXPECTED_SPLIT, { allowRecipients: [CLARA, STRANGER] }).verdict).toBe('pass');
  });

  it('with --allow-recipient does not allow a higher share for another receiver or a higher total', () => {
    const overrides = { allowRecipients: [CLARA] };
    const more = splitToken({ [ANNA]: 7_000_010n, [BRUNO]: 2_899_990n, [CLARA]: 100_000n });
    expect(failedIds(more, EXPECTED_SPLIT, overrides)).toEqual(['shares']);
    const extra = splitToken({ [ANNA]: 7_000_000n, [BRUNO]: 3_000_000n, [CLARA]: 100_000n });
    expect(failedIds(extra, EXPECTED_SPLIT, overrides)).toEqual(['amount']);
  });

  it('is required when the amount cannot be compared: a confirmation is enough', () => {
    const price = { amount: '49.90', currency: 'BRL', atMost: undefined };
    const result = review(payAnna(), { ...EXPECTED_TOKEN, amount: undefined, price });
    expect(result.checks[0]).toMatchObject({ id: 'amount', state_with: '--pay-at-most AMOUNT' });
    expect(result.verdict).toBe('confirm');
    expect(failureOf(() => approve(result, 'pass')).code).toBe('refused_by_review');
    expect(approve(result, 'confirmed').unsigned).toEqual(result.unsigned);
  });

  it('is required for an approval of the exact amount for an unknown spender, not for the splitter', () => {
    const unsigned = (spender: string, units: bigint) => givenCall(USDT, approveData(spender, units));
    const result = review(unsigned(STRANGER, 10_500_000n), EXPECTED_TOKEN);
    expect(result.verdict).toBe('confirm');
    expect(result.checks[0]?.allow_with).toBe(`--allow-recipient ${STRANGER}`);
    expect(result.moves).toEqual([{ token: 'USDT', amount: '10.5', to: STRANGER, label: 'may take it later' }]);
    expect(review(unsigned(STRANGER, 10_500_000n), EXPECTED_TOKEN, { allowRecipients: [STRANGER] }).verdict).toBe(
      'pass',
    );
    expect(review(unsigned(SPLITTER, 10_500_000n), EXPECTED_TOKEN).verdict).toBe('pass');
    expect(failedIds(unsigned(SPLITTER, 10_500_001n), EXPECTED_TOKEN)).toEqual(['amount']);
    expect(review(unsigned(SPLITTER, 2n ** 256n - 1n), {}).verdict).toBe('refuse');
  });

  it('with an invalid address in --allow-recipient fails', () => {
    expect(failureOf(() => review(given(), EXPECTED_COIN, { allowRecipients: ['0x12'] })).code).toBe('invalid_input');
  });
});

describe('a payment to the bridge of the sandbox', () => {
  const { bridge, USDT: token, splitter } = SANDBOX_CONTRACTS;
  const crossChain: ExpectedPayment = { ...EXPECTED_SPLIT, toChain: 'base' };
  const network = networkFor('sandbox');
  const reviewInSandbox = (unsigned: UnsignedEvm, expected: ExpectedPayment) =>
    reviewEvm({ unsigned, expected, network, signer: PAYER });
  const payBridge = givenCall(token, transferData(bridge, 10_000_000n));

  it('passes without an option when the receivers are on another chain', () => {
    const { verdict, checks } = reviewInSandbox(payBridge, crossChain);
    expect(verdict).toBe('pass');
    expect(checks.map((check) => check.message).join(' ')).toContain(
      `The transaction pays ${bridge}, the sandbox's bridge`,
    );
  });

  it('does not pass on the same or an unstated chain, beside an unknown receiver, or with a live service', () => {
    expect(reviewInSandbox(payBridge, { ...EXPECTED_SPLIT, toChain: 'polygon' }).verdict).toBe('refuse');
    expect(reviewInSandbox(payBridge, EXPECTED_SPLIT).verdict).toBe('refuse');
    const splitWithStranger = splitToken({ [bridge]: 9_000_000n, [STRANGER]: 1_000_000n }, token);
    expect(reviewInSandbox({ ...splitWithStranger, to: splitter }, crossChain).verdict).toBe('refuse');
    const live = networkFor('live');
    const usdt = live.chains.find(({ name }) => name === 'polygon')?.tokens['USDT']?.address ?? '';
    const unsigned = { ...givenCall(usdt, transferData(bridge, 10_000_000n)), chainId: 137 };
    const { checks } = reviewEvm({ unsigned, expected: crossChain, network: live, signer: PAYER });
    expect(checks.map(({ allow_with }) => allow_with)).toContain(`--allow-recipient ${bridge}`);
  });

  it('requires a confirmation as an approval for the bridge', () => {
    expect(reviewInSandbox(givenCall(token, approveData(bridge, 10_000_000n)), crossChain).verdict).toBe('confirm');
  });
});

describe('approving a review', () => {
  it('fails when the transaction of the review was replaced', () => {
    const forged = { ...review(given(), EXPECTED_COIN), unsigned: given({ to: `"${STRANGER}"` }) };
    expect(failureOf(() => approve(forged, 'pass')).code).toBe('internal');
  });

  it('fails when the checks refuse, even if the verdict was changed to pass', () => {
    const forged = { ...review(given({ nonce: '8' }), EXPECTED_COIN), verdict: 'pass' as const };
    expect(failureOf(() => approve(forged, 'pass')).code).toBe('refused_by_review');
  });

  it('names the refused check in its failure', () => {
    const { message, details } = failureOf(() => approve(review(given({ nonce: '8' }), EXPECTED_COIN), 'pass'));
    expect(message).toContain('Nonce: 8;');
    expect(details.errors?.map((error) => error.field)).toEqual(['nonce']);
  });
});

describe('the asset that receivers should get', () => {
  const paying = splitToken({ [ANNA]: 7_000_000n, [BRUNO]: 3_000_000n });
  const reviewReceived = (more: ExpectedPayment) => {
    const { verdict, checks } = review(paying, { ...EXPECTED_SPLIT, ...more });
    return { verdict, messages: checks.filter(({ id }) => id === 'received').map((check) => check.message) };
  };

  it.each([
    ['it is not stated', {}],
    ['it is the same in another case', { toSymbol: 'usdt', toChain: 'Polygon' }],
  ])('passes when %s', (_, more) => {
    expect(reviewReceived(more)).toEqual({ verdict: 'pass', messages: [] });
  });

  it.each([
    [{ toSymbol: 'ETH' }, 'Receivers should get ETH; the transaction sends them USDT.'],
    [{ toSymbol: 'POL' }, 'Receivers should get POL; the transaction sends them USDT.'],
    [{ toSymbol: 'USDT', toChain: 'base' }, 'Receivers should be paid on base; the transaction pays them on polygon.'],
  ])('requires a confirmation when it differs: %o', (more, message) => {
    expect(reviewReceived(more)).toEqual({ verdict: 'confirm', messages: [message] });
  });

  it('is not checked for a payment to an intermediary', () => {
    const expected = { ...EXPECTED_SPLIT, toSymbol: 'ETH', toChain: 'base' };
    const result = review(splitToken({ [STRANGER]: 10_000_000n }), expected, { allowRecipients: [STRANGER] });
    expect(result.checks.filter(({ id, verdict }) => id === 'received' || verdict !== 'pass')).toEqual([]);
  });
});
