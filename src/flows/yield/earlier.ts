import { isSameTokenIn } from '../../chain/solana/network.ts';
import { deploymentOfService } from '../../client/envelope.ts';
import { assertNodeOf } from '../../client/solana-rpc.ts';
import { Failure } from '../../core/failure.ts';
import { type OpenPart, openYields } from '../../journal/doubt.ts';
import type { OperationEvent } from '../../journal/event.ts';
import { maySame, type Purpose, partOf } from '../../journal/intents.ts';
import { readState } from '../../journal/look-up.ts';
import { recordLater } from '../../journal/operation.ts';
import { progressOf, type YieldProgress } from '../../journal/yield-progress.ts';
import type { MovingContext } from './context.ts';
import { finalityOf } from './lifetime.ts';
import { halfDone, hasLanded, mayHaveLanded } from './unclear.ts';

/** The context of the check of earlier operations. */
export type EarlierContext = Pick<MovingContext, 'client' | 'network' | 'node' | 'on'> & {
  /** Whether the user accepts an unknown outcome; `false` without a terminal. */
  readonly confirmLanded: (what: string) => Promise<boolean>;
};

/** Whether an operation may repeat an open one, or the part of it that may have landed. */
const mayRepeat = ({ network }: EarlierContext, requested: Purpose, { kind, purpose, part, count }: OpenPart) => {
  const parts = kind === 'half' ? [purpose] : [purpose, partOf(purpose, part, count)];
  return parts.some((each) => maySame(requested, each, isSameTokenIn(network)));
};

const record = ({ client }: EarlierContext, { operationId }: OpenPart, ...entries: readonly OperationEvent[]) =>
  recordLater(client.io, operationId, ...entries);

const supersede = (looking: EarlierContext, open: OpenPart): Promise<void> =>
  record(looking, open, { step: 'superseded', hash: open.hash });

/** The user may confirm at a terminal after a check; --yes does not. Throws otherwise. */
const confirmedByUser = async (looking: EarlierContext, open: OpenPart, failure: Failure): Promise<void> => {
  if (!(await looking.confirmLanded(failure.sentence))) throw failure;
  await supersede(looking, open);
};

/** Reports a landed operation once: the user may have meant that one. */
const reportLanded = async (looking: EarlierContext, open: OpenPart): Promise<void> => {
  const failure = hasLanded(open);
  const isWanted = await looking.confirmLanded(failure.sentence);
  await supersede(looking, open);
  if (!isWanted) throw failure;
};

/** The current open parts in the journal. */
const readNow = async ({ client }: EarlierContext, { operationId }: OpenPart): Promise<YieldProgress> => {
  const state = await readState(client.io, operationId);
  if (state) return progressOf(state);
  throw new Failure('not_found', `there is no operation ${operationId} in the journal`);
};

/** It moved nothing, but the first of two may have landed, which the user must see. */
const resumeEarlier = async (looking: EarlierContext, requested: Purpose, open: OpenPart): Promise<void> => {
  const isHalf = open.part > 1 && mayRepeat(looking, requested, { ...open, kind: 'half' });
  if (isHalf && (await readNow(looking, open)).landed > 0) throw halfDone(open);
  await looking.on({ kind: 'earlier_dead', hash: open.hash });
};

/** If two were sent together, the other may still be in doubt: it is checked next. */
const afterLanded = async (looking: EarlierContext, requested: Purpose, open: OpenPart): Promise<void> => {
  const { handed, landed } = await readNow(looking, open);
  if (handed.length > 0) return undefined;
  return settle(looking, requested, { ...open, kind: landed < open.count ? 'half' : 'untold' });
};

const settleSent = async (looking: EarlierContext, requested: Purpose, open: OpenPart): Promise<void> => {
  const { hash, part } = open;
  const finality = await finalityOf(looking.node, open);
  switch (finality.kind) {
    case 'open':
      return confirmedByUser(looking, open, mayHaveLanded(open));
    case 'dead':
      await record(looking, open, { step: 'dead', hash });
      return resumeEarlier(looking, requested, open);
    case 'failed':
      // It is on the chain without effect: its bytes are no longer in doubt, however often they were sent.
      await record(
        looking,
        open,
        { step: 'dead', hash },
        { step: 'failed', code: 'payment_failed', status: undefined, is_unknown: false, hash },
      );
      return resumeEarlier(looking, requested, open);
    case 'landed':
      await record(looking, open, { step: 'landed', part, hash });
      return afterLanded(looking, requested, open);
    default:
      return finality satisfies never;
  }
};

const settle = async (looking: EarlierContext, requested: Purpose, open: OpenPart): Promise<void> => {
  switch (open.kind) {
    case 'sent':
      return settleSent(looking, requested, open);
    case 'half':
      return confirmedByUser(looking, open, halfDone(open));
    case 'untold':
      return reportLanded(looking, open);
    default:
      return open.kind satisfies never;
  }
};

/**
 * Refuses to start while an earlier operation that may be the same may land, is half done, or landed unreported. New
 * findings about it are recorded. `sending` are the hashes of bytes to send: the same bytes cannot land twice. Throws
 * `outcome_unknown` with its hash.
 */
export const assertNothingOpen = async (
  looking: EarlierContext,
  requested: Purpose,
  sending: readonly string[] = [],
): Promise<void> => {
  const { client, network, node } = looking;
  const all = await openYields(client.io, deploymentOfService(client.service), isSameTokenIn(network));
  const alike = all.filter((each) => !sending.includes(each.hash) && mayRepeat(looking, requested, each));
  const again = new Set(alike.map(({ operationId }) => operationId));
  const open = all.filter(({ operationId }) => again.has(operationId));
  if (open.length === 0) return;
  if (node) await assertNodeOf(node, network.kind);
  for (const each of open) {
    // The user may have superseded the whole earlier operation.
    const isThere =
      each.kind !== 'sent' || (await readNow(looking, each)).handed.some(({ hash }) => hash === each.hash);
    if (isThere) await settle(looking, requested, each);
  }
};
