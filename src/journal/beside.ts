import type { Io } from '../io/io.ts';
import type { MovementState, SignedPart } from './movement-state.ts';
import { isOver } from './over.ts';
import { allStates } from './overview.ts';
import { type Deployment, deploymentOf, isSameDeployment } from './same-service.ts';

/** A movement with signed bytes of which nobody knows what became. */
export type InDoubt = { readonly state: MovementState; readonly part: SignedPart };

/**
 * What an address signed, through whatever service, and is in doubt, the newest first; of sandboxes only what is of this
 * one. Throws `journal_damaged`.
 */
export const inDoubtOf = async (io: Io, from: string, deployment: Deployment): Promise<readonly InDoubt[]> => {
  const found: InDoubt[] = [];
  for await (const state of allStates(io)) {
    const isGone = state.begun.kind === 'sandbox' && !isSameDeployment(deploymentOf(state), deployment);
    if (isOver(state) || isGone) continue;
    const part = state.signed.findLast(
      (each) => each.sent === 'maybe' && each.from.toLowerCase() === from.toLowerCase(),
    );
    if (part) found.push({ state, part });
  }
  return found;
};
