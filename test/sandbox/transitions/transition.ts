import { withLedger } from '../money.ts';
import { execute, statusOf } from '../payer.ts';
import { type Client, sandboxIo, startEphemeral, startTestSandbox, type TestSandbox } from '../sandbox.ts';

/** A step of a payment, an order or a verification, and how it is seen to happen. */
export type Transition = {
  readonly machine: 'payment' | 'order' | 'kyc';
  /** `-`: there was nothing. */
  readonly from: string;
  readonly to: string;
  readonly trigger: string;
  /** What is done, in words for the table. */
  readonly by: string;
  /** Whether the service's document has it, or the sandbox chose it where that is silent. */
  readonly source: 'document' | 'sandbox';
  /** Makes it happen; resolves with every state that was seen, in order. */
  readonly observe: () => Promise<readonly string[]>;
};

export const startOne = async (): Promise<TestSandbox> => startEphemeral();

/** The states of a payment since its registration, by the webhooks that told of them. */
export const historyOf = async ({ control }: Client, id: string): Promise<readonly string[]> => {
  const { events } = (await control('GET', `events?payment_id=${id}`)).body.data;
  const told = events.map(({ payment_status }: { payment_status: string }) => payment_status).toReversed();
  return ['registered', ...told];
};

/** The state before and after an execute that is refused for the payment's state. */
export const refusedIn = async (client: Client, id: string, raw: string): Promise<readonly string[]> => {
  const before = (await statusOf(client, id)).status;
  const { body } = await execute(client, id, raw);
  if (body.status !== 'invalid_payment_status') return [`not refused: ${body.status}`];
  return [before, (await statusOf(client, id)).status];
};

/** A sandbox that finds a payment in a state in which no call leaves it for long. */
export const foundIn = async (status: string, make: (client: Client) => Promise<{ id: string; raw: string }>) => {
  const io = await sandboxIo();
  const before = await startTestSandbox(io);
  const { id, raw } = await make(before);
  await before.stop();
  await withLedger(io, (ledger) => ledger.updateTable('payments').set({ status }).where('id', '=', id).execute());
  return { sandbox: await startTestSandbox(io), id, raw };
};
