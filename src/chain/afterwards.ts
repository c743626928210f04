/** What a transaction leaves behind: who may do what with the wallet's money once it is done. */
export type RemainingApproval = {
  /** The address that may; left out where nobody can be named. */
  readonly who?: string;
  /** How `who` is known, where it is. */
  readonly who_name?: string;
  /** The end of a sentence about `who`, or a whole one. */
  readonly message: string;
};

/** What is left behind by bytes that nobody can read. */
export const notKnown = (why: string): RemainingApproval => ({ message: `not known: ${why}` });
