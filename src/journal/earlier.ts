import { createHash } from 'node:crypto';
import type { Io } from '../io/io.ts';
import type { Intent } from './intents.ts';
import {
  intentKeys,
  isOfDeployment,
  isPartial,
  isSameIntent,
  MOVED_NOTHING,
  meaningOf,
  nameKey,
  PARTIAL,
  STANDS_IN,
} from './keys.ts';
import { type Candidate, candidates } from './look-up.ts';
import { idTime } from './operation-id.ts';
import type { OperationState } from './operation-state.ts';
import type { Deployment } from './same-service.ts';
import { isTerminal, mayHaveMoved, statusOf } from './status.ts';
import { hasKey, type Subject } from './store.ts';

/** What is to be moved, through which service, and the user's own name for it, where there is one. */
export type OperationKey = {
  readonly deployment: Deployment;
  readonly intent: Intent;
  readonly key: string | undefined;
};

/** A repeat within this time is looked at: the same sum to the same people may be meant, or be a slip. */
const REPEAT_MS = 24 * 60 * 60 * 1000;

/** Longer than any process takes from the id of an operation to its first line. */
const MARGIN_MS = 60 * 60 * 1000;

/** What two processes that are about to do the same claim, so that one of them waits for the other. */
export const subjectOf = ({ deployment, intent, key }: OperationKey): Subject => {
  const where = deployment.kind === 'sandbox' ? '' : deployment.baseUrl;
  const what = JSON.stringify([deployment.kind, where, key ?? null, key === undefined ? meaningOf(intent) : null]);
  return { of: 'intent', name: createHash('sha256').update(what).digest('hex').slice(0, 24) };
};

/**
 * However old it is, it would be made beside the new one by `resume --all`, or may have been made. What was taken is
 * made, as what is over is; a Pix that its payer does not pay is made by nobody.
 */
const wouldBeMade = (state: OperationState): boolean =>
  !isTerminal(state) && state.pix === undefined && statusOf(state) !== 'sent';

const named = async (io: Io, { deployment, intent, key }: OperationKey): Promise<readonly Candidate[]> => {
  const [full, partial] = intentKeys(intent);
  const all = await candidates(io, key === undefined ? [full, partial] : [nameKey(key)]);
  const found = all.filter(isOfDeployment(deployment));
  if (key !== undefined) return found;
  // Where one of the two leaves fields out that the other has, the state decides.
  const same: Candidate[] = [];
  for (const each of found) {
    const isFull = hasKey(each.keys, full);
    const other = !isFull && (hasKey(each.keys, PARTIAL) || isPartial(intent)) ? await each.state() : undefined;
    if (isFull || (other && isSameIntent(other.started.intent, intent))) same.push(each);
  }
  return same;
};

const paymentKeyIn = ({ keys }: Candidate): string | undefined => / (payment:\w+) /.exec(keys)?.[1];

/**
 * What asks for the same through the same service, however it ended, unless it moved nothing. Where its payment was
 * executed by another operation, that one stands for it.
 */
const alike = async (io: Io, operationKey: OperationKey): Promise<readonly Candidate[]> => {
  const found = await named(io, operationKey);
  const movedNothing = ({ keys }: Candidate): boolean => hasKey(keys, MOVED_NOTHING);
  const payments = found.filter(movedNothing).flatMap((each) => paymentKeyIn(each) ?? []);
  const executed = payments.length === 0 ? [] : await candidates(io, payments);
  const standIns = executed
    .filter(isOfDeployment(operationKey.deployment))
    .filter(({ keys }) => hasKey(keys, STANDS_IN));
  const standInOf = (each: Candidate): Candidate | undefined => {
    const payment = paymentKeyIn(each);
    // The newest come first: whatever executed the payment of an operation came after it.
    return payment === undefined
      ? undefined
      : standIns.findLast(({ id, keys }) => id > each.id && hasKey(keys, payment));
  };
  return found.flatMap((each) => (movedNothing(each) ? (standInOf(each) ?? []) : each));
};

/**
 * The operation that a request would repeat: of the same name where it has one, otherwise with the same intent and begun
 * within a day, or never brought to its end. Of several it is one in doubt, or the newest. Throws `journal_damaged`.
 */
export const findEarlier = async (io: Io, operationKey: OperationKey): Promise<OperationState | undefined> => {
  const since = new Date(io.clock.now() - REPEAT_MS).toISOString();
  const oldestId = idTime(io.clock.now() - REPEAT_MS - MARGIN_MS);
  let newest: OperationState | undefined;
  for (const candidate of await alike(io, operationKey)) {
    // What has ended is not in doubt: only the newest of them counts, and none that is old.
    const isOld = operationKey.key === undefined && candidate.id < oldestId;
    const state = candidate.hasEnded && (newest || isOld) ? undefined : await candidate.state();
    if (state === undefined) continue;
    if (operationKey.key === undefined && state.started_at < since && !wouldBeMade(state)) continue;
    if (statusOf(state) === 'in_doubt') return state;
    newest ??= state;
  }
  return newest;
};

/**
 * What was begun for the same and never sent, by their ids: where the request is done, they must not be done beside it.
 * An operation with a name is left to whoever gave it.
 */
export const findUnsent = async (io: Io, operationKey: OperationKey): Promise<readonly string[]> => {
  const open = (await alike(io, operationKey)).filter((each) => !each.hasEnded);
  const states = (await Promise.all(open.map(({ state }) => state()))).filter((state) => state !== undefined);
  return states
    .filter((state) => wouldBeMade(state) && !mayHaveMoved(state) && state.started.intent_key === undefined)
    .map(({ id }) => id);
};
