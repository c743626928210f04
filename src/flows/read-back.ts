import type { Envelope } from '../client/envelope.ts';
import { errorEntry } from '../contract/errors.ts';
import { Failure, isFailure } from '../core/failure.ts';
import type { NextStep } from '../core/next.ts';

/** Too many calls, in words that are not the service's: whoever limits them may have passed this one on. */
export const isForeignLimit = ({ details }: Failure): boolean =>
  details.http === 429 && !(details.status !== undefined && errorEntry(details.status));

/** Whether a call ended so that it may have had its effect. An interrupt leaves no time to look. */
export const isUnclear = (error: unknown): error is Failure =>
  isFailure(error) && error.code !== 'interrupted' && (error.details.isUnclear === true || isForeignLimit(error));

/** The failure of a call whose effect was looked for: with what was found, and what to do. */
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
 * What stands where there is no answer of the service: nothing was sent (`unchanged`), the answer was lost and reading
 * shows the effect (`read_back`), or several answers make it up (`collected`). It is no envelope, and never shown as one.
 */
export type LostAnswer = {
  readonly without: 'unchanged' | 'read_back' | 'collected';
  readonly status: string;
  readonly data: unknown;
};

/** The answer of the service, or what stands in its place. */
export type CallResult = Envelope | LostAnswer;

/** Whether the service has given this answer. */
export const isEnvelope = (answered: CallResult): answered is Envelope => 'statusCode' in answered;

/** What stands in the place of an answer. */
export const withoutAnswer = (without: LostAnswer['without'], status: string, data: unknown): LostAnswer => ({
  without,
  status,
  data,
});

/** Reads back what became of a call. A failure to do so leaves the first one, which then says so. */
export const readingBack = async <T>(failure: Failure, read: () => Promise<T>): Promise<T> => {
  try {
    return await read();
  } catch (error) {
    if (!isFailure(error) || error.code === 'interrupted') throw error;
    const hint = `${failure.details.hint ?? ''} It could not be read back: ${error.sentence}`.trim();
    throw withFindings(failure, { hint });
  }
};
