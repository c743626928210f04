import { commandLine } from '../../core/next.ts';
import { isSameText } from '../../core/text.ts';
import { type Check, confirm, refuse } from './check.ts';

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

/** One part of a transaction that bursar cannot decode, and a sentence about it. */
export type UndecodedPart = {
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
  /** The maximum fee, in the chain's coin. */
  readonly fee: { readonly at_most: string; readonly coin: string };
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

/**
 * Limits for signatures. A key has a policy, and a profile may have one. A part that is left out limits nothing.
 * No option and no confirmation overrides a policy; it is changed where it is stored.
 * A policy never makes the verdict of a review better. EVM addresses and symbols are compared without case.
 */
export type Policy = {
  /** Names of chains, `solana` among them. For a wallet's challenge only the family of the chain counts. */
  readonly chains?: readonly string[] | undefined;
  /** Symbols, or addresses of token contracts and mints. A chain's own coin is a token by its symbol. */
  readonly tokens?: readonly string[] | undefined;
  /**
   * Addresses that may be paid or may take tokens: wallets, vaults, and contracts that keep payments.
   * The receivers of the payment's split need an entry even if a contract pays them. The payer needs no entry.
   */
  readonly recipients?: readonly string[] | undefined;
  /**
   * Solana programs that may be called. System, Token, Token-2022, Associated Token, Compute Budget and Memo need no
   * entry. An entry allows its program as `--allow-program` does.
   */
  readonly programs?: readonly string[] | undefined;
  /**
   * EVM contracts that may be called, the chain's splitter and batch contracts among them. A plain transfer or approval
   * of a known token needs no entry for the token's contract.
   */
  readonly contracts?: readonly string[] | undefined;
  /** By symbol or address: the maximum that one transaction may move, as decimal text. Fee and rent do not count. */
  readonly most_per_transaction?: Amounts | undefined;
  /**
   * The same within any 24 hours, counted from the journal. Payments, approvals, deposits and both kinds of rebalance
   * count; a withdrawal to the wallet does not.
   */
  readonly most_per_day?: Amounts | undefined;
  /** By the name of a chain: the maximum fee of one transaction, in the chain's coin. */
  readonly most_fee?: Amounts | undefined;
  /** By symbol or address, or `*`: above this amount the user must confirm at a terminal; `--yes` is not enough. */
  readonly ask_above?: Amounts | undefined;
  /** Hosts that a challenge may name, besides those of the service. A challenge that names another host is refused. */
  readonly challenge_hosts?: readonly string[] | undefined;
  /** `never`: no option allows a part that bursar cannot decode. */
  readonly blind_signing?: 'never' | undefined;
  /** The journal that counts `most_per_day`: `folder`, or the id of a journal in a database. Another one starts no new day. */
  readonly journal?: string | undefined;
};

/** The name of the journal in the folder of a home. */
export const FOLDER_JOURNAL = 'folder';

/** Whether a policy has daily limits. */
export const hasDailyLimit = ({ most_per_day: most }: Policy): boolean => Object.keys(most ?? {}).length > 0;

/** The journal that counts the daily limits of a policy. */
export const journalOf = ({ journal = FOLDER_JOURNAL }: Policy): string => journal;

/** Amounts as decimal text, by name. The name `*` stands for every token without an amount of its own. */
export type Amounts = Readonly<Record<string, string>>;

/** The name for every token without an amount of its own. */
export const ANY_TOKEN = '*';

/** The owner of a policy: a profile by its name, a key by its name or address. */
export type PolicyOwner = { readonly kind: 'profile' | 'key'; readonly name: string };

/** One policy that applies to a signature. */
export type AppliedPolicy = {
  readonly policy: Policy;
  readonly owner: PolicyOwner;
  /** Outflows of the last 24 hours; empty where the policy has no `most_per_day`. */
  readonly moved: readonly Outflow[];
  /**
   * Outflows of an earlier transaction with the same chain, sender and nonce, apart from `moved`. Only one of the two
   * can be mined, so the larger one counts.
   */
  readonly replaced?: readonly Outflow[] | undefined;
};

/** All limits that apply to a signature; each must let it pass. */
export type PolicyInForce = {
  readonly policies: readonly AppliedPolicy[];
  /** Refusals that no policy changes, such as a real chain id under the sandbox profile. */
  readonly refusals: readonly Check[];
  /** Hosts that every policy with `challenge_hosts` lists; `undefined` where no policy has the setting. */
  readonly challengeHosts: readonly string[] | undefined;
  /** The key's policy is a standing mandate, and its MAC is valid. */
  readonly hasMandate: boolean;
};

const isEmpty = (part: Policy[keyof Policy]): boolean =>
  part === undefined || (typeof part === 'object' && !Array.isArray(part) && Object.keys(part).length === 0);

/** Whether a policy limits anything. An empty list does: it allows nothing. */
export const limitsSomething = (policy: Policy | undefined): policy is Policy =>
  policy !== undefined && Object.entries(policy).some(([name, part]) => name !== 'journal' && !isEmpty(part));

/** Base58, the writing of Solana addresses, is sensitive to case. */
const isCaseless = (name: string): boolean => name.startsWith('0x') || name.length < 32;

/** Whether two names are the same. Symbols, chain names and EVM addresses are compared without case. */
const isSameName = (a: string, b: string): boolean => a === b || (isCaseless(a) && isCaseless(b) && isSameText(a, b));

/** Whether a list contains at least one of some names. */
export const namesOne = (list: readonly string[], ...names: readonly (string | undefined)[]): boolean =>
  names.some((name) => name !== undefined && list.some((each) => isSameName(each, name)));

/** Whether a name in a policy or journal means the token of an outflow. */
export const isOfToken = (name: string, { token, address }: Outflow): boolean => namesOne([name], token, address);

/** The amounts of a policy for a token: those that name it, otherwise that of `*`. */
export const amountsFor = (amounts: Amounts | undefined, outflow: Outflow): readonly string[] => {
  const own = Object.entries(amounts ?? {}).filter(([name]) => isOfToken(name, outflow));
  const any = amounts?.[ANY_TOKEN];
  return own.length > 0 || any === undefined ? own.map(([, amount]) => amount) : [any];
};

/** Such as "the key treasury". */
export const ownerInWords = ({ kind, name }: PolicyOwner): string => `the ${kind} ${name}`;

/** The command that changes one part of a policy. A part in capitals is replaced with a name or a value. */
export const changeCommand = ({ kind, name }: PolicyOwner, part: keyof Policy, value = 'VALUES'): string => {
  const amount = part === 'most_fee' ? '.CHAIN=AMOUNT' : '.TOKEN=AMOUNT';
  const setting = part + (/^(?:most|ask)_/.test(part) ? amount : `=${value}`);
  const [group, prefix] = kind === 'key' ? ['key policy', ''] : ['profile', 'policy.'];
  return `bursar ${group} set ${commandLine({ argv: [name] })} ${prefix}${setting}`;
};

const policyMessage = (part: keyof Policy, owner: PolicyOwner, fact: string, allowed: string): string =>
  `${fact}. The policy of ${ownerInWords(owner)} allows ${allowed}. No option overrides a policy; this command changes it: ${changeCommand(owner, part)}.`;

/** A refusal by one part of a policy. `fact` is a sentence without its full stop; `allowed` completes "allows". */
export const refuseByPolicy = (part: keyof Policy, { owner }: AppliedPolicy, fact: string, allowed: string): Check =>
  refuse(`policy.${part}`, policyMessage(part, owner, fact, allowed));

/** The same for a part that the user may confirm at a terminal. */
export const confirmByPolicy = (part: keyof Policy, { owner }: AppliedPolicy, fact: string, allowed: string): Check =>
  confirm(`policy.${part}`, policyMessage(part, owner, fact, allowed));

/** A list in words: "a, b", or "none". */
export const listInWords = (list: readonly string[]): string => list.join(', ') || 'none';
