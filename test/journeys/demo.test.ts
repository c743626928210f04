import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { newHome, startBursar } from '../support/bursar.ts';
import { newEvmKey } from '../support/cheap-key.ts';
import { temporaryFolder } from '../support/io.ts';
import { PAYMENT } from '../support/journey.ts';

/** A home, and a folder for temporary files that must be empty at the end. */
const newPlace = async () => {
  const { home, bursar } = await newHome();
  const temporary = await temporaryFolder();
  const env = { CI: 'true', TMPDIR: temporary };
  const expectNothingLeft = async (inHome: readonly string[] = []) => {
    // `ps` prints the environment of each process: neither the sandbox nor its nodes still run.
    expect(execFileSync('ps', ['axeww'], { encoding: 'utf8' })).not.toContain(`TMPDIR=${temporary}`);
    expect([await readdir(temporary), await readdir(home)]).toEqual([[], inHome]);
  };
  return { home, bursar, env, expectNothingLeft };
};

/** Resolves when a program has printed a text on stderr. */
const saying = async ({ stderr }: ChildProcess, text: RegExp): Promise<void> => {
  for (let printed = ''; !text.test(printed); ) printed += (await once(stderr as Readable, 'data'))[0];
};

describe('the demo', () => {
  it('pays two receivers 70/30 on the chain without a terminal, and leaves no file and no process', async () => {
    const { bursar, env, expectNothingLeft } = await newPlace();
    const { code, stdout, stderr } = await bursar(['demo', '--json'], { env });
    expect(code).toBe(0);
    expect(stderr).toContain('No real money moves');
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ status: 'success', profile: 'sandbox', kind: 'sandbox' });
    expect(result.balances.map(({ before, after }: { before: string; after: string }) => [before, after])).toEqual([
      ['25', '15'],
      ['0', '7'],
      ['0', '3'],
    ]);
    await expectNothingLeft();
  });

  it('ends with the next command, which works in the home of the user', async () => {
    const { home, bursar, env } = await newPlace();
    const { stdout, stderr } = await bursar(['demo', '--json'], { env });
    const next = stderr.trimEnd().split('\n').at(-1);
    expect(next).toBe('next: bursar pay run --profile sandbox');
    expect(JSON.parse(stdout).next).toBe('bursar pay run --profile sandbox');
    const { address } = await newEvmKey(home, 'payer');
    const words = ['--body', '-', '--key', 'payer', '--yes'];
    await bursar(['sandbox', 'fund', address]);
    const run = await bursar([...'pay run --profile sandbox'.split(' '), ...words], {
      stdin: JSON.stringify(PAYMENT),
      env: { BURSAR_KEY_PASSWORD: 'pw' },
    });
    await bursar(['sandbox', 'stop']);
    expect([run.code, run.code === 0 ? '' : run.stderr]).toEqual([0, '']);
  });

  it('of npm in a checkout names the file that starts the program', async () => {
    const { bursar, env } = await newPlace();
    const { stdout, stderr } = await bursar(['demo', '--json'], { env: { ...env, npm_lifecycle_event: 'demo' } });
    const next = 'node bin/bursar.js pay run --profile sandbox';
    expect([stderr.trimEnd().split('\n').at(-1), JSON.parse(stdout).next]).toEqual([`next: ${next}`, next]);
  });

  it('ignores a live service and its key in the environment', async () => {
    const { bursar, env } = await newPlace();
    const live = { ...env, BURSAR_BASE_URL: 'https://live.invalid', BURSAR_API_KEY: 'live-key' };
    expect((await bursar(['demo', '--json', '--quiet'], { env: live })).code).toBe(0);
  });

  it('does not change a running sandbox of the user', async () => {
    const { bursar, env } = await newPlace();
    await bursar(['sandbox', 'start']);
    const facts = async () => {
      const { stdout } = await bursar(['sandbox', 'status', '--json', '--fields', 'running,url,pid,chains']);
      return [JSON.parse(stdout), (await bursar(['pay', 'list', '--json'])).stdout];
    };
    const before = await facts();
    expect((await bursar(['demo', '--json'], { env })).code).toBe(0);
    expect(await facts()).toEqual(before);
    await bursar(['sandbox', 'stop']);
  });

  it.each([
    ['while the sandbox starts', undefined],
    ['while it pays', /registered/],
  ])('ends with 130 at an interrupt %s, and leaves no file and no process', async (_, seen) => {
    const { home, env, expectNothingLeft } = await newPlace();
    const { child, ended } = startBursar(home, ['demo', '--verbose'], { env });
    if (seen === undefined) await sleep(600);
    else await saying(child, seen);
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect([code, stderr]).toEqual([130, expect.stringContaining('removed its files')]);
    expect(stderr).not.toContain('pay resume');
    await expectNothingLeft();
  });

  it('leaves no file and no process after a failure, and names a command for the home of the user', async () => {
    const { home, env, expectNothingLeft } = await newPlace();
    const { child, ended } = startBursar(home, ['demo', '--verbose'], { env });
    await saying(child, /runs at/);
    const [folder = ''] = await readdir(env.TMPDIR);
    const address = JSON.parse(await readFile(join(env.TMPDIR, folder, 'sandbox', 'server.json'), 'utf8'));
    process.kill(address.pid, 'SIGKILL');
    const { code, stderr } = await ended;
    expect([code, stderr.trimEnd().split('\n').at(-1)]).toEqual([5, expect.stringMatching(/^next: bursar \w+/)]);
    expect(stderr).not.toContain('pay resume');
    await expectNothingLeft();
  });
});
