import { Interface } from 'ethers/abi';
import { describe, expect, it } from 'vitest';
import type { ExpectedPayment, Overrides } from '../../../src/chain/evm/context.ts';
import { decodeCall } from '../../../src/chain/evm/decode.ts';
import type { Chain } from '../../../src/chain/evm/network.ts';
import { approve, reviewEvm } from '../../../src/chain/evm/review.ts';
import {
  ANNA,
  approveData,
  BRUNO,
  CLARA,
  cast,
  failureOf,
  givenCall,
  NETWORK,
  PAYER,
  SPLITTER,
  STRANGER,
  transferData,
  USDC,
  USDT,
} from './given.ts';

const CHAIN = NETWORK.chains[0] as Chain;
const BATCH = new Interface([
  'function multicall(bytes[])',
  'function multicall(uint256,bytes[])',
  'function aggregate3((address,bool,bytes)[])',
  'function setApprovalForAll(address,bool)',
  'function permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
  'function transferOwnership(address)',
]);
const multicall = (...calls: readonly string[]) => BATCH.encodeFunctionData('multicall(bytes[])', [calls]);
const multicallUntil = (...calls: readonly string[]) =>
  BATCH.encodeFunctionData('multicall(uint256,bytes[])', [1_800_000_000n, calls]);
const aggregate3 = (...calls: readonly (readonly [string, boolean, string])[]) =>
  BATCH.encodeFunctionData('aggregate3', [calls]);

const EXPECTED: ExpectedPayment = {
  chainName: 'polygon',
  tokenSymbol: 'USDT',
  amount: '10',
  receivers: [
    { wallet: ANNA, percent: '70' },
    { wallet: BRUNO, percent: '30' },
  ],
};
const PAY_ANNA = transferData(ANNA, 7_000_000n);
const PAY_BRUNO = transferData(BRUNO, 3_000_000n);

const review = (
  to: string,
  data: string,
  expected: ExpectedPayment = EXPECTED,
  overrides: Overrides = {},
  value = '0',
) => reviewEvm({ unsigned: givenCall(to, data, { value }), expected, network: NETWORK, signer: PAYER, overrides });
/** The checks that do not pass, each with its verdict. */
const failedChecks = (...args: Parameters<typeof review>) =>
  review(...args)
    .checks.filter(({ verdict }) => verdict !== 'pass')
    .map(({ id, verdict }) => `${id} ${verdict}`);

/** Every override that a user can give. */
const ALL_OVERRIDES = { allowBlind: true, allowRecipients: [ANNA, BRUNO, CLARA, STRANGER, SPLITTER, USDC] };

describe('a batch of payments', () => {
  it.each([
    ['multicall', multicall],
    ['multicall with a deadline', multicallUntil],
  ])('passes when the sum for each receiver is as requested: %s', (name, batch) => {
    const result = review(USDT, batch(PAY_ANNA, PAY_BRUNO));
    expect(failedChecks(USDT, batch(PAY_ANNA, PAY_BRUNO))).toEqual([]);
    expect(result.checks.find(({ id }) => id === 'batch')?.message).toContain(`2 calls through ${name} of ${USDT}`);
    expect(result.moves).toEqual([
      { token: 'USDT', amount: '7', to: ANNA, label: '70 %' },
      { token: 'USDT', amount: '3', to: BRUNO, label: '30 %' },
    ]);
    expect(
      failedChecks(USDT, batch(transferData(ANNA, 4_000_000n), PAY_BRUNO, transferData(ANNA, 3_000_000n))),
    ).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['a call is missing', multicall(PAY_ANNA), 'shares refuse'],
    ['a call is repeated', multicall(PAY_ANNA, PAY_ANNA, PAY_BRUNO), 'amount refuse'],
    ['a call pays another receiver instead', multicall(PAY_ANNA, transferData(CLARA, 3_000_000n)), 'shares refuse'],
    ['an extra call pays another receiver', multicall(PAY_ANNA, PAY_BRUNO, transferData(CLARA, 1n)), 'amount refuse'],
    [
      'a call approves an unlimited amount',
      multicall(PAY_ANNA, PAY_BRUNO, approveData(CLARA, 2n ** 256n - 1n)),
      'call refuse',
    ],
    [
      'a call approves more than the payment',
      multicall(PAY_ANNA, PAY_BRUNO, approveData(CLARA, 10_000_001n)),
      'amount refuse',
    ],
    [
      'a call approves a whole collection',
      multicall(PAY_ANNA, PAY_BRUNO, BATCH.encodeFunctionData('setApprovalForAll', [CLARA, true])),
      'call refuse',
    ],
    [
      'a call transfers the ownership of the contract',
      multicall(PAY_ANNA, PAY_BRUNO, BATCH.encodeFunctionData('transferOwnership', [CLARA])),
      'call refuse',
    ],
    ['a call of the token cannot be decoded', multicall(PAY_ANNA, PAY_BRUNO, '0xdeadbeef'), 'call refuse'],
    ['a call has an extra byte', multicall(PAY_ANNA, `${PAY_BRUNO}00`), 'call refuse'],
    [
      'a call pays the zero address',
      multicall(PAY_ANNA, PAY_BRUNO, transferData(`0x${'0'.repeat(40)}`, 0n)),
      'receivers refuse',
    ],
    ['a call pays the payer', multicall(PAY_ANNA, PAY_BRUNO, transferData(PAYER, 0n)), 'receivers refuse'],
    [
      'an approval is nested two batches deep',
      multicall(PAY_ANNA, PAY_BRUNO, multicall(approveData(CLARA, 2n ** 255n))),
      'call refuse',
    ],
    ['batches are nested four deep', multicall(multicall(multicall(multicall(PAY_ANNA, PAY_BRUNO)))), 'call refuse'],
    ['the batch has 65 calls', multicall(...Array(65).fill(transferData(ANNA, 0n))), 'call refuse'],
    ['the batch has no call', multicall(), 'call refuse'],
  ])('is refused, even with --allow-blind, when %s', (_, data, check) => {
    expect(failedChecks(USDT, data, EXPECTED, { allowBlind: true })).toContain(check);
    const result = review(USDT, data, EXPECTED, { allowBlind: true });
    expect(result.verdict).toBe('refuse');
    expect(failureOf(() => approve(result, 'confirmed')).code).toBe('refused_by_review');
  });

  it('is refused when it also sends coin, which would be lost', () => {
    expect(failedChecks(USDT, multicall(PAY_ANNA, PAY_BRUNO), EXPECTED, ALL_OVERRIDES, '1')).toEqual(['value refuse']);
  });

  it('is refused when one or all of its calls pay another token', () => {
    expect(failedChecks(USDC, multicall(PAY_ANNA, PAY_BRUNO), EXPECTED, ALL_OVERRIDES)).toEqual(['token refuse']);
    const mixed = aggregate3([USDT, false, PAY_ANNA], [USDC, false, PAY_BRUNO]);
    expect(failedChecks(STRANGER, mixed, EXPECTED, ALL_OVERRIDES)).toContain('token refuse');
  });
});

describe('a batch of an unknown contract', () => {
  it('requires --allow-blind even if its calls are as requested', () => {
    const data = aggregate3([USDT, false, PAY_ANNA], [USDT, false, PAY_BRUNO]);
    const result = review(STRANGER, data);
    expect(result.verdict).toBe('confirm');
    const doubt = result.checks.find(({ verdict }) => verdict === 'confirm');
    expect(doubt).toMatchObject({ id: 'batch', allow_with: '--allow-blind' });
    expect(doubt?.message).toContain('the contract makes them for itself, not for the payer');
    expect(review(STRANGER, data, EXPECTED, { allowBlind: true }).verdict).toBe('pass');
    expect(failedChecks(STRANGER, aggregate3([USDT, true, PAY_ANNA], [USDT, false, PAY_BRUNO]))).toEqual([
      'batch confirm',
    ]);
  });

  it('is refused with any override when a call is a transferFrom or a permit', () => {
    const permit = BATCH.encodeFunctionData('permit', [
      PAYER,
      CLARA,
      1n,
      1n,
      27,
      `0x${'1'.repeat(64)}`,
      `0x${'2'.repeat(64)}`,
    ]);
    const transferFrom = cast('calldata', 'transferFrom(address,address,uint256)', PAYER, ANNA, '1');
    for (const inner of [permit, transferFrom]) {
      expect(failedChecks(STRANGER, aggregate3([USDT, false, inner]), {}, ALL_OVERRIDES)).toEqual(['call refuse']);
      expect(failedChecks(STRANGER, multicall(inner), {}, ALL_OVERRIDES)).toEqual(['call refuse']);
    }
  });

  it('requires a confirmation also for each call that cannot be decoded', () => {
    expect(failedChecks(STRANGER, multicall('0xdeadbeef', '0x'))).toEqual([
      'batch confirm',
      'call confirm',
      'call confirm',
    ]);
  });
});

const bigintsAsText = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

describe('decoding the bytes of a batch', () => {
  const decode = (data: string) => decodeCall(givenCall(STRANGER, data), CHAIN);

  it('returns the calls that cast encoded', () => {
    const signature = 'aggregate3((address,bool,bytes)[])';
    const data = cast('calldata', signature, `[(${USDT},true,${PAY_ANNA}),(${SPLITTER},false,0x1234567890)]`);
    expect(decode(data)).toMatchObject({
      kind: 'batch',
      asItself: true,
      steps: [
        { to: USDT, mayFail: true, call: { kind: 'token', payments: [{ to: ANNA, units: 7_000_000n }] } },
        { to: SPLITTER, mayFail: false, call: { kind: 'unknown', selector: '0x12345678' } },
      ],
    });
  });

  it.each([
    ['multicall', multicall(PAY_ANNA, PAY_BRUNO)],
    ['multicall with a deadline', multicallUntil(PAY_ANNA, PAY_BRUNO)],
    ['aggregate3', aggregate3([USDT, false, PAY_ANNA], [USDT, true, PAY_BRUNO])],
  ])('accepts one encoding only: no byte can change without changing the decoded calls: %s', (_, data) => {
    const before = JSON.stringify(decode(data), bigintsAsText);
    const unnoticed: number[] = [];
    for (let at = 10; at < data.length; at += 2) {
      const byte = (Number.parseInt(data.slice(at, at + 2), 16) ^ 0x01).toString(16).padStart(2, '0');
      const call = decode(data.slice(0, at) + byte + data.slice(at + 2));
      if (call.kind === 'batch' && JSON.stringify(call, bigintsAsText) === before) {
        unnoticed.push(at);
      }
    }
    // The deadline is not part of the decoded calls.
    expect(unnoticed.filter((at) => !data.startsWith('0x5ae401dc') || at >= 74)).toEqual([]);
  });

  it.each([
    ['an extra byte', `${multicall(PAY_ANNA)}00`],
    ['an extra word', multicall(PAY_ANNA) + '0'.repeat(64)],
    ['a missing word', multicall(PAY_ANNA).slice(0, -64)],
    ['only the selector', '0xac9650d8'],
  ])('returns malformed for %s', (_, data) => {
    expect(decode(data)).toMatchObject({ kind: 'malformed' });
  });
});
