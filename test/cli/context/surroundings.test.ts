import { execFile, execFileSync } from 'node:child_process';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { newHome, runBursar } from '../../support/bursar.ts';
import { newHomeInProcess } from '../../support/in-process.ts';
import { temporaryFolder } from '../../support/io.ts';
import { envelope, startServer } from '../../support/server.ts';

const PRODUCTS = envelope(200, 'products_found', { data: { products: {}, methods: {} } });

describe('a home that others can write to', () => {
  it.each([0o777, 0o775, 0o757])('of mode %i is refused: exit 2 with its chmod, and nothing is sent', async (mode) => {
    const { url, received } = await startServer(PRODUCTS);
    const { home, bursar } = await newHomeInProcess();
    await chmod(home, mode);
    const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'key-of-the-test' };
    const { code, stderr } = await bursar(['products'], { env });
    expect({ code, calls: received.length }).toEqual({ code: 2, calls: 0 });
    expect(stderr).toContain(`next: chmod 700 ${home}`);
    await chmod(home, 0o700);
    expect(await bursar(['products'], { env })).toMatchObject({ code: 0, stderr: '' });
  });

  it('is reported by doctor, and does not stop --version and help', async () => {
    const { home, bursar } = await newHomeInProcess();
    await chmod(home, 0o777);
    expect((await bursar(['doctor', '--offline'])).stdout).toContain('chmod 700');
    expect(await bursar(['--version'])).toMatchObject({ code: 0 });
    expect(await bursar(['help', 'kyc', 'start'])).toMatchObject({ code: 0 });
  });
});

describe('a bursar.json that is not a regular file', () => {
  const at = async (make: (path: string) => Promise<unknown>) => {
    const { home } = await newHome();
    const cwd = await temporaryFolder();
    await make(join(cwd, 'bursar.json'));
    const begun = performance.now();
    const { code, stderr } = await runBursar(home, ['whoami', '--json'], { cwd });
    return { code, stderr, isFast: performance.now() - begun < 5_000 };
  };

  it.each<[string, (path: string) => Promise<unknown>]>([
    ['a named pipe', async (path) => execFileSync('mkfifo', [path])],
    ['a device', (path) => symlink('/dev/zero', path)],
    ['a folder', (path) => mkdir(path)],
  ])('as %s is exit 2 at once', async (_, make) => {
    const { code, isFast } = await at(make);
    expect({ code, isFast }).toEqual({ code: 2, isFast: true });
  });

  it('is ignored in a folder that every user can write to', async () => {
    const { code, stderr, isFast } = await at(async (path) => {
      execFileSync('mkfifo', [path]);
      await chmod(dirname(path), 0o777);
    });
    expect({ code, isFast }).toEqual({ code: 4, isFast: true });
    expect(stderr).toMatch(/^warning: .*bursar\.json is ignored/m);
  });

  it('is read when it is a link to a regular file', async () => {
    const elsewhere = join(await temporaryFolder(), 'x.json');
    await writeFile(elsewhere, '{"profile":"nowhere"}');
    const { home } = await newHome();
    const cwd = await temporaryFolder();
    await symlink(elsewhere, join(cwd, 'bursar.json'));
    const { code, stdout } = await runBursar(home, ['products', '--json'], { cwd });
    expect({ code, message: JSON.parse(stdout).error.message }).toMatchObject({
      code: 2,
      message: expect.stringContaining('nowhere'),
    });
  });
});

it('a deleted working folder has no project file, and products still succeeds', async () => {
  const { url } = await startServer(PRODUCTS);
  const { home } = await newHome();
  const cwd = await temporaryFolder();
  const program = join(process.cwd(), 'bin', 'bursar.js');
  const script = `cd "${cwd}" && rmdir "${cwd}" && "${process.execPath}" "${program}" products --json; echo "exit $?"; "${process.execPath}" "${program}" key export x --out y --format v3; echo "exit $?"`;
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    BURSAR_HOME: home,
    BURSAR_BASE_URL: url,
    BURSAR_API_KEY: 'k'.repeat(20),
  };
  const { stdout: out } = await promisify(execFile)('sh', ['-c', `exec 2>&1; ${script}`], { env });
  await rm(cwd, { recursive: true, force: true });
  expect(out).toContain('exit 0');
  expect(out).toContain('exit 2');
  expect(out).not.toContain('uv_cwd');
});

describe('NODE_TLS_REJECT_UNAUTHORIZED=0', () => {
  const run = async (url: string, ...more: readonly string[]) => {
    const { home } = await newHome();
    const env = {
      BURSAR_BASE_URL: url,
      BURSAR_API_KEY: 'key-of-the-test',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      NODE_NO_WARNINGS: '1',
    };
    return (await runBursar(home, ['products', '--timeout', '2', ...more], { env })).stderr;
  };

  it.each([[], ['--quiet'], ['--json']])('causes a warning when a call leaves this machine: %s', async (...more) => {
    expect(await run('https://service.invalid', ...more.filter(Boolean))).toMatch(
      /^warning: NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not checked/m,
    );
  });

  it('causes a warning for https on this machine too', async () => {
    const { url } = await startServer(PRODUCTS);
    expect(await run(url.replace('http:', 'https:'))).toMatch(/^warning: NODE_TLS_REJECT_UNAUTHORIZED=0/m);
  });

  it('causes no warning for plain http on this machine', async () => {
    const { url } = await startServer(PRODUCTS);
    expect(await run(url)).toBe('');
  });
});

describe('the code of an e-mail', () => {
  const VERIFY = ['kyc', 'verify-otp', '--email', 'ana@example.com'];
  const verify = async (args: readonly string[], stdin = '') => {
    const { url, received } = await startServer(envelope(200, 'email_verified'));
    const { bursar } = await newHomeInProcess();
    const env = { BURSAR_BASE_URL: url, BURSAR_API_KEY: 'key-of-the-test' };
    return { ...(await bursar([...VERIFY, ...args], { env, stdin })), bodies: received.map(({ body }) => body) };
  };

  it.each(['--code-stdin', '--otp-stdin'])(
    'is read from standard input with %s, and is not printed',
    async (option) => {
      const { code, stdout, stderr, bodies } = await verify([option], '482915\n');
      expect(stdout).not.toContain('482915');
      expect({ code, stderr, code_sent: JSON.parse(bodies[0] ?? '{}').code }).toEqual({
        code: 0,
        stderr: '',
        code_sent: '482915',
      });
    },
  );

  it('as an option is sent with a warning, also with --quiet', async () => {
    const { code, stderr, bodies } = await verify(['--code', '482915', '--quiet']);
    expect({ code, calls: bodies.length }).toEqual({ code: 0, calls: 1 });
    expect(stderr).toMatch(/^warning: --code is visible/);
  });

  it.each(['--curl', '--dry-run', '--debug'])('is masked in %s', async (option) => {
    for (const [args, stdin] of [
      [['--code', '482915'], ''],
      [['--code-stdin'], '482915\n'],
    ] as const) {
      const { stdout, stderr } = await verify([...args, option], stdin);
      expect(stdout + stderr).not.toContain('482915');
    }
  });

  it('is a shell variable in --curl', async () => {
    const { stdout } = await verify(['--code', '482915', '--curl']);
    expect(stdout).toContain('"$CODE"');
    expect(() => execFileSync('bash', ['-n', '-c', stdout])).not.toThrow();
  });

  it.each([
    [['--code-stdin'], '', 'standard input has no code'],
    [['--code-stdin', '--code', '1'], '2', 'give only one of --code and --code-stdin'],
    [[], '', 'missing: --code'],
  ])('with the options %s and no usable code is exit 2, and nothing is sent', async (args, stdin, message) => {
    const { code, stderr, bodies } = await verify(args, stdin);
    expect({ code, calls: bodies.length }).toEqual({ code: 2, calls: 0 });
    expect(stderr).toContain(message.replace('missing: ', ''));
  });
});
