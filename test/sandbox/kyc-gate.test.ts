import { expect, test } from 'vitest';
import { FIRST_TENANT } from '../../src/sandbox/assumptions.ts';
import { cardFields, create, FIAT_ORDER, PIX, withLedger } from './money.ts';
import { createTransaction, type Fields, newPayer, register, statusOf } from './payer.ts';
import { sandboxIo, startTestSandbox } from './sandbox.ts';

const AT = '2026-01-01T00:00:00.000Z';
const FINANCIAL = { ...FIAT_ORDER, executor_id: 'api_transaction' };
const WALLET = newPayer().address;

const KINDS: readonly (readonly [string, Fields])[] = [
  ['pixcrypto', PIX],
  ['fiatcrypto', { ...PIX, transaction_type: 'fiatcrypto' }],
  ['cardcrypto', cardFields({ card_token: 'tok_approved' })],
  ['cardfiat', cardFields({ card_token: 'tok_approved' }, { transaction_type: 'cardfiat' })],
];

/** A sandbox with three KYC users and three orders: active, inactive, and of another tenant. */
const start = async () => {
  const io = await sandboxIo();
  await (await startTestSandbox(io)).stop();
  await withLedger(io, async (ledger) => {
    const user = (id: string, email: string | null, wallet: string | null, status: string) => ({
      ...{ id, email, wallet, status, created_at: AT },
    });
    await ledger
      .insertInto('kyc_users')
      .values([
        user('user_1', 'approved@example.com', null, 'approved'),
        user('user_2', 'pending@example.com', null, 'pending'),
        user('user_3', null, WALLET, 'approved'),
      ])
      .execute();
    await ledger
      .insertInto('tenants')
      .values([
        { id: FIRST_TENANT, key_hash: 'not yet', created_at: AT },
        { id: 'tenant_2', key_hash: 'another', created_at: AT },
      ])
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const order = (id: string, tenant_id: string, active: number) => ({
      ...{ id, tenant_id, active, gateway_method: 'direct', on_ramp: 0, fields: '{}', created_at: AT, updated_at: AT },
    });
    await ledger
      .insertInto('orders')
      .values([
        order('order_on', FIRST_TENANT, 1),
        order('order_off', FIRST_TENANT, 0),
        order('of_other', 'tenant_2', 1),
      ])
      .execute();
  });
  return startTestSandbox(io);
};

test.each(KINDS)('%s of a financial payment requires every identity of the payer to be approved', async (_, fields) => {
  const sandbox = await start();
  const outcome = async (more: Fields) => {
    const { id, created } = await create(sandbox, { ...fields, ...more }, FINANCIAL);
    return [created.http, created.body.status, (await statusOf(sandbox, id)).transaction_type !== null];
  };
  expect(await outcome({ payer_email: 'nobody@example.com' })).toEqual([403, 'kyc_verification_required', false]);
  expect(await outcome({ payer_email: 'pending@example.com' })).toEqual([403, 'kyc_not_approved', false]);
  expect(await outcome({ payer_email: 'Approved@Example.com' })).toEqual([201, 'payment_registered', true]);
  const payer_wallet = WALLET;
  expect(await outcome({ payer_email: 'approved@example.com', payer_wallet })).toEqual([
    201,
    'payment_registered',
    true,
  ]);
  expect(await outcome({ payer_email: 'pending@example.com', payer_wallet })).toEqual([403, 'kyc_not_approved', false]);
  expect(await outcome({ payer_email: 'approved@example.com', payer_wallet: newPayer().address })).toEqual([
    403,
    'kyc_verification_required',
    false,
  ]);
});

test('returns validation_error for a wrong field before it requires KYC', async () => {
  const sandbox = await start();
  const { created } = await create(sandbox, { ...PIX, payer_cpf: '1' }, FINANCIAL);
  expect(created.body.status).toBe('validation_error');
});

test.each(KINDS)(
  '%s of a checkout needs no KYC, with an order_code or an order_transaction executor',
  async (_, fields) => {
    const sandbox = await start();
    const byOrder = await create(sandbox, fields, { ...FINANCIAL, order_code: 'order_on' });
    expect(byOrder.created.http).toBe(201);
    expect(await statusOf(sandbox, byOrder.id)).toMatchObject({
      executor_id: 'order_transaction',
      order_code: 'order_on',
    });
    expect((await create(sandbox, fields)).created.http).toBe(201);
  },
);

test('needs no KYC for a crypto payment of an unknown payer', async () => {
  const sandbox = await start();
  const order = { ...FINANCIAL, from_currency_symbol: 'USDT' };
  const { payment_id } = (await register(sandbox, order)).body.data;
  const payer = { payer_email: 'nobody@example.com', payer_wallet: newPayer().address };
  expect((await createTransaction(sandbox, { payment_id, ...payer })).http).toBe(201);
});

test.each(['order_off', 'of_other', 'unknown'])(
  'rejects order_code %s, which is no active order of the tenant',
  async (order_code) => {
    const sandbox = await start();
    const { http, body } = await register(sandbox, { ...FINANCIAL, order_code });
    expect([http, body.status, body.errors?.[0]?.field]).toEqual([400, 'validation_error', 'order_code']);
  },
);
