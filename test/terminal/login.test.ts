import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBursar } from '../support/bursar.ts';
import { temporaryFolder } from '../support/io.ts';
import { envelope, startServer } from '../support/server.ts';
import { hasTerminal, openTerminal } from '../support/terminal.ts';

const KEY = 'sk_live_0123456789';

describe.runIf(hasTerminal())('login on a terminal of 80 by 24', () => {
  it('asks for the key unseen and for the amount to type, and no byte of the key is drawn', async () => {
    const { url } = await startServer((request, response) =>
      (request.headers['x-api-key'] === KEY ? envelope(200, 'products_listed', { data: {} }) : envelope(401, 'no'))(
        request,
        response,
      ),
    );
    const home = await temporaryFolder();
    const terminal = openTerminal(home);
    terminal.record(join(home, 'record'));
    terminal.run(`bursar login --profile prod --base-url ${url} --insecure-storage; echo "exit=$?"`);
    await terminal.until('API key:');
    terminal.run(KEY);
    await terminal.until(/empty:\s+never/);
    terminal.run('1000');
    const screen = await terminal.until('exit=0', 30);
    expect(screen).toMatch(/kind +live/);
    const drawn = screen.split('\n').filter((line) => !line.startsWith('$ '));
    for (const line of drawn) expect(line.length).toBeLessThanOrEqual(80);
    expect(await readFile(join(home, 'record'), 'utf8')).not.toContain(KEY.slice(0, 6));
    const { active, profiles } = JSON.parse(await readFile(join(home, 'profiles.json'), 'utf8'));
    expect([active, profiles.prod.type_amount_above]).toEqual(['prod', { '*': '1000' }]);
  });

  it('that no keyring can be asked is said before anything is typed for it', async () => {
    const terminal = openTerminal(await temporaryFolder());
    terminal.run('(PATH=/nowhere; bursar login); echo "exit=$?"');
    const screen = await terminal.until('exit=2');
    expect(screen).toContain('there is no place to store the key');
    expect(screen).toContain('--insecure-storage');
    expect(screen).not.toContain('Address of the service');
  });

  it('an address or amount that is none is asked for again, and does not look taken', async () => {
    const { url } = await startServer(envelope(200, 'products_listed', { data: {} }));
    const terminal = openTerminal(await temporaryFolder());
    terminal.run('clear; bursar login --insecure-storage; echo "exit=$?"');
    await terminal.until('Address of the service');
    terminal.run('http://api.example');
    expect(await terminal.until(/^> .*https/m)).not.toContain('✔');
    terminal.keys('C-u');
    terminal.run(url);
    await terminal.until('API key:');
    terminal.run(KEY);
    await terminal.until(/empty:\s+never/);
    terminal.run('many');
    await terminal.until('> must be an amount');
    terminal.keys('C-u', 'Enter');
    await terminal.until('exit=0');
  });

  it('Ctrl-C at the key keeps nothing and ends with 130', async () => {
    const home = await temporaryFolder();
    const terminal = openTerminal(home);
    terminal.run('bursar login --base-url https://api.example --insecure-storage; echo "exit=$?"');
    await terminal.until('API key:');
    terminal.keys('C-c');
    expect(await terminal.until('exit=130')).not.toContain('    at ');
    expect(await terminal.hasCursor()).toBe(true);
  });

  it('a key is not typed where it would be seen: --api-key-stdin wants a pipe', async () => {
    const terminal = openTerminal(await temporaryFolder());
    terminal.run('bursar login --base-url https://api.example --insecure-storage --api-key-stdin; echo "exit=$?"');
    expect(await terminal.until('exit=2')).toContain('standard input is the terminal');
  });

  /** A home with a profile named prod that has a key in a file. */
  const loggedIn = async () => {
    const { url } = await startServer(envelope(200, 'products_listed', { data: {} }));
    const home = await temporaryFolder();
    const words = ['login', '--profile', 'prod', '--base-url', url, '--insecure-storage', '--api-key-stdin'];
    expect((await runBursar(home, words, { stdin: KEY })).code).toBe(0);
    return { home, terminal: openTerminal(home, { columns: 100, rows: 30 }) };
  };

  it('a logout says what is gone and what stays, and whoami then names the login', async () => {
    const { terminal } = await loggedIn();
    terminal.run('clear; bursar logout; echo "exit=$?"');
    const out = await terminal.until('exit=0');
    expect(out).toContain('Logged out of prod: its API key was removed, its settings were kept');
    expect(out).not.toContain('profile_removed');
    terminal.run('clear; bursar whoami; echo "exit=$?"');
    expect(await terminal.until('exit=4')).toContain('next: bursar login --profile prod');
  });

  it('a profile is removed after a yes, and says that it was; a bare newline removes nothing', async () => {
    const { home, terminal } = await loggedIn();
    const profiles = () => readFile(join(home, 'profiles.json'), 'utf8');
    terminal.run('clear; bursar profile remove prod; echo "exit=$?"');
    await terminal.until(/Remove the profile prod, http.*, with its settings and its API key\?/);
    terminal.keys('Enter');
    expect(await terminal.until('exit=2')).toContain('nothing was removed');
    expect(await profiles()).toContain('prod');
    terminal.run('clear; bursar profile remove prod; echo "exit=$?"');
    await terminal.until('Remove the profile prod');
    terminal.run('y');
    expect(await terminal.until('exit=0')).toMatch(/removed +true/);
    expect(await profiles()).not.toContain('prod');
  });

  it('settings are listed to who names none, and a wrong value is refused where it is typed', async () => {
    const home = await temporaryFolder();
    const terminal = openTerminal(home, { columns: 100, rows: 30 });
    terminal.run('clear; bursar profile set sandbox; echo "exit=$?"');
    await terminal.until('Value to enter:');
    terminal.keys('Enter');
    const list = await terminal.until('Setting:');
    expect(list).toContain('policy.most_per_day.TOKEN (most that may leave in a day)');
    expect(list, 'the sandbox is built in').not.toContain('base_url');
    terminal.run('policy.most_per_day');
    await terminal.until('TOKEN:');
    terminal.run('USDT');
    await terminal.until('policy.most_per_day.USDT');
    terminal.run('many');
    await terminal.until('> must be a decimal');
    terminal.keys('C-u');
    terminal.run('500');
    const end = await terminal.until('exit=0');
    expect(end).toContain('bursar profile set sandbox policy.most_per_day.USDT=500');
    terminal.run('clear; bursar profile list; echo "exit=$?"');
    expect(await terminal.until('exit=0'), 'what is in use is not called inactive').toMatch(/^sandbox .*true/m);
  });
});
