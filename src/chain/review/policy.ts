import { compareDecimals } from '../../core/decimal.ts';
import { shellQuote } from '../../core/next.ts';
import { isSameText } from '../../core/same-text.ts';
import { type Check, confirm, refuse } from './check.ts';
import type { Outflow } from './footprint.ts';

type List = readonly string[] | undefined;

const isWithin = (after: readonly string[], before: readonly string[]): boolean =>
  after.every((name) => namesOne(before, name));

/** A list that only forbids: without it everything is allowed. */
const listWidens = (before: List, after: List): boolean =>
  before !== undefined && (after === undefined || !isWithin(after, before));

/** A list that also vouches for what it names: whatever comes onto it was not allowed as much before. */
const grantWidens = (before: List, after: List): boolean =>
  listWidens(before, after) || (after !== undefined && !isWithin(after, before ?? []));

const amountOf = (amounts: Amounts, name: string): string | undefined =>
  Object.entries(amounts).find(([each]) => namesOne([each], name))?.[1] ?? amounts[ANY_TOKEN];

/** Whether any token, or chain, may have more than before. */
const amountsWiden = (before: Amounts = {}, after: Amounts = {}): boolean =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].some((name) => {
    const [was, is] = [amountOf(before, name), amountOf(after, name)];
    return was !== undefined && (is === undefined || compareDecimals(is, was) > 0);
  });

/**
 * Whether a policy of a key is a standing mandate: it names chains, tokens and recipients, and the most of each of these
 * tokens that one transaction may move.
 */
export const isMandate = ({ chains, tokens, recipients, most_per_transaction: most = {} }: Policy): boolean =>
  chains !== undefined &&
  recipients !== undefined &&
  tokens !== undefined &&
  Object.keys(most).length > 0 &&
  tokens.every((token) => amountOf(most, token) !== undefined);

/** Whether a policy allows anything that the policy before it did not. */
export const widens = (before: Policy, after: Policy): boolean =>
  (['chains', 'tokens', 'recipients', 'contracts'] as const).some((part) => listWidens(before[part], after[part])) ||
  (['programs', 'challenge_hosts'] as const).some((part) => grantWidens(before[part], after[part])) ||
  (['most_per_transaction', 'most_per_day', 'most_fee', 'ask_above'] as const).some((part) =>
    amountsWiden(before[part], after[part]),
  ) ||
  (before.blind_signing === 'never' && after.blind_signing !== 'never') ||
  (isMandate(after) && !isMandate(before));

/** Whether two names are the same: capitals say nothing in a symbol, a chain's name or an EVM address. */
const isSameName = (a: string, b: string): boolean => a === b || (isCaseless(a) && isCaseless(b) && isSameText(a, b));

/** In base58, which addresses of Solana are written in, capitals are other letters. */
const isCaseless = (name: string): boolean => name.startsWith('0x') || name.length < 32;

/** Whether a list names one of some names. */
export const namesOne = (list: readonly string[], ...names: readonly (string | undefined)[]): boolean =>
  names.some((name) => name !== undefined && list.some((each) => isSameName(each, name)));

/**
 * The amounts of a policy that are about a token: those that name it, or else that of any other token.
 */
export const amountsFor = (amounts: Amounts | undefined, leaving: Outflow): readonly string[] => {
  const own = Object.entries(amounts ?? {}).filter(([name]) => isOfToken(name, leaving));
  const any = amounts?.[ANY_TOKEN];
  return own.length > 0 || any === undefined ? own.map(([, amount]) => amount) : [any];
};

/** Whether a name, as a policy or a journal writes it, means a token. */
export const isOfToken = (name: string, { token, address }: Outflow): boolean => namesOne([name], token, address);

const needsNoQuotes = (text: string): boolean => /^[\w.-]+$/.test(text);

/** An owner in words, such as "the key treasury". */
export const ownerInWords = ({ kind, name }: PolicyOwner): string => `the ${kind} ${name}`;

/** The command that changes one part of a policy, without the new value. */
const changeCommand = ({ kind, name }: PolicyOwner, part: keyof Policy): string => {
  const quoted = needsNoQuotes(name) ? name : shellQuote(name);
  return kind === 'key' ? `bursar key policy set ${quoted} ${part}` : `bursar profile set ${quoted} policy.${part}`;
};

/** What a part of a policy says against a transaction: what was found, what is allowed, and where that is changed. */
const policyMessage = (part: keyof Policy, owner: PolicyOwner, found: string, allowed: string): string =>
  `${found}; the policy of ${ownerInWords(owner)} allows ${allowed}. No option lifts that: it is changed by ${changeCommand(owner, part)}.`;

/** A refusal by one part of a policy. */
export const refuseByPolicy = (part: keyof Policy, { owner }: AppliedPolicy, found: string, allowed: string): Check =>
  refuse(`policy.${part}`, policyMessage(part, owner, found, allowed));

/** A part of a policy that only a yes of the user at a terminal passes. */
export const confirmByPolicy = (part: keyof Policy, { owner }: AppliedPolicy, found: string, allowed: string): Check =>
  confirm(`policy.${part}`, policyMessage(part, owner, found, allowed));

/** A list in words. */
export const listInWords = (list: readonly string[]): string => list.join(', ') || 'none';

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
