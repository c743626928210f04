import { FAILURES, Failure, type FailureCode } from '../../core/failure.ts';
import { isJsonObject } from '../../core/json.ts';
import { commandLine, type NextStep, nextStep } from '../../core/next.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import { statusOf } from '../../journal/status.ts';
import type { CommandContext } from '../context/context.ts';
import { forProfile } from '../print/next-command.ts';
import { type OperationArea, printReceipt } from './area.ts';

/** Returns the receipt of an operation that is over, and the next command, if any. */
export type AsEnded = (state: OperationState) => { readonly receipt: unknown; readonly next?: NextStep | undefined };

const codeOf = ({ stop }: OperationState): FailureCode =>
  stop && Object.hasOwn(FAILURES, stop.code) ? (stop.code as FailureCode) : 'rejected';

/** The receipt with its next command, which names the profile of the operation. */
const endedAs = async (cli: CommandContext, state: OperationState, asEnded: AsEnded): Promise<unknown> => {
  const { receipt, next } = asEnded(state);
  if (!isJsonObject(receipt) || next === undefined) return receipt;
  return { ...receipt, next: commandLine(await forProfile(cli, state.started.profile, next)) };
};

/** Returns the receipt of an operation that is over. Throws if it ended in error, was refused or failed. */
export const overOr = async (
  cli: CommandContext,
  { area, noun }: OperationArea,
  state: OperationState,
  asEnded: AsEnded,
): Promise<unknown> => {
  const [status, data] = [statusOf(state), await endedAs(cli, state, asEnded)];
  const { intent_key: name } = state.started;
  const another = name === undefined ? 'Run the command that started it' : `Give another name than --intent ${name}`;
  if (status === 'error') {
    throw new Failure('payment_failed', `the ${noun} ${state.id} ended in error`, {
      data,
      hint: `${another} to start another ${noun}, once it is known that no money moved.`,
      next: nextStep('operation.show', area, state.id),
    });
  }
  if (status !== 'refused' && status !== 'failed') return data;
  const how = status === 'refused' ? 'was refused' : 'failed';
  throw new Failure(codeOf(state), `the ${noun} ${state.id} ${how}, and cannot be resumed`, {
    data,
    // Override options belong to the command that started it, so the hint names none of them.
    hint: `No money moved.${status === 'refused' ? ` Run the command that started it to start another ${noun}.` : ''}`,
  });
};

/** Prints the receipt of an operation that is over. */
export const printTerminal = async (
  cli: CommandContext,
  area: OperationArea,
  state: OperationState,
  asEnded: AsEnded,
): Promise<void> => printReceipt(area, cli.printResult, await overOr(cli, area, state, asEnded));
