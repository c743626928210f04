import type { Io } from '../io/io.ts';
import { isYieldIntent } from './intents.ts';
import type { MovementState } from './movement-state.ts';
import { isOver } from './over.ts';
import { allStates } from './overview.ts';
import { readMovement } from './read.ts';
import { type Deployment, deploymentOf, isSameDeployment } from './same-service.ts';
import type { Position, YieldIntent } from './yield-entry.ts';
import { readOperation, type Stage, type YieldLine, type YieldReading } from './yield-reading.ts';

/** A transaction that may have been sent, and what is needed to find out about it. */
export type Doubt = {
  /** When it was last about to be sent, in milliseconds since 1970. */
  readonly at: number;
  /** `undefined` where bytes were only passed on. */
  readonly intent: YieldIntent | undefined;
  /** Its number, and of how many. */
  readonly part: number;
  readonly count: number;
  readonly hash: string;
  /** As it was signed: it names the blockhash. */
  readonly signedTransaction: string;
  /** What the wallet had before the operation. */
  readonly before: readonly Position[];
};

/** The last transaction of an earlier operation that did not come to its end before the eyes of the user. */
export type OpenPart = Doubt & {
  readonly kind: Stage;
  /** The journal that tells of it. */
  readonly movement: string;
  readonly intent: YieldIntent;
};

/** The transaction that an operation leaves open. */
export const doubtIn = ({
  before,
  signed,
  open,
}: YieldReading): (Omit<Doubt, 'intent'> & { kind: Stage }) | undefined =>
  open && {
    kind: open.kind,
    at: open.at,
    part: open.part,
    count: signed.length,
    hash: open.hash,
    signedTransaction: signed[open.part - 1]?.signed_transaction ?? '',
    before,
  };

/** What one movement leaves open. */
const openIn = ({ id }: MovementState, intent: YieldIntent, lines: readonly YieldLine[]): OpenPart | undefined => {
  const doubt = doubtIn(readOperation(lines));
  return doubt && { ...doubt, movement: id, intent };
};

const isLandedDeposit = ({ operation }: YieldIntent, { signed }: MovementState): boolean =>
  operation === 'deposit' && signed.some(({ sent }) => sent === 'yes');

const COMPLETING = ['wallet', 'chain', 'asset', 'provider_in'] as const;

/** A deposit that came later is the other half. */
const isCompletedBy = (intent: YieldIntent, deposits: readonly YieldIntent[]): boolean =>
  deposits.some((deposit) => COMPLETING.every((field) => deposit[field] === intent[field]));

const linesOf = async (io: Io, { id }: MovementState): Promise<readonly YieldLine[]> =>
  (await readMovement(io, id))?.lines ?? [];

/**
 * What yield operations through a service left open: transactions that may have landed, halves of what was asked for,
 * and ends that nobody was told; the newest first. Throws `journal_damaged`.
 */
export const openOperations = async (io: Io, deployment: Deployment): Promise<readonly OpenPart[]> => {
  const found: OpenPart[] = [];
  const later: YieldIntent[] = [];
  for await (const state of allStates(io)) {
    const { intent } = state.begun;
    if (!isYieldIntent(intent) || !isSameDeployment(deploymentOf(state), deployment)) continue;
    const open = isOver(state) ? undefined : openIn(state, intent, await linesOf(io, state));
    if (open && !(open.kind === 'half' && isCompletedBy(open.intent, later))) found.push(open);
    if (isLandedDeposit(intent, state)) later.push(intent);
  }
  return found;
};

/** Whether a deposit that came after a movement is the half that it lacks. Throws `journal_damaged`. */
export const wasCompletedLater = async (
  io: Io,
  deployment: Deployment,
  { movement, intent }: { readonly movement: string; readonly intent: YieldIntent },
): Promise<boolean> => {
  const later: YieldIntent[] = [];
  for await (const state of allStates(io)) {
    const { intent: other } = state.begun;
    if (state.id <= movement) break;
    if (!isYieldIntent(other) || !isSameDeployment(deploymentOf(state), deployment)) continue;
    if (isLandedDeposit(other, state)) later.push(other);
  }
  return isCompletedBy(intent, later);
};
