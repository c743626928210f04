import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { Io } from '../../src/io/io.ts';
import type { Address } from '../../src/sandbox/address.ts';
import { startSandbox, stopSandbox } from '../../src/sandbox/launcher.ts';
import { create, FIAT_ORDER, PIX, until } from './money.ts';
import { balancesOf, execute, fund, newPayer, prepare, statusOf } from './payer.ts';
import { launchingIo, useSandboxProgram } from './program.ts';
import { type Answer, type Client, clientOf } from './sandbox.ts';

const program = useSandboxProgram();
const run = promisify(execFile);

const killHard = async (io: Io, { pid }: Address): Promise<void> => {
  const { stdout } = await run('pgrep', ['-P', String(pid)]);
  process.kill(pid, 'SIGKILL');
  const all = [pid, ...stdout.trim().split('\n').map(Number)];
  while (all.some(io.processes.isRunning)) await io.clock.sleep(10);
};

/** Each payment has its own receiver, so that the balance of the receiver is the payout of that payment. */
const newReceiver = (): { readonly wallet: string; readonly order: object } => {
  const wallet = newPayer().address;
  return {
    wallet,
    order: { to_chain: 'base', split_payment_config: [{ receiver_wallet: wallet, receiver_percent: 100 }] },
  };
};

type PreparedPayment = {
  readonly id: string;
  readonly wallet: string;
  /** The payout to the receiver, in USDT. */
  readonly payout: string;
  readonly execute: () => Promise<Answer>;
};

const bridged = async (client: Client): Promise<PreparedPayment> => {
  const payer = newPayer();
  await fund(client, payer);
  const { wallet, order } = newReceiver();
  const { id, raw } = await prepare(client, { payer, order: { ...order } });
  return { id, wallet, payout: '10', execute: () => execute(client, id, raw) };
};

const byPix = async (client: Client): Promise<PreparedPayment> => {
  const { wallet, order } = newReceiver();
  const { id } = await create(client, PIX, { ...FIAT_ORDER, ...order });
  return {
    id,
    wallet,
    payout: '19.047619',
    execute: () => client.control('POST', 'pix', { payment_id: id, outcome: 'pay' }),
  };
};

test.each([1_050, 1_100, 1_250])(
  'pays each receiver once and leaves no payment stuck after kill -9, %i ms into 40 payouts of bridge and Pix',
  async (milliseconds) => {
    const io = await launchingIo(program());
    onTestFinished(async () => void (await stopSandbox(io)));
    const before = await startSandbox(io, {});
    const client = clientOf(io, before);
    const payments: PreparedPayment[] = [];
    for (let count = 0; count < 20; count += 1) payments.push(await bridged(client), await byPix(client));
    await Promise.all(payments.slice(0, 20).map((payment) => payment.execute()));
    const onLostAnswer = () => undefined;
    const late = io.clock
      .sleep(milliseconds - 1_000)
      .then(() => payments.slice(20).map((payment) => payment.execute().catch(onLostAnswer)));
    await io.clock.sleep(milliseconds);
    await killHard(io, before);
    await Promise.all(await late);
    const again = clientOf(io, await startSandbox(io, {}));
    for (const { id, wallet, payout } of payments) {
      const { status } = await until(async () => {
        const payment = await statusOf(again, id);
        return ['processing', 'received'].includes(payment.status) ? undefined : payment;
      });
      expect([status, (await balancesOf(again, wallet, 'base')).USDT]).toEqual(
        status === 'success' ? ['success', payout] : ['registered', '0'],
      );
    }
  },
);
