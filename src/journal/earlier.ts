import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { formatDecimal, isDecimal, parseDecimal } from '../core/decimal.ts';
import type { Io } from '../io/io.ts';
import type { Intent } from './intents.ts';
import type { OperationState } from './operation-state.ts';
import { allStates } from './overview.ts';
import { journalFolder } from './places.ts';
import { type Deployment, deploymentOf, isSameDeployment } from './same-service.ts';
import { statusOf } from './status.ts';
import { isTerminal, mayHaveMoved } from './terminal.ts';

/** What is to be moved, through which service, and the user's own name for it, where there is one. */
export type OperationKey = {
  readonly deployment: Deployment;
  readonly intent: Intent;
  readonly key: string | undefined;
};

/** A repeat within this time is looked at: the same sum to the same people may be meant, or be a slip. */
const REPEAT_MS = 24 * 60 * 60 * 1000;

const plain = (value: unknown): unknown => {
  if (typeof value === 'string') return isDecimal(value) ? formatDecimal(parseDecimal(value)) : value.toLowerCase();
  if (Array.isArray(value)) return value.map((each) => JSON.stringify(plain(each))).toSorted();
  if (typeof value !== 'object' || value === null) return value ?? null;
  // What is undefined is not in the journal.
  return Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .map(([name, inner]) => [name, plain(inner)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
};

/** The same for intents that are written differently and mean the same. */
const meaningOf = (intent: Intent): string => JSON.stringify(plain(intent));

/** Fields that entries of version 0.1 do not have at first: they differ only where both have them. */
const LATER = ['to_currency', 'to_chain'] as const;

const isThere = (intent: Intent, name: string): boolean =>
  Object.entries(intent).some(([key, value]) => key === name && value !== undefined);

const without = (intent: Intent, other: Intent): Intent =>
  Object.fromEntries(
    Object.entries(intent).filter(([name]) => !LATER.some((later) => later === name) || isThere(other, name)),
  ) as Intent;

/** Whether two intents ask for the same. */
export const isSameIntent = (one: Intent, other: Intent): boolean =>
  meaningOf(without(one, other)) === meaningOf(without(other, one));

/** What two processes that are about to do the same claim, so that one of them waits for the other. */
export const operationKeyPath = (io: Io, { deployment, intent, key }: OperationKey): string => {
  const where = deployment.kind === 'sandbox' ? '' : deployment.baseUrl;
  const what = JSON.stringify([deployment.kind, where, key ?? null, key === undefined ? meaningOf(intent) : null]);
  return join(journalFolder(io), `wish-${createHash('sha256').update(what).digest('hex').slice(0, 24)}`);
};

const NO_END: readonly (string | undefined)[] = [undefined, 'set_aside'];

/** A movement that ended without having moved anything is as if it had not been. */
const movedNothing = (state: OperationState): boolean =>
  isTerminal(state) && NO_END.includes(state.status) && !mayHaveMoved(state);

/**
 * However old it is, it would be made beside the new one by whoever takes up all that is open, or may have been made. What
 * was taken is made, as what is over is; what the payer of a Pix does not pay is made by nobody.
 */
const wouldBeMade = (state: OperationState): boolean =>
  !isTerminal(state) && state.pix === undefined && statusOf(state) !== 'sent';

/**
 * What asks for the same through the same service, however it ended, unless it moved nothing. Where its payment was
 * executed by another operation, that one stands for it.
 */
const alike = async function* (io: Io, { deployment, intent, key }: OperationKey): AsyncGenerator<OperationState> {
  const executed = new Map<string, OperationState>();
  for await (const state of allStates(io)) {
    if (!isSameDeployment(deploymentOf(state), deployment)) continue;
    const { begun, payment_id = '' } = state;
    const isAlike = key === undefined ? isSameIntent(begun.intent, intent) : begun.intent_key === key;
    // The newest first: whatever executed the payment of an operation came after it.
    if (mayHaveMoved(state) && begun.payment_id !== undefined) executed.set(payment_id, state);
    const found = movedNothing(state) ? executed.get(payment_id) : state;
    if (isAlike && found) yield found;
  }
};

/**
 * The movement that a wish would repeat: of the same name where it has one, otherwise with the same intent and begun within
 * a day, or never brought to its end. Of several it is one in doubt, or the newest. Throws `journal_damaged`.
 */
export const findEarlier = async (io: Io, operationKey: OperationKey): Promise<OperationState | undefined> => {
  const since = new Date(io.clock.now() - REPEAT_MS).toISOString();
  let newest: OperationState | undefined;
  for await (const state of alike(io, operationKey)) {
    if (operationKey.key === undefined && state.begun_at < since && !wouldBeMade(state)) continue;
    if (statusOf(state) === 'in_doubt') return state;
    newest ??= state;
  }
  return newest;
};

/**
 * What was begun for the same and never sent, by their ids: where the wish is done, they must not be done beside it. Whoever
 * named one takes it up.
 */
export const findUnsent = async (io: Io, operationKey: OperationKey): Promise<readonly string[]> => {
  const found: string[] = [];
  for await (const state of alike(io, operationKey)) {
    if (wouldBeMade(state) && !mayHaveMoved(state) && state.begun.intent_key === undefined) found.push(state.id);
  }
  return found;
};
