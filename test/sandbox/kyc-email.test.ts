import { expect, test } from 'vitest';
import { OTP_ATTEMPTS } from '../../src/sandbox/assumptions.ts';
import { advance, codeFor, proveEmail } from './identity.ts';
import { startEphemeral, type TestSandbox } from './sandbox.ts';

const EMAIL = 'payer@example.com';

const send = ({ post }: TestSandbox, email = EMAIL) => post('/security/email/send-otp', { email });
const verify = ({ post }: TestSandbox, code: string, email = EMAIL) =>
  post('/security/email/verify-otp', { email, code });

/** A wrong code: six digits that differ from the code. */
const wrongCodeFor = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

const prepared = async (): Promise<TestSandbox> => {
  const sandbox = await startEphemeral();
  await sandbox.post('/kyc/prepare', { email: EMAIL });
  return sandbox;
};

test('prepares an e-mail once, whatever the case of its letters', async () => {
  const { post } = await startEphemeral();
  const first = await post('/kyc/prepare', { email: 'Payer@Example.com' });
  expect([first.http, first.body.status, first.body.data]).toEqual([201, 'user_prepared', undefined]);
  const again = await post('/kyc/prepare', { email: EMAIL });
  expect([again.http, again.body.status]).toEqual([200, 'user_already_prepared']);
  expect(again.body.data).toEqual({ email_verified: false, kyc_approved: false, kyc_status: 'pending' });
});

test('prepares an e-mail once when ten requests come at the same time', async () => {
  const { post } = await startEphemeral();
  const answers = await Promise.all(Array.from({ length: 10 }, () => post('/kyc/prepare', { email: EMAIL })));
  expect(answers.filter(({ http }) => http === 201)).toHaveLength(1);
  expect(answers.filter(({ http }) => http === 200)).toHaveLength(9);
});

test.each([
  ['/kyc/prepare', {}],
  ['/kyc/prepare', { email: 'nobody' }],
  ['/security/email/send-otp', {}],
  ['/security/email/verify-otp', { email: EMAIL }],
  ['/security/email/verify-otp', { code: '000000' }],
])('%s with %j returns missing_params', async (path, body) => {
  const { http, body: answer } = await (await startEphemeral()).post(path, body);
  expect([http, answer.status]).toEqual([400, 'missing_params']);
});

test('verifies an e-mail address once by the code from the inbox, then returns email_already_verified', async () => {
  const sandbox = await prepared();
  const sent = await send(sandbox);
  expect([sent.http, sent.body.status, sent.body.data]).toEqual([201, 'otp_sent', undefined]);
  const { emails } = (await sandbox.control('GET', 'inbox')).body.data;
  expect(emails).toEqual([
    {
      to: EMAIL,
      subject: expect.stringContaining(emails[0].code),
      text: expect.stringContaining(emails[0].code),
      code: expect.stringMatching(/^\d{6}$/),
      sent_at: expect.stringMatching(/^\d{4}-.*Z$/),
    },
  ]);
  const verified = await verify(sandbox, emails[0].code);
  expect([verified.http, verified.body.status]).toEqual([200, 'email_verified']);
  const again = await sandbox.post('/kyc/prepare', { email: EMAIL });
  expect(again.body.data.email_verified).toBe(true);
  for (const answer of [await send(sandbox), await verify(sandbox, emails[0].code)]) {
    expect([answer.http, answer.body.status]).toEqual([400, 'email_already_verified']);
  }
});

test('returns user_not_found and sends no e-mail for an address that is not prepared', async () => {
  const sandbox = await startEphemeral();
  for (const answer of [await send(sandbox), await verify(sandbox, '000000')]) {
    expect([answer.http, answer.body.status]).toEqual([404, 'user_not_found']);
  }
  expect((await sandbox.control('GET', 'inbox')).body.data.emails).toEqual([]);
});

test('returns otp_invalid for a wrong code, and for any code before one is sent', async () => {
  const sandbox = await prepared();
  expect((await verify(sandbox, '000000')).body.status).toBe('otp_invalid');
  await send(sandbox);
  const answer = await verify(sandbox, wrongCodeFor(await codeFor(sandbox, EMAIL)));
  expect([answer.http, answer.body.status]).toEqual([400, 'otp_invalid']);
  expect((await verify(sandbox, await codeFor(sandbox, EMAIL))).body.status).toBe('email_verified');
});

test('returns otp_max_attempts from the fifth wrong code on, also for the right code, until a new code is sent', async () => {
  const sandbox = await prepared();
  await send(sandbox);
  const code = await codeFor(sandbox, EMAIL);
  for (let attempt = 1; attempt < OTP_ATTEMPTS; attempt += 1) {
    expect((await verify(sandbox, wrongCodeFor(code))).body.status).toBe('otp_invalid');
  }
  expect((await verify(sandbox, wrongCodeFor(code))).body.status).toBe('otp_max_attempts');
  const answer = await verify(sandbox, code);
  expect([answer.http, answer.body.status]).toEqual([400, 'otp_max_attempts']);
  await send(sandbox);
  expect((await verify(sandbox, await codeFor(sandbox, EMAIL))).body.status).toBe('email_verified');
});

test('counts every wrong code when 20 requests come at the same time', async () => {
  const sandbox = await prepared();
  await send(sandbox);
  const wrong = wrongCodeFor(await codeFor(sandbox, EMAIL));
  const statuses = (await Promise.all(Array.from({ length: 20 }, () => verify(sandbox, wrong)))).map(
    ({ body }) => body.status,
  );
  expect(statuses.filter((status) => status === 'otp_invalid')).toHaveLength(OTP_ATTEMPTS - 1);
});

test('returns otp_expired after ten minutes of the sandbox’s clock', async () => {
  const sandbox = await prepared();
  await send(sandbox);
  const code = await codeFor(sandbox, EMAIL);
  await advance(sandbox, '+9m50s');
  expect((await verify(sandbox, wrongCodeFor(code))).body.status).toBe('otp_invalid');
  await advance(sandbox, '+11s');
  const answer = await verify(sandbox, code);
  expect([answer.http, answer.body.status]).toEqual([400, 'otp_expired']);
  await send(sandbox);
  expect((await verify(sandbox, await codeFor(sandbox, EMAIL))).body.status).toBe('email_verified');
});

test('accepts only the newest code', async () => {
  const sandbox = await prepared();
  await send(sandbox);
  const old = await codeFor(sandbox, EMAIL);
  await send(sandbox);
  const newest = await codeFor(sandbox, EMAIL);
  if (old !== newest) expect((await verify(sandbox, old)).body.status).toBe('otp_invalid');
  expect((await verify(sandbox, newest)).body.status).toBe('email_verified');
});

test('lists the inbox newest first, filters it by address, and empties it on reset', async () => {
  const sandbox = await startEphemeral();
  await proveEmail(sandbox, 'a@example.com');
  await proveEmail(sandbox, 'b@example.com');
  const inbox = async (query = '') =>
    (await sandbox.control('GET', `inbox${query}`)).body.data.emails.map(({ to }: { to: string }) => to);
  expect(await inbox()).toEqual(['b@example.com', 'a@example.com']);
  expect(await inbox('?to=A@example.com')).toEqual(['a@example.com']);
  expect((await sandbox.control('GET', 'inbox?to=x')).body.errors?.[0]?.field).toBe('to');
  await sandbox.control('POST', 'reset', {});
  expect(await inbox()).toEqual([]);
  expect((await sandbox.post('/kyc/prepare', { email: 'a@example.com' })).http).toBe(201);
});
