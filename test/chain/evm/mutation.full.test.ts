import { Interface } from 'ethers/abi';
import { Transaction } from 'ethers/transaction';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExpectedPayment } from '../../../src/chain/evm/context.ts';
import { SELECTORS } from '../../../src/chain/evm/decode.ts';
import { parseCryptoTx } from '../../../src/chain/evm/parse.ts';
import { approve, type Review, reviewEvm, signEvm } from '../../../src/chain/evm/review.ts';
import { buildTransaction } from '../../../src/chain/evm/transaction.ts';
import { isFailure } from '../../../src/core/failure.ts';
import { parseJson } from '../../../src/core/json.ts';
import {
  approveData,
  castSigned,
  cryptoTxJson,
  KEY,
  NETWORK,
  PAYER,
  SPLITTER,
  seeded,
  transferData,
  USDT,
} from './given.ts';

const CALLS = new Interface([
  'function splitToken(address,address[],uint256[])',
  'function splitNative(address[],uint256[])',
  'function multicall(bytes[])',
]);

/** The JSON of a transaction and the payment that was requested. */
type PaymentCase = { readonly json: string; readonly expected: ExpectedPayment };

const text = (value: string): string => `"${value}"`;

const caseOf = (to: string, data: string, value: bigint, expected: ExpectedPayment): PaymentCase => ({
  json: cryptoTxJson({ to: text(to), data: text(data), value: String(value), gasLimit: '"300000"' }),
  expected: { chainName: 'polygon', nonce: 7, ...expected },
});

const address = fc.integer({ min: 1, max: 2 ** 30 }).map((seed) => seeded(seed).address());
const units = fc.bigInt({ min: 1n, max: 10n ** 15n });

const decimal = (value: bigint, decimals: number): string => {
  const digits = value.toString().padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

/** Two receivers with equal shares, which divide any even amount exactly. */
const halves = (a: string, b: string) => [
  { wallet: a, percent: '50' },
  { wallet: b, percent: '50' },
];
const twoReceivers = fc.tuple(address, address).filter(([a, b]) => a !== b);
const inUsdt = (amount: bigint): ExpectedPayment => ({ tokenSymbol: 'USDT', amount: decimal(amount, 6) });

const coin = fc.tuple(address, units).map(([to, amount]) =>
  caseOf(to, '0x', amount, {
    tokenSymbol: 'POL',
    amount: decimal(amount, 18),
    receivers: [{ wallet: to, percent: '100' }],
  }),
);
const token = fc
  .tuple(address, units)
  .map(([to, amount]) =>
    caseOf(USDT, transferData(to, amount), 0n, { ...inUsdt(amount), receivers: [{ wallet: to, percent: '100' }] }),
  );
const allowance = units.map((amount) => caseOf(USDT, approveData(SPLITTER, amount), 0n, inUsdt(amount)));
const split = fc.tuple(twoReceivers, units).map(([[a, b], half]) =>
  caseOf(SPLITTER, CALLS.encodeFunctionData('splitToken', [USDT, [a, b], [half, half]]), 0n, {
    ...inUsdt(2n * half),
    receivers: halves(a, b),
  }),
);
const splitCoin = fc.tuple(twoReceivers, units).map(([[a, b], half]) =>
  caseOf(
    SPLITTER,
    CALLS.encodeFunctionData('splitNative', [
      [a, b],
      [half, half],
    ]),
    2n * half,
    {
      tokenSymbol: 'POL',
      amount: decimal(2n * half, 18),
      receivers: halves(a, b),
    },
  ),
);
const batch = fc.tuple(twoReceivers, units).map(([[a, b], half]) =>
  caseOf(USDT, CALLS.encodeFunctionData('multicall', [[transferData(a, half), transferData(b, half)]]), 0n, {
    ...inUsdt(2n * half),
    receivers: halves(a, b),
  }),
);
const anyCase = fc.oneof(coin, token, allowance, split, splitCoin, batch);

const reviewOf = (cryptoTx: unknown, expected: ExpectedPayment): Review =>
  reviewEvm({ unsigned: parseCryptoTx(cryptoTx), expected, network: NETWORK, signer: PAYER });

/** All facts of a transaction that matter to its signer, as text. The fee is left out, because it has a limit. */
const effectOf = ({ chain, chain_id, from, nonce, moves, unsigned }: Review): string =>
  JSON.stringify({
    chain,
    chain_id,
    from,
    nonce,
    moves,
    to: unsigned.to,
    data: unsigned.data,
    value: String(unsigned.value),
  });

/** The review of a transaction if it is approved, otherwise `undefined`. */
const approvedReview = (cryptoTx: () => unknown, expected: ExpectedPayment): Review | undefined => {
  try {
    const review = reviewOf(cryptoTx(), expected);
    approve(review, 'pass');
    return review;
  } catch (error) {
    if (isFailure(error)) return undefined;
    throw error;
  }
};

const changeByte = (bytes: Uint8Array, at: number, by: number): Uint8Array =>
  bytes.map((byte, index) => (index === at % bytes.length ? byte ^ by : byte));

const change = { at: fc.nat({ max: 100_000 }), by: fc.integer({ min: 1, max: 255 }) };

/** A function that makes a crypto_tx of raw bytes; `undefined` when the bytes are not an EIP-1559 transaction. */
const asCryptoTx = (raw: Uint8Array): (() => unknown) | undefined => {
  try {
    const tx = Transaction.from(`0x${Buffer.from(raw).toString('hex')}`);
    if (tx.type !== 2 || tx.to === null || (tx.accessList ?? []).length > 0) return undefined;
    const json = cryptoTxJson({
      to: text(tx.to),
      data: text(tx.data),
      value: String(tx.value),
      chainId: String(tx.chainId),
      gasLimit: text(String(tx.gasLimit)),
      maxFeePerGas: text(String(tx.maxFeePerGas)),
      maxPriorityFeePerGas: text(String(tx.maxPriorityFeePerGas)),
      nonce: String(tx.nonce),
    });
    return () => parseJson(json);
  } catch {
    return undefined;
  }
};

describe('the review of a random transaction', () => {
  it('passes for the payment that was requested', () => {
    fc.assert(
      fc.property(anyCase, ({ json, expected }) => {
        expect(reviewOf(parseJson(json), expected).checks.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('approves no other effect after a change of one byte of the transaction', () => {
    fc.assert(
      fc.property(anyCase, fc.record(change), ({ json, expected }, { at, by }) => {
        const review = reviewOf(parseJson(json), expected);
        const raw = Buffer.from(buildTransaction(review.unsigned).unsignedSerialized.slice(2), 'hex');
        const changed = asCryptoTx(changeByte(raw, at, by));
        const after = changed && approvedReview(changed, expected);
        if (after) expect(effectOf(after)).toBe(effectOf(review));
      }),
      { numRuns: 1_200 },
    );
  });

  it('approves no other effect after a change of one byte of the JSON', () => {
    fc.assert(
      fc.property(anyCase, fc.record(change), ({ json, expected }, { at, by }) => {
        const review = reviewOf(parseJson(json), expected);
        const changed = Buffer.from(changeByte(Buffer.from(json), at, by)).toString();
        const after = approvedReview(() => parseJson(changed), expected);
        if (after) expect(effectOf(after)).toBe(effectOf(review));
      }),
      { numRuns: 1_200 },
    );
  });

  it('approves no other effect after a change of one word of the calldata', () => {
    const words = fc.oneof(
      fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      fc.constantFrom(0n, 1n, 32n, 64n, 96n, 128n, 2n ** 255n, 2n ** 256n - 1n, BigInt(PAYER), BigInt(USDT)),
    );
    fc.assert(
      fc.property(fc.oneof(token, allowance, split, splitCoin, batch), fc.nat({ max: 40 }), words, (one, at, word) => {
        const review = reviewOf(parseJson(one.json), one.expected);
        const { data } = review.unsigned;
        const start = 10 + 64 * (at % Math.floor((data.length - 10) / 64));
        const other = data.slice(0, start) + word.toString(16).padStart(64, '0') + data.slice(start + 64);
        const after = approvedReview(() => parseJson(one.json.replace(data, other)), one.expected);
        if (after) expect(effectOf(after)).toBe(effectOf(review));
      }),
      { numRuns: 1_000 },
    );
  });

  it('approves no transaction with an unknown selector', () => {
    const known = Object.values<string>(SELECTORS);
    fc.assert(
      fc.property(fc.oneof(token, split), fc.integer({ min: 0, max: 2 ** 32 - 1 }), (one, number) => {
        const selector = `0x${number.toString(16).padStart(8, '0')}`;
        fc.pre(!known.includes(selector));
        const json = one.json.replace(/"data":"0x[0-9a-f]{8}/, `"data":"${selector}`);
        expect(approvedReview(() => parseJson(json), one.expected)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });
});

describe('the signature of a random transaction', () => {
  it('is the same as from cast, for payments of every kind', async () => {
    for (const { json, expected } of fc.sample(anyCase, { numRuns: 12, seed: 1559 })) {
      const review = reviewOf(parseJson(json), expected);
      expect((await signEvm(approve(review, 'pass'), KEY)).signed_transaction).toBe(castSigned(review.unsigned));
    }
  });
});
