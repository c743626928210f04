/** The option that lets a call pass which is not understood. */
export const ALLOW_BLIND = '--allow-blind';

/** The option that lets an address outside of what was asked receive. */
export const allowRecipient = (address: string): string => `--allow-recipient ${address}`;

/** The option that lets a program of Solana be called which is not understood. */
export const allowProgram = (address: string): string => `--allow-program ${address}`;

/** The option that states the most that the fee may cost, in the chain's coin. */
export const FEE_AT_MOST = '--fee-at-most';

/** That option with an amount. */
export const feeAtMost = (amount: string): string => `${FEE_AT_MOST} ${amount}`;

/** The option that states the most that is paid for a price in another currency, with a word for its value. */
export const PAY_AT_MOST = '--pay-at-most AMOUNT';

/** The check of an amount above that bound: the operation stays open, and a resume with a higher bound goes on. */
export const ABOVE_BOUND = 'above_bound';
/**
 * What a review says of one thing it looked at.
 * - `pass`: it is as asked, or there is nothing to hold it against and nothing wrong with it.
 * - `confirm`: it cannot be judged; only the user can say yes.
 * - `refuse`: it contradicts what was asked. No answer of the user changes that.
 */
export type Verdict = 'pass' | 'confirm' | 'refuse';

/** One thing a review looked at. `says` is a sentence for the user. */
export type Check = {
  /** Names the thing, for scripts: `chain`, `token`, `amount`, `receivers`, … */
  readonly id: string;
  readonly verdict: Verdict;
  readonly message: string;
  /** The option that gives the user's word for it. Without one, an answer to a question is enough. */
  readonly allow_with?: string;
  /** The option that states the fact it is about. The user may as well confirm the fact at a terminal. */
  readonly state_with?: string;
};

const RANK: Readonly<Record<Verdict, number>> = { pass: 0, confirm: 1, refuse: 2 };

/** The verdict of a whole review: that of its worst check. */
export const worstOf = (checks: readonly Check[]): Verdict =>
  checks.reduce<Verdict>((worst, { verdict }) => (RANK[verdict] > RANK[worst] ? verdict : worst), 'pass');

/** The same checks, the worst first, otherwise in their order. */
export const worstFirst = (checks: readonly Check[]): readonly Check[] =>
  checks.toSorted((a, b) => RANK[b.verdict] - RANK[a.verdict]);

/** A check with nothing against it. */
export const pass = (id: string, message: string): Check => ({ id, verdict: 'pass', message });

const allowedWith = (allowWith: string | undefined) => (allowWith === undefined ? {} : { allow_with: allowWith });

/** `allowWith` is the option that would make it another matter, where there is one. */
export const refuse = (id: string, message: string, allowWith?: string): Check => ({
  id,
  verdict: 'refuse',
  message,
  ...allowedWith(allowWith),
});

/** `allowWith` is the option that gives the word; leave it out where a plain yes is enough. */
export const confirm = (id: string, message: string, allowWith?: string): Check => ({
  id,
  verdict: 'confirm',
  message,
  ...allowedWith(allowWith),
});

/** In place of a receiver: the accounts that a transaction opens, for which it pays rent. */
export const NEW_ACCOUNTS = 'new accounts';
