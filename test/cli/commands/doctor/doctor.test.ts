import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { globalsFrom } from '../../../../src/cli/argv/command-line.ts';
import { checkNode, OLDEST_NODE } from '../../../../src/cli/commands/doctor/check-machine.ts';
import { openCli } from '../../../../src/cli/context/context.ts';
import { PROGRAM, runBursar } from '../../../support/bursar.ts';
import { newEvmKey } from '../../../support/cheap-key.ts';
import { newHomeInProcess } from '../../../support/in-process.ts';
import { temporaryFolder, testIo } from '../../../support/io.ts';
import { envelope, type Responder, startServer } from '../../../support/server.ts';

type Check = { readonly check: string; readonly state: string; readonly says: string; readonly next: string | null };
type Report = {
  readonly ok: boolean;
  readonly failures: number;
  readonly warnings: number;
  readonly checks: readonly Check[];
};

/** A read-only mount needs a namespace of its own. */
const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0;
if (!canMount && process.env['CI'] === undefined)
  process.stderr.write('Skipped: the test of a read-only mount needs user namespaces (unshare -rm).\n');

const ROOT = join(dirname(PROGRAM), '..');
const KEY = 'doctors-own-api-key-0123456789';

const of = (stdout: string, check: string): readonly Check[] =>
  (JSON.parse(stdout) as Report).checks.filter((one) => one.check === check);

const serviceAt = async (responder: Responder) => {
  const { url, received } = await startServer(responder);
  return { env: { BURSAR_BASE_URL: url, BURSAR_API_KEY: KEY }, received };
};

const HEALTHY = envelope(200, 'products_listed', { data: {} });

const withDate =
  (offMs: number): Responder =>
  (received, response) => {
    response.setHeader('date', new Date(Date.now() + offMs).toUTCString());
    return HEALTHY(received, response);
  };

describe('doctor, without a problem', () => {
  it('ends with 0, calls the service once, and prints one document without the key', async () => {
    const { bursar } = await newHomeInProcess();
    const { env, received } = await serviceAt(HEALTHY);
    const { code, stdout, stderr } = await bursar(['doctor', '--json'], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, failures: 0 });
    expect(of(stdout, 'service')).toMatchObject([{ state: 'ok' }]);
    expect(of(stdout, 'clock')).toMatchObject([{ state: 'ok' }]);
    expect(received.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /config/products']);
    expect(stdout).not.toContain(KEY);
  });

  it('without a system keyring skips the keyring check: exit 0', async () => {
    const { bursar } = await newHomeInProcess();
    const { code, stdout } = await bursar(['doctor', '--offline', '--json'], { env: { PATH: '/nowhere' } });
    expect(code).toBe(0);
    expect(of(stdout, 'keyring')).toMatchObject([{ state: 'skip', says: expect.stringContaining('private file') }]);
  });

  it('does not create a missing home', async () => {
    const { home, bursar } = await newHomeInProcess();
    const empty = join(home, 'none');
    const { code } = await bursar(['doctor'], { env: { BURSAR_HOME: empty } });
    expect(code).toBe(0);
    await expect(stat(empty)).rejects.toThrow('ENOENT');
  });

  it('prints one line for each check to a pipe, and sends nothing with --offline', async () => {
    const { bursar } = await newHomeInProcess();
    const { env, received } = await serviceAt(HEALTHY);
    const { stdout } = await bursar(['doctor', '--offline'], { env });
    for (const line of stdout.slice(0, -1).split('\n')) expect(line.split('\t')).toHaveLength(4);
    expect(stdout).toMatch(/^service\tskip\t/m);
    expect(received).toEqual([]);
  });

  it('does not start the sandbox to check it', async () => {
    const { bursar } = await newHomeInProcess();
    const { code, stdout } = await bursar(['doctor', '--profile', 'sandbox', '--json']);
    expect(code).toBe(0);
    expect(of(stdout, 'service')).toMatchObject([{ state: 'skip' }]);
    expect((await bursar(['sandbox', 'status', '--json'])).stdout).toContain('false');
  });

  it('requires the oldest Node that package.json allows', async () => {
    const { engines } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    expect(engines.node).toBe(`>=${OLDEST_NODE}`);
  });
});

describe('doctor, with a problem', () => {
  it.each([
    ['v18.20.0', 'fail'],
    ['v20.18.9', 'fail'],
    ['v20.19.0', 'ok'],
    ['v22.1.0', 'ok'],
    ['v24.0.0', 'ok'],
  ])('reports Node %s as %s', async (node, state) => {
    const { io } = await testIo({ io: { machine: { node, system: 'linux', processor: 'x64' } } });
    expect(await checkNode(openCli(io, globalsFrom({}, {}), 'test'), { isOffline: true })).toMatchObject([{ state }]);
  });

  const keyed = async () => {
    const { home, bursar } = await newHomeInProcess();
    await newEvmKey(home, 'treasury');
    return { home, bursar, path: join(home, 'keys/treasury.json') };
  };

  it('warns of a read-only folder, names its chmod, and does not change the folder', async () => {
    const { bursar, home } = await keyed();
    const folder = join(home, 'state', 'journal');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o500);
    const { stdout } = await bursar(['doctor', '--offline', '--json']);
    expect(of(stdout, 'places')).toMatchObject([
      { state: 'warn', says: `${folder} is read-only: mode 0500`, next: `chmod 700 ${folder}` },
    ]);
    expect((await stat(folder)).mode & 0o777).toBe(0o500);
    await chmod(folder, 0o700);
    expect(of((await bursar(['doctor', '--offline', '--json'])).stdout, 'places')).toMatchObject([{ state: 'ok' }]);
  });

  it.runIf(canMount || process.env['CI'] !== undefined)(
    'warns of a home on a read-only file system, and the error of a write names it too',
    async () => {
      const { home } = await keyed();
      const mount = `mount --bind "${home}" "${home}" && mount -o remount,bind,ro "${home}"`;
      const readOnly = (args: string) => {
        const script = `${mount} && exec "${process.execPath}" "${PROGRAM}" ${args}`;
        return spawnSync('unshare', ['-rm', 'sh', '-c', script], {
          encoding: 'utf8',
          env: { BURSAR_HOME: home, CI: '1' },
        });
      };
      const [first, ...others] = of(readOnly('doctor --offline --json').stdout, 'places');
      expect(first).toMatchObject({ state: 'warn', says: expect.stringContaining(`${home} cannot be written`) });
      expect(others).toEqual([]);
      const { status, stderr } = readOnly('key policy set treasury chains=polygon --yes');
      expect([status, stderr]).toEqual([
        2,
        expect.stringMatching(/^error: cannot write \S+: read-only file system \(EROFS\)\nnext: bursar doctor\n$/),
      ]);
    },
  );

  it('warns of a key file that others can read, names its chmod, and does not change the mode', async () => {
    const { bursar, path } = await keyed();
    await chmod(path, 0o644);
    const { code, stdout } = await bursar(['doctor', '--offline', '--json']);
    expect(code).toBe(0);
    expect(of(stdout, 'files')).toMatchObject([{ state: 'warn', next: `chmod 600 ${path}` }]);
    expect((await stat(path)).mode & 0o777).toBe(0o644);
  });

  it('fails where others can write to the home, as each command does: exit 2', async () => {
    const { bursar, home } = await keyed();
    await chmod(home, 0o777);
    const { code, stdout } = await bursar(['doctor', '--offline', '--json']);
    expect(code).toBe(2);
    expect(of(stdout, 'files')).toMatchObject([{ state: 'fail', next: `chmod 700 ${home}` }]);
    expect((await bursar(['key', 'list'])).code).toBe(2);
    await chmod(home, 0o700);
  });

  it('fails for a damaged key: exit 2', async () => {
    const { bursar, path } = await keyed();
    await writeFile(path, '{"version": 3');
    const { code, stdout, stderr } = await bursar(['doctor', '--offline']);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^keys\tfail\ttreasury: /m);
    expect(stderr).toMatch(/^error: keys: treasury: /);
  });

  it('fails for a damaged profiles file with exit 2, and still makes the other checks', async () => {
    const { home, bursar } = await newHomeInProcess();
    await writeFile(join(home, 'profiles.json'), '{', { mode: 0o600 });
    const { code, stdout, stderr } = await bursar(['doctor', '--json']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(of(stdout, 'profiles')).toMatchObject([{ state: 'fail' }]);
    expect(of(stdout, 'profile')).toMatchObject([{ state: 'fail' }]);
    expect(of(stdout, 'terminal')).toHaveLength(1);
  });

  it('fails for a key that the service refuses: exit 4', async () => {
    const { bursar } = await newHomeInProcess();
    const { env } = await serviceAt(envelope(401, 'unauthorized'));
    const { code, stdout } = await bursar(['doctor', '--json'], { env });
    expect(code).toBe(4);
    expect(of(stdout, 'service')).toMatchObject([{ state: 'fail' }]);
  });

  it('fails when nothing answers: exit 5', async () => {
    const { bursar } = await newHomeInProcess();
    const env = { BURSAR_BASE_URL: 'http://127.0.0.1:9', BURSAR_API_KEY: KEY };
    expect((await bursar(['doctor'], { env })).code).toBe(5);
  });

  it.each([
    ['ahead of', -600_000],
    ['behind', 600_000],
  ])('warns of a clock that is %s the service', async (word, offMs) => {
    const { bursar } = await newHomeInProcess();
    const { env } = await serviceAt(withDate(offMs));
    const { code, stdout } = await bursar(['doctor', '--json'], { env });
    expect(code).toBe(0);
    expect(of(stdout, 'clock')).toMatchObject([{ state: 'warn', says: expect.stringContaining(word) }]);
  });

  it('warns of an unfinished payment in the journal, and names the command that resumes it', async () => {
    const { home, bursar } = await newHomeInProcess();
    const { env } = await serviceAt((received, response) =>
      received.path.endsWith('create-order')
        ? envelope(201, 'payment_registered', { data: { payment_id: 'pay_1' } })(received, response)
        : envelope(500, 'server_failed')(received, response),
    );
    await newEvmKey(home, 'k');
    const money = ['--from-currency-symbol', 'USDT', '--amount-from', '10', '--to-currency-symbol', 'USDT'];
    const tenant = ['--public-client-id', `c_${'0'.repeat(32)}`, '--webhook-url', 'https://a.example/h'];
    const split = ['--to-chain', 'polygon', '--allow', 'crypto', '--split', `0x${'1'.repeat(40)}=100`];
    const payer = ['--payer-email', 'a@example.com', '--key', 'k', '--yes', '--timeout', '3'];
    await bursar(['pay', 'run', ...tenant, ...money, ...split, ...payer], {
      env: { ...env, BURSAR_KEY_PASSWORD: 'pw' },
    });
    const before = await readdir(home, { recursive: true });
    const { code, stdout } = await bursar(['doctor', '--offline', '--json'], { env });
    expect(code).toBe(0);
    expect(of(stdout, 'journal')).toMatchObject([{ state: 'warn', next: 'bursar pay resume pay_1' }]);
    expect(await readdir(home, { recursive: true })).toEqual(before);
  });

  it('fails for an unreadable journal: exit 2', async () => {
    const { home, bursar } = await newHomeInProcess();
    await mkdir(join(home, 'state/journal'), { recursive: true });
    await writeFile(join(home, 'state/journal/20260115T093000Z-0123abcd.ndjson'), 'no line\n{}\n', { mode: 0o600 });
    const { code, stdout } = await bursar(['doctor', '--offline', '--json']);
    expect(code).toBe(2);
    expect(of(stdout, 'journal')).toMatchObject([{ state: 'fail' }]);
  });

  it('warns of missing parts of the sandbox, and fails when the sandbox is the chosen profile', async () => {
    const folder = await temporaryFolder();
    for (const part of ['bin', 'dist']) await cp(join(ROOT, part), join(folder, part), { recursive: true });
    await cp(join(ROOT, 'package.json'), join(folder, 'package.json'));
    const program = join(folder, 'bin/bursar.js');
    const elsewhere = await runBursar(folder, ['doctor', '--offline', '--json'], { program });
    expect(elsewhere.code).toBe(0);
    expect(of(elsewhere.stdout, 'sandbox').map(({ state }) => state)).toEqual(['warn', 'warn', 'warn']);
    const chosen = await runBursar(folder, ['doctor', '--offline', '--profile', 'sandbox', '--json'], { program });
    expect(chosen.code).toBe(5);
    expect(of(chosen.stdout, 'sandbox').map(({ state }) => state)).toEqual(['fail', 'fail', 'fail']);
  });

  it('warns while the completion of the shell is not installed', async () => {
    const { home, bursar } = await newHomeInProcess();
    const env = { SHELL: '/usr/bin/fish' };
    expect(of((await bursar(['doctor', '--json'], { env })).stdout, 'completion')).toMatchObject([{ state: 'warn' }]);
    await mkdir(join(home, '.config/fish/completions'), { recursive: true });
    await writeFile(join(home, '.config/fish/completions/bursar.fish'), '');
    expect(of((await bursar(['doctor', '--json'], { env })).stdout, 'completion')).toMatchObject([{ state: 'ok' }]);
  });
});
