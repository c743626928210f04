import { expect, test } from 'vitest';
import { newHomeInProcess } from '../../../support/in-process.ts';

const EMAIL = 'payer@example.com';
const ENV = { env: { BURSAR_PROFILE: 'sandbox' } };

/** Runs a test in a home with a sandbox, then stops the sandbox. */
const withSandbox = async (
  work: (bursar: (line: string) => Promise<{ code: number | null; data: never }>) => unknown,
) => {
  const { bursar } = await newHomeInProcess();
  await bursar(['sandbox', 'start', '--ephemeral']);
  try {
    await work(async (line) => {
      const { code, stdout } = await bursar([...line.split(' '), '--json'], ENV);
      return { code, data: JSON.parse(stdout) as never };
    });
  } finally {
    await bursar(['sandbox', 'stop']);
  }
};

test('the command line verifies a payer with the code of the inbox and the decision of sandbox kyc', async () => {
  await withSandbox(async (bursar) => {
    await bursar(`kyc prepare --email ${EMAIL}`);
    await bursar(`kyc send-otp --email ${EMAIL}`);
    const { data: emails } = await bursar('sandbox inbox');
    const [email] = emails as { code: string }[];
    expect(email).toEqual({
      to: EMAIL,
      subject: expect.any(String),
      text: expect.any(String),
      code: expect.stringMatching(/^\d{6}$/),
      sent_at: expect.any(String),
    });
    expect((await bursar(`kyc verify-otp --email ${EMAIL} --code ${email?.code}`)).data).toEqual({
      status: 'email_verified',
    });
    expect((await bursar(`kyc create --email ${EMAIL}`)).code).toBe(0);
    expect((await bursar(`sandbox kyc ${EMAIL} --approve`)).data).toMatchObject({ approved: true });
    expect((await bursar(`kyc status --email ${EMAIL}`)).data).toMatchObject({ status: 'approved' });
    expect((await bursar('sandbox inbox nobody@example.com')).data).toEqual([]);
  });
});

test('commands set the clock and the quota, and their errors have exit codes', async () => {
  await withSandbox(async (bursar) => {
    expect((await bursar('sandbox clock')).data).toMatchObject({ offset_ms: 0 });
    expect((await bursar('sandbox clock +10m')).data).toMatchObject({ offset_ms: 600_000 });
    expect((await bursar('sandbox advance 1h')).data).toMatchObject({ offset_ms: 4_200_000 });
    expect((await bursar('sandbox kyc --quota 0')).data).toEqual({ quota: 0 });
    for (const [line, code] of [
      ['sandbox clock 5x', 2],
      ['sandbox advance', 2],
      [`sandbox kyc ${EMAIL}`, 2],
      [`sandbox kyc ${EMAIL} --approve --decline`, 2],
      [`sandbox kyc ${EMAIL} --quota 3`, 2],
      ['sandbox kyc --quota many', 2],
      ['sandbox kyc --approve', 2],
      [`sandbox kyc ${EMAIL} --approve`, 3],
      ['kyc create --email nobody@example.com', 6],
    ] as const) {
      expect([line, (await bursar(line)).code]).toEqual([line, code]);
    }
  });
});

test('sandbox kyc of an unprepared user names kyc start as the next command', async () => {
  await withSandbox(async (bursar) => {
    const { code, data } = await bursar('sandbox kyc nobody@example.com --approve');
    expect({ code, data }).toMatchObject({
      code: 3,
      data: { error: { next: 'bursar kyc start --email nobody@example.com --profile sandbox' } },
    });
  });
});
