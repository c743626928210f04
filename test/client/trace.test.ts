import { expect, it } from 'vitest';
import { call } from '../../src/client/call.ts';
import { status } from '../../src/contract/kyc/status.ts';
import { transaction } from '../../src/contract/pay/transaction.ts';
import { secret } from '../../src/core/secret.ts';
import { systemHttp } from '../../src/io/http/http.ts';
import { CARD_ADDRESS } from '../support/card-address.ts';
import { testIo } from '../support/io.ts';
import { envelope, startServer } from '../support/server.ts';

const KEY = 'key-of-the-test';

it('--debug prints each request and response without secrets and personal data', async () => {
  const data = {
    payment_id: 'pay_1',
    session_payment: 'https://pay.example/?token=tok-123',
    note: `for payer@example.com, key ${KEY}`,
    signed_transaction: '0x02abcdef',
  };
  const { url } = await startServer(envelope(201, 'payment_registered', { data }));
  const { io } = await testIo({ io: { http: systemHttp(new AbortController().signal) } });
  const lines: string[] = [];
  const client = {
    io,
    service: { profile: 'test', kind: 'live', baseUrl: url, apiKey: secret(KEY) },
    deadline: io.clock.monotonic() + 5000,
    trace: (line: string) => void lines.push(line),
  } as const;
  await call(client, transaction, {
    payment_id: 'pay_1',
    transaction_type: 'cardfiat',
    payer_email: 'payer@example.com',
    payer_name: 'Ana Payer',
    payer_document: '52998224725',
    payer_document_type: 'CPF',
    payer_ip: '203.0.113.7',
    session_id: 'fraud-1',
    card_data: {
      installments: 1,
      statement_descriptor: 'SHOP',
      card_token: 'tok-card-9',
      address: CARD_ADDRESS,
    },
  });
  await call(client, status, { email: 'payer@example.com' });
  const trace = lines.join('\n');
  expect(trace).toContain('POST');
  expect(trace).toContain('cardfiat');
  expect(trace).toContain('HTTP 201');
  for (const hidden of [
    KEY,
    'payer@',
    'payer%40',
    'Ana',
    '52998224725',
    '203.0.113.7',
    'fraud-1',
    'tok-',
    '0x02ab',
    'Rua A',
  ]) {
    expect(trace).not.toContain(hidden);
  }
});
