import { createHash } from 'node:crypto';
import type { Io } from '../io/io.ts';
import { hasKey } from './file-index.ts';
import type { Intent } from './intents.ts';
import {
  type Deployment,
  daysSince,
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
import { storeOf } from './open-store.ts';
import type { OperationState } from './operation-state.ts';
import { isInDoubtStill, isTerminal, mayHaveMoved, statusOf } from './status.ts';
import type { Subject } from './store.ts';

/** The intent of an operation, the service, and the user's optional idempotency key. */
export type OperationKey = {
  readonly deployment: Deployment;
  readonly intent: Intent;
  readonly key: string | undefined;
};

/** The user's idempotency key alone. */
export type NamedKey = { readonly deployment: Deployment; readonly key: string; readonly intent?: undefined };

/** A repeat within this time needs a check: it may be intended or a mistake. */
const REPEAT_MS = 24 * 60 * 60 * 1000;

/** The claim shared by processes that run the same operation, so that one waits for the other. */
export const subjectOf = ({ deployment, intent, key }: OperationKey): Subject => {
  const where = deployment.kind === 'sandbox' ? '' : deployment.baseUrl;
  const what = JSON.stringify([deployment.kind, where, key ?? null, key === undefined ? meaningOf(intent) : null]);
  return { of: 'intent', name: createHash('sha256').update(what).digest('hex').slice(0, 24) };
};

/**
 * True while `resume --all` could execute this operation next to the new one, or may have executed it. A transaction that
 * was accepted counts as done: after a day the same command is another payment. A Pix is paid by its payer, never by a resume.
 */
const wouldBeMade = (state: OperationState): boolean =>
  !isTerminal(state) && state.pix === undefined && statusOf(state) !== 'sent';

const named = async (io: Io, operationKey: OperationKey | NamedKey): Promise<readonly Candidate[]> => {
  const { deployment, intent, key = '' } = operationKey;
  const isHere = isOfDeployment(deployment);
  if (intent === undefined || operationKey.key !== undefined)
    return (await candidates(io, [nameKey(key)])).filter(isHere);
  const [full, partial] = intentKeys(intent);
  const found = (await candidates(io, [full, partial])).filter(isHere);
  // If one intent has fewer fields than the other, the full state decides.
  const same: Candidate[] = [];
  for (const each of found) {
    const isFull = hasKey(each.keys, full);
    const other = !isFull && (hasKey(each.keys, PARTIAL) || isPartial(intent)) ? await each.state() : undefined;
    if (isFull || (other && isSameIntent(other.started.intent, intent))) same.push(each);
  }
  return same;
};

/** The newest operation that a name means for a service. Throws `journal_damaged`. */
export const stateNamed = async (io: Io, deployment: Deployment, name: string): Promise<OperationState | undefined> => {
  const found = (await candidates(io, [nameKey(name)])).find(isOfDeployment(deployment));
  return found?.state();
};

/** Whether the journal has an operation, of any service, that a request may repeat. Throws `journal_damaged`. */
export const mayRepeat = async (io: Io, { intent, key }: Omit<OperationKey, 'deployment'>): Promise<boolean> =>
  (await candidates(io, key === undefined ? intentKeys(intent) : [nameKey(key)])).length > 0;

const paymentKeyIn = ({ keys }: Candidate): string | undefined => / (payment:\w+) /.exec(keys)?.[1];

/**
 * Operations with the same intent and service, except those that moved nothing. If another operation executed the
 * payment, that operation is returned instead.
 */
const alike = async (io: Io, operationKey: OperationKey | NamedKey): Promise<readonly Candidate[]> => {
  const found = await named(io, operationKey);
  const movedNothing = ({ keys }: Candidate): boolean => hasKey(keys, MOVED_NOTHING);
  const payments = found.filter(movedNothing).flatMap((each) => paymentKeyIn(each) ?? []);
  const executed = payments.length === 0 ? [] : await candidates(io, payments);
  const isHere = isOfDeployment(operationKey.deployment);
  const standIns = executed.filter((each) => isHere(each) && hasKey(each.keys, STANDS_IN));
  const standInOf = (each: Candidate): Candidate | undefined => {
    const payment = paymentKeyIn(each) ?? '';
    // Candidates are sorted newest first; the executing operation is newer than this one.
    return payment === '' ? undefined : standIns.findLast(({ id, keys }) => id > each.id && hasKey(keys, payment));
  };
  return found.flatMap((each) => (movedNothing(each) ? (standInOf(each) ?? []) : each));
};

/**
 * The operation that a request would repeat: one with the same idempotency key. Without a key: one with the same
 * intent, changed within a day or not made yet. One that may have moved money and is open comes first, then the newest.
 * Throws `journal_damaged`.
 */
export const findEarlier = async (
  io: Io,
  operationKey: OperationKey | NamedKey,
): Promise<OperationState | undefined> => {
  const now = await (await storeOf(io)).now();
  const since = new Date(now - REPEAT_MS).toISOString();
  const days = daysSince(now - REPEAT_MS, now);
  let newest: OperationState | undefined;
  for (const candidate of await alike(io, operationKey)) {
    // Of ended operations only the newest recent one counts. If that one is of the future, the clock was set back, and
    // another may be newer.
    const isOld = operationKey.key === undefined && !days.some((day) => hasKey(candidate.keys, day));
    const isNewest = newest !== undefined && Date.parse(newest.last_at) <= now;
    const state = candidate.hasEnded && (isNewest || isOld) ? undefined : await candidate.state();
    if (state === undefined) continue;
    // A resume may have made it long after its start.
    if (operationKey.key === undefined && state.last_at < since && !wouldBeMade(state)) continue;
    if (newest ? isInDoubtStill(state) : !isTerminal(state) && mayHaveMoved(state)) return state;
    newest ??= state;
  }
  return newest;
};

/**
 * The unsent operations with the same intent. They must not run next to the new one. Operations with an
 * idempotency key are not included: only their key refers to them.
 */
export const findUnsent = async (io: Io, operationKey: OperationKey): Promise<readonly OperationState[]> => {
  const open = (await alike(io, operationKey)).filter((each) => !each.hasEnded);
  const states = (await Promise.all(open.map(({ state }) => state()))).filter((state) => state !== undefined);
  return states.filter((state) => wouldBeMade(state) && !mayHaveMoved(state) && state.started.intent_key === undefined);
};
