import type { Option } from '../options.ts';

/** The user's own name for a movement. */
export const INTENT_OPTION: Option = {
  flag: '--intent',
  value: 'KEY',
  says: 'Your own name for this movement: whoever gives it again gets the first one, and no second',
};
