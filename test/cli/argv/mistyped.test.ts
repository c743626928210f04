import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TRADE_WORDS } from '../../../src/cli/argv/mistakes.ts';
import { TRADE_CODES } from '../../../src/cli/commands/explain/status-texts.ts';
import { newHome } from '../../support/bursar.ts';
import { runInProcess } from '../../support/in-process.ts';

const LIVE = { BURSAR_BASE_URL: 'http://127.0.0.1:9', BURSAR_API_KEY: 'k' };

const typed = async (line: string, env: Readonly<Record<string, string>> = LIVE) => {
  const { home } = await newHome();
  await mkdir(join(home, 'keys'), { mode: 0o700 });
  await writeFile(join(home, 'keys/treasury.json'), '{}', { mode: 0o600 });
  await writeFile(join(home, 'profiles.json'), '{"version":1,"profiles":{"staging":{"base_url":"https://a.example"}}}');
  return runInProcess(home, line.split(' '), env);
};

describe('mistyped input', () => {
  it.each([
    ['a command', 'ordr list', 'order'],
    ['a verb', 'pay regster', 'register'],
    ['a verb with two letters swapped', 'pay rnu', 'run'],
    ['an area with two letters swapped', 'yeild list', 'yield'],
    ['a verb of another area', 'alias remove x', 'delete'],
    ['a verb of other tools', 'key create x', 'new'],
    ['the start of a verb', 'kyc stat', 'status'],
    ['an option', 'quote BTC USDT --amout 1', '--amount'],
    ['a global option', '--jsn quote BTC USDT', '--json'],
    ['a choice', 'pay transaction p --transaction-type cripto', 'crypto'],
    ['a choice behind an equals sign', 'order list --gateway-method=dirct', 'direct'],
    ['a topic', 'help environmnt', 'environment'],
    ['a code', 'explain otp_invalidd', 'otp_invalid'],
    ['a key', 'key show trasury', 'treasury'],
  ])('%s: exit 2, and the error suggests the right word', async (_, line, meant) => {
    const { code, stdout, stderr } = await typed(line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`Did you mean ${meant}?`);
  });

  it('a wrong value is listed before a missing option', async () => {
    const { code, stderr } = await typed('--profile sandbox pay run --amount-from 1,5');
    expect(code).toBe(2);
    const [first, second] = stderr.split('\n').filter((line) => line.startsWith('  --'));
    expect(first).toContain('--amount-from: must be a decimal');
    expect(second).toContain('required');
  });

  it('a profile: the error suggests the right name', async () => {
    expect((await typed('--profile stagin quote BTC USDT', {})).stderr).toContain('Did you mean staging?');
  });

  it('a choice: the error names the option and all choices, and the next command is the help', async () => {
    const { stdout } = await typed('order list --gateway-method dirct --json');
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'usage',
      errors: [{ field: 'gateway_method', option: '--gateway-method', message: '"dirct" is none of direct, subs' }],
      next: 'bursar help order list',
    });
  });

  it.each(['--json', '--json --quiet', '--profile staging --json'])(
    '%s without a command: exit 2 with "no command was given"',
    async (line) => {
      const { code, stdout } = await typed(line);
      expect(code).toBe(2);
      expect(JSON.parse(stdout).error).toEqual({
        code: 'usage',
        message: 'no command was given',
        next: 'bursar help',
      });
    },
  );
});

describe('a word of other tools', () => {
  it.each(Object.entries(TRADE_WORDS))(
    '%s is exit 2; the error suggests bursar %s, and the next command is its help',
    async (word, meant) => {
      const { code, stdout, stderr } = await typed(word);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(`hint: Did you mean bursar ${meant}?`);
      const next = /^next: bursar (.*)$/m.exec(stderr)?.[1] ?? '';
      expect(await typed(next)).toMatchObject({ code: 0, stderr: '' });
    },
  );

  it.each([
    ['key ls', 'key list'],
    ['pay ls --open', 'pay list --open'],
    ['key rm nobody', 'key remove nobody'],
    ['pay rm 20260101T000000Z-00000000', 'pay forget 20260101T000000Z-00000000'],
    ['pay ls --help', 'pay list --help'],
    ['help key rm', 'help key remove'],
    ['key rm -h', 'key remove -h'],
  ])('%s prints the same as %s', async (short, whole) => {
    const { home } = await newHome();
    const run = (line: string) => runInProcess(home, line.split(' '), {});
    expect(await run(short)).toEqual(await run(whole));
  });

  it.each(['-v', '--version', '-v --json'])('%s prints the version', async (line) => {
    expect(await typed(line)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
    });
  });

  it.each(['insufficient_funds', 'nonce_too_low', 'rate_limited', 'forbidden'])('%s is explained', async (word) => {
    expect(await typed(`explain ${word}`)).toMatchObject({ code: 0, stdout: expect.stringContaining('What to do:') });
  });

  it('for explain stands for a code that explain describes', async () => {
    for (const meant of Object.values(TRADE_CODES)) expect((await typed(`explain ${meant}`)).code, meant).toBe(0);
  });
});

describe('a group of commands alone', () => {
  it.each(['kyc', 'pay', 'sandbox', 'key'])('%s prints its help: exit 0', async (group) => {
    const [alone, help] = await Promise.all([typed(group), typed(`help ${group}`)]);
    expect(alone).toEqual(help);
    expect(alone).toMatchObject({ code: 0, stderr: '' });
  });

  it('with --json is exit 2 and prints one document', async () => {
    const { code, stdout } = await typed('kyc --json');
    expect(code).toBe(2);
    expect(JSON.parse(stdout).error).toMatchObject({
      message: '"kyc" is not a whole command',
      next: 'bursar help kyc',
    });
  });
});
