import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newHome, PROGRAM } from '../support/bursar.ts';

const COMMANDS: readonly (readonly string[])[] = [
  ['review'],
  ['key', 'import', 'k', '--chain', 'evm', '--file'],
  ['pay', 'register', '--body'],
];

describe.each(COMMANDS)('bursar %s', (...command) => {
  it('ends at once with an endless file, in little memory', async () => {
    const { bursar } = await newHome();
    const { code, stderr } = await bursar([...command, '/dev/zero']);
    expect(code).toBe(2);
    expect(stderr).toContain('/dev/zero: larger than 4194304 bytes');
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 130],
  ] as const)('waits for the writer of a pipe, and ends with %s', async (signal, expected) => {
    const { home } = await newHome();
    const pipe = join(home, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const env = { PATH: process.env['PATH'] ?? '', HOME: home, BURSAR_HOME: home };
    const child = spawn(process.execPath, [PROGRAM, ...command, pipe], { env, stdio: 'ignore' });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(child.exitCode).toBeNull();
    const start = performance.now();
    child.kill(signal);
    expect(await ended).toBe(expected);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});

it('a process substitution is a file like any other', async () => {
  const { home } = await newHome();
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, BURSAR_HOME: home };
  const line = `"$0" "$1" review <(sleep 0.2; printf '{"nothing": 1}')`;
  const run = () => execFileSync('bash', ['-c', line, process.execPath, PROGRAM], { env, stdio: 'pipe' });
  expect(run).toThrow('this holds neither a crypto_tx nor a Solana transaction');
});
