import { isSameToken, type SolanaNetwork } from '../../chain/solana/network.ts';
import type { Client } from '../../client/call.ts';
import { assertNodeOf } from '../../client/solana-rpc/accounts.ts';
import type { SolanaNode } from '../../client/solana-rpc/node.ts';
import { Failure } from '../../core/failure.ts';
import type { OperationEvent } from '../../journal/event.ts';
import type { YieldIntent } from '../../journal/intents.ts';
import { readState } from '../../journal/look-up.ts';
import { recordLater } from '../../journal/operation.ts';
import { type OpenPart, openYields } from '../../journal/yield-doubt.ts';
import { progressOf, type YieldProgress } from '../../journal/yield-progress.ts';
import { deploymentOfService } from '../deployment.ts';
import type { YieldEvent } from './context.ts';
import { type Finality, finalityOf } from './finality.ts';
import { halfDone, hasLanded, mayHaveLanded } from './left-open.ts';
import { partOf } from './request.ts';

/** What a look at earlier operations works with. */
export type Looking = {
  readonly client: Client;
  readonly network: SolanaNetwork;
  readonly node: SolanaNode | undefined;
  /** Whether a person vouches for what nobody could find out; `false` where there is nobody. */
  readonly confirmLanded: (what: string) => Promise<boolean>;
  readonly on: (event: YieldEvent) => void | Promise<void>;
};

const SAME = ['operation', 'chain', 'wallet', 'provider_out'] as const;

/** Where a rebalance goes may have been chosen: repeated, the same command may choose another. */
const isSame = (network: SolanaNetwork, a: YieldIntent, b: YieldIntent): boolean =>
  SAME.every((field) => a[field] === b[field]) &&
  (a.operation === 'rebalance' || a.provider_in === b.provider_in) &&
  isSameToken(network, a.asset, b.asset);

/** Whether an operation would do again what is open: the whole of it, or the part of it that may have landed. */
const repeats = (network: SolanaNetwork, intent: YieldIntent, { kind, intent: other, part, count }: OpenPart) =>
  isSame(network, intent, other) || (kind !== 'half' && isSame(network, intent, partOf(other, part, count)));

const record = ({ client }: Looking, { operationId }: OpenPart, ...entries: readonly OperationEvent[]): Promise<void> =>
  recordLater(client.io, operationId, ...entries);

const supersede = (looking: Looking, open: OpenPart): Promise<void> =>
  record(looking, open, { step: 'superseded', hash: open.hash });

/** A person at a terminal may say that they have looked; --yes does not. Throws what else stops here. */
const confirmedByUser = async (looking: Looking, open: OpenPart, failure: Failure): Promise<void> => {
  if (!(await looking.confirmLanded(failure.sentence))) throw failure;
  await supersede(looking, open);
};

/** Told once: whoever did not know it may have meant that one. */
const reportLanded = async (looking: Looking, open: OpenPart): Promise<void> => {
  const failure = hasLanded(open);
  const isWanted = await looking.confirmLanded(failure.sentence);
  await supersede(looking, open);
  if (!isWanted) throw failure;
};

/** What the journal says of its transactions now. */
const readNow = async ({ client }: Looking, { operationId }: OpenPart): Promise<YieldProgress> => {
  const state = await readState(client.io, operationId);
  if (state) return progressOf(state);
  throw new Failure('not_found', `there is no operation ${operationId} in the journal`);
};

/** It moved nothing; but of two the first may have landed, and whoever asks for both again must know. */
const resumeEarlier = async (looking: Looking, intent: YieldIntent, open: OpenPart): Promise<void> => {
  const isHalf = open.part > 1 && isSame(looking.network, intent, open.intent);
  if (isHalf && (await readNow(looking, open)).landed > 0) throw halfDone(open);
  await looking.on({ kind: 'earlier_dead', hash: open.hash });
};

/** Of two that were sent together the other may be in doubt yet: it comes next. */
const afterLanded = async (looking: Looking, intent: YieldIntent, open: OpenPart): Promise<void> => {
  const { handed, landed } = await readNow(looking, open);
  if (handed.length > 0) return undefined;
  return settle(looking, intent, { ...open, kind: landed < open.count ? 'half' : 'untold' });
};

const settleSent = async (looking: Looking, intent: YieldIntent, open: OpenPart, finality: Finality): Promise<void> => {
  const { hash, part } = open;
  switch (finality.kind) {
    case 'open':
      return confirmedByUser(looking, open, mayHaveLanded(open));
    case 'dead':
      await record(looking, open, { step: 'dead', hash });
      return resumeEarlier(looking, intent, open);
    case 'failed':
      // It is part of the chain and did nothing: of its bytes nothing is in doubt any more, however often they were sent.
      await record(
        looking,
        open,
        { step: 'dead', hash },
        { step: 'failed', code: 'payment_failed', status: undefined, is_unknown: false, hash },
      );
      return resumeEarlier(looking, intent, open);
    case 'landed':
      await record(looking, open, { step: 'landed', part, hash });
      return afterLanded(looking, intent, open);
    default: {
      const never: never = finality;
      return never;
    }
  }
};

const settle = async (looking: Looking, intent: YieldIntent, open: OpenPart): Promise<void> => {
  switch (open.kind) {
    case 'sent':
      return settleSent(looking, intent, open, await finalityOf(looking.node, open));
    case 'half':
      return confirmedByUser(looking, open, halfDone(open));
    case 'untold':
      return reportLanded(looking, open);
    default: {
      const never: never = open.kind;
      return never;
    }
  }
};

/**
 * Lets an operation begin only when, by the journal, no earlier one of the same kind may still land, is half done, or
 * landed without a word: what is found out about it is recorded there. Throws `outcome_unknown` with its hash.
 */
export const assertNothingOpen = async (looking: Looking, intent: YieldIntent): Promise<void> => {
  const { client, network, node } = looking;
  const all = await openYields(client.io, deploymentOfService(client.service), (one, other) =>
    isSameToken(network, one, other),
  );
  const again = new Set(all.filter((each) => repeats(network, intent, each)).map(({ operationId }) => operationId));
  const open = all.filter(({ operationId }) => again.has(operationId));
  if (open.length === 0) return;
  if (node) await assertNodeOf(node, network.kind);
  for (const each of open) {
    // The user may have set aside all of what the one before was part of.
    const isThere =
      each.kind !== 'sent' || (await readNow(looking, each)).handed.some(({ hash }) => hash === each.hash);
    if (isThere) await settle(looking, intent, each);
  }
};
