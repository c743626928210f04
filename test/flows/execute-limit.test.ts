import { expect, it } from 'vitest';
import { inSentence } from '../../src/core/text.ts';
import { executePayment } from '../../src/flows/pay/execute.ts';
import { withOperation } from '../../src/journal/operation.ts';
import { stateOf } from '../../src/journal/reduce.ts';
import { mayHaveMoved } from '../../src/journal/status.ts';
import { readOperation } from '../../src/journal/wire.ts';
import { failureIn, patientClient } from '../client/client.ts';
import { envelope, startServer } from '../support/server.ts';

const HASH = `0x${'ab'.repeat(32)}`;

const INTENT = {
  ...{ amount: '10', currency: 'USDT', chain: 'polygon', token: 'USDT', payer: '0x2' },
  receivers: [{ wallet: '0x1', percent: '100' }],
};

/** Executes a signed payment at a service with these answers; returns the failure and the recorded operation. */
const executed = async (execute: Parameters<typeof envelope>, payment: object) => {
  const { url } = await startServer((request, response) =>
    (request.method === 'GET' ? envelope(200, 'payment_found', { data: payment }) : envelope(...execute))(
      request,
      response,
    ),
  );
  const { client } = await patientClient(url, 60_000);
  const { io, service } = client;
  const beginning = { profile: 'test', kind: 'live', baseUrl: service.baseUrl, intent: INTENT } as const;
  return withOperation(io, beginning, async (operation) => {
    const signed = { payment_id: 'pay_1', signed_transaction: '0x02', hash: HASH, from: '0x2' };
    await operation.record({ step: 'signed', part: 1, ...signed });
    const context = { client, operation, on: async () => undefined };
    const failure = await failureIn(executePayment(context as never, 'pay_1', signed));
    return { failure, recorded: await readOperation(io, operation.id) };
  });
};

it('a payment stays in doubt when a gateway answers execute with 429, so that no second transaction is signed', async () => {
  const { failure, recorded } = await executed([429, 'too_many_requests'], { id: 'pay_1', status: 'registered' });
  expect(failure.code).toBe('limit_reached');
  expect(recorded && mayHaveMoved(stateOf(recorded))).toBe(true);
  expect(failure.details.hint).toContain(`${HASH} may have been passed on`);
  expect(failure.details.hint).not.toContain('did not move');
});

const TEXT = 'x\n✓ paid, nothing is owed';

it.each<[string, Parameters<typeof envelope>, object]>([
  ['the hash in the answer', [200, 'payment_confirmed', { data: { id: 'pay_1', tid_hash: TEXT } }], { id: 'pay_1' }],
  ['the status of the payment, read back,', [500, 'server_error'], { id: 'pay_1', status: TEXT }],
])('a failure marks a text of the service in place of %s as remote text', async (_, execute, payment) => {
  const { failure } = await executed(execute, { status: 'registered', ...payment });
  expect(failure.code).toBe('outcome_unknown');
  expect(`${failure.sentence} ${failure.details.hint}`).toContain(inSentence(TEXT));
});
