import type { Check } from './check.ts';

/** A fact of an operation that nobody but the service states. */
export type UnstatedFact = {
  /** Its name, such as `amount`. */
  readonly fact: string;
  /** How a sentence calls it: "The amount is", "The receivers are". */
  readonly subject: string;
  /** Its value as text; `undefined` where nothing shows it. */
  readonly value: string | undefined;
  /** Whose word it is: the service's, or that of the transaction of a file. */
  readonly by: 'the service' | 'the transaction';
  /** The option that states it, with a word for its value: `--amount-from AMOUNT`. */
  readonly option: string;
  /** Options of the user whose values are compared with nothing while this fact is not stated. */
  readonly ignoredOptions?: readonly string[];
};

/** The id of the check of an unstated fact begins with this. */
export const STATED = 'stated.';

/** What may stand in a sentence of ours: symbols, addresses, decimals, names of chains, and lists of these. */
const CLOSED_FORM = /^[A-Za-z0-9._=-]{1,80}(?:, [A-Za-z0-9._=-]{1,80})*$/;

const checkOne = ({ fact, subject, value, by, option, ignoredOptions: idle = [] }: UnstatedFact): Check => {
  const shown = value !== undefined && CLOSED_FORM.test(value) ? ` ${value},` : '';
  const rest = idle.length === 0 ? '' : ` Until it is stated, nothing is compared with ${idle.join(' and ')}.`;
  return {
    id: `${STATED}${fact}`,
    verdict: 'confirm',
    message: `${subject}${shown} as ${by} says.${rest}`,
    state_with: option,
  };
};

/**
 * A check for each fact that only the service states: the user confirms it at a terminal, or states it by its option. A
 * transaction by which nothing leaves the wallet and nobody gains a right needs no statement.
 */
export const checkStated = (unstated: readonly UnstatedFact[], isHarmless: boolean): readonly Check[] =>
  isHarmless ? [] : unstated.map(checkOne);
