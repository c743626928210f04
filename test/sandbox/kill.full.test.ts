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
/** So many begin when the first has ended: usually some of them are in work when the server is killed. */
const LATE = 40;
/** So many begin after the kill: however slow this process is, not all are confirmed. */
const AFTER = 2;

/** A payment as far as its client knows: each step's answer may have been lost. */
type Begun = {
  readonly payer: Wallet;
  readonly chain: string;
  readonly id?: string | undefined;
  readonly raw?: string | undefined;
  readonly answer?: string | undefined;
};

const funded = async (client: Client, chain: string): Promise<Begun> => {
  const payer = newPayer();
  await fund(client, payer, chain);
  return { payer, chain };
};

const sign = async (client: Client, { payer, chain }: Begun, payment_id: string): Promise<string> => {
  const created = await createTransaction(client, { payment_id, payer_wallet: payer.address, chain_name: chain });
  return payer.signTransaction(toSign(created.body.data.crypto_tx.transactionRequest));
};

/** Takes a payment from where it is to its end, or to where an answer is lost. */
const goOn = async (client: Client, begun: Begun): Promise<Begun> => {
  let { id, raw } = begun;
  try {
    id ??= String((await register(client, { to_chain: begun.chain })).body.data.payment_id);
    raw ??= await sign(client, begun, id);
    return { ...begun, id, raw, answer: (await execute(client, id, raw)).body.status };
  } catch {
    return { ...begun, id, raw };
  }
};

/** Makes all payments at once, and kills the server when some are confirmed. */
const payAndKill = async (client: Client, payments: readonly Begun[], some: number): Promise<readonly Begun[]> => {
  const { pid } = client.address;
  const nodes = await childrenOf(pid);
  expect(nodes).toHaveLength(CHAINS.length);
  let confirmed = 0;
  const early = payments.slice(LATE).map((payment) => goOn(client, payment));
  const late = payments.slice(AFTER, LATE).map((payment) => Promise.race(early).then(() => goOn(client, payment)));
  let onKill = () => {};
  const killed = new Promise<void>((resolve) => {
    onKill = resolve;
  });
  const last = payments.slice(0, AFTER).map((payment) => killed.then(() => goOn(client, payment)));
  const after = await Promise.all(
    [...early, ...late, ...last].map(async (paying) => {
      const paid = await paying;
      if (paid.answer !== 'payment_confirmed') return paid;
      confirmed += 1;
      if (confirmed === some) {
        process.kill(pid, 'SIGKILL');
        onKill();
      }
      return paid;
    }),
  );
  await whenDead(client.io, [pid, ...nodes]);
  return after;
};

const settled = async (client: Client, id: string) => {
  for (;;) {
    const payment = await statusOf(client, id);
    if (payment.status !== 'processing') return payment;
    await client.io.clock.sleep(20);
  }
};

/** Every payer has paid once and every receiver was paid by each of them; read by nodes that know the files alone. */
const expectPaidOnce = async (
  io: Io,
  payments: readonly Begun[],
  hashes: ReadonlyMap<Begun, string>,
): Promise<void> => {
  const nodes = openNodes({ io, stateFolder: chainsFolder(io) });
  onTestFinished(() => nodes.close());
  for (const chain of CHAINS) {
    const node = await nodes.on(chain);
    const unit = 10n ** BigInt(node.tokenDecimals('USDT'));
    const own = payments.filter((payment) => payment.chain === chain);
    const seen = own.map(async (payment) => [
      (await node.receipt(hashes.get(payment) ?? ''))?.status,
      await node.nonce(payment.payer.address),
      await node.balance(payment.payer.address, 'USDT'),
    ]);
    expect(await Promise.all(seen)).toEqual(own.map(() => ['success', 1, 9_990n * unit]));
    const paid = await Promise.all(RECEIVERS.map((receiver) => node.balance(receiver, 'USDT')));
    expect(paid).toEqual([7n * unit * BigInt(own.length), 3n * unit * BigInt(own.length)]);
  }
};

test.each([1, 60])(
  'kill -9 after %i of 200 payments on 4 chains: what was confirmed is on its chain once, none is stuck, no process is left',
  { timeout: 120_000 },
  async (some) => {
    const io = await launchingIo(program());
    onTestFinished(async () => void (await stopSandbox(io)));
    const client = clientOf(io, await startSandbox(io, {}));
    const all = Array.from({ length: PAYMENTS }, (_, index) => funded(client, CHAINS[index % CHAINS.length] ?? ''));
    const payments = await payAndKill(client, await Promise.all(all), some);
    const confirmed = payments.filter(({ answer }) => answer === 'payment_confirmed').length;
    expect(confirmed).toBeGreaterThanOrEqual(some);
    expect(confirmed).toBeLessThan(PAYMENTS);

    const again = clientOf(io, await startSandbox(io, {}));
    const statusAfter = async (id: string | undefined) => (id ? (await settled(again, id)).status : 'registered');
    const ended = await Promise.all(
      payments.map(async (payment) => ({ payment, status: await statusAfter(payment.id) })),
    );
    const lost = ended.filter(({ payment, status }) => payment.answer === 'payment_confirmed' && status !== 'success');
    expect(lost).toEqual([]);
    const open = ended.filter(({ status }) => status !== 'success');
    expect(open.filter(({ status }) => status !== 'registered')).toEqual([]);

    const rest = await Promise.all(open.map(({ payment }) => goOn(again, payment)));
    expect(rest.filter(({ answer }) => answer !== 'payment_confirmed')).toEqual([]);
    const whole = [...ended.filter(({ status }) => status === 'success').map(({ payment }) => payment), ...rest];
    const hashOf = async (payment: Begun) => [payment, (await statusOf(again, payment.id ?? '')).tid_hash] as const;
    const hashes = new Map(await Promise.all(whole.map(hashOf)));
    const nodes = await childrenOf(again.address.pid);
    await stopSandbox(io);
    expect([again.address.pid, ...nodes].filter(io.processes.isRunning)).toEqual([]);
    await expectPaidOnce(io, whole, hashes);
  },
);

test('without its optional package the sandbox is one clear failure that names it', async () => {
  const folder = await temporaryFolder();
  await cp(dirname(program()), folder, { recursive: true });
  const env = { BURSAR_HOME: folder };
  const ended = run(process.execPath, [join(folder, 'program.mjs')], { env });
  await expect(ended).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^sandbox_unavailable: .*libsql\n$/),
  });
});
