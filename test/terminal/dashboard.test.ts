import { describe, expect, it, onTestFinished } from 'vitest';
import { runBursar } from '../support/bursar.ts';
import { temporaryFolder } from '../support/io.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

describe.runIf(hasTerminal())('on a terminal of 80 by 24', () => {
  it('sandbox start and status print the links of the dashboard on one line each; a pipe gets no note', async () => {
    const home = await temporaryFolder();
    onTestFinished(async () => void (await runBursar(home, ['sandbox', 'stop'])));
    const terminal = openTerminal(home);
    terminal.run('clear; bursar sandbox start; echo "exit=$?"');
    const started = await terminal.until('exit=0');
    const [, link = ''] = /^Dashboard: (http:\/\/127\.0\.0\.1:\d+\/\?key=[\w-]{22})$/m.exec(started) ?? [];
    expect(link).not.toBe('');
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(303);
    const [, acting = ''] = /^To act on it: (http:\/\/127\.0\.0\.1:\d+\/\?act=[\w-]{22})$/m.exec(started) ?? [];
    const begun = await fetch(acting, { redirect: 'manual' });
    expect([begun.status, begun.headers.get('location')]).toEqual([303, expect.stringMatching(/^\/act\/\w{32}\/$/)]);
    terminal.run('clear; bursar sandbox status; echo "exit=$?"');
    const shown = await terminal.until('exit=0');
    expect([shown.includes(link), shown.includes(acting)]).toEqual([true, true]);
    expect((await runBursar(home, ['sandbox', 'start'])).stderr).toBe('');
  });
});
