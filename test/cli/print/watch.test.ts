import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runBursar, startBursar } from '../../support/bursar.ts';
import { SANDBOX_ENV } from '../../support/cheap-key.ts';
import { temporaryFolder } from '../../support/io.ts';
import { type Journey, PAYMENT, startJourney } from '../../support/journey.ts';

/** A watch in a pipe, with its printed lines. */
const watch = (home: string, line: string, under: readonly string[] = []) => {
  const { child, ended } = startBursar(home, line.split(' '), { env: SANDBOX_ENV, under });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  child.stdout?.on('data', (more: string) => {
    text += more;
  });
  const lines = () => text.split('\n').slice(0, -1);
  return {
    ended,
    end: (signal: NodeJS.Signals = 'SIGINT') => child.kill(signal),
    lines,
    /** Waits for a number of lines. */
    until: async (count: number) => {
      while (lines().length < count) await new Promise((resolve) => setTimeout(resolve, 20));
      return lines().map((each) => JSON.parse(each));
    },
  };
};

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney();
  await writeFile(join(journey.home, 'payment.json'), JSON.stringify(PAYMENT));
});
afterAll(() => journey.end());

const register = async (): Promise<string> =>
  String((await journey.json(['pay', 'register', '--body', join(journey.home, 'payment.json')])).data['payment_id']);

describe('pay list --watch in a pipe', () => {
  it('prints JSON lines: each payment, oldest first, then each new or changed payment', async () => {
    const ids = [await register(), await register()];
    const { until, lines, end, ended } = watch(journey.home, 'pay list --watch --every 0.2');
    expect((await until(2)).map(({ payment_id }) => payment_id)).toEqual(ids);
    const third = await register();
    const [, , row] = await until(3);
    expect(row).toMatchObject({ payment_id: third, state: 'registered', profile: 'sandbox' });
    const body = ['--body', join(journey.home, 'payment.json')];
    const { data } = await journey.json(['pay', 'run', ...body, '--key', 'payer', '--yes']);
    const isPaid = () =>
      lines().some((line) => line.includes(`"${data['payment_id']}"`) && /"state":"success"/.test(line));
    while (!isPaid()) await new Promise((resolve) => setTimeout(resolve, 20));
    const count = lines().length;
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(lines()).toHaveLength(count);
    end();
    expect(await ended).toMatchObject({ code: 130, stderr: '' });
  });

  it('prints the fields of --fields, and the result of --jq', async () => {
    await register();
    const fields = watch(journey.home, 'pay list --watch --every 0.2 --limit 1 --fields state,amount');
    expect(await fields.until(1)).toEqual([{ state: 'registered', amount: '10' }]);
    const jq = watch(journey.home, 'pay list --watch --every 0.2 --limit 1 --jq {state}');
    expect(await jq.until(1)).toEqual([{ state: 'registered' }]);
  });

  it('ends with 0 at --timeout, and at the next change after the reader closes the pipe', async () => {
    const limited = await runBursar(journey.home, ['pay', 'list', '--watch', '--every', '0.2', '--timeout', '1']);
    expect([limited.code, limited.stderr]).toEqual([0, '']);
    const script = '{ "$@"; echo "exit=$?" >&2; } | head -1';
    const { ended, until } = watch(journey.home, 'pay list --watch --every 0.2 --limit 1', ['sh', '-c', script, 'sh']);
    await until(1);
    await register();
    await register();
    expect(await ended).toMatchObject({ stderr: 'exit=0\n', stdout: expect.stringMatching(/^[^\n]+\n$/) });
  });

  it.each([
    ['pay list --every 1', '--every needs --watch'],
    ['pay list --watch --every 0', 'is not a number of seconds'],
    ['pay list --watch --state nope', 'is none of success'],
    ['pay list --watch --profile nope', 'nope'],
    ['sandbox status --every 1', '--every needs --watch'],
  ])('bursar %s is exit 2', async (line, message) => {
    const { code, stdout, stderr } = await journey.bursar(line.split(' '));
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
  });

  it('of a journal without payments prints nothing and waits', async () => {
    const { code, stdout, stderr } = await runBursar(await temporaryFolder(), [
      'pay',
      'list',
      '--watch',
      '--every',
      '0.2',
      '--timeout',
      '1',
    ]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

describe('sandbox status --watch in a pipe', () => {
  it('prints a JSON line first, when a chain starts and when the sandbox ends, and not for time alone', async () => {
    const home = await temporaryFolder();
    onTestFinished(async () => void (await runBursar(home, ['sandbox', 'stop'])));
    const { until, lines, end, ended } = watch(home, 'sandbox status --watch --every 0.2');
    expect(await until(1)).toEqual([{ running: false }]);
    await runBursar(home, ['sandbox', 'start', '--ephemeral']);
    expect((await until(2))[1]).toMatchObject({ running: true, chains: [] });
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(lines()).toHaveLength(2);
    const address = '0x4444444444444444444444444444444444444444';
    await runBursar(home, ['sandbox', 'fund', address, '--chain', 'bsc']);
    expect((await until(3)).at(-1)).toMatchObject({ running: true, chains: ['bsc'] });
    await runBursar(home, ['sandbox', 'stop']);
    const all = await until(lines().length + (lines().at(-1)?.includes('false') ? 0 : 1));
    expect(all.at(-1)).toEqual({ running: false });
    end('SIGTERM');
    expect((await ended).code).toBe(130);
  });

  it('does not reset the idle time of the sandbox', async () => {
    const { until } = watch(journey.home, 'sandbox status --watch --every 0.2 --fields idle_ms,running');
    const [first] = await until(1);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const again = watch(journey.home, 'sandbox status --watch --every 0.2 --fields idle_ms,running');
    const [second] = await again.until(1);
    expect(second.idle_ms - first.idle_ms).toBeGreaterThan(1400);
  });
});
