import { expect, test } from 'vitest';
import { OTP_ATTEMPTS } from '../../src/sandbox/assumptions.ts';
import { advance, codeFor, proveEmail } from './identity.ts';
import { startEphemeral, type TestSandbox } from './sandbox.ts';

const EMAIL = 'payer@example.com';

const send = ({ post }: TestSandbox, email = EMAIL) => post('/security/email/send-otp', { email });
const verify = ({ post }: TestSandbox, code: string, email = EMAIL) =>
  post('/security/email/verify-otp', { email, code });

/** Another code than this one. */
const not = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

const prepared = async (): Promise<TestSandbox> => {
  const sandbox = await startEphemeral();
  await sandbox.post('/kyc/prepare', { email: EMAIL });
  return sandbox;
};

test('an e-mail is prepared once, in whatever case it is written', async () => {
  const { post } = await startEphemeral();
  const first = await post('/kyc/prepare', { email: 'Payer@Example.com' });
  expect([first.http, first.body.status, first.body.data]).toEqual([201, 'user_prepared', undefined]);
  const again = await post('/kyc/prepare', { email: EMAIL });
  expect([again.http, again.body.status]).toEqual([200, 'user_already_prepared']);
  expect(again.body.data).toEqual({ email_verified: false, kyc_approved: false, kyc_status: 'pending' });
});

test('of ten prepares at once one prepares', async () => {
  const { post } = await startEphemeral();
  const seen = await Promise.all(Array.from({ length: 10 }, () => post('/kyc/prepare', { email: EMAIL })));
  expect(seen.filter(({ http }) => http === 201)).toHaveLength(1);
  expect(seen.filter(({ http }) => http === 200)).toHaveLength(9);
});

test.each([
  ['/kyc/prepare', {}],
  ['/kyc/prepare', { email: 'nobody' }],
  ['/security/email/send-otp', {}],
  ['/security/email/verify-otp', { email: EMAIL }],
  ['/security/email/verify-otp', { code: '000000' }],
])('%s with %j is missing_params', async (path, body) => {
  const { http, body: answer } = await (await startEphemeral()).post(path, body);
  expect([http, answer.status]).toEqual([400, 'missing_params']);
});

test('a code comes by e-mail, proves the address once, and is then of no more use', async () => {
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
  for (const seen of [await send(sandbox), await verify(sandbox, emails[0].code)]) {
    expect([seen.http, seen.body.status]).toEqual([400, 'email_already_verified']);
  }
});

test('an address that was not prepared is user_not_found, and gets no e-mail', async () => {
  const sandbox = await startEphemeral();
  for (const seen of [await send(sandbox), await verify(sandbox, '000000')]) {
    expect([seen.http, seen.body.status]).toEqual([404, 'user_not_found']);
  }
  expect((await sandbox.control('GET', 'inbox')).body.data.emails).toEqual([]);
});

test('a wrong code, and a code before one was sent, are otp_invalid', async () => {
  const sandbox = await prepared();
  expect((await verify(sandbox, '000000')).body.status).toBe('otp_invalid');
  await send(sandbox);
  const seen = await verify(sandbox, not(await codeFor(sandbox, EMAIL)));
  expect([seen.http, seen.body.status]).toEqual([400, 'otp_invalid']);
  expect((await verify(sandbox, await codeFor(sandbox, EMAIL))).body.status).toBe('email_verified');
});

test('the fifth wrong code says that it was the last, and then the right one is refused too; a new code starts again', async () => {
  const sandbox = await prepared();
  await send(sandbox);
  const code = await codeFor(sandbox, EMAIL);
  for (let attempt = 1; attempt < OTP_ATTEMPTS; attempt += 1) {
    expect((await verify(sandbox, not(code))).body.status).toBe('otp_invalid');
  }
  expect((await verify(sandbox, not(code))).body.status).toBe('otp_max_attempts');
  const seen = await verify(sandbox, code);
  expect([seen.http, seen.body.status]).toEqual([400, 'otp_max_attempts']);
  await send(sandbox);
  expect((await verify(sandbox, await codeFor(sandbox, EMAIL))).body.status).toBe('email_verified');
});

test('guesses at once are counted all', async () => {
  const sandbox = await prepared();
  await send(sandbox);
  const wrong = not(await codeFor(sandbox, EMAIL));
  const statuses = (await Promise.all(Array.from({ length: 20 }, () => verify(sandbox, wrong)))).map(
    ({ body }) => body.status,
  );
  expect(statuses.filter((status) => status === 'otp_invalid')).toHaveLength(OTP_ATTEMPTS - 1);
});

test('a code lives ten minutes of the sandbox’s time', async () => {
  const sandbox = await prepared();
  await send(sandbox);
  const code = await codeFor(sandbox, EMAIL);
  await advance(sandbox, '+9m50s');
  expect((await verify(sandbox, not(code))).body.status).toBe('otp_invalid');
  await advance(sandbox, '+11s');
  const seen = await verify(sandbox, code);
  expect([seen.http, seen.body.status]).toEqual([400, 'otp_expired']);
  await send(sandbox);
  expect((await verify(sandbox, await codeFor(sandbox, EMAIL))).body.status).toBe('email_verified');
});

test('a newer code replaces the older one', async () => {
  const sandbox = await prepared();
  await send(sandbox);
  const old = await codeFor(sandbox, EMAIL);
  await send(sandbox);
  const fresh = await codeFor(sandbox, EMAIL);
  if (old !== fresh) expect((await verify(sandbox, old)).body.status).toBe('otp_invalid');
  expect((await verify(sandbox, fresh)).body.status).toBe('email_verified');
});

test('the inbox is newest first, can be asked for one address, and is forgotten by a reset', async () => {
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
