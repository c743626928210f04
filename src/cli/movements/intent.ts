import { Failure } from '../../core/failure.ts';
import { type Given, type Option, textOf } from '../options.ts';

/** The user's own name for a movement. */
export const INTENT_OPTION: Option = {
  flag: '--intent',
  value: 'KEY',
  says: 'Your own name for this movement: whoever gives it again gets the first one, and no second',
};

/** The name that was given. Throws `invalid_input` for an empty one: a variable that is not set would be the name of all. */
export const intentKey = (given: Given): string | undefined => {
  const key = textOf(given, 'intent');
  if (key === undefined || key.trim() !== '') return key;
  throw new Failure('invalid_input', 'nothing was sent: --intent is empty', {
    errors: [{ field: 'intent', message: 'is empty, and would be the name of every movement', option: '--intent' }],
  });
};
