/**
 * The result of one check of a review.
 * - `pass`: equal to the request, or there is nothing to compare with and nothing is wrong.
 * - `confirm`: bursar cannot judge it; the user must confirm it.
 * - `refuse`: it contradicts the request. No confirmation overrides it.
 */
export type Verdict = 'pass' | 'confirm' | 'refuse';

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

const allowedWith = (allowWith: string | undefined) => (allowWith === undefined ? {} : { allow_with: allowWith });

/** A refused check. `allowWith` is an option that allows the missing part, where one exists. */
export const refuse = (id: string, message: string, allowWith?: string): Check => ({
  id,
  verdict: 'refuse',
  message,
  ...allowedWith(allowWith),
});

/** A check for the user to confirm. `allowWith` is the option that is needed for it; without one a yes is enough. */
export const confirm = (id: string, message: string, allowWith?: string): Check => ({
  id,
  verdict: 'confirm',
  message,
  ...allowedWith(allowWith),
});

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

/** The id of the check of an amount above that maximum. The operation stays open: a resume may state a higher one. */
export const ABOVE_BOUND = 'above_bound';
