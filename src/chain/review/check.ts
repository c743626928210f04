import { Failure } from '../../core/failure.ts';
import { withoutMarks } from '../../core/text.ts';

/**
 * The result of one check of a review.
 * - `pass`: equal to the request, or there is nothing to compare with and nothing is wrong.
 * - `confirm`: bursar cannot decide it; the user must confirm it.
 * - `refuse`: it contradicts the request. No confirmation overrides it.
 */
export type Verdict = 'pass' | 'confirm' | 'refuse';

/** The missing amount of one asset, as decimal text. `token` is a symbol, or the address of an unknown token. */
export type Shortfall = {
  readonly amount: string;
  readonly token: string;
  readonly chain: string;
  readonly kind: 'coin' | 'token' | 'unknown';
};

/** One check of a review. `message` is a sentence for the user. */
export type Check = {
  /** The subject, for scripts: `chain`, `token`, `amount`, `receivers`, … */
  readonly id: string;
  readonly verdict: Verdict;
  readonly message: string;
  /** The option that overrides the check. Without one, the user confirms at a terminal. */
  readonly allow_with?: string;
  /** The option that states the fact of the check. The user may confirm the fact at a terminal instead. */
  readonly state_with?: string;
  /** What the payer lacks for the transaction. */
  readonly lacks?: Shortfall;
  /** It passes because nothing could show the opposite. Screens always print it. */
  readonly unchecked?: true;
};

const RANK: Readonly<Record<Verdict, number>> = { pass: 0, confirm: 1, refuse: 2 };

/** The verdict of a whole review: that of its worst check. */
export const worstOf = (checks: readonly Check[]): Verdict =>
  checks.reduce<Verdict>((worst, { verdict }) => (RANK[verdict] > RANK[worst] ? verdict : worst), 'pass');

/** The same checks, the worst first, otherwise in their order. */
export const worstFirst = (checks: readonly Check[]): readonly Check[] =>
  checks.toSorted((a, b) => RANK[b.verdict] - RANK[a.verdict]);

/** A check that found nothing wrong. */
export const pass = (id: string, message: string): Check => ({ id, verdict: 'pass', message });

const withOption =
  (verdict: Verdict) =>
  (id: string, message: string, allowWith?: string): Check => ({
    ...{ id, verdict, message },
    ...(allowWith !== undefined && { allow_with: allowWith }),
  });

/** A refused check. `allowWith` is an option that allows the missing part, where one exists. */
export const refuse = withOption('refuse');

/** A check for the user to confirm. `allowWith` is the option that is needed for it; without one a yes is enough. */
export const confirm = withOption('confirm');

/** Stands in place of a receiver: the new accounts that a transaction pays rent for. */
export const NEW_ACCOUNTS = 'new accounts';

/** The option that allows a call that bursar cannot decode. */
export const ALLOW_BLIND = '--allow-blind';

/** The option that allows payments to an address outside the request. */
export const allowRecipient = (address: string): string => `--allow-recipient ${address}`;

/** The option that allows calls of a Solana program that bursar cannot decode. */
export const allowProgram = (address: string): string => `--allow-program ${address}`;

/** The option that states the maximum fee, in the chain's coin. */
export const FEE_AT_MOST = '--fee-at-most';

/** That option with an amount. */
export const feeAtMost = (amount: string): string => `${FEE_AT_MOST} ${amount}`;

/** The option that states the maximum amount for a price in another currency, with a placeholder for its value. */
export const PAY_AT_MOST = '--pay-at-most AMOUNT';

/** The flag of an option with a placeholder for its value, such as `--amount-from AMOUNT`. */
export const withoutPlaceholder = (option: string): string => option.split(' ')[0] ?? option;

/** The id of the check of an amount above that maximum. The operation stays open: a resume may state a higher one. */
export const ABOVE_BOUND = 'above_bound';

/** `pass`: the review needs no confirmation. `confirmed`: the user saw the review and confirmed it. */
export type Consent = 'pass' | 'confirmed';

const refusalOf = (checks: readonly Check[], hint?: string): Failure => {
  const errors = checks.map(({ id, message, state_with: option }) => ({
    ...{ field: id, message: withoutMarks(message) },
    ...(option !== undefined && { option: withoutPlaceholder(option) }),
  }));
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
  return `Only if you know from another source that this is right, add ${options} to the command.`;
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
