import { isSameText } from '../../core/same-text.ts';
import { shellQuote } from '../../core/shell.ts';
import { type Check, refuse } from '../verdict.ts';
import type { Leaving } from './footprint.ts';
import type { Policy, PolicyInForce } from './policy.ts';

/** Whether two names are the same: capitals say nothing in a symbol, a chain's name or an EVM address. */
const isSameName = (a: string, b: string): boolean => a === b || (isCaseless(a) && isCaseless(b) && isSameText(a, b));

/** In base58, which addresses of Solana are written in, capitals are other letters. */
const isCaseless = (name: string): boolean => name.startsWith('0x') || name.length < 32;

/** Whether a list names one of some names. */
export const namesOne = (list: readonly string[], ...names: readonly (string | undefined)[]): boolean =>
  names.some((name) => name !== undefined && list.some((each) => isSameName(each, name)));

/** Whether a name, as a policy or a journal writes it, means a token. */
export const isOfToken = (name: string, { token, address }: Leaving): boolean => namesOne([name], token, address);

const needsNoQuotes = (text: string): boolean => /^[\w.-]+$/.test(text);

/** A refusal by one part of a policy: what was found, what is allowed, and where that is changed. */
export const refusedBy = (part: keyof Policy, { profile }: PolicyInForce, found: string, allowed: string): Check => {
  const name = needsNoQuotes(profile) ? profile : shellQuote(profile);
  const change = `bursar profile set ${name} policy.${part}`;
  return refuse(
    `policy.${part}`,
    `${found}; the policy of the profile ${profile} allows ${allowed}. No option lifts that: it is changed by ${change}.`,
  );
};

/** A list in words. */
export const listed = (list: readonly string[]): string => list.join(', ') || 'none';
