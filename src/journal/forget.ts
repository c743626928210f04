import type { Claim } from '../io/files/claim.ts';
import type { Io } from '../io/io.ts';
import { type Deployment, deploymentOf, isSameDeployment } from './keys.ts';
import { storeOf } from './open-store.ts';
import { claimOperation } from './operation.ts';
import { allStates } from './overview.ts';

/**
 * Removes operations after some work, the first one last. If the work fails, they stay. Throws `not_final` before the work
 * when a process works on one of them.
 */
export const forgetAfter = async <T>(io: Io, ids: readonly string[], work: () => Promise<T>): Promise<T> => {
  const claims: Claim[] = [];
  try {
    for (const id of ids) claims.push(await claimOperation(io, id));
    const result = await work();
    // While the lines are there, the same command removes what is left.
    const store = await storeOf(io);
    for (const id of ids.toReversed()) for (const each of [store.inputs, store]) await each.remove(id);
    return result;
  } finally {
    for (const claim of claims) await claim.release();
  }
};

/** Removes operations, the first one last. Throws `not_final`, and removes none, when a process works on one. */
export const forgetOperations = (io: Io, ...ids: readonly string[]): Promise<void> =>
  forgetAfter(io, ids, async () => undefined);

/** The operations of a deployment that were started at a time or later, by the clock of this machine. */
export const startedSince = async (io: Io, deployment: Deployment, since: number): Promise<readonly string[]> => {
  const found: string[] = [];
  // A damaged operation stays: nobody knows its deployment.
  for await (const state of allStates(io, () => undefined))
    if (Date.parse(state.started_at) >= since && isSameDeployment(deploymentOf(state), deployment))
      found.push(state.id);
  return found;
};
