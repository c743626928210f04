import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Wallet } from 'ethers/wallet';
import { expect, onTestFinished, test } from 'vitest';
import type { Io } from '../../src/io/io.ts';
import { chainsFolder } from '../../src/sandbox/address.ts';
import { openNodes } from '../../src/sandbox/chains/nodes.ts';
import { startSandbox, stopSandbox } from '../../src/sandbox/launcher.ts';
import { temporaryFolder } from '../support/io.ts';
import { createTransaction, execute, fund, newPayer, RECEIVERS, register, statusOf, toSign } from './payer.ts';
import { launchingIo, useSandboxProgram } from './program.ts';
import { type Client, clientOf } from './sandbox.ts';

const program = useSandboxProgram();

const run = promisify(execFile);

const childrenOf = async (pid: number): Promise<readonly number[]> =>
  (await run('pgrep', ['-P', String(pid)])).stdout.trim().split('\n').map(Number);

const whenDead = async (io: Io, pids: readonly number[]): Promise<void> => {
  while (pids.some(io.processes.isRunning)) await io.clock.sleep(10);
};

const CHAINS = ['polygon', 'bsc', 'base', 'ethereum'];
const PAYMENTS = 200;
/** The number of payments that start after the first has ended. Usually some of them are in progress at the kill. */
const LATE_COUNT = 40;
/** The number of payments that start after the kill. They cannot be confirmed, however slow the machine is. */
const AFTER_KILL_COUNT = 2;

/** A payment with the answers that its client received; any answer may be lost. */
type ClientPayment = {
  readonly payer: Wallet;
  readonly chain: string;
  readonly id?: string | undefined;
  readonly raw?: string | undefined;
  readonly answer?: string | undefined;
};

const funded = async (client: Client, chain: string): Promise<ClientPayment> => {
  const payer = newPayer();
  await fund(client, payer, chain);
  return { payer, chain };
};

const sign = async (client: Client, { payer, chain }: ClientPayment, payment_id: string): Promise<string> => {
  const created = await createTransaction(client, { payment_id, payer_wallet: payer.address, chain_name: chain });
  return payer.signTransaction(toSign(created.body.data.crypto_tx.transactionRequest));
};

/** Runs the remaining steps of a payment, until its end or a lost answer. */
const continuePayment = async (client: Client, payment: ClientPayment): Promise<ClientPayment> => {
  let { id, raw } = payment;
  try {
    id ??= String((await register(client, { to_chain: payment.chain })).body.data.payment_id);
    raw ??= await sign(client, payment, id);
    return { ...payment, id, raw, answer: (await execute(client, id, raw)).body.status };
  } catch {
    return { ...payment, id, raw };
  }
};

/** Makes all payments at once, and kills the server when `killAfter` payments are confirmed. */
const payAndKill = async (
  client: Client,
  payments: readonly ClientPayment[],
  killAfter: number,
): Promise<readonly ClientPayment[]> => {
  const { pid } = client.address;
  const nodes = await childrenOf(pid);
  expect(nodes).toHaveLength(CHAINS.length);
  let confirmed = 0;
  const early = payments.slice(LATE_COUNT).map((payment) => continuePayment(client, payment));
  const late = payments
    .slice(AFTER_KILL_COUNT, LATE_COUNT)
    .map((payment) => Promise.race(early).then(() => continuePayment(client, payment)));
  let onKill = () => {};
  const killed = new Promise<void>((resolve) => {
    onKill = resolve;
  });
  const last = payments
    .slice(0, AFTER_KILL_COUNT)
    .map((payment) => killed.then(() => continuePayment(client, payment)));
  const after = await Promise.all(
    [...early, ...late, ...last].map(async (paying) => {
      const paid = await paying;
      if (paid.answer !== 'payment_confirmed') return paid;
      confirmed += 1;
      if (confirmed === killAfter) {
        process.kill(pid, 'SIGKILL');
        onKill();
      }
      return paid;
    }),
  );
  await whenDead(client.io, [pid, ...nodes]);
  return after;
};

const waitUntilSettled = async (client: Client, id: string) => {
  for (;;) {
    const payment = await statusOf(client, id);
    if (payment.status !== 'processing') return payment;
    await client.io.clock.sleep(20);
  }
};

/** Expects one payment of each payer and its shares at the receivers, read by new nodes from the files. */
const expectPaidOnce = async (
  io: Io,
  payments: readonly ClientPayment[],
  hashes: ReadonlyMap<ClientPayment, string>,
): Promise<void> => {
  const nodes = openNodes({ io, stateFolder: chainsFolder(io) });
  onTestFinished(() => nodes.close());
  for (const chain of CHAINS) {
    const node = await nodes.on(chain);
    const unit = 10n ** BigInt(node.tokenDecimals('USDT'));
    const own = payments.filter((payment) => payment.chain === chain);
    const reads = own.map(async (payment) => [
      (await node.receipt(hashes.get(payment) ?? ''))?.status,
      await node.nonce(payment.payer.address),
      await node.balance(payment.payer.address, 'USDT'),
    ]);
    expect(await Promise.all(reads)).toEqual(own.map(() => ['success', 1, 9_990n * unit]));
    const paid = await Promise.all(RECEIVERS.map((receiver) => node.balance(receiver, 'USDT')));
    expect(paid).toEqual([7n * unit * BigInt(own.length), 3n * unit * BigInt(own.length)]);
  }
};

test.each([1, 60])(
  'keeps confirmed payments on their chains once and leaves none stuck after kill -9 at %i of 200 payments',
  { timeout: 120_000 },
  async (killAfter) => {
    const io = await launchingIo(program());
    onTestFinished(async () => void (await stopSandbox(io)));
    const client = clientOf(io, await startSandbox(io, {}));
    const all = Array.from({ length: PAYMENTS }, (_, index) => funded(client, CHAINS[index % CHAINS.length] ?? ''));
    const payments = await payAndKill(client, await Promise.all(all), killAfter);
    const confirmed = payments.filter(({ answer }) => answer === 'payment_confirmed').length;
    expect(confirmed).toBeGreaterThanOrEqual(killAfter);
    expect(confirmed).toBeLessThan(PAYMENTS);

    const again = clientOf(io, await startSandbox(io, {}));
    const statusAfter = async (id: string | undefined) =>
      id ? (await waitUntilSettled(again, id)).status : 'registered';
    const outcomes = await Promise.all(
      payments.map(async (payment) => ({ payment, status: await statusAfter(payment.id) })),
    );
    const lost = outcomes.filter(
      ({ payment, status }) => payment.answer === 'payment_confirmed' && status !== 'success',
    );
    expect(lost).toEqual([]);
    const open = outcomes.filter(({ status }) => status !== 'success');
    expect(open.filter(({ status }) => status !== 'registered')).toEqual([]);

    const rest = await Promise.all(open.map(({ payment }) => continuePayment(again, payment)));
    expect(rest.filter(({ answer }) => answer !== 'payment_confirmed')).toEqual([]);
    const allPaid = [...outcomes.filter(({ status }) => status === 'success').map(({ payment }) => payment), ...rest];
    const hashOf = async (payment: ClientPayment) =>
      [payment, (await statusOf(again, payment.id ?? '')).tid_hash] as const;
    const hashes = new Map(await Promise.all(allPaid.map(hashOf)));
    const nodes = await childrenOf(again.address.pid);
    await stopSandbox(io);
    expect([again.address.pid, ...nodes].filter(io.processes.isRunning)).toEqual([]);
    await expectPaidOnce(io, allPaid, hashes);
  },
);

test('fails and names the package when an optional package is missing', async () => {
  const folder = await temporaryFolder();
  await cp(dirname(program()), folder, { recursive: true });
  const env = { BURSAR_HOME: folder };
  const running = run(process.execPath, [join(folder, 'program.mjs')], { env });
  await expect(running).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^sandbox_unavailable: .*libsql\n$/),
  });
});
