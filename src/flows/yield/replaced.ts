import type { Io } from '../../io/io.ts';
import { isSameIntent } from '../../journal/earlier.ts';
import { recordLater } from '../../journal/movement.ts';
import type { MovementState } from '../../journal/movement-state.ts';
import { isOver, mayHaveMoved } from '../../journal/over.ts';
import { allStates } from '../../journal/overview.ts';
import { type Deployment, deploymentOf, isSameDeployment } from '../../journal/same-service.ts';
import type { YieldIntent } from '../../journal/yield-entry.ts';

/** A movement that somebody named is another wish, and whoever named it takes it up. */
const isReplaced = (state: MovementState, deployment: Deployment, intent: YieldIntent): boolean =>
  state.begun.intent_key === undefined &&
  isSameDeployment(deploymentOf(state), deployment) &&
  isSameIntent(state.begun.intent, intent);

/**
 * Sets aside what was begun for the same and never sent: the new operation takes its place, and a later resume must not
 * do it once more. Throws `not_final` where a process works on it.
 */
export const setAsideUnsent = async (
  io: Io,
  deployment: Deployment,
  intent: YieldIntent,
): Promise<readonly string[]> => {
  const found: string[] = [];
  for await (const state of allStates(io)) {
    if (!isOver(state) && !mayHaveMoved(state) && isReplaced(state, deployment, intent)) found.push(state.id);
  }
  for (const id of found) await recordLater(io, id, { step: 'set_aside', hash: undefined });
  return found;
};
