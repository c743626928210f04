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
