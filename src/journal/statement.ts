import { SOLANA } from '../contract/chains.ts';
import { formatDecimal, isDecimal, parseDecimal } from '../core/decimal.ts';
import {
  type Intent,
  isChargeIntent,
  isPaymentIntent,
  isStepIntent,
  isYieldIntent,
  type PaymentIntent,
  type Receivers,
  YIELD_OPERATIONS,
  type YieldIntent,
} from './intents.ts';

/** The facts that a user can state. A payment, a charge and a yield operation each have some of them. */
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
 * The source of a fact:
 * - `options`: options or a request body of the user's command;
 * - `confirmed`: the user confirmed a screen that showed the service's fact;
 * - `policy`: a policy of the key allows it.
 */
export type Source = 'options' | 'confirmed' | 'policy';

/** The user's statement about an operation, with the source of each fact. */
export type Statement = {
  readonly facts: Readonly<Partial<Record<FactName, { readonly value: FactValue; readonly from: Source }>>>;
  /** The payment limit as decimal text in the payer's currency, if the price is in another currency. */
  readonly pay_at_most?: string | undefined;
  /** The token or currency of the limit. Old lines have none: the limit is in the statement's token. */
  readonly pay_at_most_in?: string | undefined;
};

export const NOTHING_STATED: Statement = { facts: {} };

/**
 * A statement with one source for all facts. Empty facts are omitted. The limit is in the facts' token, or in `payIn`.
 */
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
 * Adds a later statement; later facts replace earlier ones. A later token cancels an earlier limit. A limit without a
 * token does not apply.
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

/** The payment limit in a token or currency; `undefined` if there is none. */
export const boundIn = (statement: Statement, token: FactValue | undefined): string | undefined => {
  const own = tokenOfBound(statement);
  return own !== undefined && token !== undefined && isSameFact(own, token) ? statement.pay_at_most : undefined;
};

/** Sets the token of a limit that names none: the token of the payment. */
export const boundTo = (statement: Statement, token: FactValue | undefined): Statement => {
  const isOpen = statement.pay_at_most !== undefined && tokenOfBound(statement) === undefined;
  return isOpen && typeof token === 'string' ? { ...statement, pay_at_most_in: token } : statement;
};

/** Base58 (Solana addresses) is case-sensitive. */
const isCaseless = (text: string): boolean => text.startsWith('0x') || text.length < 32;

const plain = (text: string): string => {
  if (isDecimal(text)) return formatDecimal(parseDecimal(text));
  return isCaseless(text) ? text.toLowerCase() : text;
};

/** A fact as text: two values that mean the same give the same text. */
const factText = (value: FactValue): string =>
  typeof value === 'string'
    ? plain(value)
    : value
        .map(({ wallet, percent }) => `${plain(wallet)}=${plain(percent)}`)
        .toSorted()
        .join(', ');

/** A fact as it was written. */
export const factInWords = (value: FactValue): string =>
  typeof value === 'string' ? value : value.map(({ wallet, percent }) => `${wallet}=${percent}`).join(', ');

export const isSameFact = (one: FactValue, other: FactValue): boolean => factText(one) === factText(other);

/** The yield operation of a statement; `undefined` if it lacks a fact that a review compares. */
export const intentStated = ({ facts }: Statement, wallet: string): YieldIntent | undefined => {
  const text = (name: FactName) => {
    const value = facts[name]?.value;
    return typeof value === 'string' ? value : undefined;
  };
  const [amount, asset] = [text('amount'), text('asset')];
  const operation = YIELD_OPERATIONS.find((each) => each === text('operation'));
  if (operation === undefined || amount === undefined || asset === undefined) return undefined;
  const providers = { provider_out: text('provider_out'), provider_in: text('provider_in') };
  return { operation, amount, asset, chain: SOLANA, wallet: text('wallet') ?? wallet, ...providers };
};

const factsIn = (fields: Facts): Facts => Object.fromEntries(FACTS.map((name) => [name, fields[name]]));

/** The facts of a crypto payment. The payer is the signing key, so it is not a fact. */
export const factsOfPayment = (intent: PaymentIntent): Facts => factsIn(intent);

/** The facts of an intent; none for bytes that are only relayed or signed. */
export const factsOf = (intent: Intent): Facts => {
  if (isPaymentIntent(intent)) return factsOfPayment(intent);
  if (isYieldIntent(intent)) return factsIn(intent);
  // The operation is a fact of a yield operation only, and a charge pays on the chain of its receivers.
  if (isStepIntent(intent)) return factsIn({ ...intent, operation: undefined });
  return isChargeIntent(intent)
    ? factsIn({ ...intent, operation: undefined, chain: undefined, to_chain: intent.chain })
    : {};
};
