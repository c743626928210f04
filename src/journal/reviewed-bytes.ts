import type { Io } from '../io/io.ts';
import type { ReviewEvent } from './event.ts';
import { hashKey } from './keys.ts';
import { statesUnder } from './look-up.ts';
import { readOperation } from './read.ts';
import { type Deployment, deploymentOf, isSameDeployment } from './same-service.ts';

/** Signed bytes: their hash on the chain, and the digest that identifies their review. */
export type BytesToFind = { readonly hash: string; readonly digest: string };

/**
 * The recorded review of exactly these bytes, from the same deployment; `undefined` if there is none. Records that
 * cannot be read are ignored.
 */
export const reviewOfBytes = async (
  io: Io,
  deployment: Deployment,
  { hash, digest }: BytesToFind,
): Promise<ReviewEvent | undefined> => {
  const skip = () => undefined;
  for await (const state of statesUnder(io, [hashKey(hash)], skip)) {
    if (!isSameDeployment(deploymentOf(state), deployment)) continue;
    if (!state.signed.some((part) => part.hash === hash)) continue;
    const events = (await readOperation(io, state.id))?.events ?? [];
    const review = events.find((event): event is ReviewEvent => event.step === 'reviewed' && event.digest === digest);
    if (review) return review;
  }
  return undefined;
};
