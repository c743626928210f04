import { EXIT, FAILURES, Failure, isFailure } from '../../core/failure.ts';
import { isResume, type NextStep, nextStep } from '../../core/next.ts';
import type { Operation } from '../../journal/operation.ts';
import { hashSent, mayBeSent, type OperationState } from '../../journal/operation-state.ts';
import { cardSent, isTerminal, statusOf, wireStatusOf } from '../../journal/status.ts';
import type { CommandContext } from '../context/context.ts';
import type { OperationArea } from './area.ts';
import { resumeCommand } from './rows.ts';

const handedOver = ({ signed }: OperationState) => signed.findLast(mayBeSent);

const whereItStands = ({ noun }: OperationArea, state: OperationState): string => {
  if (isTerminal(state)) return `The ${noun} is over: ${wireStatusOf(state)}.`;
  const part = handedOver(state);
  if (cardSent(state) !== 'no') return 'The card may have been charged.';
  if (state.pix) return `Its Pix can be paid until ${state.pix.expires_at}.`;
  if (!part) return 'Nothing was sent that moves money.';
  return `The transaction ${part.hash} ${part.sent === 'yes' ? 'was' : 'may have been'} sent.`;
};

/** What an outstanding call may have moved, as the first thing that a reader must know. */
const mayHaveMovedInWords = ({ area }: OperationArea, state: OperationState): string => {
  const { intent } = state.started;
  const unit = 'currency' in intent ? intent.currency : 'asset' in intent ? intent.asset : undefined;
  const amount = 'amount' in intent && unit ? `${intent.amount} ${unit}` : 'the transaction';
  const how = cardSent(state) === 'no' ? 'sent' : 'charged to the card';
  return `interrupted, and the outcome is not known: ${amount} may have been ${how}. Do not ${area === 'pay' ? 'pay' : 'do it'} again.`;
};

/** What an interrupt leaves in doubt may have moved money, and is no plain one, however the work on it has ended. */
const leavesDoubt = ({ io }: CommandContext, state: OperationState, { code }: Failure): boolean =>
  io.interrupted.aborted && (code === 'outcome_unknown' || (code === 'interrupted' && statusOf(state) === 'in_doubt'));

/** What is wrong on this machine comes first, so does a payer's identity or money; and a failure may name the command itself. */
const comesFirst = ({ id, argv }: NextStep, { code, details }: Failure, operationId: string): boolean =>
  isResume(id) ||
  argv.includes(operationId) ||
  FAILURES[code] === EXIT.usage ||
  (details.isLeftOpen === true && id === 'pay.status') ||
  (code === 'identity_gate' && id === 'kyc.start') ||
  id === 'sandbox.fund' ||
  (details.status === 'payment_not_found' && id === 'whoami');

/** A sandbox that was reset, or kept nothing, has no such payment any more; a service may hide one of another tenant. */
const isGone = (state: OperationState, { details }: Failure): boolean =>
  state.started.kind === 'sandbox' && details.status === 'payment_not_found' && !handedOver(state);

const nextOf = (area: OperationArea, state: OperationState, failure: Failure): NextStep | undefined => {
  const { next } = failure.details;
  // No resume gets past a record that cannot be read.
  if (failure.code === 'journal_damaged') return next;
  if (isGone(state, failure)) return nextStep('operation.forget', area.area, state.id);
  if (next && comesFirst(next, failure, state.id)) return next;
  return resumeCommand(area, state) ?? nextStep('operation.show', area.area, state.id);
};

/** The same failure, with where the operation stands and how to go on. */
const withWayOn = (cli: CommandContext, area: OperationArea, state: OperationState, failure: Failure): Failure => {
  const { code, details } = failure;
  const isOutstanding = leavesDoubt(cli, state, failure);
  const isInterrupt = code === 'interrupted' || isOutstanding;
  const { id: operationId, payment_id = null } = state;
  const message = isOutstanding ? mayHaveMovedInWords(area, state) : failure.sentence;
  return new Failure(isOutstanding ? 'outcome_unknown' : code, message, {
    ...details,
    data: details.data ?? { movement: operationId, payment_id, tid_hash: hashSent(state) ?? null },
    hint: details.hint ?? (isInterrupt ? whereItStands(area, state) : undefined),
    next: nextOf(area, state, failure),
    cause: failure,
  });
};

/**
 * Works on an operation. What stops it on the way names the command that resumes it, while there is a use in it; so
 * does the last word of an interrupt that does not wait for the end of this.
 */
export const resumable = async <T>(
  cli: CommandContext,
  area: OperationArea,
  operation: Operation,
  work: () => Promise<T>,
): Promise<T> => {
  // It stays when the work is done: what follows takes its time too, and has not been told yet.
  cli.interruptSummaries.add(() => withWayOn(cli, area, operation.state(), new Failure('interrupted', 'interrupted')));
  try {
    return await work();
  } catch (error) {
    const state = operation.state();
    if (!isFailure(error) || isTerminal(state)) throw error;
    throw withWayOn(cli, area, state, error);
  }
};
