import { Failure, type FailureCode, isFailure, messageOf } from '../core/failure.ts';

const UNCLEAR: readonly FailureCode[] = ['outcome_unknown', 'unexpected_answer', 'internal'];

/** Whether a send failure leaves the outcome unknown; after any other failure the service has not accepted it. */
export const leavesOpen = ({ code }: Failure): boolean => UNCLEAR.includes(code);

/** The error of a send. An error that is no `Failure` leaves the outcome unknown. */
export const asFailure = (error: unknown): Failure =>
  isFailure(error) ? error : new Failure('outcome_unknown', messageOf(error), { cause: error });
