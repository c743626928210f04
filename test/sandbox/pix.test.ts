import jsqr from 'jsqr';
import { expect, test } from 'vitest';
import { decidePix, readPix } from '../../src/contract/control/charges.ts';
import { transaction as transactionEndpoint } from '../../src/contract/pay/transaction.ts';
import { settlePix } from '../../src/sandbox/charges/pix.ts';
import { control as controlClient } from '../../src/sandbox/control-client.ts';
import { anyPayment, findCharge } from '../../src/sandbox/ledger/charges.ts';
import type { Ledger } from '../../src/sandbox/ledger/ledger.ts';
import { openServices } from '../../src/sandbox/services.ts';
import { readPng } from '../support/png.ts';
import { create, FIAT_ORDER, ioWithMovableClock, PIX, whenStatus, withLedger } from './money.ts';
import {
  balancesOf,
  createTransaction,
  execute,
  type Fields,
  newPayer,
  ON_SOLANA,
  RECEIVERS,
  register,
  statusOf,
} from './payer.ts';
import { sandboxIo, startEphemeral, startTestSandbox, type TestSandbox } from './sandbox.ts';

const decide = (sandbox: TestSandbox, payment_id: string, outcome: string) =>
  sandbox.control('POST', 'pix', { payment_id, outcome });

/** The fields of a BR Code by their ids, as its manual defines them; nested fields stay text. */
const readFields = (text: string): Readonly<Record<string, string>> => {
  const fields: Record<string, string> = {};
  for (let at = 0; at < text.length; ) {
    const length = Number(text.slice(at + 2, at + 4));
    fields[text.slice(at, at + 2)] = text.slice(at + 4, at + 4 + length);
    at += 4 + length;
  }
  return fields;
};

/** CRC-16/CCITT-FALSE, bit by bit: another algorithm than that of the sandbox. */
const crcOf = (text: string): string => {
  let crc = 0xffff;
  for (const char of text) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      const carry = ((crc >> 15) & 1) ^ ((char.charCodeAt(0) >> bit) & 1);
      crc = ((crc << 1) & 0xffff) ^ (carry ? 0x1021 : 0);
    }
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
};

test('crcOf of this test returns the standard check value of CRC-16/CCITT-FALSE', () => {
  expect(crcOf('123456789')).toBe('29B1');
});

test('creates a BR Code with the amount, a QR code that scans as the same text, and an hour to pay', async () => {
  const sandbox = await startEphemeral();
  const { id, created } = await create(sandbox, PIX);
  expect([created.http, created.body.status]).toEqual([201, 'payment_registered']);
  expect(transactionEndpoint.success.payment_registered.data.safeParse(created.body.data).success).toBe(true);
  const { fiat_tx, crypto_tx } = created.body.data;
  expect(crypto_tx).toEqual(expect.any(String));
  const code: string = fiat_tx.pixCopiaECola;
  const fields = readFields(code);
  expect(fields).toMatchObject({ '00': '01', '52': '0000', '53': '986', '54': '100.00', '58': 'BR' });
  expect(readFields(fields['26'] ?? '')).toEqual({ '00': 'br.gov.bcb.pix', '01': fiat_tx.pix_key });
  expect(readFields(fields['62'] ?? '')).toEqual({ '05': fiat_tx.txid });
  expect(fields['63']).toBe(crcOf(code.slice(0, -4)));
  const { data, width, height } = readPng(Buffer.from(fiat_tx.pix_qr_code_data_url.split(',')[1], 'base64'));
  expect(jsqr.default(data, width, height)?.data).toBe(code);
  expect(fiat_tx.calendar.expiracao).toBe(3600);
  expect(await statusOf(sandbox, id)).toMatchObject({
    status: 'registered',
    transaction_type: 'pixcrypto',
    payer_cpf: '***.982.247-**',
    payer_wallet: '',
    unsigned_tx: null,
    global_payment_data: { status: 'pending' },
  });
});

test.each(['pixcrypto', 'fiatcrypto'])(
  'pays the receivers of a paid %s on the chain by the split, once',
  async (type) => {
    const sandbox = await startEphemeral();
    const { id } = await create(sandbox, { ...PIX, transaction_type: type });
    const paid = await decide(sandbox, id, 'pay');
    expect([paid.http, paid.body.data]).toEqual([200, { payment_id: id, status: expect.any(String) }]);
    const payment = await whenStatus(sandbox, id, 'success');
    expect(payment.global_payment_data).toEqual({
      status: 'paid',
      confirmed_at: expect.stringMatching(/^\d{4}-/),
      crypto_payment_details: {
        chain_name: 'polygon',
        amount_usdt: '19.047619',
        receiver_wallet: RECEIVERS[0],
        transaction_hash: payment.tid_hash,
      },
    });
    expect((await balancesOf(sandbox, RECEIVERS[0])).USDT).toBe('13.333334');
    expect((await balancesOf(sandbox, RECEIVERS[1])).USDT).toBe('5.714285');
    expect((await decide(sandbox, id, 'pay')).body.status).toBe('invalid_payment_status');
  },
);

test('ends the payment in error with pix_refused when the bank refuses the Pix', async () => {
  const sandbox = await startEphemeral();
  const { id } = await create(sandbox, PIX);
  expect((await decide(sandbox, id, 'refuse')).body.data).toEqual({ payment_id: id, status: 'error' });
  expect(await statusOf(sandbox, id)).toMatchObject({
    status: 'error',
    data_error: { code: 402, status: 'pix_refused', details: { payment_id: id } },
    global_payment_data: { status: 'refused' },
  });
});

test('ends the payment in error with pix_expired after an hour, and then refuses to pay it', async () => {
  const { io, move } = await ioWithMovableClock();
  const sandbox = await startTestSandbox(io, { ephemeral: true });
  const { id } = await create(sandbox, PIX);
  move(3_599_000);
  await io.clock.sleep(600);
  expect((await statusOf(sandbox, id)).status).toBe('registered');
  move(2_000);
  const latePay = await decide(sandbox, id, 'pay');
  expect([latePay.http, ['pix_expired', 'invalid_payment_status'].includes(latePay.body.status)]).toEqual([409, true]);
  expect((await statusOf(sandbox, id)).data_error).toMatchObject({ status: 'pix_expired' });
  const other = await create(sandbox, PIX);
  move(3_601_000);
  await whenStatus(sandbox, other.id, 'error');
});

test('replaces a Pix charge by a crypto transaction, and that by a new Pix charge', async () => {
  const sandbox = await startEphemeral();
  const { id } = await create(sandbox, PIX, { ...FIAT_ORDER, from_currency_symbol: 'USDT', amount_from: '20' });
  const again = await createTransaction(sandbox, { payment_id: id, payer_wallet: newPayer().address });
  expect(again.http).toBe(201);
  expect((await decide(sandbox, id, 'pay')).body.status).toBe('invalid_payment_status');
  expect(await statusOf(sandbox, id)).toMatchObject({ transaction_type: 'crypto', payer_cpf: null });
  const none = { chain_name: undefined, payer_token_symbol: undefined };
  const back = await createTransaction(sandbox, { payment_id: id, ...none, ...PIX });
  expect(back.body.data.fiat_tx.pixCopiaECola).toContain('54'.concat('06', '105.00'));
  expect((await execute(sandbox, id, '0x02')).body.status).toBe('missing_unsigned_transaction');
});

test.each([
  ['529.982.247-25', 201],
  ['52998224725', 201],
  ['11.222.333/0001-81', 201],
  ['12.ABC.345/01DE-35', 201],
  ['12abc34501de35', 201],
  ['529.982.247-24', 400],
  ['111.111.111-11', 400],
  ['11.222.333/0001-82', 400],
  ['12.ABC.345/01DE-36', 400],
  ['5299822472', 400],
  ['x'.repeat(14), 400],
])('checks the check digits of payer_cpf %s: HTTP %i', async (payer_cpf, http) => {
  const sandbox = await startEphemeral();
  const { id, created } = await create(sandbox, { ...PIX, payer_cpf });
  expect(created.http).toBe(http);
  if (http === 400) {
    expect([created.body.status, created.body.errors?.[0]?.field]).toEqual(['validation_error', 'payer_cpf']);
    return;
  }
  expect((await statusOf(sandbox, id)).payer_cpf).toMatch(/^\*\*\*?\.\w{3}\.\w{3}(?:-\*\*|\/\w{4}-\*\*)$/);
});

test('stores a CPF only masked in the ledger', async () => {
  const io = await sandboxIo();
  const sandbox = await startTestSandbox(io);
  await create(sandbox, PIX);
  await sandbox.stop();
  const rows = await withLedger(io, (ledger) => ledger.selectFrom('payments').selectAll().execute());
  expect(JSON.stringify(rows)).not.toMatch(/529\.?982/);
});

test('rejects a Pix whose receivers could not be paid, before it is paid', async () => {
  const sandbox = await startEphemeral();
  const refusalOf = async (order: Fields, fields: Fields = PIX) => {
    const { created } = await create(sandbox, fields, { ...FIAT_ORDER, ...order });
    return [created.http, created.body.status, created.body.errors?.map(({ field }) => field)];
  };
  const wrong = (field: string) => [400, 'validation_error', [field]];
  expect(await refusalOf(ON_SOLANA)).toEqual(wrong('to_chain'));
  expect(await refusalOf({ to_currency_symbol: 'BRL' })).toEqual(wrong('to_currency_symbol'));
  expect(await refusalOf({ amount_from: '99999999999' })).toEqual(wrong('amount_from'));
  expect(await refusalOf({ payment_method_allowed: { crypto: true } })).toEqual(wrong('transaction_type'));
});

test('reads and decides a Pix in the control, and rejects a payment without Pix and an unknown outcome', async () => {
  const sandbox = await startEphemeral();
  const client = controlClient(sandbox.io, sandbox.address);
  expect((await decide(sandbox, 'pay_unknown', 'pay')).body.status).toBe('payment_not_found');
  const { payment_id } = (await register(sandbox, FIAT_ORDER)).body.data;
  expect((await decide(sandbox, payment_id, 'pay')).body.status).toBe('invalid_payment_status');
  expect((await decide(sandbox, payment_id, 'steal')).http).toBe(400);
  expect((await sandbox.control('GET', `pix?payment_id=${payment_id}`)).body.status).toBe('pix_not_found');
  const { id, created } = await create(sandbox, PIX);
  expect(await client(readPix, { payment_id: id })).toMatchObject({
    code: created.body.data.fiat_tx.pixCopiaECola,
    amount: '100.00',
  });
  expect(await client(decidePix, { payment_id: id, outcome: 'expire' })).toEqual({ payment_id: id, status: 'error' });
});

test('does not apply a decision about a replaced charge to the new charge of the payment', async () => {
  const io = await sandboxIo();
  const before = await startTestSandbox(io);
  const { id } = await create(before, PIX);
  await before.stop();
  const read = (ledger: Ledger) => Promise.all([anyPayment(ledger, id), findCharge(ledger, id)]);
  const [row, charge] = await withLedger(io, read);
  if (!row || !charge) throw new Error('the ledger has no payment or no charge');
  const again = await startTestSandbox(io);
  await createTransaction(again, { ...PIX, payment_id: id });
  await again.stop();
  const { services, close } = await openServices(io, {
    ephemeral: false,
    apiKey: 'x',
    url: () => '',
    onRequest: () => {},
  });
  for (const outcome of ['pay', 'expire'] as const) expect(await settlePix(services, row, charge, outcome)).toBe(false);
  const [payment, newCharge] = await read(await services.ledger());
  expect([payment?.status, newCharge?.details === charge.details]).toEqual(['registered', false]);
  await close();
});
