import { Failure } from '../../core/failure.ts';
import { withoutMarks } from '../../core/remote-text.ts';
import { type Check, worstOf } from './check.ts';

/** `pass`: the review needs no confirmation. `confirmed`: the user saw the review and confirmed it. */
export type Consent = 'pass' | 'confirmed';

const refusalOf = (checks: readonly Check[], hint?: string): Failure => {
  const errors = checks.map(({ id, message }) => ({ field: id, message: withoutMarks(message) }));
  return new Failure('refused_by_review', checks.map(({ message }) => message).join(' '), {
    errors,
    namesErrors: true,
    hint,
  });
};

/** Whether a check passes only with an option that was not given; a confirmation is not enough. */
export const needsOverrideOption = ({ verdict, allow_with }: Check): boolean =>
  verdict === 'confirm' && allow_with !== undefined;

const overrideHint = (checks: readonly Check[]): string => {
  const options = [...new Set(checks.map(({ allow_with }) => allow_with))].join(' ');
  return `Only if you know from another source that this is right, run the command again with ${options}`;
};

/**
 * Asserts that the checks of a review allow a signature. A refused check never passes. A check with an override option
 * passes only with that option. The user's consent covers the other checks.
 * Throws `refused_by_review`; its hint names the options.
 */
export const assertPasses = (checks: readonly Check[], consent: Consent): void => {
  const refused = checks.filter((check) => check.verdict === 'refuse');
  const locked = checks.filter(needsOverrideOption);
  if (refused.length > 0) {
    const canOverride = refused.every(({ allow_with }) => allow_with !== undefined);
    throw refusalOf(refused, canOverride ? overrideHint([...refused, ...locked]) : undefined);
  }
  if (locked.length > 0) throw refusalOf(locked, overrideHint(locked));
  if (worstOf(checks) !== 'pass' && consent !== 'confirmed') {
    throw refusalOf(checks.filter((check) => check.verdict === 'confirm'));
  }
};
