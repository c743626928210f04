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

/** A transaction that may have been sent, with the facts to check it. */
export type Doubt = {
  /** The time of the last send attempt, in milliseconds since 1970. */
  readonly at: number;
  /** `undefined` for relayed bytes. */
  readonly intent: YieldIntent | undefined;
  /** Its number and the total count. */
  readonly part: number;
  readonly count: number;
  readonly hash: string;
  /** The signed bytes, which contain the blockhash. */
  readonly signedTransaction: string;
  /** The wallet's positions before the operation. */
  readonly before: readonly Position[];
};

/** An open transaction of an earlier operation. */
export type OpenPart = Doubt & {
  readonly kind: OpenKind;
  /** The operation in the journal. */
  readonly operationId: string;
  readonly intent: YieldIntent;
};

type DoubtOfBytes = Omit<Doubt, 'intent'> & { readonly kind: OpenKind };

const doubtOf = ({ before, signed }: YieldProgress, { kind, at, part, hash }: OpenStep): DoubtOfBytes => ({
  ...{ kind, at, part, hash, before },
  count: signed.length,
  signedTransaction: signed[part - 1]?.signed_transaction ?? '',
});

/** The first transaction of an operation that may have been sent. */
export const doubtIn = (reading: YieldProgress): DoubtOfBytes | undefined =>
  reading.open && doubtOf(reading, reading.open);

/** The open parts of one operation: each transaction that may have been sent, or the stopped step. */
const openIn = (state: OperationState, intent: YieldIntent): readonly OpenPart[] => {
  const reading = progressOf(state);
  const steps = reading.handed.length > 0 ? reading.handed : [reading.open];
  return steps.flatMap((step) => (step ? [{ ...doubtOf(reading, step), operationId: state.id, intent }] : []));
};

/** Whether two names mean the same token: the journal has the user's spelling. */
export type IsSameToken = (one: string, other: string) => boolean;

const isLandedDeposit = ({ operation: action }: YieldIntent, { signed }: OperationState): boolean =>
  action === 'deposit' && signed.some(({ sent }) => sent === 'yes');

/** Whether a later deposit is the missing second half. */
const isOtherHalf = (intent: YieldIntent, deposit: YieldIntent, isSameToken: IsSameToken): boolean =>
  deposit.wallet === intent.wallet &&
  isSameText(deposit.chain, intent.chain) &&
  isSameText(deposit.provider_in ?? '', intent.provider_in ?? '') &&
  isSameToken(deposit.asset, intent.asset);

/**
 * Open parts of a service's yield operations, newest first: possibly landed transactions, missing halves, and
 * unprinted results. Throws `journal_damaged`.
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

/** A later deposit that completes an operation: landed or in doubt. */
export type OtherHalf = { readonly operationId: string; readonly isInDoubt: boolean };

/** Finds a later deposit that completes an operation; `undefined` if there is none. Throws `journal_damaged`. */
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
