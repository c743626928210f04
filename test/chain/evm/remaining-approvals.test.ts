import { describe, expect, it } from 'vitest';
import type { NodeFacts, ReviewInput } from '../../../src/chain/evm/context.ts';
import { reviewEvm } from '../../../src/chain/evm/review.ts';
import type { UnsignedEvm } from '../../../src/chain/evm/transaction.ts';
import { ANNA, approveData, given, givenCall, NETWORK, RICH, SPLITTER, STRANGER, transferData, USDT } from './given.ts';

const review = (unsigned: UnsignedEvm, rest: Partial<ReviewInput> = {}) =>
  reviewEvm({ unsigned, network: NETWORK, ...rest });

/** Facts of a node whose simulation shows a loss of the token, its receivers and the spenders with approvals. */
const nodeShowing = (
  gains: readonly string[],
  permissions: readonly string[] = [],
  token: string = USDT.toLowerCase(),
): NodeFacts => ({
  chainId: 1_000_137n,
  minedNonce: 7n,
  pendingNonce: 7n,
  ...RICH,
  simulation: {
    kind: 'shown',
    changes: [
      { of: token, units: -5n },
      { of: STRANGER, units: 3n },
    ],
    gains: [...gains.map((to) => ({ of: token, to, units: 5n })), { of: STRANGER, to: ANNA, units: 1n }],
    permissions: permissions.map((spender) => ({ token, spender })),
  },
});

const blind = givenCall(STRANGER, '0xdeadbeef');

describe('the approvals that remain after a transaction', () => {
  it('are empty for a payment, and name the spender and the amount for an allowance', () => {
    expect(review(given()).remainingApprovals).toEqual([]);
    expect(review(givenCall(USDT, transferData(ANNA, 5n))).remainingApprovals).toEqual([]);
    const allowed = (spender: string, units: bigint) =>
      review(givenCall(USDT, approveData(spender, units))).remainingApprovals;
    expect(allowed(SPLITTER, 5_000_000n)).toEqual([
      { who: SPLITTER, who_name: 'the splitter of polygon', message: 'may take 5 USDT at any time' },
    ]);
    expect(allowed(STRANGER, 2n ** 256n - 1n)).toEqual([{ who: STRANGER, message: 'may take all USDT at any time' }]);
    expect(allowed(STRANGER, 0n)).toEqual([{ who: STRANGER, message: 'may no longer take USDT' }]);
  });

  it('are "not known" for a call that cannot be decoded, unless a simulation shows them', () => {
    expect(review(blind).remainingApprovals).toEqual([
      { message: expect.stringMatching(/^not known: .*cannot be decoded/) },
    ]);
    const all = givenCall(USDT, `0xa22cb465${'0'.repeat(128)}`);
    expect(review(all).remainingApprovals[0]?.message).toMatch(
      /^not known: the transaction calls setApprovalForAll, which lets another address take/,
    );
    expect(review(blind, { node: nodeShowing([ANNA]) }).remainingApprovals).toEqual([]);
    expect(review(blind, { node: nodeShowing([ANNA], [STRANGER.toLowerCase()]) }).remainingApprovals).toEqual([
      { who: STRANGER, message: 'may take USDT later' },
    ]);
    const cannotShow: NodeFacts = { ...nodeShowing([]), simulation: { kind: 'runs' } };
    expect(review(blind, { node: cannotShow }).remainingApprovals).toHaveLength(1);
  });
});

describe('the moves of a call that cannot be decoded', () => {
  const movesBy = (node: NodeFacts) => review(blind, { node }).moves;

  it('are the losses of the payer and their receivers in the simulation, without other gains', () => {
    const label = 'by the simulation';
    expect(movesBy(nodeShowing([ANNA, SPLITTER]))).toEqual([
      { token: 'USDT', amount: '0.000005', to: ANNA, label },
      { token: 'USDT', amount: '0.000005', to: SPLITTER, to_name: 'the splitter of polygon', label },
    ]);
    const unknownToken = '0x4444444444444444444444444444444444444444';
    expect(movesBy(nodeShowing([ANNA], [], unknownToken))).toEqual([
      { token: unknownToken, amount: '5', to: ANNA, label: `in smallest units, ${label}` },
    ]);
  });

  it('name the called contract when the simulation shows no receiver', () => {
    const label = 'taken by the call, by the simulation';
    expect(movesBy(nodeShowing([]))).toEqual([{ token: 'USDT', amount: '0.000005', to: STRANGER, label }]);
  });

  it('come only from the bytes when the call can be decoded', () => {
    const plain = givenCall(USDT, transferData(ANNA, 5n));
    expect(review(plain, { node: nodeShowing([STRANGER]) }).moves).toEqual(review(plain).moves);
  });
});
