import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/io.ts';
import { envelope, type Responder, startServer } from '../support/server.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

/** A browser that records the addresses that it opens. */
const withBrowser = async (folder: string) => {
  const opened = join(folder, 'opened');
  const browser = join(folder, 'browser.sh');
  await writeFile(browser, `printf '%s\\n' "$*" >> '${opened}'\n`);
  return { env: { BROWSER: `sh ${browser}` }, opened: () => readFile(opened, 'utf8').catch(() => '') };
};

describe.runIf(hasTerminal())('a session address from the service, on a terminal', () => {
  const serving = async (session_url: string): Promise<string> => {
    const data = { status: 'pending', approved: false, session_id: 's1', session_url };
    const respond: Responder = envelope(200, 'kyc_status_retrieved', { data });
    return (await startServer(respond)).url;
  };

  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'http://evil.example/',
    'https://bank.example@evil.example/',
    '--version',
    '/usr/bin/id',
    'https://evil.example/\u001b]0;owned\u0007',
    'https://evil.example/\u202egpj.exe',
    '$(touch owned)',
  ])('%j is not opened, and is printed without control characters', async (address) => {
    const folder = await temporaryFolder();
    const { env, opened } = await withBrowser(folder);
    const url = await serving(address);
    const terminal = openTerminal(folder, undefined, { ...env, BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k' });
    terminal.record(join(folder, 'record'));
    terminal.run('bursar kyc start --email a@example.com --no-wait; echo "exit=$?"');
    const screen = await terminal.until('exit=0');
    expect(screen).toContain('does not open');
    expect(await opened()).toBe('');
    const drawn = await readFile(join(folder, 'record'), 'utf8');
    for (const acting of ['\u001b]0;owned', '\u202e']) expect(drawn).not.toContain(acting);
  });

  it('with https is opened as shown, with any shell characters', async () => {
    const folder = await temporaryFolder();
    const { env, opened } = await withBrowser(folder);
    const url = await serving('https://verify.example/$(touch%20owned)?a=1&b=`id`;x');
    const terminal = openTerminal(
      folder,
      { columns: 120, rows: 24 },
      { ...env, BURSAR_BASE_URL: url, BURSAR_API_KEY: 'k' },
    );
    terminal.run('bursar kyc start --email a@example.com --no-wait; echo "exit=$?"');
    await terminal.until('exit=0');
    await expect
      .poll(opened, { timeout: 5000 })
      .toMatch(/^https:\/\/verify\.example\/\$\(touch%20owned\)\?a=1&b=\S+\n$/);
  });

  it('that takes several rows is a link on each of them, where the terminal has links', async () => {
    const folder = await temporaryFolder();
    const address = `https://verify.example/${'session'.repeat(8)}`;
    const env = { BURSAR_BASE_URL: await serving(address), BURSAR_API_KEY: 'k', FORCE_HYPERLINK: '1', BROWSER: 'true' };
    const terminal = openTerminal(folder, { columns: 50, rows: 24 }, env);
    terminal.record(join(folder, 'record'));
    terminal.run('bursar kyc start --email a@example.com --no-wait; echo "exit=$?"');
    await terminal.until('exit=0');
    const drawn = await readFile(join(folder, 'record'), 'utf8');
    // Two rows of the address, and one in the result.
    expect(drawn.split(`\u001b]8;;${address}\u001b\\`).length - 1).toBe(3);
  });
});
