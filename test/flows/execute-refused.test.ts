import { describe, expect, it } from 'vitest';
import { commandLine } from '../../src/core/next.ts';
import { executePayment } from '../../src/flows/pay/execute.ts';
import { openGate } from '../../src/flows/policy/gate.ts';
import { withOperation } from '../../src/journal/operation.ts';
import { stateOf } from '../../src/journal/reduce.ts';
import { mayHaveMoved } from '../../src/journal/status.ts';
import { readOperation } from '../../src/journal/wire.ts';
import { failureIn, patientClient } from '../client/client.ts';
import { envelope, type Responder, startServer } from '../support/server.ts';

const HASH = `0x${'ab'.repeat(32)}`;
const SIGNED = { payment_id: 'pay_1', signed_transaction: '0x02', hash: HASH, from: '0x2' };

const INTENT = {
  ...{ amount: '10', currency: 'USDT', chain: 'polygon', token: 'USDT', payer: '0x2' },
  receivers: [{ wallet: '0x1', percent: '100' }],
};

/**
 * Executes a payment of 10 USDT at this service, under a policy that allows `mostPerDay`; returns the failure, and whether
 * the operation is in doubt.
 */
const executedAt = async (url: string, mostPerDay = '10') => {
  const { client } = await patientClient(url, 60_000);
  const { io, service } = client;
  const profile = { profile: 'test', baseUrl: service.baseUrl };
  const policies = [{ ...profile, policy: { most_per_day: { USDT: mostPerDay } } }];
  const gate = openGate({ io, service: { ...profile, kind: 'live' }, policies });
  return withOperation(io, { ...profile, kind: 'live', intent: INTENT }, async (operation) => {
    const moves = [{ token: 'USDT', amount: '10' }];
    await operation.record({ step: 'reviewed', verdict: 'pass', digest: 'd', allowed: [], moves, from: SIGNED.from });
    await operation.record({ step: 'signed', part: 1, ...SIGNED });
    const context = { client, operation, gate, on: async () => undefined };
    const failure = await failureIn(executePayment(context as never, 'pay_1', SIGNED));
    const recorded = await readOperation(io, operation.id);
    return { failure, isInDoubt: recorded && mayHaveMoved(stateOf(recorded)) };
  });
};

const answering = async (execute: Responder) => {
  const open = envelope(200, 'payment_found', { data: { id: 'pay_1', status: 'registered', tid_hash: null } });
  return (await startServer((request, response) => (request.method === 'GET' ? open : execute)(request, response))).url;
};

describe('a payment that the service refuses to execute', () => {
  it.each([
    [400, 'invalid_signed_transaction', 'rejected'],
    [400, 'invalid_parameters', 'rejected'],
    [400, 'invalid_chain', 'rejected'],
    [404, 'payment_not_found', 'not_found'],
    [409, 'missing_unsigned_transaction', 'rejected'],
    [409, 'invalid_payment_status', 'rejected'],
    [400, 'stale_transaction_nonce', 'rejected'],
    [401, 'unauthorized', 'unauthorized'],
    [500, 'payment_failed', 'payment_failed'],
  ])(
    'keeps the failure code of HTTP %i %s, and the hint warns that the transaction may still be sent',
    async (http, status, code) => {
      const { failure, isInDoubt } = await executedAt(await answering(envelope(http, status)));
      expect({ code: failure.code, isInDoubt }).toEqual({ code, isInDoubt: true });
      expect(failure.details).toMatchObject({
        data: { payment_id: 'pay_1', hash: HASH, live: true },
        hint: expect.stringContaining('The service refused; the signed transaction may still be sent'),
        next: { id: 'pay.resume.live', argv: expect.arrayContaining(['bursar', 'pay', 'resume', expect.any(String)]) },
      });
      const next = failure.details.next && commandLine(failure.details.next);
      expect(next?.endsWith(' --rpc-url "$RPC_URL"')).toBe(http !== 401);
      expect(failure.details.hint?.includes('in place of "$RPC_URL"')).toBe(http !== 401);
      // The service has the bytes, whatever the answer is.
      expect(failure.details.hint).not.toMatch(/Nothing was/);
      expect(`${failure.message} ${failure.details.hint}`).not.toContain('did not move');
    },
  );
});

describe('a payment whose execute request never leaves this machine', () => {
  it('fails with the hint that the money did not move when nothing listens at the address', async () => {
    const { failure, isInDoubt } = await executedAt('http://127.0.0.1:1');
    expect({ code: failure.code, isInDoubt }).toEqual({ code: 'unavailable', isInDoubt: false });
    expect(failure.details.hint).toContain('It never left this machine: the money did not move.');
  });

  it('is refused when the amounts of the day no longer leave room for it', async () => {
    const { url, received } = await startServer(envelope(200, 'payment_confirmed'));
    const { failure, isInDoubt } = await executedAt(url, '9');
    expect({ code: failure.code, isInDoubt, calls: received.length }).toEqual({
      ...{ code: 'refused_by_review', isInDoubt: false, calls: 0 },
    });
    expect(failure.details).toMatchObject({
      errors: [{ field: 'policy.most_per_day' }],
      hint: 'It never left this machine: the money did not move. Nothing was sent now.',
    });
  });
});

describe('a payment whose execute request may have succeeded', () => {
  it.each([
    [400, 'stale_transaction_nonce'],
    [500, 'blockchain_transaction_failed'],
    [500, 'finalizer_payment_order_on_chain_failed'],
    [500, 'validation_error'],
    [502, 'payment_failed'],
    [503, 'unauthorized'],
    [408, 'rejected'],
  ])('stays in doubt after HTTP %i %s, and does not claim that the money did not move', async (http, status) => {
    const { failure, isInDoubt } = await executedAt(await answering(envelope(http, status)));
    expect(`${failure.message} ${failure.details.hint}`).not.toContain('did not move');
    expect(isInDoubt).toBe(true);
  });
});
