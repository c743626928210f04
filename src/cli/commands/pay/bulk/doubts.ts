import type { Row } from '../../../../bulk/rows.ts';
import { deploymentOfService } from '../../../../client/service.ts';
import { walletOf } from '../../../../flows/pay/nonce.ts';
import { inDoubtOf } from '../../../../journal/doubt.ts';
import { isPaymentIntent } from '../../../../journal/intents.ts';
import type { OperationState } from '../../../../journal/operation-state.ts';
import { readState } from '../../../../journal/states.ts';
import { statusOf } from '../../../../journal/status.ts';
import { settleOperation } from './pay-row.ts';
import { nameOf } from './plan-row.ts';
import type { BulkRun } from './row-context.ts';

/** How many doubts are settled at a time. */
const AT_ONCE = 8;

/** The operations in doubt of the run's wallets that a bulk command started, from this file or another one. */
const doubtsOfWallets = async ({ cli, client, settings }: BulkRun): Promise<readonly OperationState[]> => {
  const deployment = deploymentOfService(client.service);
  const found: OperationState[] = [];
  for (const { address } of settings.pool) {
    if (address === undefined) continue;
    const live = await inDoubtOf(cli.io, address, deployment);
    found.push(...live.map(({ state }) => state).filter(({ started }) => started.intent_key?.startsWith('bulk/')));
  }
  return found;
};

/**
 * Starts to settle what earlier runs left in doubt, before any row is started: their wallets are kept from now on. `settle`
 * pays a row of this file. Those of other files are resumed.
 */
export const settleEarlier = async (
  run: BulkRun,
  rows: readonly Row[],
  settle: (row: Row) => Promise<void>,
): Promise<{ readonly end: Promise<void> }> => {
  const { cli, lanes, settings } = run;
  const own = new Set(rows.map(({ id }) => nameOf(settings.batch, id)));
  const doubts = await doubtsOfWallets(run);
  for (const { id, started } of doubts)
    if (isPaymentIntent(started.intent)) lanes.block(walletOf(run, started.intent), id);
  /** Frees the wallet of an operation, or holds it. Another process may have settled the operation before its turn. */
  const release = async ({ id }: OperationState): Promise<void> => {
    const state = await readState(cli.io, id);
    if (state && statusOf(state) === 'in_doubt') lanes.giveUp(id);
    else lanes.settle(id);
  };
  const others = doubts.filter(({ started }) => !own.has(started.intent_key ?? ''));
  const tasks = [
    ...others.map((state) => async () => {
      await settleOperation(run, state);
      await release(state);
    }),
    ...rows.map((row) => async () => {
      await settle(row);
      const name = nameOf(settings.batch, row.id);
      for (const state of doubts.filter(({ started }) => started.intent_key === name)) await release(state);
    }),
  ];
  const work = async (): Promise<void> => {
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) await task();
  };
  const all = Promise.all(Array.from({ length: AT_ONCE }, work));
  return { end: all.then(() => undefined) };
};
