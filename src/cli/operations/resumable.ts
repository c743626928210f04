import type { Client } from '../../client/call.ts';
import { FAILURES, Failure, type FailureCode } from '../../core/failure.ts';
import { isJsonObject } from '../../core/json.ts';
import { commandLine, type NextStep, nextStep } from '../../core/next.ts';
import { openStates } from '../../journal/look-up.ts';
import type { Operation, ReopenedOperation } from '../../journal/operation.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { stateOf } from '../../journal/reduce.ts';
import { mayHaveMoved, statusOf } from '../../journal/status.ts';
import { progressOf } from '../../journal/yield-progress.ts';
import type { CommandContext } from '../command/command.ts';
import type { ParsedArgs } from '../command/options.ts';
import { forProfile, withScriptOptions } from '../print/next-command.ts';
import { findOperation, type OperationArea, printReceipt, supersededEarly, usualId } from './area.ts';
import { assertSameApiKey, assertSameService, isOfService } from './same-service.ts';
import { withReopened } from './with-operation.ts';

/** Orders operations: those in doubt first, and those that wait for the payer of a Pix last. */
const rankOf = (state: OperationState): number => {
  if (mayHaveMoved(state)) return 0;
  return state.pix ? 2 : 1;
};

/** Reads the unfinished operations of an area. */
export const openOnes = async (cli: CommandContext, area: OperationArea, client: Client) => {
  const damaged: { readonly id: string; readonly failure: Failure }[] = [];
  const states = await openStates(cli.io, (failure, id) => void damaged.push({ id, failure }));
  const found = states.filter((state) => area.isOwn(state.started.intent)).toReversed();
  const isHere = (state: OperationState) => isOfService(state, client.service);
  const here = found.filter(isHere).toSorted((one, other) => rankOf(one) - rankOf(other));
  const wasDeclined = (state: OperationState) => statusOf(state) === 'declined';
  return {
    /** Operations of the service in use: those in doubt first, then the oldest. */
    open: here.filter((state) => !wasDeclined(state)),
    /** Operations that the user declined. They continue only after a confirmation. */
    declined: here.filter(wasDeclined),
    /** Operations of other services. */
    elsewhere: found.filter((state) => !isHere(state)),
    damaged,
  };
};

/** Reports the operations of other services, which stay unchanged. Warns if one of them may have moved money. */
export const reportSkipped = async (
  cli: CommandContext,
  { area }: OperationArea,
  leftAlone: readonly OperationState[],
): Promise<void> => {
  if (leftAlone.length === 0) return;
  const way = `bursar ${area} list --open names them, and bursar ${area} resume ID says what each needs`;
  const which = `${leftAlone.length} unfinished of other services or API keys were left alone`;
  const inDoubt = leftAlone.filter((state) => statusOf(state) === 'in_doubt').length;
  if (inDoubt === 0) return cli.printNote(`note: ${which}; ${way}`);
  await cli.warn(`${which}, ${inDoubt} of them in doubt: money may have moved; ${way}`);
};

/** Returns the receipt of an operation that is over, and the next command, if any. */
export type AsEnded = (
  state: OperationState,
  cli: CommandContext,
) => Promise<{ readonly receipt: unknown; readonly next?: NextStep | undefined }>;

const codeOf = ({ stop }: OperationState): FailureCode =>
  stop && Object.hasOwn(FAILURES, stop.code) ? (stop.code as FailureCode) : 'rejected';

/** The receipt with its next command, which names the profile of the operation. */
const endedAs = async (cli: CommandContext, state: OperationState, asEnded: AsEnded): Promise<unknown> => {
  const { receipt, next } = await asEnded(state, cli);
  if (!isJsonObject(receipt) || next === undefined) return receipt;
  return {
    ...receipt,
    next: commandLine(await forProfile(cli, state.started.profile, withScriptOptions(cli.io, next))),
  };
};

/** What is left to do for a payment that is registered, by the next command. */
const STILL_PAYABLE: Readonly<Record<string, string>> = {
  'pay.execute': 'The payment can still be paid, after another review',
  'pay.transaction.crypto': 'The payment is registered, and can still be paid by another transaction',
};

/** Returns the receipt of an operation that is over. Throws if it ended in error, was refused or failed. */
const overOr = async (
  cli: CommandContext,
  given: ParsedArgs,
  { area: { area, noun }, asEnded, startAgain, assertEnd }: AreaResume,
  state: OperationState,
) => {
  await assertEnd?.(cli, given, state);
  const [status, data] = [statusOf(state), await endedAs(cli, state, asEnded)];
  const id = await usualId(cli, state);
  const next = nextStep('operation.show', area, id);
  if (status === 'error') {
    const { intent_key: name } = state.started;
    const another = name === undefined ? 'Run the command that started it' : `Give another name than --intent ${name}`;
    const hint = `${another} to start another ${noun}, once it is known that no money moved.`;
    throw new Failure('payment_failed', `the ${noun} ${id} ended in error`, { data, hint, next });
  }
  if (status !== 'refused' && status !== 'failed') return data;
  const how = status === 'refused' ? 'was refused' : 'failed';
  const again = startAgain?.(state);
  const whole = `Run the command that started it again${status === 'refused' ? ', with what it lacked' : ''}`;
  const rest = STILL_PAYABLE[again?.id ?? ''] ?? whole;
  throw new Failure(codeOf(state), `the ${noun} ${id} ${how}; it is over, and cannot be resumed`, {
    data,
    // Override options belong to the command that started it, so the hint names none of them. A name of --intent is free again.
    hint: `No money moved. ${rest}.`,
    next: again ?? next,
  });
};

/** Prints the receipt of an operation that is over. Throws as `overOr`, and as `supersededEarly`. */
export const printTerminal = async (
  cli: CommandContext,
  given: ParsedArgs,
  resuming: AreaResume,
  state: OperationState,
): Promise<void> => {
  const { area } = resuming;
  if (statusOf(state) === 'superseded' && progressOf(state).landed === 0)
    throw supersededEarly(
      area,
      state,
      await usualId(cli, state),
      `bursar ${area.area} list shows the ${area.noun} that replaced it, if any.`,
    );
  return printReceipt(area, cli.printResult, await overOr(cli, given, resuming, state));
};

/** An operation that a command has reopened, and the client of its service. */
export type Resumable = { readonly operation: Operation; readonly state: OperationState; readonly client: Client };

/** How the operations of an area are resumed. */
export type AreaResume = {
  readonly area: OperationArea;
  /** Brings an operation to its end and returns its receipt. Throws as `resumeOperation`. */
  readonly resume: (cli: CommandContext, given: ParsedArgs, reopened: Resumable) => Promise<unknown>;
  readonly asEnded: AsEnded;
  /** The command that starts the same operation once more; `undefined` if the journal lacks its facts. */
  readonly startAgain?: (state: OperationState) => NextStep | undefined;
  /** Checks the recorded end of an operation, where a node can. Throws if the node does not confirm it. */
  readonly assertEnd?: (cli: CommandContext, given: ParsedArgs, state: OperationState) => Promise<void>;
};

/** What `resumeOne` resumes. `print` gets the receipt while the operation is still claimed. */
type ResumeTarget = {
  readonly client: Client;
  readonly id: string;
  readonly print: (receipt: unknown) => Promise<void>;
};

/**
 * Resumes one operation with its own service and API key, and prints its receipt. Throws as `resumeOperation` and
 * `reopenOperation`, and `bad_settings` for another service or key.
 */
export const resumeOne = async (
  cli: CommandContext,
  given: ParsedArgs,
  resuming: AreaResume,
  { client, id, print }: ResumeTarget,
): Promise<void> => {
  const { area, resume } = resuming;
  const work = async ({ operation, recorded }: ReopenedOperation): Promise<true> => {
    const state = stateOf(recorded);
    assertSameService(area, state, client.service);
    await assertSameApiKey(cli, given, area, client, state);
    await print(await resume(cli, given, { operation, state, client }));
    return true;
  };
  if (await withReopened(cli, area, id, work)) return;
  await print(await overOr(cli, given, resuming, await findOperation(cli, area, id)));
};
