import type { Check } from '../verdict.ts';
import type { Outflow } from './footprint.ts';

/**
 * What may be signed. A key has a policy of its own, and a profile may have one. A part that is left out limits nothing.
 * No option and no answer of the user overrides a policy: it is changed where it is kept. A policy only takes away: what a
 * review refuses, or asks the user about, stays so. Addresses of EVM chains and symbols may be written in any case.
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
  /**
   * By symbol or address: the most that one transaction may move, as decimal text; `*` is any token without an amount
   * of its own. The chain's fee and rent do not count.
   */
  readonly most_per_transaction?: Amounts | undefined;
  /**
   * The same within any 24 hours, counted from the journal. What leaves the wallet counts: payments, approvals, deposits
   * and both kinds of rebalance; a withdrawal to the wallet does not.
   */
  readonly most_per_day?: Amounts | undefined;
  /** By the name of a chain: the most that the fee of one transaction may cost, in the chain's coin. */
  readonly most_fee?: Amounts | undefined;
  /** By symbol or address, or `*`: above this amount the user must confirm at a terminal. `--yes` does not do it. */
  readonly ask_above?: Amounts | undefined;
  /** Hosts that a challenge may name beside those of the service. A challenge that names any other is refused. */
  readonly challenge_hosts?: readonly string[] | undefined;
  /** What is not understood is never signed, whatever option vouches for it. */
  readonly blind_signing?: 'never' | undefined;
};

/** Amounts as decimal text, by name. */
export type Amounts = Readonly<Record<string, string>>;

/** Any token without an amount of its own. */
export const ANY_TOKEN = '*';

/** Whose policy it is, and so where it is changed: a profile by its name, a key by its name or address. */
export type PolicyOwner = { readonly kind: 'profile' | 'key'; readonly name: string };

/** One policy that holds for a signature. */
export type AppliedPolicy = {
  readonly policy: Policy;
  readonly owner: PolicyOwner;
  /** What left within the last 24 hours; nothing is counted where the policy has no `most_per_day`. */
  readonly moved: readonly Outflow[];
  /**
   * The most that leaves by an earlier transaction with the chain, sender and nonce of the one in review, apart from `moved`:
   * only one of the two can land, and the larger one counts.
   */
  readonly replaced?: readonly Outflow[] | undefined;
};

/** All that holds for a signature, as a review applies it: every policy must let it pass. */
export type PolicyInForce = {
  readonly policies: readonly AppliedPolicy[];
  /** What the world refuses, whatever the policies say: a real chain under the profile of the sandbox. */
  readonly refusals: readonly Check[];
  /** Hosts that every policy with `challenge_hosts` lists; `undefined` where none has it. */
  readonly challengeHosts: readonly string[] | undefined;
  /** The policy of the key is a standing mandate, and its password has sealed it. */
  readonly hasMandate: boolean;
};

const isEmpty = (part: Policy[keyof Policy]): boolean =>
  part === undefined || (typeof part === 'object' && !Array.isArray(part) && Object.keys(part).length === 0);

/** Whether a policy limits anything. An empty list does: it allows nothing. */
export const limitsSomething = (policy: Policy | undefined): policy is Policy =>
  policy !== undefined && Object.values(policy).some((part) => !isEmpty(part));
