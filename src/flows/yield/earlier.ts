import { isSameTokenIn, maybeSameTokenIn } from '../../chain/solana/network.ts';
import type { Client } from '../../client/call.ts';
import { deploymentOfService } from '../../client/service.ts';
import { assertNodeOf } from '../../client/solana-rpc.ts';
import { compareDecimals } from '../../core/decimal.ts';
import { Failure, valueOn, withDetails } from '../../core/failure.ts';
import { recordLater, supersede } from '../../journal/amend.ts';
import { landedBy, type OpenPart, openYields, otherHalfOf, purposeOf } from '../../journal/doubt.ts';
import type { OperationEvent } from '../../journal/event.ts';
import { isRelayIntent, isYieldIntent, maySame, type Purpose, partOf } from '../../journal/intents.ts';
import { deploymentOf, isSameDeployment } from '../../journal/keys.ts';
import { openStates } from '../../journal/look-up.ts';
import { type Operation, waitForOthers } from '../../journal/operation.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { readState } from '../../journal/states.ts';
import { isTerminal, mayHaveMoved } from '../../journal/status.ts';
import { progressOf } from '../../journal/yield-progress.ts';
import type { MovingContext } from './context.ts';
import { finalityOf } from './lifetime.ts';
import { doneMeanwhile, halfDone, halfInDoubt, hasLanded, mayHaveLanded } from './unclear.ts';

/** The context of the check of earlier operations. `operation` is the own one, if it has started. */
export type EarlierContext = Pick<MovingContext, 'client' | 'network' | 'node' | 'on'> & {
  readonly operation?: MovingContext['operation'];
  /** Whether the user accepts an unknown outcome; `false` without a terminal. */
  readonly confirmLanded: (what: string) => Promise<boolean>;
};

/** A purpose and its parts: the service decides whether a rebalance has two transactions. */
const partsOf = (purpose: Purpose): readonly Purpose[] =>
  isYieldIntent(purpose) && purpose.operation === 'rebalance'
    ? [purpose, partOf(purpose, 1, 2), partOf(purpose, 2, 2)]
    : [purpose];

/** What an open operation, or its part that may have landed, was for. */
const purposesOf = ({ kind, purpose, part, count }: OpenPart): readonly Purpose[] =>
  kind === 'half' || !isYieldIntent(purpose) ? [purpose] : [purpose, partOf(purpose, part, count)];

const mayRepeat = ({ network }: EarlierContext, requested: Purpose, open: OpenPart): boolean =>
  partsOf(requested).some((one) => purposesOf(open).some((other) => maySame(one, other, maybeSameTokenIn(network))));

/** Adds findings, unless another process has ended the operation meanwhile. */
const record = ({ client }: EarlierContext, { operationId }: OpenPart, ...entries: readonly OperationEvent[]) =>
  recordLater(client.io, operationId, ...entries).catch(valueOn('rejected', undefined));

/** Whether two operations do the same with the same amount. */
const isRepetition = ({ network }: Pick<EarlierContext, 'network'>, one: Purpose, other: Purpose): boolean => {
  const isSameAmount = !isYieldIntent(one) || !isYieldIntent(other) || compareDecimals(one.amount, other.amount) === 0;
  return isSameAmount && maySame(one, other, isSameTokenIn(network));
};

/** The doubts that a user accepted in a command, by its client. They stay open for every other command. */
const acceptedBy = new WeakMap<Client, Set<string>>();

/**
 * The user may confirm at a terminal after a check; --yes does not. Throws otherwise. What has landed is reported once:
 * the user may have meant that one. A confirmed repetition takes the place of the earlier operation. Beside any other
 * operation it stays in doubt: nobody said that its own repetition may be done.
 */
const confirmedByUser = async (looking: EarlierContext, requested: Purpose, open: OpenPart, failure: Failure) => {
  const { client } = looking;
  const read = await readState(client.io, open.operationId);
  const end = async () => (read ? supersede(client.io, read, open.hash) : undefined);
  if (!(await looking.confirmLanded(failure.sentence)))
    throw open.kind === 'untold' ? withDetails(failure, { whenPrinted: end }) : failure;
  if (open.kind !== 'sent' || isRepetition(looking, requested, open.purpose)) return end();
  acceptedBy.set(client, (acceptedBy.get(client) ?? new Set()).add(keyOf(open)));
};

/** The current state in the journal. */
const readNow = async ({ client }: EarlierContext, { operationId }: OpenPart): Promise<OperationState> => {
  const state = await readState(client.io, operationId);
  if (state) return state;
  throw new Failure('not_found', `there is no operation ${operationId} in the journal`);
};

/** It moved nothing, but the first of two may have landed, which the user must see. */
const resumeEarlier = async (looking: EarlierContext, requested: Purpose, open: OpenPart): Promise<void> => {
  const isHalf = open.part > 1 && maySame(requested, open.purpose, maybeSameTokenIn(looking.network));
  if (isHalf && progressOf(await readNow(looking, open)).landed > 0) throw halfDone(open);
  await looking.on({ kind: 'earlier_dead', hash: open.hash });
};

/** If two were sent together, the other may still be in doubt: it is checked next. `isTold`: the user knows that it landed. */
const afterLanded = async (looking: EarlierContext, requested: Purpose, open: OpenPart, isTold = false) => {
  await record(looking, open, { step: 'landed', part: open.part, hash: open.hash });
  const state = await readNow(looking, open);
  const { handed, landed } = progressOf(state);
  // Its own process may have reported it during the check.
  if (handed.length > 0 || isTerminal(state)) return;
  if (isTold && landed === open.count) await record(looking, open, { step: 'superseded', hash: open.hash });
  else await settle(looking, requested, { ...open, kind: landed < open.count ? 'half' : 'untold' });
};

const settleSent = async (looking: EarlierContext, requested: Purpose, open: OpenPart): Promise<void> => {
  const { hash, operationId } = open;
  const other = await landedBy(looking.client.io, operationId, hash);
  const isTold = other !== undefined && isTerminal(other);
  const finality = await finalityOf(looking.node, open);
  switch (finality.kind) {
    case 'open':
      // A known node outranks what another operation has recorded.
      if (other && !looking.node) return afterLanded(looking, requested, open, isTold);
      return confirmedByUser(looking, requested, open, mayHaveLanded(open));
    case 'failed':
    case 'dead': {
      const failed = { step: 'failed', code: 'payment_failed', status: undefined, is_unknown: false, hash } as const;
      // What failed is on the chain without effect: its bytes are no longer in doubt, however often they were sent.
      await record(looking, open, { step: 'dead', hash }, ...(finality.kind === 'failed' ? [failed] : []));
      return resumeEarlier(looking, requested, open);
    }
    case 'landed':
      return afterLanded(looking, requested, open, isTold);
    default:
      return finality satisfies never;
  }
};

const settle = async (looking: EarlierContext, requested: Purpose, open: OpenPart): Promise<void> => {
  if (open.kind === 'sent') return settleSent(looking, requested, open);
  return confirmedByUser(looking, requested, open, open.kind === 'half' ? halfDone(open) : hasLanded(open));
};

/** The open parts of earlier operations that may be the same, newest first. */
const openAlike = async (looking: EarlierContext, requested: Purpose, sending: readonly string[]) => {
  const { client, network, operation } = looking;
  const all = await openYields(client.io, deploymentOfService(client.service), isSameTokenIn(network));
  const others = all.filter(({ operationId, hashes }) => {
    const hasAll = sending.length > 0 && sending.every((hash) => hashes.includes(hash));
    return operationId !== operation?.id && !hasAll;
  });
  // Where one part may be the same, the other shows how far the operation has come.
  const alike = new Set(others.filter((each) => mayRepeat(looking, requested, each)).map((each) => each.operationId));
  return others.filter(({ operationId }) => alike.has(operationId));
};

const keyOf = ({ operationId, kind, hash }: OpenPart): string => `${operationId} ${kind} ${hash}`;

/** The longest wait for a process that works on an earlier operation: it reports the outcome itself. */
const PATIENCE_MS = 10_000;

/**
 * Refuses to start while an earlier operation that may be the same may land, is half done, or landed unreported. New
 * findings about it are recorded. An operation that has all of `sending`, the hashes of bytes to send, is no obstacle:
 * the same bytes cannot land twice. Throws `outcome_unknown` with its hash.
 */
export const assertNothingOpen = async (
  looking: EarlierContext,
  requested: Purpose,
  sending: readonly string[] = [],
): Promise<void> => {
  const { client, network, node } = looking;
  const { clock } = client.io;
  const found = await openAlike(looking, requested, sending);
  if (found.length === 0) return;
  // Half of the time is left for the rest of the command.
  const until = clock.monotonic() + Math.min(PATIENCE_MS, (client.deadline - clock.monotonic()) / 2);
  for (const id of new Set(found.map(({ operationId }) => operationId))) {
    await waitForOthers(client.io, id, until - clock.monotonic());
  }
  if (node) await assertNodeOf(node, network.kind);
  const settled = new Set(acceptedBy.get(client));
  for (;;) {
    // Read again for each: a question may have taken long, and the user may have superseded a whole operation.
    const open = (await openAlike(looking, requested, sending)).find((each) => !settled.has(keyOf(each)));
    if (open === undefined) return;
    settled.add(keyOf(open));
    await settle(looking, requested, open);
  }
};

/** A new operation that is refused because of another leaves nothing open: a later resume would do the same again. */
const leavingNothing = async (operation: Operation, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    const state = operation.state();
    if (operation.isNew && !isTerminal(state) && !mayHaveMoved(state)) {
      // Own bytes that never left this machine no longer count towards a day. The user has those of a broadcast.
      const unsent = isRelayIntent(state.started.intent) ? [] : state.signed.filter(({ isDead }) => !isDead);
      for (const { hash } of unsent) await operation.note({ step: 'dead', hash });
      await operation.note({ step: 'superseded', hash: undefined });
    }
    throw error;
  }
};

/** The same in the wallet's turn: meanwhile another operation may have been sent. */
export const assertNoneBeside = (
  context: MovingContext,
  requested: Purpose,
  sending: readonly string[] = [],
): Promise<void> =>
  leavingNothing(context.operation, () =>
    assertNothingOpen({ ...context, node: context.witness, confirmLanded: async () => false }, requested, sending),
  );

/** The missing half of this operation may have been done during a question. Throws `not_final` or `outcome_unknown`. */
const assertStillMissing = async ({ client, network, operation }: MovingContext): Promise<void> => {
  const state = operation.state();
  const { id } = state;
  const purpose = purposeOf(state);
  if (!purpose || progressOf(state).landed === 0) return;
  const half = { operationId: id, purpose };
  const other = await otherHalfOf(client.io, deploymentOfService(client.service), half, isSameTokenIn(network));
  if (other) throw other.isInDoubt ? halfInDoubt(purpose, id, other.operationId) : doneMeanwhile(id, other.operationId);
};

/**
 * The last check before the first send: the turn may have been released during a question. Ends what `endUnsent` finds.
 * Throws as `assertNothingOpen` and `assertStillMissing`, and `not_final` if a process works on one of them.
 */
export const assertFirst = async (
  context: MovingContext,
  requested: Purpose,
  sending: readonly string[] = [],
): Promise<void> => {
  await assertStillMissing(context);
  await assertNoneBeside(context, requested, sending);
  await leavingNothing(context.operation, () => endUnsent(context, requested));
};

/** Ends earlier operations without a key that sent nothing and would do the same: a resume would do it once more. */
const endUnsent = async (context: MovingContext, requested: Purpose): Promise<void> => {
  const { client, operation, on } = context;
  if (!isYieldIntent(requested)) return;
  for (const state of await openStates(client.io)) {
    const { id: operationId, started } = state;
    const purpose = purposeOf(state);
    const isOther =
      operationId !== operation.id && isSameDeployment(deploymentOf(state), deploymentOfService(client.service));
    if (!purpose || !isOther || started.intent_key !== undefined || mayHaveMoved(state)) continue;
    if (!isRepetition(context, requested, purpose)) continue;
    await supersede(client.io, state);
    await on({ kind: 'set_aside', operationId });
  }
};
