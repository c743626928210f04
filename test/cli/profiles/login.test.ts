import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { API_KEY, given } from './support.ts';

const everythingIn = async (home: string): Promise<string> => {
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return (await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')))).join('\n');
};

const onLinux = describe.runIf(process.platform === 'linux');

onLinux('login with a key through a pipe', () => {
  it('stores the key in the keyring; it is in no argument, file, environment or output', async () => {
    const { home, received, run, login, json } = await given({ isAlone: true });
    const { code, stdout, stderr } = await login('--debug', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ profile: 'default', kind: 'live', api_key: 'keyring', active: true });
    const products = await run(['products', '--debug', '--json']);
    expect([products.code, JSON.parse(products.stdout)]).toEqual([0, { methods: { pix: true } }]);
    expect(received.map(({ path }) => path)).toEqual(['/config/products', '/config/products']);
    expect(received[1]?.headers['x-api-key']).toBe(API_KEY);
    const who = await json(['whoami']);
    expect(who.data).toMatchObject({ api_key_from: 'keyring', key_check: 'accepted' });
    expect(who.stderr).toBe('');
    const all = [stdout, stderr, products.stdout, products.stderr, JSON.stringify(who.data), await everythingIn(home)];
    const base64 = Buffer.from(`"${API_KEY}"`).toString('base64').slice(4, 16);
    for (const text of all) expect(text).not.toContain(API_KEY);
    for (const name of ['asked', 'environment']) expect(await readFile(join(home, name), 'utf8')).not.toContain(base64);
  });

  it('without a keyring stores nothing, and names both solutions; --insecure-storage works', async () => {
    const { home, login, json } = await given({ hasKeyring: false });
    const { code, stderr } = await login();
    expect(code).toBe(2);
    expect(stderr).toContain('apt-get install libsecret-tools');
    expect(stderr).toMatch(/^next: bursar login .*--insecure-storage$/m);
    expect(await readdir(home)).toEqual(['bin']);
    expect((await login('--insecure-storage')).code).toBe(0);
    const [name = ''] = await readdir(join(home, 'api-keys'));
    expect((await stat(join(home, 'api-keys', name))).mode & 0o777).toBe(0o600);
    expect((await json(['whoami'])).data).toMatchObject({
      api_key_from: 'file (--insecure-storage)',
      key_check: 'accepted',
    });
  });

  it('a locked keyring without an error message stores no key', async () => {
    const { home, login } = await given();
    await writeFile(join(home, 'locked'), '');
    const { code, stderr } = await login();
    expect([code, stderr]).toEqual([2, expect.stringContaining('secret-tool did not store the secret')]);
    expect(await readdir(home)).not.toContain('profiles.json');
  });

  it('a key that the service refuses is exit 4, and the stored profile does not change', async () => {
    const { home, login, run, json } = await given();
    await login();
    const before = await readFile(join(home, 'profiles.json'), 'utf8');
    const refused = await run(['login', '--api-key-stdin'], { stdin: 'sk_wrong' });
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('The key was not stored.')]);
    expect(refused.stderr).not.toContain('sk_wrong');
    expect(await readFile(join(home, 'profiles.json'), 'utf8')).toBe(before);
    expect((await json(['whoami'])).code).toBe(0);
  });

  it('names the key in use when the environment contains one', async () => {
    const { login, run, json, url } = await given();
    await login();
    const env = { BURSAR_API_KEY: 'sk_env' };
    const again = await run(['login', '--api-key-stdin'], { stdin: API_KEY, env });
    expect(again.stderr).toContain('note: BURSAR_API_KEY is set and overrides the stored key');
    const who = await json(['whoami', '--offline'], { env });
    expect(who.data).toMatchObject({ base_url: url, api_key_from: 'BURSAR_API_KEY' });
    const refused = await run(['whoami'], { env });
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('the key comes from: BURSAR_API_KEY')]);
  });

  it('a second login leaves one key in the keyring, and logout none; only --forget removes the profile', async () => {
    const { home, login, run, json } = await given();
    const ring = async () => (await readdir(home)).filter((name) => name.startsWith('ring-')).length;
    await login('--type-amount-above', 'USDT=1000', '--type-amount-above', '*=5');
    await login();
    expect(await ring()).toBe(1);
    const out = await json(['logout']);
    expect(out.data).toEqual({ profile: 'default', key_removed: true, profile_removed: false });
    expect(await ring()).toBe(0);
    const show = await json(['profile', 'show']);
    expect(show.data).toMatchObject({ api_key: null, settings: { type_amount_above: { USDT: '1000', '*': '5' } } });
    expect((await run(['logout', '--forget'])).code).toBe(0);
    expect((await json(['profile', 'list'])).data.map(({ name }: { name: string }) => name)).toEqual(['sandbox']);
  });

  it('a second profile does not become the profile in use', async () => {
    const { login, json } = await given();
    await login();
    const { stderr } = await login('--profile', 'staging');
    expect(stderr).toContain('bursar profile use staging');
    expect((await json(['whoami', '--offline'])).data).toMatchObject({
      profile: 'default',
      profile_from: 'profile use',
    });
  });
});

describe('login', () => {
  it('without a terminal is exit 2 and names all missing options', async () => {
    const { run } = await given();
    const { code, stderr } = await run(['login']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/--base-url: required\n.*--api-key-file or --api-key-stdin: required/s);
  });

  it.each([
    [['login', '--api-key', API_KEY]],
    [['login', `--api-key=${API_KEY}`, '--json']],
    [['--api-key', API_KEY, 'products', '--debug']],
  ])('%j is exit 2, names the alternatives, and does not repeat the key', async (args) => {
    const { run } = await given();
    const { code, stdout, stderr } = await run(args);
    expect(code).toBe(2);
    for (const way of ['--api-key-stdin', '--api-key-file', 'BURSAR_API_KEY_FILE'])
      expect(stdout + stderr).toContain(way);
    expect(stdout + stderr).not.toContain(API_KEY);
  });

  it('refuses a key file that others can read, and a key with a line end', async () => {
    const { home, run, url } = await given();
    await writeFile(join(home, 'key'), API_KEY, { mode: 0o644 });
    const file = await run(['login', '--base-url', url, '--api-key-file', 'key']);
    expect([file.code, file.stderr]).toEqual([2, expect.stringContaining('chmod 600')]);
    const piped = await run(['login', '--base-url', url, '--api-key-stdin'], { stdin: `${API_KEY}\nx: y` });
    expect(piped.code).toBe(2);
    expect(piped.stderr).not.toContain(API_KEY);
  });

  it('sends no key when the environment names another service than the profile', async () => {
    const { url, received, run } = await given();
    await run(['profile', 'set', 'prod', 'base_url=https://prod.example']);
    const args = ['login', '--profile', 'prod', '--api-key-stdin'];
    const { code, stderr } = await run(args, { stdin: API_KEY, env: { BURSAR_BASE_URL: url } });
    expect([code, stderr]).toEqual([2, expect.stringContaining('Choose the service with --base-url')]);
    expect(received).toEqual([]);
  });

  it('creates no live profile for the address of the local sandbox', async () => {
    const { home, url, received, run } = await given();
    await mkdir(join(home, 'sandbox'));
    const address = { url, api_key: 'a', control_key: 'c', pid: 1 };
    await writeFile(join(home, 'sandbox', 'server.json'), JSON.stringify(address));
    const { code, stderr } = await run(['login', '--base-url', url, '--api-key-stdin'], { stdin: API_KEY });
    expect([code, stderr]).toEqual([2, expect.stringContaining('next: bursar profile use sandbox')]);
    expect(stderr).toContain('--profile sandbox');
    const other = url.replace('127.0.0.1', 'localhost');
    expect((await run(['login', '--base-url', other, '--api-key-stdin'], { stdin: API_KEY })).code).toBe(2);
    expect((await run(['profile', 'set', 'p', `base_url=${other}`])).stderr).toContain('--profile sandbox');
    expect([received, await readdir(home)]).toEqual([[], expect.not.arrayContaining(['profiles.json'])]);
  });

  it('of the sandbox is exit 2, because the sandbox is built in', async () => {
    const { run } = await given();
    const { code, stderr } = await run(['login', '--profile', 'sandbox', '--api-key-stdin'], { stdin: 'k' });
    expect([code, stderr]).toEqual([2, expect.stringContaining('built in')]);
  });
});
