import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/io.ts';
import { envelope, type Responder, startServer } from '../support/server.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

const STATE = (status: string) => envelope(200, 'kyc_status_retrieved', { data: { status, approved: false } });

const CREATE = '/kyc/create/verify_public_kyc';

const NEW_USER: Readonly<Record<string, Responder>> = {
  '/kyc/prepare': envelope(201, 'user_prepared', { data: { user_id: 'u1' } }),
  '/security/email/send-otp': envelope(200, 'otp_sent'),
  '/security/email/verify-otp': envelope(200, 'email_verified'),
  [CREATE]: envelope(201, 'kyc_session_created', {
    data: { success: true, message: 'ok', session: { session_id: 's1', session_url: 'https://verify.example/s1' } },
  }),
};

/** A terminal with a live service, and the called paths. */
const openLive = async (answers: Readonly<Record<string, Responder>>) => {
  const paths: string[] = [];
  const { url } = await startServer((request, response) => {
    const path = request.path.replace(/\?.*/, '');
    paths.push(path);
    return (answers[path] ?? envelope(500, 'unexpected'))(request, response);
  });
  const home = await temporaryFolder();
  const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'key-of-the-test', BROWSER: 'true' };
  return { home, paths, terminal: openTerminal(home, { columns: 100, rows: 40 }, env) };
};

describe.runIf(hasTerminal())('kyc start with a live service', () => {
  it('has no default for the address and the code, no approval, and starts no sandbox', async () => {
    const { home, paths, terminal } = await openLive({
      ...NEW_USER,
      '/kyc/status': (...call) =>
        (paths.includes(CREATE) ? STATE('in_review') : envelope(404, 'kyc_not_found'))(...call),
    });
    terminal.run('clear; bursar kyc start; echo "exit=$?"');
    await terminal.until('E-mail address, such as payer@example.com:');
    terminal.keys('Enter');
    await terminal.until('> must be an e-mail address');
    terminal.run('ana@example.com');
    const asked = await terminal.until('or resend):');
    expect(asked).not.toMatch(/or resend\): \(/);
    terminal.keys('Enter');
    await terminal.until('> Type the code');
    expect(paths).not.toContain('/security/email/verify-otp');
    terminal.run('123456');
    const waiting = await terminal.until('Waiting for the verification');
    expect(waiting).not.toContain('Approve');
    terminal.keys('C-c');
    await terminal.until('exit=130');
    expect(paths.filter((path) => path.startsWith('/_sandbox'))).toEqual([]);
    expect(await readdir(home)).not.toContain('sandbox');
  });

  it('after Ctrl-C at the code, the command so far asks for no second code', async () => {
    const { terminal } = await openLive({ ...NEW_USER, '/kyc/status': envelope(404, 'kyc_not_found') });
    terminal.run('clear; bursar kyc start; echo "exit=$?"');
    await terminal.until('E-mail address, such as payer@example.com:');
    terminal.run('ana@example.com');
    await terminal.until('or resend):');
    terminal.keys('C-c');
    const screen = await terminal.until('exit=130');
    const [, line = ''] = /Command so far:\n {2}(bursar .*)\n/.exec(screen) ?? [];
    expect(line.split(' --').toSorted()).toEqual([
      'bursar kyc start',
      'code-stdin',
      'email ana@example.com',
      'otp-sent',
    ]);
  });

  it('and kyc verify-otp: no code is offered', async () => {
    const { paths, terminal } = await openLive(NEW_USER);
    terminal.run('clear; bursar kyc verify-otp --email ana@example.com; echo "exit=$?"');
    const screen = await terminal.until('Code from the e-mail');
    expect(screen).not.toMatch(/\(\d{6}\)/);
    terminal.keys('C-c');
    await terminal.until('exit=130');
    expect(paths).toEqual([]);
  });

  it('starts no other verification with Enter after a decline', async () => {
    const { paths, terminal } = await openLive({ '/kyc/status': STATE('declined') });
    terminal.run('clear; bursar kyc start --email ana@example.com; echo "exit=$?"');
    await terminal.until('Start another one? (y/N)');
    terminal.keys('Enter');
    const screen = await terminal.until('exit=6');
    expect(screen.match(/next: /g) ?? []).toHaveLength(1);
    expect(paths).toEqual(['/kyc/status']);
  });
});
