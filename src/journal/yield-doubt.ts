import { isSameText } from '../core/same-text.ts';
import type { Io } from '../io/io.ts';
import type { Position } from './event.ts';
import { isYieldIntent, type YieldIntent } from './intents.ts';
import { walletKey } from './keys.ts';
import { openStates, statesUnder } from './look-up.ts';
import type { OperationState } from './operation-state.ts';
import { type Deployment, deploymentOf, isSameDeployment } from './same-service.ts';
import { isTerminal, mayHaveMoved } from './status.ts';
import { type OpenKind, type OpenStep, progressOf, type YieldProgress } from './yield-progress.ts';

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

/** A transaction of an earlier operation that did not come to its end before the eyes of the user. */
export type OpenPart = Doubt & {
  readonly kind: OpenKind;
  /** The journal that tells of it. */
  readonly operationId: string;
  readonly intent: YieldIntent;
};

type DoubtOfBytes = Omit<Doubt, 'intent'> & { readonly kind: OpenKind };

const doubtOf = ({ before, signed }: YieldProgress, { kind, at, part, hash }: OpenStep): DoubtOfBytes => ({
  ...{ kind, at, part, hash, before },
  count: signed.length,
  signedTransaction: signed[part - 1]?.signed_transaction ?? '',
});

/** The transaction that an operation leaves open: the first of those that may have been sent. */
export const doubtIn = (reading: YieldProgress): DoubtOfBytes | undefined =>
  reading.open && doubtOf(reading, reading.open);

/** What one operation leaves open: each transaction that may have been sent, or where it stopped. */
const openIn = (state: OperationState, intent: YieldIntent): readonly OpenPart[] => {
  const reading = progressOf(state);
  const steps = reading.handed.length > 0 ? reading.handed : [reading.open];
  return steps.flatMap((step) => (step ? [{ ...doubtOf(reading, step), operationId: state.id, intent }] : []));
};

/** Whether two names are of the same token: the journal has what was typed. */
export type IsSameToken = (one: string, other: string) => boolean;

const isLandedDeposit = ({ operation: action }: YieldIntent, { signed }: OperationState): boolean =>
  action === 'deposit' && signed.some(({ sent }) => sent === 'yes');

/** Whether a deposit that came later is the other half. */
const isOtherHalf = (intent: YieldIntent, deposit: YieldIntent, isSameToken: IsSameToken): boolean =>
  deposit.wallet === intent.wallet &&
  isSameText(deposit.chain, intent.chain) &&
  isSameText(deposit.provider_in ?? '', intent.provider_in ?? '') &&
  isSameToken(deposit.asset, intent.asset);

/**
 * What yield operations through a service left open: transactions that may have landed, halves of what was asked for,
 * and ends that nobody was told; the newest first. Throws `journal_damaged`.
 */
export const openYields = async (
  io: Io,
  deployment: Deployment,
  isSameToken: IsSameToken,
): Promise<readonly OpenPart[]> => {
  const found: OpenPart[] = [];
  for (const state of await openStates(io)) {
    const { intent } = state.started;
    if (!isYieldIntent(intent) || !isSameDeployment(deploymentOf(state), deployment)) continue;
    const open = openIn(state, intent);
    const half = open[0]?.kind === 'half' ? open[0] : undefined;
    const other = half && (await otherHalfOf(io, deployment, half, isSameToken));
    if (other === undefined || other.isInDoubt) found.push(...open);
  }
  return found;
};

/** The deposit that is the half that an operation lacks: it has landed, or is in doubt. */
export type OtherHalf = { readonly operationId: string; readonly isInDoubt: boolean };

/** What came after an operation and is the half that it lacks; `undefined` where nothing is. Throws `journal_damaged`. */
export const otherHalfOf = async (
  io: Io,
  deployment: Deployment,
  { operationId, intent }: { readonly operationId: string; readonly intent: YieldIntent },
  isSameToken: IsSameToken,
): Promise<OtherHalf | undefined> => {
  let inDoubt: OtherHalf | undefined;
  for await (const state of statesUnder(io, [walletKey(intent.wallet, intent.chain)])) {
    const { intent: other } = state.started;
    if (state.id <= operationId) break;
    if (!isYieldIntent(other) || other.operation !== 'deposit' || !isOtherHalf(intent, other, isSameToken)) continue;
    if (!isSameDeployment(deploymentOf(state), deployment)) continue;
    if (isLandedDeposit(other, state)) return { operationId: state.id, isInDoubt: false };
    if (!isTerminal(state) && mayHaveMoved(state)) inDoubt = { operationId: state.id, isInDoubt: true };
  }
  return inDoubt;
};
