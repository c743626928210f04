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

/** Writes the journal of a payment that was signed and stopped at `end`. */
const journalOf = async (
  io: Io,
  paymentId: string,
  unsigned: UnsignedEvm,
  end: 'signed' | 'lost' | 'rejected' | 'unsent',
) => {
  const operation = await beginOperation(io, { profile: 'p', kind: 'live', baseUrl: 'https://x', intent: INTENT });
  const { signed_transaction, hash, from } = await signed(unsigned);
  await operation.record({ step: 'signed', part: 1, payment_id: paymentId, signed_transaction, hash, from });
  if (end === 'signed') return hash;
  await operation.record({ step: 'sending', part: 1, via: 'service', payment_id: paymentId, hash });
  const failed = { step: 'failed', is_unknown: false, hash } as const;
  if (end === 'rejected') await operation.record({ ...failed, code: 'rejected', status: 'x' });
  if (end === 'unsent') await operation.record({ ...failed, code: 'unavailable', status: undefined, unsent: true });
  return hash;
};

describe('a nonce that a transaction of another payment uses', () => {
  it('is found in the journal for the same chain, payer and nonce, as the hash of that transaction', async () => {
    const { io } = await testIo();
    const hash = await journalOf(io, 'pay_1', live(), 'lost');
    expect(await nonceUsedBy(io, live(), 'pay_2', LIVE)).toBe(hash);
    expect(await nonceUsedBy(io, live('8'), 'pay_2', LIVE)).toBeUndefined();
    expect(await nonceUsedBy(io, live('7', '1', 'ethereum'), 'pay_2', LIVE)).toBeUndefined();
    expect(await nonceUsedBy(io, live(), 'pay_1', LIVE), 'the same payment has a rule of its own').toBeUndefined();
  });

  it('stays in use when the service refused the transaction', async () => {
    const { io } = await testIo();
    const hash = await journalOf(io, 'pay_1', live(), 'rejected');
    expect(await nonceUsedBy(io, live(), 'pay_2', LIVE)).toBe(hash);
  });

  it.each(['signed', 'unsent'] as const)('is free when the journal has the transaction as %s', async (end) => {
    const { io } = await testIo();
    await journalOf(io, 'pay_1', live(), end);
    expect(await nonceUsedBy(io, live(), 'pay_2', LIVE)).toBeUndefined();
  });

  it('is in use on a sandbox chain until the sandbox is reset, which changes its API key', async () => {
    const { io } = await testIo();
    const unsigned = given();
    const { signed_transaction, hash, from } = await signEvm(
      approve(reviewEvm({ unsigned, network: NETWORK }), 'pass'),
      KEY,
    );
    const sandbox = { kind: 'sandbox', baseUrl: 'http://x', asker: 'a' } as const;
    const operation = await beginOperation(io, { profile: 'p', ...sandbox, intent: INTENT });
    await operation.record({ step: 'signed', part: 1, payment_id: 'pay_1', signed_transaction, hash, from });
    await operation.record({ step: 'sending', part: 1, via: 'service', payment_id: 'pay_1', hash });
    expect(await nonceUsedBy(io, unsigned, 'pay_2', sandbox)).toBe(hash);
    expect(await nonceUsedBy(io, unsigned, 'pay_2', { ...sandbox, asker: 'b' })).toBeUndefined();
  });
});

describe('the known nonces of a wallet on a chain', () => {
  const executed = async (io: Io, paymentId: string, unsigned: UnsignedEvm, hasEnded: boolean) => {
    const intent = { ...INTENT, chain: unsigned.chainName };
    const operation = await beginOperation(io, { profile: 'p', kind: 'live', baseUrl: 'https://x', intent });
    const { signed_transaction, hash, from } = await signed(unsigned);
    await operation.record({ step: 'signed', part: 1, payment_id: paymentId, signed_transaction, hash, from });
    await operation.record({ step: 'sending', part: 1, via: 'service', payment_id: paymentId, hash });
    await operation.record({ step: 'executed', payment_id: paymentId, status: 'payment_confirmed', hash });
    if (hasEnded) await operation.record({ step: 'ended', payment_id: paymentId, status: 'success', tid_hash: hash });
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

  it('end, without a node, with the newest transaction that a service accepted, also of a finished payment', async () => {
    const { io } = await testIo();
    expect(await knownNonces({ io, deployment: LIVE }, live('9000'), undefined)).toEqual({ sent: [], last: undefined });
    await executed(io, 'pay_1', live('7'), true);
    await journalOf(io, 'pay_2', live('8'), 'lost');
    await executed(io, 'pay_3', live('3', '1', 'ethereum'), false);
    expect(await knownNonces({ io, deployment: LIVE }, live('9000'), undefined)).toEqual({ sent: [], last: 7 });
    // The second read uses the index of finished operations, which holds no signed bytes.
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

  it('are, with a node, those that may wait to be mined, if the nonce is above the next one of the node', async () => {
    const { io } = await testIo();
    await executed(io, 'pay_1', live('7'), false);
    await journalOf(io, 'pay_2', live('8'), 'lost');
    await journalOf(io, 'pay_3', live('9'), 'signed');
    expect((await knownNonces({ io, deployment: LIVE }, live('10'), node(7n))).sent.toSorted()).toEqual([7, 8]);
    expect(await knownNonces({ io, deployment: LIVE }, live('7'), node(7n))).toEqual({ sent: [], last: undefined });
  });

  it('include, with a node that lags, a payment that ended a minute ago, and not an hour ago', async () => {
    const { io } = await testIo();
    await executed(io, 'pay_1', live('7'), true);
    const knownAfter = (ms: number) => {
      const clock = { ...io.clock, now: () => io.clock.now() + ms };
      return knownNonces({ io: { ...io, clock }, deployment: LIVE }, live('8'), node(7n));
    };
    expect(await knownAfter(60_000)).toEqual({ sent: [7], last: undefined });
    expect(await knownAfter(60 * 60_000)).toEqual({ sent: [], last: undefined });
  });
});
