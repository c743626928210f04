import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import { AT_ONCE_MS } from '../../../support/at-once.ts';
import { startBursar } from '../../../support/bursar.ts';
import { ABOUT, keyHome, PASSWORD } from './support.ts';

/** The text of all files in a home, except the password file of the test. */
const textsIn = async (home: string): Promise<string> => {
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'pw');
  return (await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')))).join('\n');
};

const PW = ['--password-file', 'pw'];
/** Commands that read a secret and succeed or fail, with their standard input. */
const COMMANDS: readonly (readonly [readonly string[], string])[] = [
  [['key', 'new', 'a', '--chain', 'solana', ...PW], ''],
  [['key', 'new', 'b', '--chain', 'evm', '--password-stdin'], PASSWORD],
  [['key', 'import', 'c', '--chain', 'solana', '--mnemonic-stdin', ...PW], ABOUT],
  [['key', 'import', 'd', '--chain', 'solana', '--mnemonic-stdin', ...PW], ABOUT.replace('about', 'abaut')],
  [['key', 'import', 'd', '--chain', 'evm', '--mnemonic-stdin', ...PW], ABOUT.replace('about', 'zoo')],
  [['key', 'import', 'd', '--chain', 'solana', '--private-key-stdin', ...PW], ABOUT],
  [['key', 'import', 'd', '--chain', 'solana', '--file', '-', '--source-password-file', 'pw'], `["${ABOUT}"]`],
  [['key', 'import', 'd', '--chain', 'evm', '--file', '-', ...PW], `{"version":3,"crypto":"${ABOUT}"}`],
  [['key', 'export', 's', '--format', 'bursar', '--out', '-', '--password-stdin'], `${PASSWORD}-wrong`],
  [['key', 'sign-message', 's', '--message', 'hello', ...PW], ''],
  [['key', 'passwd', 's', ...PW, '--new-password-stdin'], `${PASSWORD}-new`],
  [['key', 'rename', 'b', ABOUT], ''],
  [['key', 'show', ABOUT], ''],
  [['key', 'remove', 'b', '--yes'], ''],
];

describe('no secret', () => {
  it.each([[['--debug']], [['--debug', '--json']]])(
    'with %j is in stdout, stderr or a file of any command on keys',
    async (form) => {
      const { home, bursar } = await keyHome('s');
      let said = '';
      for (const [args, stdin] of COMMANDS) {
        const { stdout, stderr } = await bursar([...args, ...form], { stdin });
        expect(stderr).not.toMatch(/\n {4}at /);
        said += stdout + stderr;
      }
      expect(said).toContain('has a word that is not in the BIP-39 list, at position 12');
      for (const text of [said, await textsIn(home)])
        for (const secret of [PASSWORD, 'abandon', 'abaut']) expect(text).not.toContain(secret);
    },
  );
});

describe('a private key typed in a wrong place', () => {
  const HEX = `0x${'4c0883a69102937d'.repeat(4)}`;
  const BASE58 = bs58.encode(Buffer.alloc(64, 7));
  it.each([
    [HEX],
    ['key', BASE58],
    ['help', HEX],
    ['key', 'new', 'x', '--chain', HEX],
    ['key', 'new', 'x', '--chain=evm', `--private-key=${HEX}`],
    ['key', 'import', 'x', '--chain', 'evm', '--file', HEX.slice(2)],
    ['order', 'list', '--limit', BASE58],
    ['pay', 'status', 'pay_1', '--timeout', HEX, '--json'],
  ])('is in no error: %s %s', async (...args) => {
    const { bursar } = await keyHome();
    const { code, stdout, stderr } = await bursar(args);
    expect([code, (stdout + stderr).length > 0]).toEqual([2, true]);
    for (const key of [HEX.slice(2, 14), BASE58.slice(0, 12)]) expect(stdout + stderr).not.toContain(key);
  });

  it.each([
    ['BURSAR_PROFILE', HEX],
    ['BURSAR_PROFILE', BASE58],
    ['BURSAR_BASE_URL', HEX],
    ['BURSAR_API_KEY_FILE', HEX],
    ['BURSAR_KEY', HEX.slice(2)],
    ['BURSAR_KEY', BASE58],
    ['BURSAR_KEY_PASSWORD_FILE', BASE58],
  ])('is in no error when it is the value of %s: %s', async (name, value) => {
    const { bursar } = await keyHome('s');
    const args = name.startsWith('BURSAR_KEY') ? ['key', 'sign-message', '--message', 'x'] : ['quote', 'BTC', 'USDT'];
    const words = name === 'BURSAR_KEY_PASSWORD_FILE' ? [...args, 's'] : args;
    const others = name === 'BURSAR_API_KEY_FILE' ? { BURSAR_BASE_URL: 'https://pay.example' } : {};
    for (const form of [[], ['--json']]) {
      const { code, stdout, stderr } = await bursar([...words, ...form], { env: { [name]: value, ...others } });
      expect([code !== 0, (stdout + stderr).length > 0]).toEqual([true, true]);
      for (const key of [HEX.slice(2, 14), BASE58.slice(0, 12)]) expect(stdout + stderr).not.toContain(key);
    }
  });
});

describe('doctor', () => {
  it('does not print a private key from BURSAR_PROFILE', async () => {
    const { bursar } = await keyHome();
    const key = '4c0883a69102937d'.repeat(4);
    const { code, stdout, stderr } = await bursar(['doctor', '--offline'], { env: { BURSAR_PROFILE: key } });
    expect(code).toBe(2);
    expect(stdout).toContain('there is no profile');
    expect(stdout + stderr).not.toContain(key.slice(0, 12));
  });
});

describe('a diagnostic report of Node', () => {
  it('during the unlocking of a key contains no secret of the environment, the file or the key', async () => {
    const { home, bursar } = await keyHome();
    // A key of the usual cost: the report must be written while the key is derived.
    await bursar(['key', 'import', 's', '--chain', 'solana', '--mnemonic-stdin', ...PW], { stdin: ABOUT });
    const API_KEY = 'api-key-0123456789abcdef';
    const env = {
      BURSAR_KEY_PASSWORD: PASSWORD,
      BURSAR_API_KEY: API_KEY,
      NODE_OPTIONS: `--report-on-signal --report-directory=${home}`,
    };
    const { child, ended } = startBursar(home, ['key', 'sign-message', 's', '--message', 'hello'], { env });
    // The warning about that variable is the last output before the slow derivation of the key.
    child.stderr?.once('data', () => child.kill('SIGUSR2'));
    expect((await ended).code, 'the password is still read').toBe(0);
    const [name = ''] = (await readdir(home)).filter((file) => file.startsWith('report.'));
    const report = await readFile(join(home, name), 'utf8');
    expect(report).toContain('"commandLine"');
    for (const secret of [PASSWORD, API_KEY, 'abandon']) expect(report).not.toContain(secret);
  });
});

describe('without a terminal and a source of the password', () => {
  it.each([
    ['new', 'x', '--chain', 'solana'],
    ['export', 's', '--format', 'bursar', '--out', '-'],
    ['sign-message', 's', '--message', 'hello'],
    ['passwd', 's'],
    ['passwd', 's', '--new-password-file', 'pw'],
    ['remove', 's'],
  ])('key %s %s ends at once with exit 2 and names the missing option', async (...args) => {
    const { alone } = await keyHome('s');
    const started = performance.now();
    const { code, stderr } = await alone(['key', ...args]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/--(?:new-)?password-file FILE|^next: bursar key .* --yes$/m);
    expect(performance.now() - started).toBeLessThan(AT_ONCE_MS);
  });

  it('a password file that its group can read is refused with its chmod', async () => {
    const { bursar, put } = await keyHome('s');
    await put('open', PASSWORD, 0o640);
    const { code, stderr } = await bursar(['key', 'sign-message', 's', '--message', 'x', '--password-file', 'open']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/can be read by other users\n.*chmod 600/s)]);
  });
});
