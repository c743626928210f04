import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DASHBOARD_TABS } from '../../../../src/contract/control/process.ts';
import { runBursar } from '../../../support/bursar.ts';
import { newHomeInProcess } from '../../../support/in-process.ts';
import { type Journey, startJourney } from '../../../support/journey.ts';
import { hasTerminal, openTerminal } from '../../../support/terminal.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney();
});
afterAll(() => journey.end());

const LINK = /^http:\/\/127\.0\.0\.1:\d+\/\?key=[\w-]{22}$/;

describe('sandbox open without a terminal', () => {
  it('prints only the address; with --json also that no browser was opened', async () => {
    const { code, stdout, stderr } = await runBursar(journey.home, ['sandbox', 'open'], {
      env: { BROWSER: 'sh -c "exit 1"' },
    });
    expect([code, stderr, stdout.trimEnd()]).toEqual([0, '', expect.stringMatching(LINK)]);
    const { data } = await journey.json(['sandbox', 'open']);
    expect(data).toEqual({ url: stdout.trimEnd(), opened: false });
    expect((await journey.bursar(['sandbox', 'open', '--fields', 'url'])).stdout).toBe(`url\t${stdout}`);
  });

  it('prints a link to each tab of the dashboard, which redirects to an address without the key', async () => {
    for (const tab of DASHBOARD_TABS) {
      const { data } = await journey.json(['sandbox', 'open', tab]);
      const seen = await fetch(String(data['url']), { redirect: 'manual' });
      expect([seen.status, seen.headers.get('location')]).toEqual([303, `/?list=${tab}`]);
      const cookie = seen.headers.get('set-cookie')?.split(';')[0] ?? '';
      const page = await fetch(new URL(`/?list=${tab}`, String(data['url'])), { headers: { cookie } });
      const text = await page.text();
      expect(text).toMatch(new RegExp(`id="tab-${tab}" href="\\?list=${tab}" aria-current="page"`));
      expect(text).not.toContain('id="guest"');
    }
  });

  it('has exactly the tabs of the dashboard', async () => {
    const { data } = await journey.json(['sandbox', 'open']);
    const page = await (await fetch(new URL('/', String(data['url'])))).text();
    expect([...page.matchAll(/id="tab-(\w+)" href="\?list=\1"/g)].map(([, tab]) => tab)).toEqual([...DASHBOARD_TABS]);
  });

  it('of an unknown tab is exit 2 with the list of tabs', async () => {
    const { code, stderr } = await journey.bursar(['sandbox', 'open', 'webhook']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`Did you mean webhooks? The tabs are ${DASHBOARD_TABS.join(', ')}.`),
    ]);
  });

  it('without a running sandbox is exit 5 with the start command, and starts no sandbox', async () => {
    const { bursar } = await newHomeInProcess();
    const { code, stdout, stderr } = await bursar(['sandbox', 'open']);
    expect([code, stdout, stderr]).toEqual([5, '', 'error: no sandbox is running\nnext: bursar sandbox start\n']);
    expect((await bursar(['sandbox', 'status', '--json'])).stdout).toContain('"running": false');
  });
});

describe.runIf(hasTerminal())('sandbox open at a terminal', () => {
  const opening = async (env: Readonly<Record<string, string>> = {}) => {
    const file = join(journey.home, `opened-${Math.random()}`);
    const browser = join(journey.home, 'browser.sh');
    await writeFile(browser, 'echo "$2" > "$1"\n');
    const terminal = openTerminal(
      journey.home,
      { columns: 80, rows: 24 },
      { BROWSER: `sh ${browser} ${file}`, ...env },
    );
    return { terminal, opened: () => readFile(file, 'utf8').catch(() => '') };
  };

  it('prints the address, and opens a one-time link in the browser', async () => {
    const { terminal, opened } = await opening();
    terminal.run('clear; bursar sandbox open inbox; echo "exit=$?"');
    const screen = await terminal.until('exit=0');
    const [link = ''] = /http:\S+/.exec(screen) ?? [];
    expect(link).toMatch(/\?key=[\w-]{22}&list=inbox$/);
    while ((await opened()) === '') await new Promise((resolve) => setTimeout(resolve, 20));
    const [, key = ''] = /key=([\w-]+)/.exec(link) ?? [];
    const given = (await opened()).trim();
    expect(given).toMatch(/\?once=[\w-]{22}&list=inbox$/);
    expect(given).not.toContain(key);
    const seen = await fetch(given, { redirect: 'manual' });
    expect([seen.status, seen.headers.get('location')]).toEqual([303, '/?list=inbox']);
    expect((await fetch(given, { redirect: 'manual' })).status).toBe(403);
  });

  it.each(['> /dev/null', '--no-input', '--json'])('with %s opens no browser', async (more) => {
    const { terminal, opened } = await opening();
    terminal.run(`clear; bursar sandbox open ${more}; echo "exit=$?"`);
    await terminal.until('exit=0');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await opened()).toBe('');
  });

  it('prints a note when no browser starts', async () => {
    const { terminal } = await opening({ BROWSER: '/nowhere/browser' });
    terminal.run('clear; bursar sandbox open; echo "exit=$?"');
    expect(await terminal.until('exit=0')).toContain('No browser could be started. Open the address yourself.');
  });
});
