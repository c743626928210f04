import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { Io } from '../../src/io/io.ts';
import type { Address } from '../../src/sandbox/address.ts';
import { startSandbox, stopSandbox } from '../../src/sandbox/launcher.ts';
import { create, FIAT_ORDER, PIX, until } from './money.ts';
import { balancesOf, execute, fund, newPayer, prepare, statusOf } from './payer.ts';
import { launchingIo, useSandboxProgram } from './program.ts';
import { type Client, clientOf, type Seen } from './sandbox.ts';

const program = useSandboxProgram();
const run = promisify(execFile);

const killHard = async (io: Io, { pid }: Address): Promise<void> => {
  const { stdout } = await run('pgrep', ['-P', String(pid)]);
  process.kill(pid, 'SIGKILL');
  const all = [pid, ...stdout.trim().split('\n').map(Number)];
  while (all.some(io.processes.isRunning)) await io.clock.sleep(10);
};

/** A receiver of its own for each payment: what it has is what that payment paid out. */
const newReceiver = (): { readonly wallet: string; readonly order: object } => {
  const wallet = newPayer().address;
  return {
    wallet,
    order: { to_chain: 'base', split_payment_config: [{ receiver_wallet: wallet, receiver_percent: 100 }] },
  };
};

type Begun = {
  readonly id: string;
  readonly wallet: string;
  /** What its receiver gets. */
  readonly pays: string;
  readonly begin: () => Promise<Seen>;
};

const bridged = async (client: Client): Promise<Begun> => {
  const payer = newPayer();
  await fund(client, payer);
  const { wallet, order } = newReceiver();
  const { id, raw } = await prepare(client, { payer, order: { ...order } });
  return { id, wallet, pays: '10', begin: () => execute(client, id, raw) };
};

const byPix = async (client: Client): Promise<Begun> => {
  const { wallet, order } = newReceiver();
  const { id } = await create(client, PIX, { ...FIAT_ORDER, ...order });
  return {
    id,
    wallet,
    pays: '19.047619',
    begin: () => client.control('POST', 'pix', { payment_id: id, outcome: 'pay' }),
  };
};

test.each([1_050, 1_100, 1_250])(
  'kill -9 %i ms into 40 payouts of bridge and Pix: each receiver is paid once, no payment is stuck',
  async (milliseconds) => {
    const io = await launchingIo(program());
    onTestFinished(async () => void (await stopSandbox(io)));
    const before = await startSandbox(io, {});
    const client = clientOf(io, before);
    const payments: Begun[] = [];
    for (let count = 0; count < 20; count += 1) payments.push(await bridged(client), await byPix(client));
    await Promise.all(payments.slice(0, 20).map(({ begin }) => begin()));
    const lost = () => undefined;
    const late = io.clock
      .sleep(milliseconds - 1_000)
      .then(() => payments.slice(20).map(({ begin }) => begin().catch(lost)));
    await io.clock.sleep(milliseconds);
    await killHard(io, before);
    await Promise.all(await late);
    const again = clientOf(io, await startSandbox(io, {}));
    for (const { id, wallet, pays } of payments) {
      const { status } = await until(async () => {
        const payment = await statusOf(again, id);
        return ['processing', 'received'].includes(payment.status) ? undefined : payment;
      });
      expect([status, (await balancesOf(again, wallet, 'base')).USDT]).toEqual(
        status === 'success' ? ['success', pays] : ['registered', '0'],
      );
    }
  },
);
