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

const COIN: ExpectedPayment = {
  chainName: 'polygon',
  tokenSymbol: 'POL',
  amount: '1.000000000000000001',
  receivers: [{ wallet: ANNA, percent: '100' }],
  nonce: 7,
};
const TOKEN: ExpectedPayment = { ...COIN, tokenSymbol: 'USDT', amount: '10.5' };
const SPLIT: ExpectedPayment = {
  ...TOKEN,
  amount: '10',
  receivers: [
    { wallet: ANNA, percent: '70' },
    { wallet: BRUNO, percent: '30' },
  ],
};

const review = (unsigned: UnsignedEvm, expected: ExpectedPayment, overrides: Overrides = {}) =>
  reviewEvm({ unsigned, expected, network: NETWORK, signer: PAYER, overrides });

/** The ids of the checks that are not fine. */
const wrongIds = (unsigned: UnsignedEvm, expected: ExpectedPayment, overrides?: Overrides) =>
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

describe('a transaction that does what was asked', () => {
  it('is fine in the coin, and the review says what leaves the payer', () => {
    const result = review(given(), COIN);
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

  it('is fine in a token', () => {
    expect(review(payAnna(), TOKEN)).toMatchObject({
      verdict: 'pass',
      moves: [{ token: 'USDT', amount: '10.5', to: ANNA, label: '100 %' }],
    });
  });

  it('is fine in a token of 18 decimals', () => {
    const unsigned = givenCall(
      USDT,
      transferData(ANNA, 10_500_000_000_000_000_001n),
      { chainId: '1000056', maxFeePerGas: '"3000000000"' },
      { chain_name: '"bsc"' },
    );
    const expected = { ...TOKEN, chainName: 'bsc', amount: '10.500000000000000001' };
    expect(review(unsigned, expected).verdict).toBe('pass');
  });

  it('is fine when the splitter pays everybody, in a token and in the coin', () => {
    expect(review(splitToken({ [ANNA]: 7_000_000n, [BRUNO]: 3_000_000n }), SPLIT)).toMatchObject({
      verdict: 'pass',
      moves: [
        { token: 'USDT', amount: '7', to: ANNA, label: '70 %' },
        { token: 'USDT', amount: '3', to: BRUNO, label: '30 %' },
      ],
    });
    const inCoin = { ...SPLIT, tokenSymbol: 'POL', amount: '0.00000000000000001' };
    expect(review(splitNative({ [ANNA]: 7n, [BRUNO]: 3n }, 10n), inCoin).verdict).toBe('pass');
  });

  it('is fine when a wallet is listed twice and paid once', () => {
    const receivers = [
      { wallet: ANNA, percent: '70' },
      { wallet: ANNA.toLowerCase(), percent: '30' },
    ];
    const result = review(payAnna(), { ...TOKEN, receivers });
    expect(result.verdict).toBe('pass');
    expect(result.moves[0]?.label).toBe('70 % + 30 %');
  });

  it('is fine with names in another case, as people type them', () => {
    expect(review(payAnna(), { ...TOKEN, chainName: 'Polygon', tokenSymbol: 'usdt' }).verdict).toBe('pass');
  });

  it('is fine offline, where only the bytes are known', () => {
    const offline = reviewEvm({ unsigned: payAnna(), network: NETWORK });
    expect(offline.verdict).toBe('pass');
    expect(offline.moves).toEqual([{ token: 'USDT', amount: '10.5', to: ANNA }]);
  });
});

describe('a crypto_tx that was tampered with in one field is refused', () => {
  it.each<[string, () => UnsignedEvm, ExpectedPayment, string]>([
    ['chain_name', () => given({}, { chain_name: '"bsc"' }), COIN, 'chain'],
    ['chain_name to one nobody knows', () => given({}, { chain_name: '"mine"' }), COIN, 'chain'],
    ['chainId to the real chain', () => given({ chainId: '137' }), COIN, 'chain'],
    ['chainId to another chain', () => given({ chainId: '1000056' }), COIN, 'chain'],
    ['from', () => given({ from: `"${BRUNO}"` }), COIN, 'signer'],
    ['to', () => given({ to: `"${STRANGER}"` }), COIN, 'shares'],
    ['value up by a wei', () => given({ value: '1000000000000000002' }), COIN, 'amount'],
    ['value down by a wei', () => given({ value: '1000000000000000000' }), COIN, 'amount'],
    ['nonce', () => given({ nonce: '8' }), COIN, 'nonce'],
    ['nonce to a stale one', () => given({ nonce: '6' }), COIN, 'nonce'],
    ['gasLimit beyond a block', () => given({ gasLimit: '"30000001"' }), COIN, 'fee'],
    ['gasLimit below the least', () => given({ gasLimit: '"20999"' }), COIN, 'fee'],
    ['maxFeePerGas to a fortune', () => given({ maxFeePerGas: `"${10n ** 18n}"` }), COIN, 'fee'],
    ['data: another receiver', () => givenCall(USDT, transferData(STRANGER, 10_500_000n)), TOKEN, 'shares'],
    ['data: a unit more', () => givenCall(USDT, transferData(ANNA, 10_500_001n)), TOKEN, 'amount'],
    ['data: trailing junk', () => givenCall(USDT, `${transferData(ANNA, 10_500_000n)}00`), TOKEN, 'call'],
    ['data: an approval without limit', () => givenCall(USDT, approveData(ANNA, 2n ** 255n)), TOKEN, 'call'],
    ['data: a dangerous call', () => givenCall(USDT, `0xa22cb465${'0'.repeat(128)}`), TOKEN, 'call'],
    ['data dropped: a coin payment', () => givenCall(USDT, '0x'), TOKEN, 'token'],
    ['to: another token', () => givenCall(USDC, transferData(ANNA, 10_500_000n)), TOKEN, 'token'],
    ['to: a token of a stranger', () => givenCall(STRANGER, transferData(ANNA, 10_500_000n)), TOKEN, 'token'],
    ['value in a token call', () => givenCall(USDT, transferData(ANNA, 10_500_000n), { value: '1' }), TOKEN, 'value'],
    ['split: shares swapped', () => splitToken({ [ANNA]: 3_000_000n, [BRUNO]: 7_000_000n }), SPLIT, 'shares'],
    ['split: one left out', () => splitToken({ [ANNA]: 10_000_000n }), SPLIT, 'shares'],
    [
      'split: one added',
      () => splitToken({ [ANNA]: 6_999_000n, [BRUNO]: 3_000_000n, [CLARA]: 1000n }),
      SPLIT,
      'shares',
    ],
    ['split: sum too high', () => splitToken({ [ANNA]: 7_000_001n, [BRUNO]: 3_000_000n }), SPLIT, 'amount'],
    ['split: another token', () => splitToken({ [ANNA]: 7_000_000n, [BRUNO]: 3_000_000n }, USDC), SPLIT, 'token'],
    [
      'split of coin: more sent than paid out',
      () => splitNative({ [ANNA]: 7n, [BRUNO]: 3n }, 11n),
      { ...SPLIT, tokenSymbol: 'POL', amount: '0.00000000000000001' },
      'value',
    ],
  ])('%s', (_, unsigned, expected, id) => {
    const result = review(unsigned(), expected);
    expect(result.verdict).toBe('refuse');
    expect(result.checks[0]?.verdict).toBe('refuse');
    expect(result.checks.filter((check) => check.verdict === 'refuse').map((check) => check.id)).toContain(id);
    expect(failureOf(() => approve(result, 'confirmed')).code).toBe('refused_by_review');
    const everything = { allowBlind: true, allowRecipients: [SPLITTER, USDT, USDC] };
    expect(review(unsigned(), expected, everything).verdict, 'no override helps').toBe('refuse');
  });

  it('the fee is held against the maximum that the user stated', () => {
    // 21,000 units of gas at 30 gwei.
    expect(wrongIds(given(), COIN, { feeAtMost: '0.00063' })).toEqual([]);
    const above = review(given(), COIN, { feeAtMost: '0.000629999999999999' });
    expect([above.verdict, above.checks[0]?.message]).toEqual([
      'refuse',
      'Fee: at most 0.00063 POL, above the 0.000629999999999999 POL that --fee-at-most allows.',
    ]);
  });

  it('an amount that the token cannot express is refused, not rounded', () => {
    expect(wrongIds(payAnna(), { ...TOKEN, amount: '10.5000001' })).toEqual(['amount']);
  });

  it('a split that does not sum to 100 is refused', () => {
    expect(wrongIds(payAnna(), { ...TOKEN, receivers: [{ wallet: ANNA, percent: '99' }] })).toEqual(['shares']);
  });

  it.each([
    ['the zero address', () => givenCall(USDT, transferData(`0x${'0'.repeat(40)}`, 1n))],
    ['the token itself', () => givenCall(USDT, transferData(USDT, 1n))],
    ['another token', () => givenCall(USDT, transferData(USDC, 1n))],
    ['the splitter', () => splitToken({ [SPLITTER]: 1n })],
    ['a token, in coin', () => given({ to: `"${USDT}"` })],
    ['a token of a stranger, to itself', () => givenCall(STRANGER, transferData(STRANGER, 1n))],
  ])('a payment to %s is lost, so it is refused even offline', (_, unsigned) => {
    const overrides = { allowBlind: true, allowRecipients: [USDT, USDC, SPLITTER, STRANGER] };
    const result = reviewEvm({ unsigned: unsigned(), network: NETWORK, overrides });
    expect(result.checks.filter((check) => check.verdict === 'refuse').map((check) => check.id)).toEqual(['receivers']);
  });
});

describe("the user's word", () => {
  const blind = () => givenCall(STRANGER, '0xdeadbeef');

  it('is needed for a call that is not understood, and only --allow-blind gives it', () => {
    const result = review(blind(), TOKEN);
    expect(result.verdict).toBe('confirm');
    expect(result.checks[0]).toMatchObject({ id: 'call', allow_with: '--allow-blind' });
    const { code, details } = failureOf(() => approve(result, 'confirmed'));
    expect(code).toBe('refused_by_review');
    expect(details.hint).toContain('--allow-blind');
    const allowed = review(blind(), TOKEN, { allowBlind: true });
    expect(allowed.verdict).toBe('pass');
    expect(approve(allowed, 'pass').digest).toBe(allowed.digest);
  });

  it('for a blind call is no word for coin that nobody asked to send', () => {
    const withCoin = givenCall(STRANGER, '0xdeadbeef', { value: '1' });
    expect(wrongIds(withCoin, TOKEN, { allowBlind: true })).toEqual(['value']);
    expect(wrongIds(withCoin, COIN, { allowBlind: true })).toEqual(['value']);
    expect(wrongIds(withCoin, { ...COIN, amount: '0.000000000000000001' }, { allowBlind: true })).toEqual([]);
    expect(review(withCoin, TOKEN).moves).toEqual([
      { token: 'POL', amount: '0.000000000000000001', to: STRANGER, label: 'sent with the call' },
    ]);
  });

  it('is needed for a token that is not known, whose units are shown as they are', () => {
    const unsigned = givenCall(STRANGER, transferData(ANNA, 7n));
    const offline = reviewEvm({ unsigned, network: NETWORK });
    expect(offline).toMatchObject({
      verdict: 'confirm',
      moves: [{ token: STRANGER, amount: '7', to: ANNA, label: 'in smallest units' }],
    });
    const expected = { ...TOKEN, tokenSymbol: 'BRZ' };
    expect(wrongIds(unsigned, expected)).toEqual(['token', 'amount']);
    expect(review(unsigned, expected, { allowBlind: true }).verdict).toBe('pass');
  });

  it('is never asked for a known token when another, unknown one was meant', () => {
    expect(review(payAnna(), { ...TOKEN, tokenSymbol: 'BRZ' }).verdict).toBe('refuse');
    expect(review(payAnna(), { ...TOKEN, tokenSymbol: 'constructor' }).verdict).toBe('refuse');
  });

  it('lets a recipient outside the split pass, by name', () => {
    const unsigned = splitToken({ [ANNA]: 6_900_000n, [BRUNO]: 3_000_000n, [CLARA]: 100_000n });
    const refusal = review(unsigned, SPLIT);
    expect(refusal.checks.map((check) => check.allow_with)).toContain(`--allow-recipient ${CLARA}`);
    expect(review(unsigned, SPLIT, { allowRecipients: [CLARA.toLowerCase()] }).verdict).toBe('pass');
    expect(review(unsigned, SPLIT, { allowRecipients: [STRANGER] }).verdict).toBe('refuse');
    const two = splitToken({ [ANNA]: 6_900_000n, [BRUNO]: 2_900_000n, [CLARA]: 100_000n, [STRANGER]: 100_000n });
    expect(wrongIds(two, SPLIT, { allowRecipients: [CLARA] })).toEqual(['shares', 'shares', 'receivers']);
    expect(review(two, SPLIT, { allowRecipients: [CLARA, STRANGER] }).verdict).toBe('pass');
  });

  it('for one recipient never lets another get more than its share, or the total change', () => {
    const overrides = { allowRecipients: [CLARA] };
    const more = splitToken({ [ANNA]: 7_000_010n, [BRUNO]: 2_899_990n, [CLARA]: 100_000n });
    expect(wrongIds(more, SPLIT, overrides)).toEqual(['shares']);
    const extra = splitToken({ [ANNA]: 7_000_000n, [BRUNO]: 3_000_000n, [CLARA]: 100_000n });
    expect(wrongIds(extra, SPLIT, overrides)).toEqual(['amount']);
  });

  it('is needed where the amount cannot be compared, and a plain yes gives it', () => {
    const price = { amount: '49.90', currency: 'BRL', atMost: undefined };
    const result = review(payAnna(), { ...TOKEN, amount: undefined, price });
    expect(result.checks[0]).toMatchObject({ id: 'amount', state_with: '--pay-at-most AMOUNT' });
    expect(result.verdict).toBe('confirm');
    expect(failureOf(() => approve(result, 'pass')).code).toBe('refused_by_review');
    expect(approve(result, 'confirmed').unsigned).toEqual(result.unsigned);
  });

  it('is needed to let a stranger take even the exact amount, and not for the splitter', () => {
    const unsigned = (spender: string, units: bigint) => givenCall(USDT, approveData(spender, units));
    const result = review(unsigned(STRANGER, 10_500_000n), TOKEN);
    expect(result.verdict).toBe('confirm');
    expect(result.checks[0]?.allow_with).toBe(`--allow-recipient ${STRANGER}`);
    expect(result.moves).toEqual([{ token: 'USDT', amount: '10.5', to: STRANGER, label: 'may take it later' }]);
    expect(review(unsigned(STRANGER, 10_500_000n), TOKEN, { allowRecipients: [STRANGER] }).verdict).toBe('pass');
    expect(review(unsigned(SPLITTER, 10_500_000n), TOKEN).verdict).toBe('pass');
    expect(wrongIds(unsigned(SPLITTER, 10_500_001n), TOKEN)).toEqual(['amount']);
    expect(review(unsigned(SPLITTER, 2n ** 256n - 1n), {}).verdict).toBe('refuse');
  });

  it('that is no address is refused, not ignored', () => {
    expect(failureOf(() => review(given(), COIN, { allowRecipients: ['0x12'] })).code).toBe('invalid_input');
  });
});

describe("the sandbox's bridge", () => {
  const { bridge, USDT: token, splitter } = SANDBOX_CONTRACTS;
  const across: ExpectedPayment = { ...SPLIT, toChain: 'base' };
  const network = networkFor('sandbox');
  const held = (unsigned: UnsignedEvm, expected: ExpectedPayment) =>
    reviewEvm({ unsigned, expected, network, signer: PAYER });
  const paid = givenCall(token, transferData(bridge, 10_000_000n));

  it('is known where receivers are on another chain, and needs no option', () => {
    const { verdict, checks } = held(paid, across);
    expect(verdict).toBe('pass');
    expect(checks.map(({ message: says }) => says).join(' ')).toContain(
      `The transaction pays ${bridge}, the sandbox's bridge`,
    );
  });

  it('is a stranger on the same chain, on one that nobody states, beside another stranger, and on a live service', () => {
    expect(held(paid, { ...SPLIT, toChain: 'polygon' }).verdict).toBe('refuse');
    expect(held(paid, SPLIT).verdict).toBe('refuse');
    const some = splitToken({ [bridge]: 9_000_000n, [STRANGER]: 1_000_000n }, token);
    expect(held({ ...some, to: splitter }, across).verdict).toBe('refuse');
    const live = networkFor('live');
    const usdt = live.chains.find(({ name }) => name === 'polygon')?.tokens['USDT']?.address ?? '';
    const unsigned = { ...givenCall(usdt, transferData(bridge, 10_000_000n)), chainId: 137 };
    const { checks } = reviewEvm({ unsigned, expected: across, network: live, signer: PAYER });
    expect(checks.map(({ allow_with }) => allow_with)).toContain(`--allow-recipient ${bridge}`);
  });

  it('may not take money later', () => {
    expect(held(givenCall(token, approveData(bridge, 10_000_000n)), across).verdict).toBe('confirm');
  });
});

describe('an approval', () => {
  it('cannot be made of one review for the bytes of another', () => {
    const forged = { ...review(given(), COIN), unsigned: given({ to: `"${STRANGER}"` }) };
    expect(failureOf(() => approve(forged, 'pass')).code).toBe('internal');
  });

  it('looks at the checks, not at the verdict it is told', () => {
    const lied = { ...review(given({ nonce: '8' }), COIN), verdict: 'pass' as const };
    expect(failureOf(() => approve(lied, 'pass')).code).toBe('refused_by_review');
  });

  it('names in its refusal what was wrong', () => {
    const { message, details } = failureOf(() => approve(review(given({ nonce: '8' }), COIN), 'pass'));
    expect(message).toContain('Nonce: 8;');
    expect(details.errors?.map((error) => error.field)).toEqual(['nonce']);
  });
});

describe('what receivers were to get', () => {
  const paying = splitToken({ [ANNA]: 7_000_000n, [BRUNO]: 3_000_000n });
  const asked = (more: ExpectedPayment) => {
    const { verdict, checks } = review(paying, { ...SPLIT, ...more });
    return { verdict, says: checks.filter(({ id }) => id === 'received').map(({ message: says }) => says) };
  };

  it.each([
    ['nothing is known of it', {}],
    ['it is the same in other letters', { toSymbol: 'usdt', toChain: 'Polygon' }],
  ])('is no matter where %s', (_, more) => {
    expect(asked(more)).toEqual({ verdict: 'pass', says: [] });
  });

  it.each([
    [{ toSymbol: 'ETH' }, 'Receivers should get ETH; the transaction sends them USDT.'],
    [{ toSymbol: 'POL' }, 'Receivers should get POL; the transaction sends them USDT.'],
    [{ toSymbol: 'USDT', toChain: 'base' }, 'Receivers should be paid on base; the transaction pays them on polygon.'],
  ])('is asked about where it is another: %o', (more, says) => {
    expect(asked(more)).toEqual({ verdict: 'confirm', says: [says] });
  });

  it('is not judged where somebody in between is paid', () => {
    const expected = { ...SPLIT, toSymbol: 'ETH', toChain: 'base' };
    const result = review(splitToken({ [STRANGER]: 10_000_000n }), expected, { allowRecipients: [STRANGER] });
    expect(result.checks.filter(({ id, verdict }) => id === 'received' || verdict !== 'pass')).toEqual([]);
  });
});
