/** What leaves a wallet in one token, without the chain's fee. */
export type Outflow = {
  /** A symbol, or the address of an unknown token. */
  readonly token: string;
  /** Decimal text; smallest units for a token of unknown decimals. */
  readonly amount: string;
  /** The contract or mint; the coin of a chain has none. */
  readonly address?: string | undefined;
};

/** An outflow, and whether the tables of bursar have its token. */
export type Spend = Outflow & { readonly isKnown: boolean };

/** A contract or program that a transaction calls. */
export type CalledProgram = {
  readonly address: string;
  readonly is: 'contract' | 'program';
  /** Set where the call is a plain transfer or approval of the contract's own token. */
  readonly moves?: 'its known token' | 'its unknown token';
};

/** One part of a transaction that bursar cannot decode. */
export type UndecodedPart = {
  /** A sentence about it. */
  readonly message: string;
  /** The program that bursar cannot decode; a policy that lists the program allows it. */
  readonly program?: string;
};

/** What a transaction touches, in the same terms for EVM chains and Solana: the input of a policy. */
export type Footprint = {
  readonly chain: string;
  readonly spends: readonly Spend[];
  /** Whether more may leave than `spends` shows, to other addresses than `recipients`. */
  readonly isIncomplete: boolean;
  /** Whether an earlier review of the same bytes recorded the outflows: then only `recipients` is incomplete. */
  readonly isCounted?: boolean;
  /** Addresses that are paid or may take tokens, without the wallet; each with all its aliases. */
  readonly recipients: readonly (readonly string[])[];
  readonly called: readonly CalledProgram[];
  /** Parts that bursar cannot decode, and the option that allows them. */
  readonly blind: readonly UndecodedPart[];
  /** The maximum fee, in the chain's coin; `undefined` before there is a transaction. */
  readonly fee: { readonly at_most: string; readonly coin: string } | undefined;
};

/** The outflows of a footprint, as the journal stores them and the user sees them. */
export const outflowsOf = ({ spends }: Footprint): readonly Outflow[] =>
  spends.map(({ token, amount, address }) => ({ token, amount, ...(address !== undefined && { address }) }));

/** A right over the wallet's money that remains after the transaction. */
export type RemainingApproval = {
  /** The address that has the right; left out where it is not known. */
  readonly who?: string;
  /** The name of `who`, where it has one. */
  readonly who_name?: string;
  /** The rest of a sentence that starts with `who`; a whole sentence without `who`. */
  readonly message: string;
};

/** The remaining approval of bytes that bursar cannot decode. `reason` completes the sentence. */
export const unknownApproval = (reason: string): RemainingApproval => ({ message: `not known: ${reason}` });
