import type { KeyChain } from '../../contract/chains.ts';
import { amended, EXIT, FAILURES, Failure, isFailure, valueOn, withDetails } from '../../core/failure.ts';
import { isJsonObject } from '../../core/json.ts';
import { isResume, type NextStep, nextStep } from '../../core/next.ts';
import { WIRE_ID } from '../../core/wire-names.ts';
import { newestId } from '../../journal/naming.ts';
import {
  beginOperation,
  type Operation,
  type OperationStart,
  type ReopenedOperation,
  reopenOperation,
} from '../../journal/operation.ts';
import { hashSent, mayBeSent, type OperationState } from '../../journal/operation-state.ts';
import { cardSent, isTerminal, statusOf, wireStatusOf } from '../../journal/status.ts';
import type { CommandContext } from '../command/command.ts';
import type { ParsedArgs } from '../command/options.ts';
import { type OperationArea, resumeCommand, usualId } from './area.ts';
import { type NamedSigningKey, withSigningKey } from './signing-key.ts';

const handedOver = ({ signed }: OperationState) => signed.findLast(mayBeSent);

const stateInWords = ({ noun }: OperationArea, state: OperationState): string => {
  if (isTerminal(state)) return `The ${noun} is over: ${wireStatusOf(state)}.`;
  const part = handedOver(state);
  if (cardSent(state) !== 'no') return 'The card may have been charged.';
  if (state.pix) return `Its Pix expires at ${state.pix.expires_at}.`;
  if (!part) return 'Nothing was sent that moves money.';
  return `The transaction ${part.hash} ${part.sent === 'yes' ? 'was' : 'may have been'} sent.`;
};

/** The message of an interrupt during a call that may have moved money. */
const mayHaveMovedInWords = ({ area }: OperationArea, state: OperationState): string => {
  const { intent } = state.started;
  const unit = 'currency' in intent ? intent.currency : 'asset' in intent ? intent.asset : undefined;
  const amount = 'amount' in intent && unit ? `${intent.amount} ${unit}` : 'the transaction';
  const how = cardSent(state) === 'no' ? 'sent' : 'charged to the card';
  return `interrupted, and the outcome is not known: ${amount} may have been ${how}. Do not ${area === 'pay' ? 'pay' : 'do it'} again.`;
};

/** Whether an interrupt leaves an operation in doubt: money may have moved. */
const leavesDoubt = ({ io }: CommandContext, state: OperationState, { code }: Failure): boolean =>
  io.interrupted.aborted && (code === 'outcome_unknown' || (code === 'interrupted' && statusOf(state) === 'in_doubt'));

/** Whether the next command of a failure is more urgent than the resume of the operation. */
const comesFirst = ({ id, argv }: NextStep, { code, details }: Failure, operationId: string): boolean =>
  isResume(id) ||
  argv.includes(operationId) ||
  // After a wrong password the same operation goes on.
  (FAILURES[code] === EXIT.usage && code !== 'wrong_password') ||
  (details.isLeftOpen === true && id === 'pay.status') ||
  (code === 'identity_gate' && id === 'kyc.start') ||
  id === 'sandbox.fund';

/** Whether a sandbox lost the payment, by a reset or a restart. A live service may hide a payment of another tenant. */
const isGone = (state: OperationState, { details }: Failure): boolean =>
  state.started.kind === 'sandbox' && details.status === 'payment_not_found' && !handedOver(state);

const nextOf = (area: OperationArea, state: OperationState, failure: Failure): NextStep | undefined => {
  const { next } = failure.details;
  // A damaged record cannot be resumed.
  if (failure.code === 'journal_damaged') return next;
  if (isGone(state, failure)) return nextStep('operation.forget', area.area, state.id);
  // bursar started this payment, so the key in use is probably that of another tenant.
  if (failure.details.status === 'payment_not_found' && next?.id === 'operation.list') return nextStep('whoami');
  if (next && comesFirst(next, failure, state.id)) return next;
  return resumeCommand(area, state, state.id) ?? nextStep('operation.show', area.area, state.id);
};

/** The same command with the printed id. A record is removed by its own id: the payment may have several. */
const renamed = (step: NextStep | undefined, { id }: OperationState, name: string): NextStep | undefined =>
  step === undefined || step.id === 'operation.forget'
    ? step
    : { ...step, argv: step.argv.map((word) => (word === id ? name : word)) };

/** Returns the id that names an operation in its commands. The payment id may exist only later. */
type NameOf = (state: OperationState) => string;

/** The area of an operation, and its name in commands. */
type Named = { readonly area: OperationArea; readonly nameOf: NameOf };

/** Adds the state of the operation and the next command to a failure. */
const withNextCommand = (cli: CommandContext, { area, nameOf }: Named, state: OperationState, failure: Failure) => {
  const { code, details } = failure;
  const name = nameOf(state);
  const isOutstanding = leavesDoubt(cli, state, failure);
  const isInterrupt = code === 'interrupted' || isOutstanding;
  const { id: operationId, payment_id = null } = state;
  const message = isOutstanding ? mayHaveMovedInWords(area, state) : failure.sentence;
  return new Failure(isOutstanding ? 'outcome_unknown' : code, message, {
    ...details,
    data: details.data ?? { [WIRE_ID]: operationId, payment_id, tid_hash: hashSent(state) ?? null },
    hint:
      details.hint?.replaceAll(`resume ${operationId}`, `resume ${name}`) ??
      (isInterrupt ? stateInWords(area, state) : undefined),
    next: renamed(nextOf(area, state, failure), state, name),
    followUp: renamed(details.followUp, state, name),
    cause: failure,
  });
};

/**
 * Works on an operation. Its failures, and the summary of an interrupt, name the command that resumes the
 * operation. A failure of an operation that is over stays unchanged.
 */
const resumable = async <T>(cli: CommandContext, named: Named, operation: Operation, work: () => Promise<T>) => {
  // The summary stays after the work: the result is not printed yet.
  cli.interruptSummaries.add(() =>
    withNextCommand(cli, named, operation.state(), new Failure('interrupted', 'interrupted')),
  );
  try {
    return await work();
  } catch (error) {
    const state = operation.state();
    if (!isFailure(error) || isTerminal(state)) throw error;
    throw withNextCommand(cli, named, state, error);
  }
};

/** The first record of an operation, and the context of its work. */
export type Start<C> = {
  readonly beginning: OperationStart;
  readonly context: C;
  /** Fields of the receipt that warn of something. A failure has them in its data. */
  readonly warned?: WithWarnings;
};

/** The warnings about an operation; empty if there are none. */
export type WithWarnings = { readonly warnings?: readonly string[] };

/** For `catch`: adds the warnings to the data of a failure. */
const withWarnings = (warned: WithWarnings) =>
  amended((failure) => {
    const { data } = failure.details;
    const isField = data === undefined || isJsonObject(data);
    return warned.warnings && isField ? withDetails(failure, { data: { ...(data ?? {}), ...warned } }) : failure;
  });

/** An operation that a command starts. */
export type OperationSpec<C, K extends KeyChain> = {
  readonly area: OperationArea;
  /** The key that signs. It is unlocked before anything is recorded, unless its password is typed. */
  readonly key?: {
    readonly given: ParsedArgs;
    readonly name: string;
    readonly chain: K;
    /** Work that runs while the key is unlocked. */
    readonly meanwhile?: () => Promise<unknown>;
  };
  /** Called when the key is known, before the operation is recorded. */
  readonly start: (key: NamedSigningKey<K>) => Promise<Start<C>>;
};

/** The work on an operation, with its context and the key, if any. */
type Work<C, K extends KeyChain, T> = (
  context: C & { readonly operation: Operation },
  key: NamedSigningKey<K>,
) => Promise<T>;

/** Runs after the work while the operation is still claimed: prints the result. */
type Finish<C, T> = (
  result: T,
  context: C & { readonly operation: Operation; readonly warned: WithWarnings },
) => Promise<void>;

/**
 * Starts an operation, works on it, and always releases it. A failure of the work names the command that resumes
 * the operation. Throws `journal_unwritable`, and as `withSigningKey`.
 */
export const withOperation = async <C, T, K extends KeyChain = never>(
  cli: CommandContext,
  { area, key, start }: OperationSpec<C, K>,
  work: Work<C, K, T>,
  finish: Finish<C, T> = async () => undefined,
): Promise<T> => {
  const run = async (named: NamedSigningKey<K>): Promise<T> => {
    const { beginning, context, warned = {} } = await start(named);
    const operation = await beginOperation(cli.io, beginning);
    const working = { ...context, operation };
    try {
      const resuming = resumable(cli, { area, nameOf: newestId }, operation, () => work(working, named));
      const result = await resuming.catch(withWarnings(warned));
      await finish(result, { ...working, warned });
      return result;
    } finally {
      await operation.close(!cli.io.stdout.isClosed());
    }
  };
  // Without a key the work takes none.
  return key === undefined ? run(undefined as never) : withSigningKey(cli, key.given, key, run);
};

/** Runs some work. If a wallet of the sandbox lacks money for it and its user funds it now, runs `again`. */
export const withFunding = async (
  cli: CommandContext,
  work: () => Promise<unknown>,
  again: () => Promise<void>,
): Promise<void> => {
  try {
    await work();
  } catch (error) {
    const { isFundedAfter } = await import('../prompt/ask-key.ts');
    if (!(await isFundedAfter(cli, error))) throw error;
    await again();
  }
};

/** A reopened operation keeps its own id if its payment id names another operation. */
const nameOfReopened = async (cli: CommandContext, state: OperationState): Promise<NameOf> => {
  const name = await usualId(cli, state);
  return name === newestId(state) ? newestId : () => name;
};

/**
 * Reopens an operation, works on it and closes it; `undefined` if another process ended it. Throws as `reopenOperation`.
 */
export const withReopened = async <T>(
  cli: CommandContext,
  area: OperationArea,
  id: string,
  work: (reopened: ReopenedOperation) => Promise<T>,
): Promise<T | undefined> => {
  const reopened = await reopenOperation(cli.io, id).catch(valueOn('rejected', undefined));
  if (reopened === undefined) return undefined;
  try {
    const nameOf = await nameOfReopened(cli, reopened.operation.state());
    return await resumable(cli, { area, nameOf }, reopened.operation, () => work(reopened));
  } finally {
    await reopened.operation.close(!cli.io.stdout.isClosed());
  }
};
