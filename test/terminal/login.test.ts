import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBursar } from '../support/bursar.ts';
import { temporaryFolder } from '../support/io.ts';
import { envelope, startServer } from '../support/server.ts';
import { answer, hasTerminal, openTerminal } from '../support/terminal.ts';

const KEY = 'sk_live_0123456789';

describe.runIf(hasTerminal())('login on a terminal of 80 by 24', () => {
  it('hides the key, asks for the amount to type, and draws no byte of the key', async () => {
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
    // The terminal, not the program, wraps a command.
    const drawn = screen.split('\n').filter((line) => !/^(?:\$| {2}bursar) /.test(line));
    for (const line of drawn) expect(line.length).toBeLessThanOrEqual(80);
    expect(await readFile(join(home, 'record'), 'utf8')).not.toContain(KEY.slice(0, 6));
    const { active, profiles } = JSON.parse(await readFile(join(home, 'profiles.json'), 'utf8'));
    expect([active, profiles.prod.type_amount_above]).toEqual(['prod', { '*': '1000' }]);
  });

  it('without a keyring a file is offered first; Enter is a no and stores nothing', async () => {
    const home = await temporaryFolder();
    const terminal = openTerminal(home);
    terminal.run('(PATH=/nowhere; bursar login); echo "exit=$?"');
    const asked = await terminal.until('(y/N)');
    expect(asked.replaceAll(/\s+/g, ' ')).toMatch(/unencrypted in a file that only you can read \(mode 0600, in /);
    terminal.keys('Enter');
    const screen = await terminal.until('exit=2');
    expect(screen).toContain('there is no place to store the key');
    expect(screen).toContain('--insecure-storage');
    expect(screen).not.toContain('Address of the service');
    expect(await readdir(home)).toEqual([]);
  });

  it('a wrong address is refused before the question about the storage', async () => {
    const terminal = openTerminal(await temporaryFolder());
    terminal.run('clear; (PATH=/nowhere; bursar login --base-url http://api.example.com); echo "exit=$?"');
    const screen = await terminal.until('exit=2');
    expect(screen).not.toContain('(y/N)');
    expect(screen).toContain('https');
  });

  it('without a keyring a yes stores the key in a file of mode 0600, and commands use the key', async () => {
    const { url } = await startServer(envelope(200, 'products_listed', { data: { methods: {} } }));
    const home = await temporaryFolder();
    const terminal = openTerminal(home, { columns: 80, rows: 40 });
    terminal.run(`clear; (PATH=/nowhere; bursar login --base-url ${url}); echo "exit=$?"`);
    await terminal.until('(y/N)');
    terminal.keys('y', 'Enter');
    await answer(terminal, 'API key:', KEY);
    await answer(terminal, /empty:\s+never/, '');
    await terminal.until('exit=0');
    const [name = ''] = await readdir(join(home, 'api-keys'));
    expect((await stat(join(home, 'api-keys', name))).mode & 0o777).toBe(0o600);
    expect((await runBursar(home, ['whoami', '--json'])).stdout).toContain('"key_check": "accepted"');
  });

  it('after a failure of the keyring a yes stores the key in a file', async () => {
    const { url } = await startServer(envelope(200, 'products_listed', { data: {} }));
    const [home, bin] = [await temporaryFolder(), await temporaryFolder()];
    await writeFile(join(bin, 'secret-tool'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const terminal = openTerminal(home, { columns: 80, rows: 40 }, { PATH: `${bin}:${process.env['PATH']}` });
    terminal.run(`clear; bursar login --base-url ${url}; echo "exit=$?"`);
    await answer(terminal, 'API key:', KEY);
    await answer(terminal, /empty:\s+never/, '');
    await answer(terminal, /did\s+not\s+store\s+the\s+secret[\s\S]*\(y\/N\)/, 'y');
    await terminal.until('exit=0');
    expect(await readdir(join(home, 'api-keys'))).toHaveLength(1);
  });

  it('a silent address and a refused key are asked again, and all other answers are kept', async () => {
    const home = await temporaryFolder();
    const { url, received } = await startServer((request, response) =>
      (request.headers['x-api-key'] === KEY ? envelope(200, 'products_listed', { data: {} }) : envelope(401, 'no_key'))(
        request,
        response,
      ),
    );
    const terminal = openTerminal(home, { columns: 80, rows: 50 });
    terminal.run('clear; bursar login --insecure-storage; echo "exit=$?"');
    await answer(terminal, 'Address of the service, such as', 'http://127.0.0.1:9');
    await answer(terminal, 'API key:', 'sk_wrong');
    const refused = await terminal.until(
      /✗ [^✗]*2 more tries\.[\s\S]*Address of the service: \(http:\/\/127\.0\.0\.1:9\)/,
    );
    expect(refused.match(/API key:/g), 'the key is not asked again').toHaveLength(1);
    terminal.run(url);
    await answer(terminal, /no_key[^?]*2 more tries\.[\s\S]*API key:/, KEY);
    await answer(terminal, /empty:\s+never/, '');
    await terminal.until('exit=0');
    expect(received.map(({ headers }) => headers['x-api-key'])).toEqual(['sk_wrong', KEY]);
    const { profiles } = JSON.parse(await readFile(join(home, 'profiles.json'), 'utf8'));
    expect(profiles.default.base_url).toBe(url);
  });

  it('the equivalent command logs in without questions', async () => {
    const { url } = await startServer(envelope(200, 'products_listed', { data: {} }));
    const home = await temporaryFolder();
    const terminal = openTerminal(home, { columns: 200, rows: 40 });
    terminal.run('clear; (PATH=/nowhere; bursar login --profile prod); echo "exit=$?"');
    await terminal.until('(y/N)');
    terminal.keys('y', 'Enter');
    await answer(terminal, 'Address of the service, such as', url);
    await answer(terminal, 'API key:', KEY);
    await answer(terminal, /empty: never/, '1000');
    const screen = await terminal.until('exit=0');
    const [, line = ''] = /Equivalent command:\n {2}bursar (.*)\n/.exec(screen) ?? [];
    expect(screen).toContain('Set first: API_KEY_FILE, a file with the API key, which only you can read.');
    expect(line).toBe(
      `login --profile prod --insecure-storage --api-key-file "$API_KEY_FILE" --type-amount-above '*=1000' --base-url ${url}`,
    );
    const file = join(home, 'key');
    await writeFile(file, KEY, { mode: 0o600 });
    const words = line.replace('"$API_KEY_FILE"', file).replaceAll("'", '').split(' ');
    const { stdout, code } = await runBursar(await temporaryFolder(), [...words, '--json']);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, profile: 'prod', base_url: url, api_key: 'file' });
  });

  it('Ctrl-C at a repeated question prints the command with the answers so far', async () => {
    const terminal = openTerminal(await temporaryFolder(), { columns: 200, rows: 40 });
    terminal.run('clear; (PATH=/nowhere; bursar login); echo "exit=$?"');
    await terminal.until('(y/N)');
    terminal.keys('y', 'Enter');
    await answer(terminal, 'Address of the service, such as', 'http://127.0.0.1:9');
    await answer(terminal, 'API key:', KEY);
    await terminal.until(/2 more tries/);
    terminal.keys('C-c');
    const screen = await terminal.until('exit=130');
    expect(screen).toContain(
      'Command so far:\n  bursar login --insecure-storage --api-key-file "$API_KEY_FILE" --base-url http://127.0.0.1:9\n',
    );
  });

  it('the key has three tries: exit 4, and nothing is stored', async () => {
    const home = await temporaryFolder();
    const { url, received } = await startServer(envelope(401, 'no_key'));
    const terminal = openTerminal(home, { columns: 80, rows: 50 });
    terminal.run(`clear; bursar login --base-url ${url} --insecure-storage; echo "exit=$?"`);
    await answer(terminal, 'API key:', 'sk_1');
    await answer(terminal, /2 more tries[\s\S]*API key:/, 'sk_2');
    await answer(terminal, /One more try[\s\S]*API key:/, 'sk_3');
    expect(await terminal.until('exit=4')).toContain('The key was not stored.');
    expect(received).toHaveLength(3);
    expect(await readdir(home)).toEqual([]);
  });

  it('the address of the local sandbox is refused at its question', async () => {
    const home = await temporaryFolder();
    await mkdir(join(home, 'sandbox'));
    const address = { url: 'http://127.0.0.1:9', api_key: 'a', control_key: 'c', pid: 1 };
    await writeFile(join(home, 'sandbox', 'server.json'), JSON.stringify(address));
    const terminal = openTerminal(home);
    terminal.run('clear; bursar login --insecure-storage; echo "exit=$?"');
    await answer(terminal, 'Address of the service', address.url);
    await terminal.until(/> .*is the sandbox of this machine, which\s+needs\s+no\s+login/);
    terminal.keys('C-c');
    await terminal.until('exit=130');
  });

  it('an invalid address or amount is asked again, and is not marked as accepted', async () => {
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

  it('Ctrl-C at the key stores nothing, and ends with 130 and a visible cursor', async () => {
    const home = await temporaryFolder();
    const terminal = openTerminal(home);
    terminal.run('bursar login --base-url https://api.example --insecure-storage; echo "exit=$?"');
    await terminal.until('API key:');
    terminal.keys('C-c');
    expect(await terminal.until('exit=130')).not.toContain('    at ');
    expect(await terminal.hasCursor()).toBe(true);
    expect(await readdir(home)).toEqual([]);
  });

  it('--api-key-stdin at a terminal is exit 2', async () => {
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

  it('logout names the removed key and the kept settings, and whoami then names the login command', async () => {
    const { terminal } = await loggedIn();
    terminal.run('clear; bursar logout; echo "exit=$?"');
    const out = await terminal.until('exit=0');
    expect(out).toContain('Logged out of prod: its API key was removed, its settings were kept');
    expect(out).not.toContain('profile_removed');
    terminal.run('clear; bursar whoami; echo "exit=$?"');
    expect(await terminal.until('exit=4')).toContain('next: bursar login --profile prod');
  });

  it('a profile is removed after a yes, and Enter removes nothing', async () => {
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

  it('profile set without a setting lists the settings, and refuses a wrong value at its question', async () => {
    const home = await temporaryFolder();
    const terminal = openTerminal(home, { columns: 100, rows: 30 });
    terminal.run('clear; bursar profile set sandbox; echo "exit=$?"');
    await terminal.until('Choose what to enter:');
    terminal.keys('Enter');
    const list = await terminal.until(/Setting: *\n[\s\S]*❯/);
    expect(list).toContain('policy.most_per_day.TOKEN (most that may leave in a day)');
    expect(list, 'the address of the sandbox is built in').not.toContain('base_url');
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
    expect(await terminal.until('exit=0'), 'the profile in use is active').toMatch(/^sandbox .*true/m);
    terminal.run('clear; bursar profile show; echo "exit=$?"');
    expect(await terminal.until('exit=0')).toMatch(/^active +true/m);
  });
});
