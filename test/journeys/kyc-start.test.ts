import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { PROGRAM, startBursar } from '../support/bursar.ts';
import { newKey } from '../support/cheap-key.ts';
import { type Journey, type Meddler, startJourney } from '../support/journey.ts';

const SESSION = /^http:\/\/127\.0\.0\.1:\d+\/kyc\/sessions\/kyc_/;

let journey: Journey;

beforeAll(async () => {
  journey = await startJourney();
});

afterAll(() => journey.end());

type Sandbox = { readonly url: string; readonly api_key: string; readonly control_key: string };

/** Calls the sandbox or its control without a process of its own. */
const ask = async (path: string, body?: object): Promise<Record<string, never>> => {
  const { url, api_key, control_key }: Sandbox = JSON.parse(
    await readFile(join(journey.home, 'sandbox', 'server.json'), 'utf8'),
  );
  const headers = { 'x-api-key': api_key, 'x-control-key': control_key, 'content-type': 'application/json' };
  const sent = body && { method: 'POST', body: JSON.stringify(body) };
  return ((await (await fetch(url + path, { headers, ...sent })).json()) as { data: Record<string, never> }).data;
};

const inboxOf = async (email: string): Promise<readonly { readonly code: string }[]> =>
  (await ask(`/_sandbox/inbox?to=${encodeURIComponent(email)}`))['emails'] ?? [];

const codeOf = async (email: string): Promise<string> => (await inboxOf(email))[0]?.code ?? '';

const mails = async (email: string): Promise<number> => (await inboxOf(email)).length;

const decide = (email: string, decision: string) => ask('/_sandbox/kyc', { email, decision });

/** Runs some work and records each call to the service. */
const watching = async <T>(
  work: () => Promise<T>,
): Promise<{ readonly ended: T; readonly seen: readonly string[] }> => {
  const seen: string[] = [];
  const meddler: Meddler = ({ path }, forward) => {
    if (!path.startsWith('/_sandbox')) seen.push(path);
    return forward();
  };
  return { ended: await journey.through(meddler, work), seen };
};

/** Proves an address as a script does: sends the code, reads the mail, and continues. */
const startByScript = async (email: string, ...more: readonly string[]) => {
  await ask('/kyc/prepare', { email: email.toLowerCase() });
  await ask('/security/email/send-otp', { email: email.toLowerCase() });
  const args = ['kyc', 'start', '--email', email, '--code-stdin', '--otp-sent', ...more];
  return journey.json(args, { stdin: `${await codeOf(email.toLowerCase())}\n` });
};

const quotaUsed = async (): Promise<unknown> => (await journey.json(['sandbox', 'kyc'])).data;

describe('kyc start without a terminal', () => {
  it.each([[], ['--json'], ['--no-wait']])('with only %s is exit 2 and names the missing options', async (...more) => {
    const { code, stdout, stderr } = await journey.bursar(['kyc', 'start', ...more]);
    expect(code).toBe(2);
    for (const option of ['--email', '--key']) expect(stdout + stderr).toContain(option);
  });

  it('with an unproven address sends no code: exit 2', async () => {
    const { code, data } = await journey.json(['kyc', 'start', '--email', 'nobody@example.com']);
    expect({ code, error: data['error'] }).toMatchObject({
      code: 2,
      error: { errors: [{ option: '--code-stdin' }], next: expect.stringContaining('--code-stdin') },
    });
    expect(await mails('nobody@example.com')).toBe(0);
  });

  it.each([
    [['--email', 'no address'], '--email'],
    [['--key', 'nobody'], 'nobody'],
    [['--email', 'a@example.com', '--wait', '--no-wait'], '--no-wait'],
    [['--key', 'payer', '--code-stdin'], '--code-stdin'],
    [['--email', 'a@example.com', '--code-stdin', '--password-stdin'], '--password-stdin'],
    [['--email', 'a@example.com', '--dry-run'], '--dry-run'],
  ])('%j is exit 2 before any call, and names the option', async (words, named) => {
    const { ended, seen } = await watching(() => journey.bursar(['kyc', 'start', ...words]));
    const isNamed = ended.stderr.includes(named);
    expect({ code: ended.code, isNamed, seen }).toEqual({ code: 2, isNamed: true, seen: [] });
  });

  it('--no-wait --json prints the address in the fields of the service, and the next command', async () => {
    const { code, data } = await startByScript('One@Example.com', '--no-wait');
    expect({ code, data }).toMatchObject({
      code: 0,
      data: {
        status: 'pending',
        session_id: expect.stringMatching(/^kyc_/),
        session_url: expect.stringMatching(SESSION),
        next: 'bursar kyc status --email one@example.com --wait',
      },
    });
  });

  it('a second time shows the open session, without another mail or quota', async () => {
    const first = await startByScript('two@example.com', '--no-wait');
    const [sent, used] = [await mails('two@example.com'), await quotaUsed()];
    const again = await journey.json(['kyc', 'start', '--email', 'two@example.com', '--no-wait']);
    expect(again.data['session_id']).toBe(first.data['session_id']);
    expect([await mails('two@example.com'), await quotaUsed()]).toEqual([sent, used]);
  });

  it.each(['--json', '--fields=status,session_url'])(
    '--wait --timeout 2 without a final state: exit 8, with the last state on stdout (%s)',
    async (option) => {
      await startByScript('three@example.com', '--no-wait');
      const args = ['kyc', 'start', '--email', 'three@example.com', '--wait', '--timeout', '2', option];
      const { code, stdout } = await journey.bursar(args);
      expect({ code, stdout }).toEqual({ code: 8, stdout: expect.stringMatching(/pending[\s\S]*\/kyc\/sessions\//) });
    },
  );

  it('waits until the user is approved, prints each state as a line of JSON, and one result: exit 0', async () => {
    await startByScript('four@example.com', '--no-wait');
    const args = ['kyc', 'start', '--email', 'four@example.com', '--json', '--timeout', '30'];
    const { child, ended } = startBursar(journey.home, args, { env: { BURSAR_PROFILE: 'sandbox' } });
    // The decision comes only after the first printed state, also on a slow machine.
    await new Promise((resolve) => child.stderr?.once('data', resolve));
    await decide('four@example.com', 'approve');
    const { code, stdout, stderr } = await ended;
    const states = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(states.map(({ status }) => status)).toEqual(['pending', 'approved']);
    expect(states[0].session_url).toContain('/kyc/sessions/');
    expect({ code, data: JSON.parse(stdout) }).toMatchObject({ code: 0, data: { status: 'approved', approved: true } });
  });

  it('of an approved user is exit 0 after one call', async () => {
    await startByScript('five@example.com', '--no-wait');
    await decide('five@example.com', 'approve');
    const args = ['kyc', 'start', '--email', 'five@example.com'];
    const { ended, seen } = await watching(() => journey.bursar(args));
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('approved\ttrue') });
    expect(seen).toEqual(['/kyc/status?email=five%40example.com']);
  });

  it('of a declined user is exit 6, and with --yes starts a new session', async () => {
    const first = await startByScript('six@example.com', '--no-wait');
    await decide('six@example.com', 'decline');
    const args = ['kyc', 'start', '--email', 'six@example.com', '--no-wait'];
    const refused = await journey.json(args);
    expect({ code: refused.code, next: refused.data['error']?.['next'] }).toEqual({
      code: 6,
      next: 'bursar kyc start --email six@example.com --yes',
    });
    const { code, data } = await journey.json([...args, '--yes']);
    expect(code).toBe(0);
    expect(data['session_id']).not.toBe(first.data['session_id']);
  });

  it('of a user whose session expired starts a new session without --yes', async () => {
    const first = await startByScript('seven@example.com', '--no-wait');
    await decide('seven@example.com', 'expire');
    const { code, data } = await journey.json(['kyc', 'start', '--email', 'seven@example.com', '--no-wait']);
    expect({ code, isNew: data['session_id'] !== first.data['session_id'] }).toEqual({ code: 0, isNew: true });
  });
});

describe('the code by --code-stdin', () => {
  const start = (email: string, stdin: string, ...more: readonly string[]) =>
    journey.json(['kyc', 'start', '--email', email, '--code-stdin', '--no-wait', ...more], { stdin });

  it('that is wrong is exit 9, without a second attempt or mail', async () => {
    const { code, data } = await start('wrong@example.com', '000\n');
    expect({ code, status: data['error']?.['status'] }).toEqual({ code: 9, status: 'otp_invalid' });
    expect(data['error']?.['message']).toContain('4 tries are left');
    expect(await mails('wrong@example.com')).toBe(1);
  });

  it('is read by --otp-stdin too', async () => {
    await start('alias@example.com', '000');
    const args = ['kyc', 'start', '--email', 'alias@example.com', '--otp-stdin', '--otp-sent', '--no-wait'];
    expect((await journey.json(args, { stdin: await codeOf('alias@example.com') })).code).toBe(0);
  });

  it('that is wrong too often: exit 7', async () => {
    for (let count = 0; count < 5; count += 1) await start('many@example.com', '000', ...(count ? ['--otp-sent'] : []));
    const { code, data } = await start('many@example.com', '000', '--otp-sent');
    expect({ code, status: data['error']?.['status'] }).toEqual({ code: 7, status: 'otp_max_attempts' });
  });

  it('that has expired: exit 9, and the next command does not contain the code', async () => {
    await start('late@example.com', '000');
    const code = await codeOf('late@example.com');
    await journey.bursar(['sandbox', 'advance', '11m']);
    const late = await start('late@example.com', code, '--otp-sent');
    expect({ code: late.code, error: late.data['error'] }).toMatchObject({
      code: 9,
      error: { status: 'otp_expired', next: 'bursar kyc start --email late@example.com --code-stdin' },
    });
    expect(JSON.stringify(late.data)).not.toContain(code);
  });

  it.each(['', '\n', '  \n\n'])('of %j is missing: exit 2, and the sent code still counts', async (stdin) => {
    const email = `none${stdin.length}@example.com`;
    const { code, data } = await start(email, stdin);
    expect({ code, next: data['error']?.['next'] }).toEqual({
      code: 2,
      next: `bursar kyc start --email ${email} --code-stdin --otp-sent`,
    });
    expect((await start(email, await codeOf(email), '--otp-sent')).code).toBe(0);
  });

  it('has no option --otp or --code in kyc start', async () => {
    const { stdout } = await journey.bursar(['kyc', 'start', '--help']);
    expect(stdout).not.toMatch(/--(?:otp|code) </);
  });

  it('that never comes ends the command at --timeout with not_final', async () => {
    const args = ['kyc', 'start', '--email', 'slow@example.com', '--code-stdin', '--timeout', '2', '--json'];
    const env = { PATH: process.env['PATH'], BURSAR_HOME: journey.home, BURSAR_PROFILE: 'sandbox' };
    const child = spawn(process.execPath, [PROGRAM, ...args], { env, stdio: ['pipe', 'pipe', 'ignore'] });
    onTestFinished(() => void child.kill());
    const stdout = await text(child.stdout);
    expect(JSON.parse(stdout).error).toMatchObject({ code: 'not_final', next: expect.stringContaining('--otp-sent') });
  });
});

describe.each(['evm', 'solana'] as const)('kyc start by the wallet of a key for %s', (chain) => {
  const name = `wallet-${chain}`;

  it('proves the wallet by a reviewed signature and starts a session; a second start needs no password', async () => {
    const address = await newKey(journey.home, name, chain);
    const first = await journey.json(['kyc', 'start', '--key', name, '--no-wait']);
    expect(first).toMatchObject({
      code: 0,
      data: {
        status: 'pending',
        session_url: expect.stringContaining('/kyc/sessions/'),
        next: `bursar kyc status --wallet ${address} --wait`,
      },
    });
    const again = await journey.json(['kyc', 'start', '--key', name, '--no-wait'], {
      env: { BURSAR_KEY_PASSWORD: 'wrong' },
    });
    expect(again.data['session_id']).toBe(first.data['session_id']);
  });

  it('with a wrong password proves no wallet and starts no session: exit 2', async () => {
    await newKey(journey.home, `${name}-2`, chain);
    const env = { BURSAR_KEY_PASSWORD: 'wrong' };
    const args = ['kyc', 'start', '--key', `${name}-2`, '--no-wait'];
    const { ended, seen } = await watching(() => journey.json(args, { env }));
    const reads = [expect.stringMatching(/^\/kyc\/status\?wallet=/), '/security/wallet/challenge'];
    expect({ code: ended.code, seen }).toEqual({ code: 2, seen: reads });
  });

  it('does not sign a challenge with hidden characters, also with --yes: exit 10', async () => {
    const tampering: Meddler = async ({ path }, forward) => {
      const answer = await forward();
      if (path !== '/security/wallet/challenge') return answer;
      const body = JSON.parse(answer.body);
      return { ...answer, body: JSON.stringify({ ...body, data: { ...body.data, message: 'a\u202eb' } }) };
    };
    const args = ['kyc', 'start', '--key', `${name}-2`, '--no-wait', '--yes'];
    expect((await journey.through(tampering, () => journey.json(args))).code).toBe(10);
  });
});

describe('an unsafe session address from the service', () => {
  const lying =
    (url: string): Meddler =>
    async ({ path }, forward) => {
      const answer = await forward();
      if (!path.startsWith('/kyc/')) return answer;
      const body = JSON.parse(answer.body);
      if (body.data?.session_url) body.data.session_url = url;
      return { ...answer, body: JSON.stringify(body) };
    };

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'http://evil.example/', 'https://a@b.example/\u001b[2J'])(
    '%j is printed escaped, with a warning',
    async (url) => {
      await startByScript('eight@example.com', '--no-wait');
      const args = ['kyc', 'start', '--email', 'eight@example.com', '--no-wait'];
      const { code, stdout, stderr } = await journey.through(lying(url), () => journey.bursar(args));
      expect({ code, warned: stderr.includes('does not open') }).toEqual({ code: 0, warned: true });
      expect(stdout + stderr).not.toContain('\u001b');
    },
  );
});
