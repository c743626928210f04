import type { Envelope } from '../client/envelope.ts';
import { errorEntry } from '../contract/errors.ts';
import { Failure, isFailure } from '../core/failure.ts';
import type { NextStep } from '../core/next.ts';

/** A rate limit from something other than the service, which may have passed the call on. */
export const isForeignLimit = ({ details }: Failure): boolean =>
  details.http === 429 && !(details.status !== undefined && errorEntry(details.status));

/** Whether a failed call may have taken effect. After an interrupt there is no time to check. */
export const isUnclear = (error: unknown): error is Failure =>
  isFailure(error) && error.code !== 'interrupted' && (error.details.isUnclear === true || isForeignLimit(error));

/** The failure of a call after a check of its effect: the findings, and the next step. */
export const withFindings = (
  failure: Failure,
  findings: { readonly hint: string; readonly next?: NextStep | undefined; readonly data?: unknown },
): Failure =>
  new Failure(failure.code, failure.sentence, {
    ...failure.details,
    ...findings,
    data: findings.data ?? failure.details.data,
    cause: failure,
  });

/**
 * Replaces a missing response: nothing was sent (`unchanged`), reading shows the effect after a lost response
 * (`read_back`), or several responses are combined (`collected`). It is not an envelope and never shown as one.
 */
export type LostAnswer = {
  readonly without: 'unchanged' | 'read_back' | 'collected';
  readonly status: string;
  readonly data: unknown;
};

/** The response of the service, or its replacement. */
export type CallResult = Envelope | LostAnswer;

/** Whether this is a response of the service. */
export const isEnvelope = (answered: CallResult): answered is Envelope => 'statusCode' in answered;

/** The replacement of a response. */
export const withoutAnswer = (without: LostAnswer['without'], status: string, data: unknown): LostAnswer => ({
  without,
  status,
  data,
});

/** Reads the effect of a call. If that fails, the first failure is kept and mentions it. */
export const readingBack = async <T>(failure: Failure, read: () => Promise<T>): Promise<T> => {
  try {
    return await read();
  } catch (error) {
    if (!isFailure(error) || error.code === 'interrupted') throw error;
    const hint = `${failure.details.hint ?? ''} The result could not be read: ${error.sentence}`.trim();
    throw withFindings(failure, { hint });
  }
};
