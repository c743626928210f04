import { describe, expect, it } from 'vitest';
import { register } from '../../src/contract/pay/register.ts';
import type { Failure } from '../../src/core/failure.ts';
import { resumeCharge } from '../../src/flows/charge/resumption.ts';
import { beginCharge, type Charge, type ChargeRequest, type RequestedCharge } from '../../src/flows/charge/run.ts';
import type { ChargeResumption } from '../../src/flows/charge/settling.ts';
import type { PrepareContext } from '../../src/flows/pay/prepare.ts';
import type { OperationEvent } from '../../src/journal/event.ts';
import { journalFolder } from '../../src/journal/file-store.ts';
import type { ChargeIntent } from '../../src/journal/intents.ts';
import { withOperation } from '../../src/journal/operation.ts';
import type { OperationState } from '../../src/journal/operation-state.ts';
import { stateOf } from '../../src/journal/reduce.ts';
import { cardSent, isTerminal } from '../../src/journal/status.ts';
import { readOperation } from '../../src/journal/wire.ts';
import { failureIn, patientClient } from '../client/client.ts';
import { codeWith, KEY } from '../support/br-code.ts';
import { envelope, type Responder, startServer } from '../support/server.ts';

const PAYMENT_ID = 'pay_1';

const PAID = { id: PAYMENT_ID, status: 'success', tid_hash: null };

const intentOf = (operation: ChargeIntent['operation']): ChargeIntent => ({
  operation,
  type: `${operation}crypto`,
  amount: '10',
  currency: 'BRL',
  to_currency: 'USDT',
  chain: 'polygon',
  receivers: [{ wallet: '0x1', percent: '100' }],
  payer: 'mark',
});

const ADDRESS = {
  ...{ country: 'BR', state: 'SP', city: 'Santos', neighborhood: 'Centro' },
  ...{ street: 'Rua A', street_number: '1', zipcode: '01001000' },
};

const PAYERS = {
  pix: { payer_cpf: '52998224725' },
  card: {
    ...{ payer_name: 'Ana Souza', payer_document: '52998224725', payer_document_type: 'CPF' },
    card_data: {
      installments: 1,
      statement_descriptor: 'SHOP',
      card: { number: '4111111111111111' },
      address: ADDRESS,
    },
  },
};

const requestOf = (operation: ChargeIntent['operation']): ChargeRequest => ({
  intent: intentOf(operation),
  register: register.example,
  transaction: {
    ...{ payment_id: PAYMENT_ID, transaction_type: `${operation}crypto`, payer_email: 'p@example.com' },
    ...PAYERS[operation],
  },
});

/** A service that answers the creation of a transaction with `create`, and adds these fields to the payment that it returns. */
const service = async (create: Responder, fields: object = {}) => {
  let created = 0;
  const found = { id: PAYMENT_ID, status: 'registered', ...fields };
  const { url } = await startServer((request, response) => {
    if (request.path.endsWith('create-order')) {
      return envelope(200, 'payment_registered', { data: { payment_id: PAYMENT_ID } })(request, response);
    }
    if (request.method === 'GET') return envelope(200, 'payment_found', { data: found })(request, response);
    created += 1;
    return create(request, response);
  });
  const { client } = await patientClient(url, 60_000);
  return { client, created: () => created };
};

type Client = PrepareContext['client'];

/** Runs `work` in an operation with these events, and returns the state of the operation afterwards. */
const inOperation = async <T>(
  client: Client,
  request: ChargeRequest,
  work: (context: PrepareContext, before: OperationState) => Promise<T>,
  events: readonly OperationEvent[] = [],
): Promise<{ readonly result: T; readonly state: OperationState }> => {
  const { intent, register: first, transaction } = request;
  const inputs = { register: first, transaction };
  const beginning = { profile: 'test', kind: 'live', baseUrl: client.service.baseUrl, intent, inputs } as const;
  return withOperation(client.io, beginning, async (operation) => {
    for (const event of events) await operation.record(event);
    const now = async () => {
      const recorded = await readOperation(client.io, operation.id);
      if (!recorded) throw new Error('the journal has no such operation');
      return stateOf(recorded);
    };
    const result = await work({ client, operation, identify: undefined, on: async () => undefined }, await now());
    return { result, state: await now() };
  });
};

const codeOf = (result: Failure | RequestedCharge): string => ('code' in result ? result.code : 'none');

const failsToFollow = async (): Promise<RequestedCharge> => {
  throw new Error('the test did not expect a wait for the charge');
};

const failureOfCharge = (client: Client, request: ChargeRequest) =>
  inOperation(client, request, (context) => failureIn(beginCharge(context, request)));

describe('a card payment whose creation fails', () => {
  it('is in doubt (exit 11) after a 429 of a gateway, and the hint does not claim that nothing was paid', async () => {
    const { client, created } = await service(envelope(429, 'too_many_requests'));
    const { result, state } = await failureOfCharge(client, requestOf('card'));
    expect([result.code, cardSent(state), created()]).toEqual(['outcome_unknown', 'maybe', 1]);
    expect(result.details.hint).not.toContain('nothing was paid');
  });

  it('hides the card number in the failure when the payment, read back, repeats the number', async () => {
    const number = PAYERS.card.card_data.card.number;
    const fields = { status: `for ${number}`, metadata: { number } };
    const { client } = await service(envelope(429, 'too_many_requests'), fields);
    const { result } = await failureOfCharge(client, requestOf('card'));
    expect(JSON.stringify(result.details)).toContain('********');
    expect(JSON.stringify(result.details)).not.toContain(number);
  });

  it('counts as not charged after a 401 of the service', async () => {
    const { client } = await service(envelope(401, 'unauthorized'));
    const { result, state } = await failureOfCharge(client, requestOf('card'));
    expect([result.code, cardSent(state)]).toEqual(['unauthorized', 'no']);
  });
});

type Follow = (charge: Charge) => Promise<RequestedCharge>;

const resuming = (
  context: PrepareContext,
  state: OperationState,
  more: Partial<ChargeResumption> = {},
  follow: Follow = failsToFollow,
) =>
  resumeCharge(
    context,
    {
      ...{ state, intent: intentOf('card'), inputs: {} },
      ...{ askCard: async () => PAYERS.card, isConfirmed: async () => true, ...more },
    },
    follow,
  ).catch((error: unknown) => error as Failure);

describe('a card payment in doubt that the user sends again', () => {
  const doubtful: readonly OperationEvent[] = [
    { step: 'registered', payment_id: PAYMENT_ID },
    { step: 'creating', payment_id: PAYMENT_ID },
    { step: 'failed', code: 'outcome_unknown', status: undefined, is_unknown: true },
  ];
  it('stays in doubt when the service refuses the second card, so that --yes sends no third card', async () => {
    const { client, created } = await service(envelope(401, 'unauthorized'));
    const request = requestOf('card');
    const work = async (context: PrepareContext, before: OperationState) =>
      resuming(context, before, { inputs: { transaction: request.transaction } });
    const { result, state } = await inOperation(client, request, work, doubtful);
    expect([codeOf(result), created(), cardSent(state), isTerminal(state)]).toEqual([
      'unauthorized',
      1,
      'maybe',
      false,
    ]);
  });

  it('stays in doubt when the answer is lost and the payment shows only the charge of an earlier attempt', async () => {
    const charges = [{ status: 'failed' }];
    const earlier = { transaction_type: 'cardcrypto', global_payment_data: { status: 'failed', charges } };
    const { client, created } = await service((_, response) => void response.socket?.destroy(), earlier);
    const request = requestOf('card');
    const work = async (context: PrepareContext, before: OperationState) =>
      resuming(context, before, { inputs: { transaction: request.transaction } });
    const refused: OperationEvent = { step: 'failed', code: 'unauthorized', status: undefined, is_unknown: false };
    const { result, state } = await inOperation(client, request, work, doubtful.with(2, refused));
    expect([codeOf(result), created(), cardSent(state)]).toEqual(['outcome_unknown', 1, 'maybe']);
  });

  it('stays in doubt and sends nothing when the stored inputs are missing', async () => {
    const { client, created } = await service(envelope(401, 'unauthorized'));
    const killed = doubtful.slice(0, 2);
    const { result, state } = await inOperation(
      client,
      requestOf('card'),
      (context, before) => resuming(context, before),
      killed,
    );
    expect([codeOf(result), created(), cardSent(state), isTerminal(state)]).toEqual([
      'invalid_input',
      0,
      'maybe',
      false,
    ]);
  });
});

describe('a Pix charge whose answer was lost', () => {
  const CODE = codeWith();
  const CHARGE = {
    ...{ status: 'ATIVA', pix_key: KEY, txid: 'P0123', pix_qr_code_data_url: 'data:image/png;base64,AA', code: 200 },
    ...{ pixCopiaECola: CODE, calendar: { criacao: '2026-11-21T00:00:00Z', expiracao: 3600 } },
  };
  const refusing = envelope(401, 'unauthorized');
  const events: readonly OperationEvent[] = [
    { step: 'registered', payment_id: PAYMENT_ID },
    { step: 'creating', payment_id: PAYMENT_ID },
    { step: 'failed', code: 'unavailable', status: undefined, is_unknown: false },
  ];
  const resumed = async (fields: object, isConfirmed: boolean, recorded = events) => {
    const { client, created } = await service(refusing, { transaction_type: 'pixcrypto', ...fields });
    const request = requestOf('pix');
    const more = {
      intent: intentOf('pix'),
      inputs: { transaction: request.transaction },
      isConfirmed: async () => isConfirmed,
    };
    const follow = async (charge: Charge) => ({ ...charge, payment: { ...PAID, status: 'registered' } });
    const work = (context: PrepareContext, before: OperationState) => resuming(context, before, more, follow);
    const { result } = await inOperation(client, request, work, recorded);
    return { result, code: codeOf(result), created: created() };
  };

  it('is not made again without confirmation: both charges could be paid', async () => {
    expect(await resumed({}, false)).toMatchObject({ code: 'outcome_unknown', created: 0 });
  });

  it('is made again when the user confirms', async () => {
    expect(await resumed({}, true)).toMatchObject({ code: 'unauthorized', created: 1 });
  });

  it('is made again without confirmation when the service refused the first charge', async () => {
    const gated = events.with(2, { step: 'failed', code: 'identity_gate', status: undefined, is_unknown: false });
    expect(await resumed({}, false, gated)).toMatchObject({ code: 'unauthorized', created: 1 });
  });

  it('is checked and shown when the payment has its Pix code', async () => {
    const { result, created } = await resumed({ fiat_tx: CHARGE }, false);
    expect([result, created]).toMatchObject([{ pix: { code: CODE } }, 0]);
  });

  it('is refused when the Pix code of the payment asks for another amount', async () => {
    const other = { ...CHARGE, pixCopiaECola: codeWith({ '54': '1000' }) };
    expect(await resumed({ fiat_tx: other }, false)).toMatchObject({ code: 'refused_by_review', created: 0 });
  });

  it('does not appear in the failure, because its Pix code is unchecked', async () => {
    const { client } = await service((_, response) => void response.socket?.destroy(), {
      transaction_type: 'pixcrypto',
      fiat_tx: CHARGE,
    });
    const { result } = await failureOfCharge(client, requestOf('pix'));
    expect(result.details.hint).toContain('with a transaction of type pixcrypto');
    expect(JSON.stringify(result.details)).not.toContain(CODE);
  });
});

describe('a Pix charge that was shown to its payer', () => {
  const DAY_MS = 24 * 60 * 60 * 1000;
  const eventsOf = (expiredMs: number): readonly OperationEvent[] => [
    { step: 'registered', payment_id: PAYMENT_ID },
    { step: 'creating', payment_id: PAYMENT_ID },
    { step: 'created', payment_id: PAYMENT_ID, crypto_tx: undefined },
    {
      ...{ step: 'payable', payment_id: PAYMENT_ID, code: codeWith(), txid: 'P0123', amount: '10.00' },
      expires_at: new Date(Date.now() - expiredMs).toISOString(),
    },
  ];
  const follow = async (charge: Charge) => ({ ...charge, payment: { ...PAID, status: 'registered' } });
  const resumed = async (expiredMs: number) => {
    const { client } = await service(envelope(401, 'unauthorized'));
    const work = (context: PrepareContext, before: OperationState) =>
      resuming(context, before, { intent: intentOf('pix') }, follow);
    const { result, state } = await inOperation(client, requestOf('pix'), work, eventsOf(expiredMs));
    const files = await client.io.files.list(journalFolder(client.io));
    return {
      code: codeOf(result),
      hasEnded: isTerminal(state),
      inputs: files.filter((name) => name.endsWith('.inputs')),
    };
  };

  it('leaves no stored inputs, which hold data of the payer, on the disk', async () => {
    expect((await resumed(-DAY_MS)).inputs).toEqual([]);
  });

  it('ends one day after its expiry, even if the service still shows it as registered', async () => {
    expect(await resumed(DAY_MS / 2)).toMatchObject({ code: 'none', hasEnded: false });
    expect(await resumed(2 * DAY_MS)).toMatchObject({ code: 'payment_failed', hasEnded: true });
  });
});
