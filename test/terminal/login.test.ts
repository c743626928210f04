import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
    await terminal.until('empty: none');
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
    expect(screen).toContain('there is nowhere to keep the key yet');
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
    await terminal.until('empty: none');
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
    expect(terminal.hasCursor()).toBe(true);
  });
});
