import type { Kind } from '../../contract/chains.ts';
import { BLOCKHASH_EXPIRED } from '../../contract/yield/shared.ts';
import { Failure, type FailureDetails, isFailure, withDetails } from '../../core/failure.ts';
import { type NextStep, nextStep } from '../../core/next.ts';
import { WIRE_ID } from '../../core/wire-names.ts';
import type { OpenPart } from '../../journal/doubt.ts';
import { isYieldIntent, type Purpose } from '../../journal/intents.ts';
import { leavesOpen, refusedDetails } from '../read-back.ts';
import { inWords } from './request.ts';

/** The command that shows the wallet's position with the operation's last provider, if both are known. */
const lookCommand = ({ purpose, operationId }: OpenPart): NextStep => {
  const provider = isYieldIntent(purpose) ? (purpose.provider_in ?? purpose.provider_out) : undefined;
  if (!isYieldIntent(purpose) || provider === undefined) return nextStep('operation.show', 'yield', operationId);
  const { wallet, asset, chain } = purpose;
  return nextStep('yield.earnings', { wallet, asset, provider, chain });
};

/** The sent operation: its chain, kind of chain, and id. */
export type Task = { readonly chain: string; readonly kind: Kind; readonly operationId: string };

/** The details of bytes that may still land. */
const liveDetails = (operationId: string, hash: string): FailureDetails => ({
  data: { hash, [WIRE_ID]: operationId, live: true },
  next: nextStep('yield.resume.live', operationId),
});

/** Unknown whether a transaction landed: its hash allows a later check. */
export const unknownOutcome = (error: Failure, { operationId }: Pick<Task, 'operationId'>, hash: string): Failure => {
  const known = `The transaction ${hash} may have landed. The command below checks it; a node (--rpc-url) gives the best answer.`;
  // The hint of a limit of this machine says what holds the transaction back.
  const hint = error.code === 'refused_by_review' ? `${known} ${error.details.hint ?? ''}`.trim() : known;
  // A read after the send may have been refused before it was sent.
  return withDetails(error, { ...liveDetails(operationId, hash), hint, isUnsent: undefined }, 'outcome_unknown');
};

/** Sent bytes may land despite a refusal; on a live chain only a node shows it. `who` refused them. */
export const refusedLive = (error: Failure, { operationId, kind }: Task, hash: string, who = 'service'): Failure => {
  const live = liveDetails(operationId, hash);
  const resume = nextStep('yield.resume.live', operationId);
  return withDetails(error, {
    ...live,
    ...refusedDetails(error, hash, { canOnlyNodeShow: kind === 'live', resume, who }),
  });
};

/** A rate limiter may have passed this call on; only the chain shows it. */
export const limitedOutcome = (error: Failure, { operationId }: Task, hash: string): Failure =>
  withDetails(error, {
    ...liveDetails(operationId, hash),
    hint: `Too many calls were made, and the transaction ${hash} may have been passed on. The command below sends it again, which cannot land twice.`,
    isUnclear: true,
  });

/** A gateway may have repeated the call, so the refusal of a known transaction is about the second one. */
export const namesOurs = ({ message, details }: Failure, hash: string): boolean =>
  [message, ...(details.errors ?? []).map((each) => each.message)].some((text) => text.includes(hash));

/** Whether a send failure leaves the outcome unknown. */
export const isUnclear = (error: Failure, hash: string): boolean => leavesOpen(error) || namesOurs(error, hash);

/** The transaction is on the chain, and only its fee was charged. */
export const failedOnChain = (hash: string, why: string, { operationId }: Pick<Task, 'operationId'>): Failure =>
  new Failure('payment_failed', `the transaction failed on the chain: ${why}`, {
    data: { hash, [WIRE_ID]: operationId, live: false },
    hint: `Nothing moved but its fee. Its hash is ${hash}.`,
    next: nextStep('operation.show', 'yield', operationId),
  });

/** Whether a transaction was refused for an expired blockhash. */
export const isExpired = (error: unknown): error is Failure =>
  isFailure(error, 'rejected') && error.details.status === BLOCKHASH_EXPIRED;

const purposeInWords = (purpose: Purpose): string => (isYieldIntent(purpose) ? `"${inWords(purpose)}"` : 'a broadcast');

const named = ({ purpose, at }: OpenPart): string => `${purposeInWords(purpose)} of ${new Date(at).toISOString()}`;

const stopped = ({ kind, hash, at, operationId }: OpenPart, message: string, hint: string, next: NextStep): Failure =>
  new Failure('outcome_unknown', message, {
    data: { hash, sent_at: new Date(at).toISOString(), [WIRE_ID]: operationId, live: kind === 'sent' },
    hint: `Nothing was sent now. ${hint}`,
    next,
  });

/** The outcome could not be determined. */
export const mayHaveLanded = (open: OpenPart): Failure =>
  stopped(
    open,
    `${named(open)} may have landed: ${open.hash}`,
    'The command below checks and completes it; a node (--rpc-url) gives the best answer. At a terminal you can confirm that you have checked it.',
    nextStep('yield.resume.earlier', open.operationId),
  );

/** The outcome is known now, and the user must see it before a repeat. */
export const hasLanded = (open: OpenPart): Failure =>
  stopped(
    open,
    `${named(open)} has landed after all: ${open.hash}`,
    'That is recorded. To do it once more, run the command again.',
    lookCommand(open),
  );

/** Only the first of two transactions has landed: the money is in the wallet. */
export const halfDone = (open: OpenPart): Failure => {
  const { purpose } = open;
  const money = isYieldIntent(purpose) ? `${purpose.amount} ${purpose.asset}` : 'tokens';
  const which =
    open.kind === 'half'
      ? `${open.hash} has landed, and the second transaction was not sent`
      : `its first transaction has landed, and the second, ${open.hash}, never did`;
  return stopped(
    open,
    `${named(open)} is half done: ${which}`,
    `The ${money} are in the wallet. The command below sends them on. Or confirm at a terminal that they stay.`,
    nextStep('yield.resume.earlier', open.operationId),
  );
};

/** Another operation may have done the missing part, and its outcome is unknown. */
export const halfInDoubt = (purpose: Purpose, operationId: string, other: string): Failure =>
  new Failure('outcome_unknown', `what ${purposeInWords(purpose)} lacks may be done by ${other}, which is in doubt`, {
    data: { [WIRE_ID]: operationId, in_doubt: other },
    hint: 'Nothing was sent now. Check that operation first, with the command below.',
    next: nextStep('yield.resume.earlier', other),
  });

/** A later deposit has done the missing part while the user was asked. */
export const doneMeanwhile = (operationId: string, other: string): Failure =>
  new Failure('not_final', `the later deposit ${other} has done what was missing`, {
    data: { [WIRE_ID]: operationId, done_by: other },
    hint: 'Nothing was sent now. The command below ends this operation.',
    next: nextStep('yield.resume.earlier', operationId),
  });
