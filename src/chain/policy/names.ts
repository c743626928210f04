import { shellQuote } from '../../core/next.ts';
import { isSameText } from '../../core/same-text.ts';
import { type Check, confirm, refuse } from '../verdict.ts';
import type { Outflow } from './footprint.ts';
import { type Amounts, ANY_TOKEN, type AppliedPolicy, type Policy, type PolicyOwner } from './policy.ts';

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
const changeOf = ({ kind, name }: PolicyOwner, part: keyof Policy): string => {
  const quoted = needsNoQuotes(name) ? name : shellQuote(name);
  return kind === 'key' ? `bursar key policy set ${quoted} ${part}` : `bursar profile set ${quoted} policy.${part}`;
};

/** What a part of a policy says against a transaction: what was found, what is allowed, and where that is changed. */
const against = (part: keyof Policy, owner: PolicyOwner, found: string, allowed: string): string =>
  `${found}; the policy of ${ownerInWords(owner)} allows ${allowed}. No option lifts that: it is changed by ${changeOf(owner, part)}.`;

/** A refusal by one part of a policy. */
export const refusedBy = (part: keyof Policy, { owner }: AppliedPolicy, found: string, allowed: string): Check =>
  refuse(`policy.${part}`, against(part, owner, found, allowed));

/** A part of a policy that only a yes of the user at a terminal passes. */
export const confirmedBy = (part: keyof Policy, { owner }: AppliedPolicy, found: string, allowed: string): Check =>
  confirm(`policy.${part}`, against(part, owner, found, allowed));

/** A list in words. */
export const listed = (list: readonly string[]): string => list.join(', ') || 'none';
