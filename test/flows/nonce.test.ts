import { describe, expect, it } from 'vitest';
import type { NodeFacts } from '../../src/chain/evm/context.ts';
import { networkFor } from '../../src/chain/evm/network.ts';
import { approve, reviewEvm, signEvm } from '../../src/chain/evm/review.ts';
import type { UnsignedEvm } from '../../src/chain/evm/transaction.ts';
import { knownNonces, nonceUsedBy } from '../../src/flows/pay/nonce.ts';
import type { Io } from '../../src/io/io.ts';
import { beginOperation } from '../../src/journal/operation.ts';
import { given, KEY, NETWORK, PAYER } from '../chain/evm/given.ts';
import { testIo } from '../support/io.ts';

const INTENT = { amount: '1', currency: 'POL', chain: 'polygon', token: 'POL', receivers: [], payer: PAYER };
const LIVE = { kind: 'live', baseUrl: 'https://x' } as const;
const live = (nonce = '7', chainId = '137', chain = 'polygon') =>
  given({ nonce, chainId }, { chain_name: `"${chain}"` });
const signed = (unsigned: UnsignedEvm) =>
  signEvm(approve(reviewEvm({ unsigned, network: networkFor('live') }), 'confirmed'), KEY);

/** Leaves a journal of a payment that was signed and went as far as `steps` say. */
const journalOf = async (
  io: Io,
  paymentId: string,
  unsigned: UnsignedEvm,
  end: 'signed' | 'lost' | 'rejected' | 'unsent',
) => {
  const operation = await beginOperation(io, { profile: 'p', kind: 'live', baseUrl: 'https://x', intent: INTENT });
  const { signed_transaction, hash, from } = signed(unsigned);
  await operation.record({ step: 'signed', part: 1, payment_id: paymentId, signed_transaction, hash, from });
  if (end === 'signed') return hash;
  await operation.record({ step: 'sending', part: 1, via: 'service', payment_id: paymentId, hash });
  const failed = { step: 'failed', is_unknown: false, hash } as const;
  if (end === 'rejected') await operation.record({ ...failed, code: 'rejected', status: 'x' });
  if (end === 'unsent') await operation.record({ ...failed, code: 'unavailable', status: undefined, unsent: true });
  return hash;
};

describe('the nonce of a transaction that may have been sent for another payment', () => {
  it('is found in the journal, by its hash, for the same chain, payer and number', async () => {
    const { io } = await testIo();
    const hash = await journalOf(io, 'pay_1', live(), 'lost');
    expect(await nonceUsedBy(io, live(), 'pay_2', LIVE)).toBe(hash);
    expect(await nonceUsedBy(io, live('8'), 'pay_2', LIVE)).toBeUndefined();
    expect(await nonceUsedBy(io, live('7', '1', 'ethereum'), 'pay_2', LIVE)).toBeUndefined();
    expect(await nonceUsedBy(io, live(), 'pay_1', LIVE), 'the same payment is judged by its own rule').toBeUndefined();
  });

  it('is taken also where the service refused it', async () => {
    const { io } = await testIo();
    const hash = await journalOf(io, 'pay_1', live(), 'rejected');
    expect(await nonceUsedBy(io, live(), 'pay_2', LIVE)).toBe(hash);
  });

  it.each(['signed', 'unsent'] as const)('is free where that was only %s', async (end) => {
    const { io } = await testIo();
    await journalOf(io, 'pay_1', live(), end);
    expect(await nonceUsedBy(io, live(), 'pay_2', LIVE)).toBeUndefined();
  });

  it('counts on a chain of the sandbox until that is reset: then its key is another, and its chains begin anew', async () => {
    const { io } = await testIo();
    const unsigned = given();
    const { signed_transaction, hash, from } = signEvm(approve(reviewEvm({ unsigned, network: NETWORK }), 'pass'), KEY);
    const sandbox = { kind: 'sandbox', baseUrl: 'http://x', asker: 'a' } as const;
    const operation = await beginOperation(io, { profile: 'p', ...sandbox, intent: INTENT });
    await operation.record({ step: 'signed', part: 1, payment_id: 'pay_1', signed_transaction, hash, from });
    await operation.record({ step: 'sending', part: 1, via: 'service', payment_id: 'pay_1', hash });
    expect(await nonceUsedBy(io, unsigned, 'pay_2', sandbox)).toBe(hash);
    expect(await nonceUsedBy(io, unsigned, 'pay_2', { ...sandbox, asker: 'b' })).toBeUndefined();
  });
});

describe('what the journal knows of the nonces of a wallet on a chain', () => {
  const executed = async (io: Io, paymentId: string, unsigned: UnsignedEvm, isOver: boolean) => {
    const intent = { ...INTENT, chain: unsigned.chainName };
    const operation = await beginOperation(io, { profile: 'p', kind: 'live', baseUrl: 'https://x', intent });
    const { signed_transaction, hash, from } = signed(unsigned);
    await operation.record({ step: 'signed', part: 1, payment_id: paymentId, signed_transaction, hash, from });
    await operation.record({ step: 'sending', part: 1, via: 'service', payment_id: paymentId, hash });
    await operation.record({ step: 'executed', payment_id: paymentId, status: 'payment_confirmed', hash });
    if (isOver) await operation.record({ step: 'ended', payment_id: paymentId, status: 'success', tid_hash: hash });
    await operation.close();
  };
  const node = (pendingNonce: bigint): NodeFacts => ({
    chainId: 137n,
    minedNonce: 7n,
    pendingNonce,
    coin: 0n,
    tokens: new Map(),
    simulation: { kind: 'runs' },
  });

  it('without a node is that of the newest transaction that a service took, also of what is over', async () => {
    const { io } = await testIo();
    expect(await knownNonces({ io, deployment: LIVE }, live('9000'), undefined)).toEqual({ sent: [], last: undefined });
    await executed(io, 'pay_1', live('7'), true);
    await journalOf(io, 'pay_2', live('8'), 'lost');
    await executed(io, 'pay_3', live('3', '1', 'ethereum'), false);
    expect(await knownNonces({ io, deployment: LIVE }, live('9000'), undefined)).toEqual({ sent: [], last: 7 });
    // Read again from the index of what is over, which holds no bytes.
    expect(await knownNonces({ io, deployment: LIVE }, live('9000'), undefined)).toEqual({ sent: [], last: 7 });
    expect(await knownNonces({ io, deployment: LIVE }, live('9000', '1', 'ethereum'), undefined)).toEqual({
      sent: [],
      last: 3,
    });
    expect(await knownNonces({ io, deployment: LIVE }, live('9000', '56', 'bsc'), undefined)).toEqual({
      sent: [],
      last: undefined,
    });
  });

  it('with a node is those that may wait to be mined, where the nonce is above the next one of the node', async () => {
    const { io } = await testIo();
    await executed(io, 'pay_1', live('7'), false);
    await journalOf(io, 'pay_2', live('8'), 'lost');
    await journalOf(io, 'pay_3', live('9'), 'signed');
    expect((await knownNonces({ io, deployment: LIVE }, live('10'), node(7n))).sent.toSorted()).toEqual([7, 8]);
    expect(await knownNonces({ io, deployment: LIVE }, live('7'), node(7n))).toEqual({ sent: [], last: undefined });
  });

  it('with a node that is behind is also what ended a moment ago, and not what ended an hour ago', async () => {
    const { io } = await testIo();
    await executed(io, 'pay_1', live('7'), true);
    const known = (later: number) => {
      const clock = { ...io.clock, now: () => io.clock.now() + later };
      return knownNonces({ io: { ...io, clock }, deployment: LIVE }, live('8'), node(7n));
    };
    expect(await known(60_000)).toEqual({ sent: [7], last: undefined });
    expect(await known(60 * 60_000)).toEqual({ sent: [], last: undefined });
  });
});
