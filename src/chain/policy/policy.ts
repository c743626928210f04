import type { Leaving } from './footprint.ts';

/**
 * What an operator lets a profile sign. A part that is left out limits nothing. No option and no answer of a person
 * overrides a policy: it is changed in the profile. A policy only takes away: what a review refuses, or asks a person
 * about, stays so. Addresses of EVM chains and symbols may be written in any case.
 */
export type Policy = {
  /** Names of chains, `solana` among them. Of a wallet's challenge only its family counts. */
  readonly chains?: readonly string[] | undefined;
  /** Symbols, or addresses of token contracts and mints. A chain's own coin is a token by its symbol. */
  readonly tokens?: readonly string[] | undefined;
  /**
   * Addresses that may be paid, or be allowed to take: wallets, vaults, and contracts that keep what they are paid.
   * The receivers of the payment's split are among them even where a contract stands between. The payer itself
   * needs no entry.
   */
  readonly recipients?: readonly string[] | undefined;
  /**
   * Programs of Solana that may be called; those of the system (System, Token, Token-2022, Associated Token, Compute
   * Budget, Memo) need no entry. One that is listed is allowed as by `--allow-program`.
   */
  readonly programs?: readonly string[] | undefined;
  /**
   * Contracts of EVM chains that may be called, the chain's splitter and contracts of batches among them. A plain
   * transfer of a known token, or an approval of it, needs no entry for the token's contract.
   */
  readonly contracts?: readonly string[] | undefined;
  /** By symbol: the most that one transaction may move, as decimal text. The chain's fee and rent do not count. */
  readonly most_per_transaction?: Readonly<Record<string, string>> | undefined;
  /**
   * By symbol: the most within any 24 hours, as decimal text, counted from the journal. What leaves the wallet counts:
   * payments, approvals, deposits and both kinds of rebalance; a withdrawal to the wallet does not.
   */
  readonly most_per_day?: Readonly<Record<string, string>> | undefined;
  /** What is not understood is never signed, whatever option vouches for it. */
  readonly blind_signing?: 'never' | undefined;
};

/** A policy as a review applies it. */
export type PolicyInForce = {
  readonly policy: Policy;
  /** The name of its profile, where it is changed. */
  readonly profile: string;
  /** What left within the last 24 hours; nothing is counted where the policy has no `most_per_day`. */
  readonly moved: readonly Leaving[];
};

const isEmpty = (part: Policy[keyof Policy]): boolean =>
  part === undefined || (typeof part === 'object' && !Array.isArray(part) && Object.keys(part).length === 0);

/** Whether a policy limits anything. An empty list does: it allows nothing. */
export const limitsSomething = (policy: Policy | undefined): policy is Policy =>
  policy !== undefined && Object.values(policy).some((part) => !isEmpty(part));
