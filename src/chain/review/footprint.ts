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
/** What leaves a wallet in one token, the chain's fee not counted. */
export type Outflow = {
  /** A symbol, or the address where the token is not known. */
  readonly token: string;
  /** Decimal text; smallest units for a token whose decimals are not known. */
  readonly amount: string;
  /** The contract or mint; the coin of a chain has none. */
  readonly address?: string | undefined;
};

/** The same, and whether its token is one that the registry knows. */
export type Spend = Outflow & { readonly isKnown: boolean };

/** A contract or program that a transaction calls. */
export type CalledProgram = {
  readonly address: string;
  readonly is: 'contract' | 'program';
  /** The token is the contract's own, and is only moved or let be taken; whether the registry knows it. */
  readonly moves?: 'its known token' | 'its unknown token';
};

/** One thing of a transaction that is not understood, as a sentence. */
export type UndecodedPart = {
  readonly message: string;
  /** The program that is not understood: a policy that lists it vouches for it. */
  readonly program?: string;
};

/** What a transaction touches, in words that both families share: all that a policy looks at. */
export type Footprint = {
  readonly chain: string;
  readonly spends: readonly Spend[];
  /** Whether more may leave than `spends` says, and go to others than `recipients`. */
  readonly isOpen: boolean;
  /** Whether an earlier review of the same bytes recorded what leaves: then only `recipients` is open. */
  readonly isCounted?: boolean;
  /** Who is paid or may take; each by every address that it is known by. The wallet itself is none. */
  readonly recipients: readonly (readonly string[])[];
  readonly called: readonly CalledProgram[];
  /** What of it is not understood, or was to be signed without being understood. */
  readonly blind: readonly UndecodedPart[];
  /** The most that its fee costs, in the chain's coin; `undefined` where there is no transaction yet. */
  readonly fee: { readonly at_most: string; readonly coin: string } | undefined;
};

/** What a journal and a person are told of it. */
export const leavingOf = ({ spends }: Footprint): readonly Outflow[] =>
  spends.map(({ token, amount, address }) => ({ token, amount, ...(address !== undefined && { address }) }));
