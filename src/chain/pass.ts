import { Failure } from '../core/failure.ts';
import { type Check, worstOf } from './verdict.ts';

/** `fine`: the review needs nobody. `user_said_yes`: the user saw it and said yes. */
export type Word = 'fine' | 'user_said_yes';

const refusal = (checks: readonly Check[], hint?: string): Failure => {
  const errors = checks.map(({ id, says }) => ({ field: id, message: says }));
  return new Failure('refused_by_review', checks.map(({ says }) => says).join(' '), { errors, hint });
};

/**
 * Whether the checks of a review let its transaction be signed. Nothing passes a refused check; a check that an
 * option allows passes only by that option, given to the review; the user's yes is for what is left.
 * Throws `refused_by_review`, its hint naming the options.
 */
export const assertPasses = (checks: readonly Check[], word: Word): void => {
  const wrong = checks.filter((check) => check.verdict === 'refused');
  if (wrong.length > 0) throw refusal(wrong);
  const locked = checks.filter((check) => check.verdict === 'needs_word' && check.allow_with !== undefined);
  const options = [...new Set(locked.map((check) => check.allow_with))].join(' ');
  if (locked.length > 0) throw refusal(locked, `If you know that this is right, review it again with ${options}`);
  if (worstOf(checks) !== 'fine' && word !== 'user_said_yes') {
    throw refusal(checks.filter((check) => check.verdict === 'needs_word'));
  }
};
