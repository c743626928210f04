import { Connection } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { raw, startServer } from '../support/server.ts';
import { codeFor, evmOwner, openSession, proveEmail } from './identity.ts';
import { create, PIX, until, whenStatus } from './money.ts';
import { execute, fund, newPayer, prepare } from './payer.ts';
import { startEphemeral, type TestSandbox } from './sandbox.ts';
import { broadcast, deposit, newWallet, positionOf, sendOff, sign } from './yield/wallet.ts';

const move = async ({ control }: TestSandbox, advance: string): Promise<void> => {
  expect((await control('POST', 'clock', { advance })).http).toBe(200);
};

const EMAIL = 'payer@example.com';

test('expires e-mail codes and wallet challenges when the clock is advanced', async () => {
  const sandbox = await startEphemeral();
  await sandbox.post('/kyc/prepare', { email: EMAIL });
  await sandbox.post('/security/email/send-otp', { email: EMAIL });
  const code = await codeFor(sandbox, EMAIL);
  const { wallet, sign: signText } = evmOwner();
  const { message } = (await sandbox.post('/security/wallet/challenge', { wallet })).body.data;
  await move(sandbox, '+11m');
  expect((await sandbox.post('/security/email/verify-otp', { email: EMAIL, code })).body.status).toBe('otp_expired');
  const lateAnswer = { wallet, message, signed_bytes: await signText(message) };
  expect((await sandbox.post('/kyc/prepare-wallet', lateAnswer)).body.status).toBe('invalid_signature');
});

test('expires a Pix when the clock is advanced', async () => {
  const sandbox = await startEphemeral();
  const { id } = await create(sandbox, PIX);
  await move(sandbox, '+61m');
  expect((await whenStatus(sandbox, id, 'error')).data_error.status).toBe('pix_expired');
});

test('resets the monthly KYC quota and expires sessions when the clock is advanced', async () => {
  const sandbox = await startEphemeral();
  await sandbox.control('POST', 'kyc-quota', { quota: 1 });
  for (const email of [EMAIL, 'other@example.com']) await proveEmail(sandbox, email);
  await openSession(sandbox, { email: EMAIL });
  expect((await openSession(sandbox, { email: 'other@example.com' })).http).toBe(429);
  await move(sandbox, '+32d');
  expect((await openSession(sandbox, { email: 'other@example.com' })).http).toBe(201);
  expect((await sandbox.get(`/kyc/status?email=${EMAIL}`)).body.data.status).toBe('expired');
});

test('advances slots, expires a blockhash and adds yield to deposits when the clock is advanced', async () => {
  const sandbox = await startEphemeral();
  const key = await newWallet(sandbox);
  const { rpc_url } = (await sandbox.control('GET', 'solana')).body.data;
  const slotNow = () => new Connection(rpc_url).getSlot();
  await sendOff(sandbox, key, await deposit(sandbox, key));
  const [slot, before] = [await slotNow(), Number(await positionOf(sandbox, key))];
  const { transaction } = (await deposit(sandbox, key)).body.data;
  await move(sandbox, '+365d');
  expect(((await slotNow()) - slot) / (365 * 86_400 * 2.5)).toBeCloseTo(1, 3);
  expect((await broadcast(sandbox, sign(key, transaction))).body.status).toBe('solana_blockhash_expired');
  expect(Number(await positionOf(sandbox, key)) / before).toBeGreaterThan(1.05);
});

test('sends a failed webhook again after each pause of the clock, and marks it failed after a day', async () => {
  const { url, received } = await startServer(raw(500, ''));
  const sandbox = await startEphemeral();
  const payer = newPayer();
  await fund(sandbox, payer);
  const tenant_data = { public_client_id: `client_${'0a'.repeat(16)}`, webhook_url: url };
  const { id, raw: signed } = await prepare(sandbox, { payer, order: { tenant_data } });
  await execute(sandbox, id, signed);
  const waitForDeliveries = (count: number) => until(() => (received.length >= count ? true : undefined));
  await waitForDeliveries(1);
  await move(sandbox, '+6s');
  await waitForDeliveries(2);
  await move(sandbox, '+11s');
  await waitForDeliveries(3);
  await move(sandbox, '+25h');
  const failed = await until(async () => {
    const { events } = (await sandbox.control('GET', `events?payment_id=${id}`)).body.data;
    const oldest = events.at(-1);
    return oldest.state === 'failed' ? oldest : undefined;
  });
  expect([failed.payment_status, failed.last_http]).toEqual(['processing', 500]);
});
