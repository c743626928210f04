import type { Check } from './check.ts';

/** A fact of an operation that only the service, or a transaction from a file, states. */
export type UnstatedFact = {
  /** Its name, such as `amount`. */
  readonly fact: string;
  /** The start of a sentence about it: "The amount is", "The receivers are". */
  readonly subject: string;
  /** Its value as text; `undefined` where it is not known. */
  readonly value: string | undefined;
  /** The source of the value. */
  readonly by: 'the service' | 'the transaction';
  /** The option that states it, with a placeholder for its value: `--amount-from AMOUNT`. */
  readonly option: string;
  /** Options that have no effect until this fact is stated. */
  readonly ignoredOptions?: readonly string[];
};

/** The ids of the checks of unstated facts start with this. */
export const STATED = 'stated.';

/** Values that may stand in our sentences: symbols, addresses, decimals, names of chains, and lists of these. */
const CLOSED_FORM = /^[A-Za-z0-9._=-]{1,80}(?:, [A-Za-z0-9._=-]{1,80})*$/;

const checkFact = ({ fact, subject, value, by, option, ignoredOptions = [] }: UnstatedFact): Check => {
  const shown = value !== undefined && CLOSED_FORM.test(value) ? ` ${value},` : '';
  const ignored =
    ignoredOptions.length === 0 ? '' : ` Until you state it, nothing is compared with ${ignoredOptions.join(' and ')}.`;
  return {
    id: `${STATED}${fact}`,
    verdict: 'confirm',
    message: `${subject}${shown} as ${by} says.${ignored}`,
    state_with: option,
  };
};

/**
 * A check for each unstated fact: the user confirms it at a terminal, or states it with its option. A harmless
 * transaction needs no statement: nothing leaves the wallet, and no address gains a right.
 */
export const checkStated = (unstated: readonly UnstatedFact[], isHarmless: boolean): readonly Check[] =>
  isHarmless ? [] : unstated.map(checkFact);
