import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CARD_ADDRESS } from '../support/card-address.ts';
import { type Journey, PAYMENT, startJourney } from '../support/journey.ts';
import { raw, startServer } from '../support/server.ts';

let journey: Journey;

const ORDER = {
  ...PAYMENT,
  executor_id: 'order_transaction',
  payment_method_allowed: { ...PAYMENT.payment_method_allowed, pixcrypto: true, cardcrypto: true },
  from_currency_symbol: 'BRL',
  amount_from: '100',
};

beforeAll(async () => {
  journey = await startJourney();
});

afterAll(() => journey.end());

const register = async (order: object): Promise<string> => {
  const { data } = await journey.json(['pay', 'register', '--body', '-'], { stdin: JSON.stringify(order) });
  return String(data['payment_id']);
};

const byPix = async (order: object = ORDER): Promise<string> => {
  const id = await register(order);
  const payer = ['--payer-email', 'a@example.com', '--payer-cpf', '52998224725'];
  expect((await journey.json(['pay', 'transaction', id, '--transaction-type', 'pixcrypto', ...payer])).code).toBe(0);
  return id;
};

const statusAtTheEnd = (id: string) => journey.json(['pay', 'status', id, '--wait', '--timeout', '20']);

it('a Pix is shown and paid once; its webhooks are listed, shown and sent again', async () => {
  const { url, received } = await startServer(raw(200, ''));
  const id = await byPix({ ...ORDER, tenant_data: { ...ORDER.tenant_data, webhook_url: url } });
  expect((await journey.json(['sandbox', 'pix', id])).data).toMatchObject({ payment_id: id, amount: '100.00' });
  for (const act of [['pix'], ['pix', '--pay'], ['card', '--approve']]) {
    const { code, stderr } = await journey.bursar(['sandbox', ...act, 'pay_nope']);
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /this sandbox has no payment pay_nope that waits for a (?:Pix|card)\nhint: .*\nnext: bursar /,
    );
  }
  expect((await journey.json(['sandbox', 'pix', id, '--pay'])).code).toBe(0);
  const { code, data } = await statusAtTheEnd(id);
  expect([code, data['status']]).toEqual([0, 'success']);
  expect((await journey.json(['sandbox', 'pix', id, '--pay'])).code).toBe(9);
  while (received.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
  const { data: events } = await journey.json(['sandbox', 'events', id]);
  const list = events as unknown as readonly { readonly id: number; readonly payment_status: string }[];
  expect(list.map(({ payment_status }) => payment_status)).toEqual(['success', 'processing']);
  const webhook = String(list[0]?.id);
  expect((await journey.json(['sandbox', 'events', '--resend', webhook])).data).toMatchObject({
    ...{ state: 'delivered', attempts: 2, last_http: 200 },
  });
  expect(received).toHaveLength(3);
  const shown = (await journey.json(['sandbox', 'events', '--show', webhook])).data;
  expect(shown).toMatchObject({ state: 'delivered', deliveries: [{ http: 200 }, { http: 200 }] });
  expect(shown['body']).toEqual(JSON.parse(received[2]?.body ?? ''));
  expect((await journey.json(['sandbox', 'events', '--resend', 'x'])).code).toBe(2);
});

it('a Pix that the bank refuses ends in error: exit 12', async () => {
  const id = await byPix();
  expect((await journey.json(['sandbox', 'pix', id, '--refuse'])).data).toEqual({ payment_id: id, status: 'error' });
  expect((await statusAtTheEnd(id)).code).toBe(12);
  expect((await journey.json(['sandbox', 'pix', id, '--pay', '--expire'])).code).toBe(2);
});

it('a pending card is approved, and its payment succeeds', async () => {
  const id = await register(ORDER);
  const body = {
    transaction_type: 'cardcrypto',
    payer_email: 'a@example.com',
    payer_name: 'Ana Souza',
    payer_document: '52998224725',
    payer_document_type: 'CPF',
    payer_ip: '203.0.113.7',
    session_id: 'session_1',
    card_data: { installments: 1, statement_descriptor: 'SHOP', card_token: 'tok_pending', address: CARD_ADDRESS },
  };
  const file = join(journey.home, 'card.json');
  await writeFile(file, JSON.stringify(body));
  expect((await journey.json(['pay', 'transaction', id, '--body', file])).code).toBe(0);
  expect((await journey.json(['sandbox', 'card', id])).code).toBe(2);
  expect((await journey.json(['sandbox', 'card', id, '--approve'])).code).toBe(0);
  expect((await statusAtTheEnd(id)).code).toBe(0);
});

it('a fault applies to the next call of its endpoint; the command shows and clears faults', async () => {
  const quote = ['quote', 'ETH', 'USDT'];
  expect((await journey.json(['sandbox', 'fault', 'quote.market', 'pair_not_found'])).data).toEqual([
    { endpoint: 'quote.market', kind: 'pair_not_found', count: 1 },
  ]);
  expect((await journey.json(quote)).code).toBe(3);
  expect((await journey.json(quote)).code).toBe(0);
  await journey.json(['sandbox', 'fault', 'quote.market', 'html', '--count', '5']);
  expect((await journey.json(['sandbox', 'fault', '--clear'])).data).toEqual([]);
  expect((await journey.json(quote)).code).toBe(0);
  expect((await journey.json(['sandbox', 'fault', 'quote.market'])).code).toBe(2);
  expect((await journey.json(['sandbox', 'fault', 'quote.market', 'order_not_found'])).code).toBe(2);
});
