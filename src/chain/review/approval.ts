import { Failure } from '../../core/failure.ts';
import { withoutMarks } from '../../core/remote-text.ts';
import { type Check, worstOf } from './check.ts';

/** `pass`: the review needs nobody. `confirmed`: the user saw it and said yes. */
export type Consent = 'pass' | 'confirmed';

const refusalOf = (checks: readonly Check[], hint?: string): Failure => {
  const errors = checks.map(({ id, message }) => ({ field: id, message: withoutMarks(message) }));
  return new Failure('refused_by_review', checks.map(({ message }) => message).join(' '), {
    errors,
    namesErrors: true,
    hint,
  });
};

/** Whether a check passes only by an option that was not given: no answer to a question would do. */
export const needsOverrideOption = ({ verdict, allow_with }: Check): boolean =>
  verdict === 'confirm' && allow_with !== undefined;

/** The options that would let it pass: for who has looked, and not to be copied blindly. */
const overrideHint = (checks: readonly Check[]): string => {
  const options = [...new Set(checks.map(({ allow_with }) => allow_with))].join(' ');
  return `Only when you know from another source that this is right, give the command ${options}`;
};

/**
 * Whether the checks of a review let its transaction be signed. Nothing passes a refused check; a check that an
 * option allows passes only by that option, given to the review; the user's yes is for what is left.
 * Throws `refused_by_review`, its hint naming the options.
 */
export const assertPasses = (checks: readonly Check[], consent: Consent): void => {
  const wrong = checks.filter((check) => check.verdict === 'refuse');
  const locked = checks.filter(needsOverrideOption);
  if (wrong.length > 0) {
    throw refusalOf(
      wrong,
      wrong.every(({ allow_with }) => allow_with !== undefined) ? overrideHint([...wrong, ...locked]) : undefined,
    );
  }
  if (locked.length > 0) throw refusalOf(locked, overrideHint(locked));
  if (worstOf(checks) !== 'pass' && consent !== 'confirmed') {
    throw refusalOf(checks.filter((check) => check.verdict === 'confirm'));
  }
};
