/** The option that lets a call pass which is not understood. */
export const ALLOW_BLIND = '--allow-blind';

/** The option that lets an address outside of what was asked receive. */
export const allowRecipient = (address: string): string => `--allow-recipient ${address}`;

/** The option that lets a program of Solana be called which is not understood. */
export const allowProgram = (address: string): string => `--allow-program ${address}`;
