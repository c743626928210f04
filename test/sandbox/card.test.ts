import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { transaction as transactionEndpoint } from '../../src/contract/pay/transaction.ts';
import { cardFields, create, FIAT_ORDER, whenStatus } from './money.ts';
import { balancesOf, type Fields, ON_SOLANA, RECEIVERS, register, statusOf } from './payer.ts';
import { sandboxIo, startEphemeral, startTestSandbox, type TestSandbox } from './sandbox.ts';

const decideCard = (sandbox: TestSandbox, payment_id: string, outcome: string) =>
  sandbox.control('POST', 'card', { payment_id, outcome });

const NUMBER = '4539 1488 0343 6467';
const CARD = {
  number: NUMBER,
  holder_name: 'ANA SOUZA',
  holder_document: '52998224725',
  exp_month: 12,
  exp_year: 2031,
  cvv: '739',
  brand: 'visa',
};

test('pays the receivers on the chain by the split when a card is approved', async () => {
  const sandbox = await startEphemeral();
  const { id, created } = await create(sandbox, cardFields({ card_token: 'tok_approved' }));
  expect([created.http, created.body.status]).toEqual([201, 'payment_registered']);
  expect(transactionEndpoint.success.payment_registered.data.safeParse(created.body.data).success).toBe(true);
  expect(created.body.data.fiat_tx).toMatchObject({ status: 'paid', charges: [{ status: 'paid' }] });
  expect(created.body.data.crypto_tx).toEqual(expect.any(String));
  const payment = await whenStatus(sandbox, id, 'success');
  expect(payment).toMatchObject({ transaction_type: 'cardcrypto', tid_hash: expect.stringMatching(/^0x/) });
  expect(payment.global_payment_data).toEqual({
    status: 'paid',
    amount: '100',
    currency: 'BRL',
    charges: [
      {
        status: 'paid',
        payment_method: 'credit_card',
        last_transaction: {
          status: 'captured',
          success: true,
          gateway_response: { code: '200', errors: [] },
        },
      },
    ],
  });
  expect((await balancesOf(sandbox, RECEIVERS[0])).USDT).toBe('13.333334');
});

test('ends an approved cardfiat payment in success at once, without a transaction on a chain', async () => {
  const sandbox = await startEphemeral();
  const fields = cardFields({ card_token: 'tok_approved' }, { transaction_type: 'cardfiat' });
  const { id } = await create(sandbox, fields, { ...FIAT_ORDER, ...ON_SOLANA, to_currency_symbol: 'BRL' });
  expect(await statusOf(sandbox, id)).toMatchObject({
    status: 'success',
    tid_hash: null,
    chain_name: '',
    global_payment_data: { status: 'paid' },
  });
});

test.each([
  ['tok_refused', '1000'],
  ['tok_insufficient_funds', '1016'],
  ['tok_expired', '1001'],
])(
  'ends the payment in error with the gateway code when the card is refused: %s, code %s',
  async (card_token, code) => {
    const sandbox = await startEphemeral();
    const { id, created } = await create(sandbox, cardFields({ card_token }));
    const refused = {
      status: 'failed',
      success: false,
      gateway_response: { code, errors: [{ message: expect.any(String) }] },
    };
    const expected = { ...refused, status: 'not_authorized' };
    expect(created.body.data.fiat_tx.charges[0].last_transaction).toEqual(expected);
    const payment = await statusOf(sandbox, id);
    expect(payment).toMatchObject({
      status: 'error',
      data_error: { code: 402, status: 'card_refused' },
      tid_hash: null,
    });
    expect(payment.global_payment_data.charges[0]).toMatchObject({ status: 'failed', last_transaction: expected });
  },
);

test('keeps a payment with tok_pending registered until the card is approved or refused', async () => {
  const sandbox = await startEphemeral();
  const fields = cardFields({ card_token: 'tok_pending' });
  const [one, other] = [await create(sandbox, fields), await create(sandbox, fields)];
  expect(await statusOf(sandbox, one.id)).toMatchObject({
    status: 'registered',
    global_payment_data: { status: 'pending' },
  });
  expect((await decideCard(sandbox, one.id, 'approve')).http).toBe(200);
  expect((await whenStatus(sandbox, one.id, 'success')).global_payment_data.status).toBe('paid');
  expect((await decideCard(sandbox, other.id, 'refuse')).body.data).toEqual({ payment_id: other.id, status: 'error' });
  expect((await decideCard(sandbox, other.id, 'approve')).body.status).toBe('invalid_payment_status');
  expect((await decideCard(sandbox, 'pay_unknown', 'approve')).body.status).toBe('payment_not_found');
  expect((await decideCard(sandbox, one.id, 'charge')).http).toBe(400);
});

test('approves or refuses raw card data by the card number, whatever its keys', async () => {
  const sandbox = await startEphemeral();
  const good = await create(sandbox, cardFields({ card: CARD }));
  expect((await whenStatus(sandbox, good.id, 'success')).status).toBe('success');
  const bad = await create(sandbox, cardFields({ card: { pan: '4000-0000-0000-0002' } }));
  expect((await statusOf(sandbox, bad.id)).status).toBe('error');
});

test('writes no card number, security code, holder or document to files or answers', async () => {
  const io = await sandboxIo();
  const sandbox = await startTestSandbox(io);
  const { id, created } = await create(sandbox, cardFields({ card: CARD }));
  await create(sandbox, cardFields({ card: { ...CARD, number: '4000000000000002' } }));
  await create(sandbox, cardFields({ card: { ...CARD, exp_month: { deep: 1 } }, installments: 2 }));
  await sandbox.control('POST', 'fault', { endpoint: 'pay.transaction', kind: 'validation_error' });
  await create(sandbox, cardFields({ card: CARD }));
  const payment = await whenStatus(sandbox, id, 'success');
  await sandbox.stop();
  const folder = io.places.sandbox;
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
  const files = await Promise.all(names.map((one) => readFile(join(one.parentPath, one.name), 'latin1')));
  expect(names.length).toBeGreaterThan(2);
  const writtenText = [...files, JSON.stringify(payment), JSON.stringify(created.body)].join('\n');
  expect(writtenText).toContain(id);
  for (const secret of [
    NUMBER,
    NUMBER.replaceAll(' ', ''),
    '4000000000000002',
    'ANA SOUZA',
    'Ana Souza',
    '529.982',
    '52998224725',
    '"739"',
  ]) {
    expect([secret, writtenText.includes(secret)]).toEqual([secret, false]);
  }
});

test('approves a card token that is no test token', async () => {
  const sandbox = await startEphemeral();
  for (const card_token of ['tok_any', 'constructor']) {
    const { created } = await create(sandbox, cardFields({ card_token }));
    expect([created.http, created.body.data.fiat_tx.status]).toEqual([201, 'paid']);
  }
});

test('names each wrong card field, and stores nothing', async () => {
  const sandbox = await startEphemeral();
  const { payment_id } = (await register(sandbox, FIAT_ORDER)).body.data;
  const token = { card_token: 'tok_approved' };
  const cases: readonly (readonly [Fields, readonly string[]])[] = [
    [cardFields({ ...token, installments: 2 }), ['card_data.installments']],
    [cardFields({ ...token, statement_descriptor: '' }), ['card_data.statement_descriptor']],
    [cardFields({}), ['card_data.card_token']],
    [cardFields({ ...token, card: CARD }), ['card_data.card_token']],
    [cardFields({ ...token, address: { country: 'BR' } }), ['card_data.address.state']],
    [cardFields(token, { payer_ip: undefined, session_id: undefined }), ['payer_ip', 'session_id']],
    [cardFields(token, { payer_document: '' }), ['payer_document']],
    [cardFields(token, { payer_phone: '5511999999999' }), ['payer_phone']],
    [
      cardFields(token, { payer_phone: { country_code: '55', number: 9 } }),
      ['payer_phone.area_code', 'payer_phone.number'],
    ],
    [cardFields(token, { payer_document_type: 'RG' }), ['payer_document_type']],
    [cardFields(token, { payer_name: undefined, card_data: undefined }), ['payer_name', 'card_data']],
  ];
  for (const [fields, wrong] of cases) {
    const body = { payment_id, payer_email: 'payer@example.com', ...fields };
    const answer = await sandbox.post('/payment/register/intents-create-transaction', body);
    const fieldNames = answer.body.errors?.map(({ field }) => field).slice(0, wrong.length);
    expect([answer.http, answer.body.status, fieldNames]).toEqual([400, 'validation_error', wrong]);
  }
  const zip = await create(
    sandbox,
    cardFields({
      ...token,
      address: { ...(cardFields({})['card_data'] as { address: Fields }).address, zipcode: '01-0' },
    }),
  );
  expect(zip.created.body.errors?.[0]?.field).toBe('card_data.address.zipcode');
  expect(await statusOf(sandbox, payment_id)).toMatchObject({ status: 'registered', transaction_type: null });
});

test.each([
  ['a CPF with a wrong check digit', { payer_document: '52998224724' }],
  ['the number of a CPF as a CNPJ', { payer_document_type: 'CNPJ' }],
  ['no phone', { payer_phone: undefined }],
])('accepts a card of a payer with %s', async (_, more) => {
  const sandbox = await startEphemeral();
  const { created } = await create(sandbox, cardFields({ card_token: 'tok_approved' }, more));
  expect([created.http, created.body.status]).toEqual([201, 'payment_registered']);
});

test.each([
  ['with', {}],
  ['without', { payer_ip: undefined, session_id: undefined }],
])('accepts a raw card %s payer_ip and session_id', async (_, more) => {
  const sandbox = await startEphemeral();
  expect((await create(sandbox, cardFields({ card: CARD }, more))).created.http).toBe(201);
});

test('accepts any text as a passport number, and rejects cardcrypto to a chain without payouts', async () => {
  const sandbox = await startEphemeral();
  const passport = cardFields(
    { card_token: 'tok_approved' },
    { payer_document_type: 'PASSPORT', payer_document: 'YA1' },
  );
  expect((await create(sandbox, passport)).created.http).toBe(201);
  const { created } = await create(sandbox, passport, { ...FIAT_ORDER, ...ON_SOLANA });
  expect(created.body.errors?.[0]?.field).toBe('to_chain');
});
