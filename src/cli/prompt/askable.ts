import { type Failure, isFailure } from '../../core/failure.ts';

/**
 * Whether a command ended, with nothing done, only because something was not given, or because of the answers to these
 * options: a person can be asked for either.
 */
export const isAskable = (error: unknown, answered: readonly string[] = []): error is Failure => {
  if (!isFailure(error, 'invalid_input')) return false;
  const { errors = [] } = error.details;
  const can = ({ isMissing, option = '' }: (typeof errors)[number]) => isMissing === true || answered.includes(option);
  return errors.length > 0 && errors.every(can);
};
