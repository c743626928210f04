import { describe, expect, it } from 'vitest';
import { networkFor } from '../../src/chain/evm/network.ts';
import { nextStep } from '../../src/core/next.ts';
import { settleSent } from '../../src/flows/pay/resume/settle.ts';
import type { HttpFault } from '../../src/io/http/http.ts';
import { withOperation } from '../../src/journal/operation.ts';
import { stateOf } from '../../src/journal/reduce.ts';
import { mayHaveMoved } from '../../src/journal/status.ts';
import { readOperation } from '../../src/journal/wire.ts';
import { failureIn, patientClient } from '../client/client.ts';

const HASH = `0x${'ab'.repeat(32)}`;
const SIGNED = { payment_id: 'pay_1', signed_transaction: '0x02', hash: HASH, from: '0x2' };

const INTENT = {
  ...{ amount: '10', currency: 'USDT', chain: 'polygon', token: 'USDT', payer: '0x2' },
  receivers: [{ wallet: '0x1', percent: '100' }],
};

const PAYMENT = { id: 'pay_1', status: 'registered', tid_hash: null, data_error: null };

/** Sends bytes again that an earlier run may have sent; each call fails with `reason` before it leaves this machine. */
const sentAgain = async (reason: HttpFault['reason']) => {
  const { client: plain } = await patientClient('https://pay.example', 60_000);
  const send = async (): Promise<HttpFault> => ({ kind: 'fault', reason, sent: false, message: reason });
  const client = { ...plain, io: { ...plain.io, http: { send } } };
  const { io, service } = client;
  const beginning = { profile: 'test', kind: 'live', baseUrl: service.baseUrl, intent: INTENT } as const;
  return withOperation(io, beginning, async (operation) => {
    const now = async () =>
      stateOf((await readOperation(io, operation.id)) ?? expect.fail('the journal has no such operation'));
    await operation.record({ step: 'signed', part: 1, ...SIGNED });
    await operation.record({ step: 'sending', part: 1, via: 'service', payment_id: 'pay_1', hash: HASH });
    const state = await now();
    const context = { client, operation, network: networkFor('live'), on: async () => undefined };
    const resumption = { state, intent: INTENT, inputs: {}, withKey: undefined, confirm: async () => true };
    const failure = await failureIn(settleSent(context as never, resumption, PAYMENT, state.signed));
    return { id: operation.id, failure, isInDoubt: mayHaveMoved(await now()) };
  });
};

describe('a transaction in doubt whose second sending never leaves this machine', () => {
  it.each(['interrupted', 'refused'] as const)('stays in doubt: %s', async (reason) => {
    const { failure, isInDoubt } = await sentAgain(reason);
    expect(failure).toMatchObject({
      code: 'outcome_unknown',
      details: {
        data: { payment_id: 'pay_1', tid_hash: HASH },
        hint: expect.stringContaining(`The transaction ${HASH} may have been sent.`),
      },
    });
    expect(failure.details.hint).not.toContain('did not move');
    expect(isInDoubt).toBe(true);
  });

  it('has a resume as its next command after an interrupt', async () => {
    const { id, failure } = await sentAgain('interrupted');
    expect(failure.details.next).toEqual(nextStep('pay.resume.live', id));
  });
});
