import type { Io } from '../io/io.ts';
import { hashKey } from './keys.ts';
import { statesUnder } from './look-up.ts';
import { type Line, readOperation } from './read.ts';
import { type Deployment, deploymentOf, isSameDeployment } from './same-service.ts';

/** Signed bytes: the hash that the chain knows them by, and the digest of what was signed, which stands for their review. */
export type BytesToFind = { readonly hash: string; readonly digest: string };

/** The record of a review. */
export type ReviewEntry = Extract<Line, { readonly step: 'reviewed' }>;

/**
 * The review of exactly these bytes, of an operation of the same deployment that has them as signed; `undefined` where the
 * journal has none. A record that cannot be read has nothing.
 */
export const reviewOfBytes = async (
  io: Io,
  deployment: Deployment,
  { hash, digest }: BytesToFind,
): Promise<ReviewEntry | undefined> => {
  const skip = () => undefined;
  for await (const state of statesUnder(io, [hashKey(hash)], skip)) {
    if (!isSameDeployment(deploymentOf(state), deployment)) continue;
    if (!state.signed.some((part) => part.hash === hash)) continue;
    const lines = (await readOperation(io, state.id))?.lines ?? [];
    const review = lines.find((line): line is ReviewEntry => line.step === 'reviewed' && line.digest === digest);
    if (review) return review;
  }
  return undefined;
};
