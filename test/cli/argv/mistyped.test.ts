import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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

describe('what is mistyped', () => {
  it.each([
    ['a command', 'ordr list', 'order'],
    ['a verb', 'pay regster', 'register'],
    ['an option', 'quote BTC USDT --amout 1', '--amount'],
    ['a global option', '--jsn quote BTC USDT', '--json'],
    ['a choice', 'pay transaction p --transaction-type cripto', 'crypto'],
    ['a choice behind an equals sign', 'order list --gateway-method=dirct', 'direct'],
    ['a topic', 'help environmnt', 'environment'],
    ['a code', 'explain otp_invalidd', 'otp_invalid'],
    ['a key', 'key show trasury', 'treasury'],
  ])('%s is named, and what was likely meant: exit 2', async (_, line, meant) => {
    const { code, stdout, stderr } = await typed(line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`Did you mean ${meant}?`);
  });

  it('a profile as well', async () => {
    expect((await typed('--profile stagin quote BTC USDT', {})).stderr).toContain('Did you mean staging?');
  });

  it('a choice is told by its option, with all that there are; the next command is its help', async () => {
    const { stdout } = await typed('order list --gateway-method dirct --json');
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'usage',
      errors: [{ field: 'gateway_method', option: '--gateway-method', message: '"dirct" is none of direct, subs' }],
      next: 'bursar help order list',
    });
  });

  it.each(['--json', '--json --quiet', '--profile staging --json'])(
    '%s without a command says that there is none',
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
