import type { BatchName } from '../../../../bulk/queue/names.ts';
import type { Queue } from '../../../../bulk/queue/queue.ts';
import type { Client } from '../../../../client/call.ts';
import { deploymentOfService } from '../../../../client/service.ts';
import type { Claim } from '../../../../io/files/claim.ts';
import { stateNamed } from '../../../../journal/earlier.ts';
import { storeOf } from '../../../../journal/open-store.ts';
import { isTerminal, mayHaveMoved } from '../../../../journal/status.ts';
import type { Subject } from '../../../../journal/store.ts';
import { nameOf } from './plan-row.ts';

/** What a worker claims for each of its wallets. */
export const workerOf = (kind: string, address: string): Subject => ({
  of: 'worker',
  name: `${kind} ${address.toLowerCase()}`,
});

/**
 * Lets a put replace started rows that nobody pays, and repeats it. No worker has one of their wallets or gets one meanwhile,
 * and the journal has no payment of theirs that may go on. So a row whose wallet has lost its key can get another key.
 */
export const withReleased = async (
  { io, service }: Client,
  queue: Queue,
  batch: BatchName,
  ids: readonly string[],
  putAgain: () => Promise<void>,
): Promise<void> => {
  const claims = new Map<string, Claim | undefined>();
  const isFree = async (wallet: string): Promise<boolean> => {
    if (!claims.has(wallet)) {
      const claiming = await (await storeOf(io)).claim(workerOf(service.kind, wallet), 0);
      claims.set(wallet, 'claim' in claiming ? claiming.claim : undefined);
    }
    return claims.get(wallet) !== undefined;
  };
  const isUnpaid = async (id: string): Promise<boolean> => {
    const state = await stateNamed(io, deploymentOfService(service), nameOf(batch.batch, id));
    return state === undefined || (isTerminal(state) && !mayHaveMoved(state));
  };
  try {
    const released: string[] = [];
    for (const { row, wallets } of await queue.startedOf(batch, ids)) {
      const free = await Promise.all(wallets.map(isFree));
      if (free.length > 0 && free.every((each) => each) && (await isUnpaid(row.id))) released.push(row.id);
    }
    if (released.length === 0) return;
    await queue.release(batch, released);
    await putAgain();
  } finally {
    for (const claim of claims.values()) await claim?.release();
  }
};
