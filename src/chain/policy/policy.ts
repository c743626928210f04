/**
 * What an operator lets a profile sign. A part that is left out limits nothing. No option and no answer of a person
 * overrides a policy: it is changed in the profile.
 */
export type Policy = {
  /** Names of chains, `solana` among them. */
  readonly chains?: readonly string[] | undefined;
  /** Symbols, or addresses of token contracts and mints. */
  readonly tokens?: readonly string[] | undefined;
  /** Addresses that may be paid, or be allowed to take. */
  readonly recipients?: readonly string[] | undefined;
  /** Programs of Solana that may be called. */
  readonly programs?: readonly string[] | undefined;
  /** Contracts of EVM chains that may be called. */
  readonly contracts?: readonly string[] | undefined;
  /** By symbol: the most that one transaction may move, as decimal text. */
  readonly most_per_transaction?: Readonly<Record<string, string>> | undefined;
  /** By symbol: the most within any 24 hours, as decimal text, counted from the journal. */
  readonly most_per_day?: Readonly<Record<string, string>> | undefined;
  /** What is not understood is never signed, whatever option vouches for it. */
  readonly blind_signing?: 'never' | undefined;
};
