import { withLedger } from '../money.ts';
import { execute, statusOf } from '../payer.ts';
import { type Client, sandboxIo, startEphemeral, startTestSandbox, type TestSandbox } from '../sandbox.ts';

/** A transition of a payment, an order or a KYC user, and how to observe it. */
export type Transition = {
  readonly machine: 'payment' | 'order' | 'kyc';
  /** `-` before the creation. */
  readonly from: string;
  readonly to: string;
  readonly trigger: string;
  /** The cause in the table of transitions. */
  readonly by: string;
  /** `document`: from the service's document. `sandbox`: a choice of the sandbox where the document has no rule. */
  readonly source: 'document' | 'sandbox';
  /** Causes the transition; resolves with all observed states, in order. */
  readonly observe: () => Promise<readonly string[]>;
};

export const startOne = async (): Promise<TestSandbox> => startEphemeral();

/** The states of a payment from its registration on, read from its webhook events. */
export const historyOf = async ({ control }: Client, id: string): Promise<readonly string[]> => {
  const { events } = (await control('GET', `events?payment_id=${id}`)).body.data;
  const changes = events.map(({ payment_status }: { payment_status: string }) => payment_status).toReversed();
  return ['registered', ...changes];
};

/** The states before and after an execute that returns invalid_payment_status. */
export const statesAroundRejectedExecute = async (
  client: Client,
  id: string,
  raw: string,
): Promise<readonly string[]> => {
  const before = (await statusOf(client, id)).status;
  const { body } = await execute(client, id, raw);
  if (body.status !== 'invalid_payment_status') return [`not rejected: ${body.status}`];
  return [before, (await statusOf(client, id)).status];
};

/** Starts a sandbox with a payment whose status was written to the ledger, for states that last only a moment. */
export const startWithPayment = async (
  status: string,
  make: (client: Client) => Promise<{ id: string; raw: string }>,
) => {
  const io = await sandboxIo();
  const before = await startTestSandbox(io);
  const { id, raw } = await make(before);
  await before.stop();
  await withLedger(io, (ledger) => ledger.updateTable('payments').set({ status }).where('id', '=', id).execute());
  return { sandbox: await startTestSandbox(io), id, raw };
};
