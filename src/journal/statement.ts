import { formatDecimal, isDecimal, parseDecimal } from '../core/decimal.ts';
import {
  type ChargeIntent,
  type Intent,
  isChargeIntent,
  isPaymentIntent,
  isStepIntent,
  isYieldIntent,
  type PaymentIntent,
  type Receivers,
  type StepIntent,
  type YieldIntent,
} from './intents.ts';

/** What a user can state of something that is signed or charged. A payment, a charge and a yield operation have some each. */
export const FACTS = [
  'operation',
  'amount',
  'currency',
  'token',
  'asset',
  'chain',
  'to_chain',
  'to_currency',
  'receivers',
  'wallet',
  'provider_out',
  'provider_in',
] as const;
export type FactName = (typeof FACTS)[number];

/** Receivers with their shares in percent; any other fact is text. */
export type FactValue = string | Receivers;
export type Facts = { readonly [Name in FactName]?: FactValue | undefined };

/**
 * Where a fact comes from:
 * - `options`: options or a body of the command that the user ran;
 * - `confirmed`: the user's yes to a screen that showed the fact as the service's;
 * - `policy`: a policy of the key that allows it.
 */
export type Source = 'options' | 'confirmed' | 'policy';

/** What the user states of an operation, and where each fact comes from. */
export type Statement = {
  readonly facts: Readonly<Partial<Record<FactName, { readonly value: FactValue; readonly from: Source }>>>;
  /** The most that the payer pays, as decimal text in what the payer pays with, where the price is in another currency. */
  readonly pay_at_most?: string | undefined;
  /** The token or currency of that bound. Lines before it have none: the bound is in the token of the same statement. */
  readonly pay_at_most_in?: string | undefined;
};

export const NOTHING_STATED: Statement = { facts: {} };

/** Facts that all come from one source. Empty ones are left out. A bound is in the token of the facts, or in `payIn`. */
export const statementOf = (facts: Facts, from: Source, payAtMost?: string, payIn = facts.token): Statement => {
  const stated = FACTS.flatMap((name) => {
    const value = facts[name];
    return value === undefined || value.length === 0 ? [] : [[name, { value, from }] as const];
  });
  const bound = payAtMost !== undefined && { pay_at_most: payAtMost };
  const boundToken = bound && typeof payIn === 'string' && { pay_at_most_in: payIn };
  return { facts: Object.fromEntries(stated), ...bound, ...boundToken };
};

const tokenOfBound = ({ pay_at_most_in, facts }: Statement): FactValue | undefined =>
  pay_at_most_in ?? facts.token?.value;

/**
 * Adds to a statement what was stated later; a later fact replaces an earlier one. An earlier bound does not outlast a
 * later statement of another token, and a bound that names no token bounds none.
 */
export const withLater = (earlier: Statement, later: Statement): Statement => {
  const facts = { ...earlier.facts, ...later.facts };
  const stating = later.pay_at_most === undefined ? earlier : later;
  const [own, token] = [tokenOfBound(stating), stating === later ? undefined : later.facts.token?.value];
  const isKept =
    own === undefined
      ? facts.token === undefined
      : token === undefined || typeof own !== 'string' || isSameFact(own, token);
  const { pay_at_most } = stating;
  if (pay_at_most === undefined || !isKept) return { facts };
  return { facts, pay_at_most, ...(typeof own === 'string' && { pay_at_most_in: own }) };
};

/** The most that the payer pays in a token or currency; `undefined` where the statement bounds none or another. */
export const boundIn = (statement: Statement, token: FactValue | undefined): string | undefined => {
  const own = tokenOfBound(statement);
  return own !== undefined && token !== undefined && isSameFact(own, token) ? statement.pay_at_most : undefined;
};

/** A statement whose bound, where it names no token, is in this one: that of the payment that it is stated for. */
export const boundTo = (statement: Statement, token: FactValue | undefined): Statement => {
  const isOpen = statement.pay_at_most !== undefined && tokenOfBound(statement) === undefined;
  return isOpen && typeof token === 'string' ? { ...statement, pay_at_most_in: token } : statement;
};

/** Base58, which addresses of Solana are written in, has other letters for capitals. */
const isCaseless = (text: string): boolean => text.startsWith('0x') || text.length < 32;

const plain = (text: string): string => {
  if (isDecimal(text)) return formatDecimal(parseDecimal(text));
  return isCaseless(text) ? text.toLowerCase() : text;
};

/** A fact as text: two values that mean the same give the same text. */
export const factText = (value: FactValue): string =>
  typeof value === 'string'
    ? plain(value)
    : value
        .map(({ wallet, percent }) => `${plain(wallet)}=${plain(percent)}`)
        .toSorted()
        .join(', ');

export const isSameFact = (one: FactValue, other: FactValue): boolean => factText(one) === factText(other);

/** The facts of a payment in crypto. The payer is the key that signs, and no fact. */
export const factsOfPayment = (intent: PaymentIntent): Facts => ({
  amount: intent.amount,
  currency: intent.currency,
  token: intent.token,
  chain: intent.chain,
  to_chain: intent.to_chain,
  to_currency: intent.to_currency,
  receivers: intent.receivers,
});

const factsOfStep = (intent: StepIntent): Facts =>
  intent.operation === 'register'
    ? {
        amount: intent.amount,
        currency: intent.currency,
        to_chain: intent.to_chain,
        to_currency: intent.to_currency,
        receivers: intent.receivers,
      }
    : { token: intent.token, chain: intent.chain };

/** The facts of a charge: what a card is charged, or a Pix asks for. */
const factsOfCharge = (intent: ChargeIntent): Facts => ({
  amount: intent.amount,
  currency: intent.currency,
  to_chain: intent.chain,
  to_currency: intent.to_currency,
  receivers: intent.receivers,
});

export const factsOfYield = (intent: YieldIntent): Facts => ({
  operation: intent.operation,
  amount: intent.amount,
  asset: intent.asset,
  chain: intent.chain,
  wallet: intent.wallet,
  provider_out: intent.provider_out,
  provider_in: intent.provider_in,
});

/** The facts of an intent; none of bytes that are only relayed or signed. */
export const factsOf = (intent: Intent): Facts => {
  if (isPaymentIntent(intent)) return factsOfPayment(intent);
  if (isStepIntent(intent)) return factsOfStep(intent);
  if (isChargeIntent(intent)) return factsOfCharge(intent);
  return isYieldIntent(intent) ? factsOfYield(intent) : {};
};
