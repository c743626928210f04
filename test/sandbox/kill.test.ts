import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { Io } from '../../src/io/io.ts';
import type { Address } from '../../src/sandbox/address.ts';
import { startSandbox, stopSandbox } from '../../src/sandbox/launcher.ts';
import { temporaryFolder } from '../support/io.ts';
import { balancesOf, execute, fund, newPayer, type Prepared, prepare, statusOf } from './payer.ts';
import { launchingIo, useSandboxProgram } from './program.ts';
import { type Client, clientOf } from './sandbox.ts';

const program = useSandboxProgram();

const run = promisify(execFile);

const childrenOf = async (pid: number): Promise<readonly number[]> =>
  (await run('pgrep', ['-P', String(pid)])).stdout.trim().split('\n').map(Number);

const whenDead = async (io: Io, pids: readonly number[]): Promise<void> => {
  while (pids.some(io.processes.isRunning)) await io.clock.sleep(10);
};

const killHard = async (io: Io, { pid }: Address): Promise<void> => {
  const nodes = await childrenOf(pid);
  expect(nodes.length).toBeGreaterThan(0);
  process.kill(pid, 'SIGKILL');
  await whenDead(io, [pid, ...nodes]);
};

const funded = async (client: Client, chain: string) => {
  const payer = newPayer();
  await fund(client, payer, chain);
  return prepare(client, { payer, order: { to_chain: chain }, transaction: { chain_name: chain } });
};

/** The status that an execute answered with, or none when its answer was lost. */
const answerOf = (client: Client, id: string, raw: string): Promise<string | undefined> =>
  execute(client, id, raw).then(
    ({ body }) => body.status,
    () => undefined,
  );

const settled = async (client: Client, id: string) => {
  for (;;) {
    const payment = await statusOf(client, id);
    if (payment.status !== 'processing') return payment;
    await client.io.clock.sleep(20);
  }
};

test.each([3, 12, 30])(
  'kill -9 after %i of 40 executes: what was confirmed is paid once, none is stuck, no node is left',
  async (some) => {
    const io = await launchingIo(program());
    onTestFinished(async () => void (await stopSandbox(io)));
    const before = await startSandbox(io, {});
    const client = clientOf(io, before);
    const chains = ['polygon', 'bsc'];
    const payments: readonly Prepared[] = await Promise.all(
      Array.from({ length: 40 }, (_, index) => funded(client, chains[index % 2] ?? 'polygon')),
    );
    let answered = 0;
    let killed: Promise<void> | undefined;
    const answers = await Promise.all(
      payments.map(async ({ id, raw }) => {
        const answer = await answerOf(client, id, raw);
        answered += 1;
        if (answered === some) killed = killHard(io, before);
        return answer;
      }),
    );
    await killed;
    expect(answered).toBeGreaterThanOrEqual(some);
    const again = clientOf(io, await startSandbox(io, {}));
    const after = [];
    for (const { id } of payments) after.push(await settled(again, id));
    for (const [index, { payer }] of payments.entries()) {
      const { status, from_chain } = after[index];
      const { USDT } = await balancesOf(again, payer.address, from_chain);
      expect([status, USDT]).toEqual(status === 'success' ? ['success', '9990'] : ['registered', '10000']);
      if (answers[index] === 'payment_confirmed') expect(status).toBe('success');
    }
  },
);

test('without its optional packages the sandbox is one clear failure that names them', async () => {
  const folder = await temporaryFolder();
  await cp(dirname(program()), folder, { recursive: true });
  const env = { BURSAR_HOME: folder };
  const ended = run(process.execPath, [join(folder, 'program.mjs')], { env });
  await expect(ended).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^sandbox_unavailable: .*hono, @hono\/node-server, kysely, libsql\n$/),
  });
});
