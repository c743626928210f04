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
const ANNAS = transferData(ANNA, 7_000_000n);
const BRUNOS = transferData(BRUNO, 3_000_000n);

const review = (
  to: string,
  data: string,
  expected: ExpectedPayment = EXPECTED,
  overrides: Overrides = {},
  value = '0',
) => reviewEvm({ unsigned: givenCall(to, data, { value }), expected, network: NETWORK, signer: PAYER, overrides });
const wrong = (...args: Parameters<typeof review>) =>
  review(...args)
    .checks.filter(({ verdict }) => verdict !== 'pass')
    .map(({ id, verdict }) => `${id} ${verdict}`);

/** Everything that a user may allow. */
const ALL = { allowBlind: true, allowRecipients: [ANNA, BRUNO, CLARA, STRANGER, SPLITTER, USDC] };

describe('a batch of payments', () => {
  it.each([
    ['multicall', multicall],
    ['multicall with a deadline', multicallUntil],
  ])('is compared by its sum, receiver by receiver: %s', (name, batch) => {
    const result = review(USDT, batch(ANNAS, BRUNOS));
    expect(wrong(USDT, batch(ANNAS, BRUNOS))).toEqual([]);
    expect(result.checks.find(({ id }) => id === 'batch')?.message).toContain(`2 calls through ${name} of ${USDT}`);
    expect(result.moves).toEqual([
      { token: 'USDT', amount: '7', to: ANNA, label: '70 %' },
      { token: 'USDT', amount: '3', to: BRUNO, label: '30 %' },
    ]);
    expect(wrong(USDT, batch(transferData(ANNA, 4_000_000n), BRUNOS, transferData(ANNA, 3_000_000n)))).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['one call is left out', multicall(ANNAS), 'shares refuse'],
    ['one is made twice', multicall(ANNAS, ANNAS, BRUNOS), 'amount refuse'],
    ['one goes to somebody else', multicall(ANNAS, transferData(CLARA, 3_000_000n)), 'shares refuse'],
    ['one more goes to somebody else', multicall(ANNAS, BRUNOS, transferData(CLARA, 1n)), 'amount refuse'],
    ['one lets somebody take all', multicall(ANNAS, BRUNOS, approveData(CLARA, 2n ** 256n - 1n)), 'call refuse'],
    ['one lets somebody take more', multicall(ANNAS, BRUNOS, approveData(CLARA, 10_000_001n)), 'amount refuse'],
    [
      'one hands a collection over',
      multicall(ANNAS, BRUNOS, BATCH.encodeFunctionData('setApprovalForAll', [CLARA, true])),
      'call refuse',
    ],
    [
      'one gives the contract away',
      multicall(ANNAS, BRUNOS, BATCH.encodeFunctionData('transferOwnership', [CLARA])),
      'call refuse',
    ],
    ['one is not understood, at a token', multicall(ANNAS, BRUNOS, '0xdeadbeef'), 'call refuse'],
    ['one has a byte too many', multicall(ANNAS, `${BRUNOS}00`), 'call refuse'],
    [
      'one pays the zero address',
      multicall(ANNAS, BRUNOS, transferData(`0x${'0'.repeat(40)}`, 0n)),
      'receivers refuse',
    ],
    ['one pays the payer', multicall(ANNAS, BRUNOS, transferData(PAYER, 0n)), 'receivers refuse'],
    [
      'it is hidden two batches deep',
      multicall(ANNAS, BRUNOS, multicall(approveData(CLARA, 2n ** 255n))),
      'call refuse',
    ],
    ['it goes four batches deep', multicall(multicall(multicall(multicall(ANNAS, BRUNOS)))), 'call refuse'],
    ['it has more calls than any payment', multicall(...Array(65).fill(transferData(ANNA, 0n))), 'call refuse'],
    ['it has no call', multicall(), 'call refuse'],
  ])('is refused whatever is allowed, when %s', (_, data, check) => {
    expect(wrong(USDT, data, EXPECTED, { allowBlind: true })).toContain(check);
    const result = review(USDT, data, EXPECTED, { allowBlind: true });
    expect(result.verdict).toBe('refuse');
    expect(failureOf(() => approve(result, 'confirmed')).code).toBe('refused_by_review');
  });

  it('with coin sent along is refused: the coin would be lost', () => {
    expect(wrong(USDT, multicall(ANNAS, BRUNOS), EXPECTED, ALL, '1')).toEqual(['value refuse']);
  });

  it('in another token than asked is refused, also when only one of its calls is', () => {
    expect(wrong(USDC, multicall(ANNAS, BRUNOS), EXPECTED, ALL)).toEqual(['token refuse']);
    const mixed = aggregate3([USDT, false, ANNAS], [USDC, false, BRUNOS]);
    expect(wrong(STRANGER, mixed, EXPECTED, ALL)).toContain('token refuse');
  });
});

describe('a batch of a contract that is not known', () => {
  it('needs the word of the user, however right its calls look', () => {
    const data = aggregate3([USDT, false, ANNAS], [USDT, false, BRUNOS]);
    const result = review(STRANGER, data);
    expect(result.verdict).toBe('confirm');
    const doubt = result.checks.find(({ verdict }) => verdict === 'confirm');
    expect(doubt).toMatchObject({ id: 'batch', allow_with: '--allow-blind' });
    expect(doubt?.message).toContain('the contract makes them for itself, not for the payer');
    expect(review(STRANGER, data, EXPECTED, { allowBlind: true }).verdict).toBe('pass');
    expect(wrong(STRANGER, aggregate3([USDT, true, ANNAS], [USDT, false, BRUNOS]))).toEqual(['batch confirm']);
  });

  it('is never better than its worst call: what is taken of somebody, or a permit, is refused', () => {
    const permit = BATCH.encodeFunctionData('permit', [
      PAYER,
      CLARA,
      1n,
      1n,
      27,
      `0x${'1'.repeat(64)}`,
      `0x${'2'.repeat(64)}`,
    ]);
    const takes = cast('calldata', 'transferFrom(address,address,uint256)', PAYER, ANNA, '1');
    for (const inner of [permit, takes]) {
      expect(wrong(STRANGER, aggregate3([USDT, false, inner]), {}, ALL)).toEqual(['call refuse']);
      expect(wrong(STRANGER, multicall(inner), {}, ALL)).toEqual(['call refuse']);
    }
  });

  it('that calls what is not understood needs it for that as well', () => {
    expect(wrong(STRANGER, multicall('0xdeadbeef', '0x'))).toEqual(['batch confirm', 'call confirm', 'call confirm']);
  });
});

const inText = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

describe('the bytes of a batch', () => {
  const decode = (data: string) => decodeCall(givenCall(STRANGER, data), CHAIN);

  it('are read as cast writes them', () => {
    const signature = 'aggregate3((address,bool,bytes)[])';
    const data = cast('calldata', signature, `[(${USDT},true,${ANNAS}),(${SPLITTER},false,0x1234567890)]`);
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
    ['multicall', multicall(ANNAS, BRUNOS)],
    ['multicall with a deadline', multicallUntil(ANNAS, BRUNOS)],
    ['aggregate3', aggregate3([USDT, false, ANNAS], [USDT, true, BRUNOS])],
  ])('have one reading: no change of offsets, lengths, paddings or flags passes for the same calls: %s', (_, data) => {
    const before = JSON.stringify(decode(data), inText);
    const same: number[] = [];
    for (let at = 10; at < data.length; at += 2) {
      const byte = (Number.parseInt(data.slice(at, at + 2), 16) ^ 0x01).toString(16).padStart(2, '0');
      const call = decode(data.slice(0, at) + byte + data.slice(at + 2));
      if (call.kind === 'batch' && JSON.stringify(call, inText) === before) {
        same.push(at);
      }
    }
    // A deadline is no part of what the calls do.
    expect(same.filter((at) => !data.startsWith('0x5ae401dc') || at >= 74)).toEqual([]);
  });

  it.each([
    ['a byte more', `${multicall(ANNAS)}00`],
    ['a word more', multicall(ANNAS) + '0'.repeat(64)],
    ['a word less', multicall(ANNAS).slice(0, -64)],
    ['nothing but the selector', '0xac9650d8'],
  ])('are refused with %s', (_, data) => {
    expect(decode(data)).toMatchObject({ kind: 'malformed' });
  });
});
