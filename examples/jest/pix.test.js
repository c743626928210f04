const { createClient } = require('bursar/client');
const { startSandbox } = require('bursar/sandbox');

const PAYER = 'payer@example.com';

let sandbox;
let client;

beforeAll(async () => {
  sandbox = await startSandbox();
  client = createClient({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
}, 30_000);

afterAll(() => sandbox?.stop());

const register = () =>
  client.pay.register({
    executor_id: 'api_transaction',
    tenant_data: { public_client_id: `client_${'0'.repeat(32)}`, webhook_url: 'https://shop.example/webhook' },
    payment_method_allowed: { pixcrypto: true },
    split_payment_config: [{ receiver_wallet: '0x1111111111111111111111111111111111111111', receiver_percent: 100 }],
    gateway_method: 'direct',
    from_currency_symbol: 'BRL',
    amount_from: '49.90',
    to_currency_symbol: 'USDT',
    to_chain: 'polygon',
    on_ramp: false,
  });

const createPix = (payment_id) =>
  client.pay.transaction({
    payment_id,
    transaction_type: 'pixcrypto',
    payer_email: PAYER,
    payer_cpf: '52998224725',
    payer_name: 'Ana Souza',
  });

/** Reads a payment until it has a status. */
const whenStatus = async (id, status) => {
  for (;;) {
    const payment = await client.pay.status({ id });
    if (payment.ok && payment.data.status === status) return payment.data;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

test('a Pix needs a verified payer, and is paid by the bank of the sandbox', async () => {
  const registered = await register();
  const { payment_id } = registered.data;
  const refused = await createPix(payment_id);
  expect(refused.error.status).toBe('kyc_verification_required');

  await client.kyc.prepare({ email: PAYER });
  await sandbox.kyc({ email: PAYER, decision: 'approve' });

  const created = await createPix(payment_id);
  expect(created.data.fiat_tx.pixCopiaECola).toContain('br.gov.bcb.pix');
  await sandbox.pix({ payment_id, outcome: 'pay' });
  const paid = await whenStatus(payment_id, 'success');
  expect(paid.tid_hash).toMatch(/^0x/);
}, 30_000);
