import { Failure, type FailureCode, isFailure, messageOf } from '../core/failure.ts';

const UNCLEAR: readonly FailureCode[] = ['outcome_unknown', 'unexpected_answer', 'internal'];

/** Whether a failure to send leaves open what happened: after any other the service has certainly not taken it. */
export const leavesOpen = ({ code }: Failure): boolean => UNCLEAR.includes(code);

/** What was thrown while something was being sent: of a fault that is no failure nobody knows what it left. */
export const asFailure = (error: unknown): Failure =>
  isFailure(error) ? error : new Failure('outcome_unknown', messageOf(error), { cause: error });
