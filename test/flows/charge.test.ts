import { describe, expect, it } from 'vitest';
import { register } from '../../src/contract/pay/register.ts';
import { resumeCharge } from '../../src/flows/charge/resume.ts';
import { beginCharge, type ChargeRequest } from '../../src/flows/charge/run.ts';
import type { Preparing } from '../../src/flows/pay/prepare.ts';
import type { ChargeIntent, Entry } from '../../src/journal/entry.ts';
import { withMovement } from '../../src/journal/movement.ts';
import { readMovement } from '../../src/journal/read.ts';
import { cardSent, isOver, type MovementState, stateOf } from '../../src/journal/state.ts';
import { failureIn, patientClient } from '../client/client.ts';
import { envelope, type Responder, startServer } from '../support/server.ts';

const PAYMENT_ID = 'pay_1';

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
    card_data: { installments: 1, statement_descriptor: 'SHOP', card: { number: '4111' }, address: ADDRESS },
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

/** A service whose payment is created as `create` says, and shows `shown` when it is read. */
const service = async (create: Responder, shown: object = {}) => {
  let created = 0;
  const found = { id: PAYMENT_ID, status: 'registered', ...shown };
  const { url } = await startServer((one, response) => {
    if (one.path.endsWith('create-order')) {
      return envelope(200, 'payment_registered', { data: { payment_id: PAYMENT_ID } })(one, response);
    }
    if (one.method === 'GET') return envelope(200, 'payment_found', { data: found })(one, response);
    created += 1;
    return create(one, response);
  });
  const { client } = await patientClient(url, 60_000);
  return { client, created: () => created };
};

type Client = Preparing['client'];

/** Does some work in a movement of the journal, and says what that holds afterwards. */
const inMovement = async <T>(
  client: Client,
  request: ChargeRequest,
  work: (context: Preparing, before: MovementState) => Promise<T>,
  entries: readonly Entry[] = [],
): Promise<{ readonly result: T; readonly state: MovementState }> => {
  const { intent, register: first, transaction } = request;
  const inputs = { register: first, transaction };
  const beginning = { profile: 'test', kind: 'live', baseUrl: client.service.baseUrl, intent, inputs } as const;
  return withMovement(client.io, beginning, async (movement) => {
    for (const entry of entries) await movement.record(entry);
    const now = async () => {
      const recorded = await readMovement(client.io, movement.id);
      if (!recorded) throw new Error('the movement is gone');
      return stateOf(recorded);
    };
    const result = await work({ client, movement, identify: undefined, on: async () => undefined }, await now());
    return { result, state: await now() };
  });
};

const failsToFollow = async (): Promise<never> => {
  throw new Error('the test did not expect it to be followed');
};

const begun = (client: Client, request: ChargeRequest) =>
  inMovement(client, request, (context) => failureIn(beginCharge(context, request)));

describe('a card whose sending ends with a limit', () => {
  it('in words of a gateway may have been charged: exit 11, in doubt, and not said to be unpaid', async () => {
    const { client, created } = await service(envelope(429, 'too_many_requests'));
    const { result, state } = await begun(client, requestOf('card'));
    expect([result.code, cardSent(state), created()]).toEqual(['outcome_unknown', 'maybe', 1]);
    expect(result.details.hint).not.toContain('nothing was paid');
  });

  it('in words of the service was not charged', async () => {
    const { client } = await service(envelope(401, 'unauthorized'));
    const { result, state } = await begun(client, requestOf('card'));
    expect([result.code, cardSent(state)]).toEqual(['unauthorized', 'no']);
  });
});

describe('a card in doubt that a person sends again', () => {
  const doubtful: readonly Entry[] = [
    { step: 'registered', payment_id: PAYMENT_ID },
    { step: 'creating', payment_id: PAYMENT_ID },
    { step: 'failed', code: 'outcome_unknown', status: undefined, is_unknown: true },
  ];
  const resuming = (context: Preparing, state: MovementState, inputs: object) =>
    failureIn(
      resumeCharge(
        context,
        {
          ...{ state, intent: intentOf('card'), inputs },
          ...{ askCard: async () => PAYERS.card, vouches: async () => true },
        },
        failsToFollow,
      ),
    );

  it('stays in doubt when that is certainly refused: --yes must not send a third', async () => {
    const { client, created } = await service(envelope(401, 'unauthorized'));
    const request = requestOf('card');
    const work = async (context: Preparing, before: MovementState) =>
      resuming(context, before, { transaction: request.transaction });
    const { result, state } = await inMovement(client, request, work, doubtful);
    expect([result.code, created(), cardSent(state), isOver(state)]).toEqual(['unauthorized', 1, 'maybe', false]);
  });

  it('stays in doubt when its other fields are not kept any more', async () => {
    const { client, created } = await service(envelope(401, 'unauthorized'));
    const killed = doubtful.slice(0, 2);
    const { result, state } = await inMovement(client, requestOf('card'), (context, before) => resuming(context, before, {}), killed);
    expect([result.code, created(), cardSent(state), isOver(state)]).toEqual(['invalid_input', 0, 'maybe', false]);
  });
});
