import type { Io } from '../io/io.ts';
import { allStates } from './overview.ts';
import { readMovement } from './read.ts';
import { type Deployment, deploymentOf, isSameDeployment } from './same-service.ts';

/** Signed bytes: the hash that the chain knows them by, and the digest of what was signed, which stands for their review. */
export type BytesToFind = { readonly hash: string; readonly digest: string };

/**
 * Whether the journal has these bytes as signed by an operation of the same deployment, after a review of exactly them. A
 * record that cannot be read has nothing.
 */
export const wereReviewed = async (io: Io, deployment: Deployment, { hash, digest }: BytesToFind): Promise<boolean> => {
  const skip = () => undefined;
  for await (const state of allStates(io, skip)) {
    if (!isSameDeployment(deploymentOf(state), deployment)) continue;
    if (!state.signed.some((part) => part.hash === hash)) continue;
    const lines = (await readMovement(io, state.id))?.lines ?? [];
    if (lines.some((line) => line.step === 'reviewed' && line.digest === digest)) return true;
  }
  return false;
};
