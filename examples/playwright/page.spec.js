import { test as base, expect } from '@playwright/test';
import { createClient } from 'bursar/client';
import { startSandbox } from 'bursar/sandbox';

/** Each worker has a sandbox of its own. */
const test = base.extend({
  sandbox: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the first argument
    async ({}, use) => {
      const sandbox = await startSandbox();
      await use(sandbox);
      await sandbox.stop();
    },
    { scope: 'worker' },
  ],
});

const PAYER = 'payer@example.com';

test('the payer pays a Pix on the payment page', async ({ sandbox, page, request }) => {
  const client = createClient({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
  await client.kyc.prepare({ email: PAYER });
  await sandbox.kyc({ email: PAYER, decision: 'approve' });
  const registered = await client.pay.register({
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
  const { payment_id } = registered.data;
  const created = await client.pay.transaction({
    payment_id,
    transaction_type: 'pixcrypto',
    payer_email: PAYER,
    payer_cpf: '52998224725',
    payer_name: 'Ana Souza',
  });

  await page.goto(created.data.session_payment);
  await expect(page.getByText('Waiting for the Pix')).toBeVisible();
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await expect(page.getByText('The receivers were paid on polygon.')).toBeVisible();

  // The API, without the client.
  const status = await request.get(`${sandbox.url}/payment/${payment_id}/status`, {
    headers: { 'x-api-key': sandbox.apiKey },
  });
  expect((await status.json()).data.status).toBe('success');
});
