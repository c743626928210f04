import { SOLANA } from '../contract/chains.ts';
import { isSameText } from '../core/text.ts';

/** The receivers of a payment, with the share of each in percent as decimal text. */
export type Receivers = readonly { readonly wallet: string; readonly percent: string }[];

/** The facts of a payment: enough to review its transaction again, without personal data. */
export type PaymentIntent = {
  readonly amount: string;
  readonly currency: string;
  readonly chain: string;
  readonly token: string;
  readonly receivers: Receivers;
  readonly payer: string;
  /** The token and chain of the receivers. The oldest entries have neither. */
  readonly to_currency?: string | undefined;
  readonly to_chain?: string | undefined;
};

/**
 * One step of a payment that the user makes step by step. Later steps compare the transaction with these facts. The
 * step itself moves nothing, so it is never resumed.
 */
export type StepIntent =
  | ({
      readonly operation: 'register';
      /** The payment methods that the payer may use. Old entries have none. */
      readonly methods?: readonly string[] | undefined;
    } & Pick<PaymentIntent, 'amount' | 'currency' | 'receivers' | 'to_currency' | 'to_chain'>)
  | ({ readonly operation: 'transaction' } & Pick<PaymentIntent, 'chain' | 'token' | 'payer'>);

/**
 * A payment that the payer's bank (Pix) or the card issuer executes. `type` is the transaction type. `payer` is a hash
 * of the e-mail address.
 */
export type ChargeIntent = {
  readonly operation: 'pix' | 'card';
  readonly type: string;
  readonly to_currency: string;
  readonly payer: string;
} & Pick<PaymentIntent, 'amount' | 'currency' | 'chain' | 'receivers'>;

/** The yield operations of a wallet. */
export const YIELD_OPERATIONS = ['deposit', 'withdraw', 'rebalance'] as const;

/** The facts of a yield operation: enough to review its transactions again. */
export type YieldIntent = {
  readonly operation: (typeof YIELD_OPERATIONS)[number];
  readonly amount: string;
  readonly asset: string;
  readonly chain: string;
  readonly wallet: string;
  /** The paying provider of a withdrawal or rebalance. */
  readonly provider_out: string | undefined;
  /** The receiving provider of a deposit or rebalance. */
  readonly provider_in: string | undefined;
};

/** Bytes that were signed elsewhere and are only relayed. */
export type RelayIntent = { readonly operation: 'broadcast'; readonly chain: string; readonly wallet: string };

/** What a yield operation is for. Of relayed bytes without a complete statement only the wallet is known. */
export type Purpose = YieldIntent | RelayIntent;

/** The effect of one transaction: of two, the first only withdraws and the second only deposits. */
export const partOf = (intent: YieldIntent, part: number, count: number): YieldIntent => {
  if (count < 2) return intent;
  return part === 1
    ? { ...intent, operation: 'withdraw', provider_in: undefined }
    : { ...intent, operation: 'deposit', provider_out: undefined };
};

/** A transaction that is only signed. bursar does not send it. */
export type SigningIntent = { readonly operation: 'sign'; readonly chain: string; readonly wallet: string };

/** The purpose of an operation. */
export type Intent = PaymentIntent | ChargeIntent | StepIntent | YieldIntent | RelayIntent | SigningIntent;

/** Whether an intent is that of a payment, and not of a yield operation. */
export const isPaymentIntent = (intent: Intent): intent is PaymentIntent => !('operation' in intent);

/** Whether an intent is that of a payment by Pix or by card. */
export const isChargeIntent = (intent: Intent): intent is ChargeIntent =>
  'operation' in intent && (intent.operation === 'pix' || intent.operation === 'card');

/** Whether an intent is that of a payment by Pix. */
export const isPixIntent = (intent: Intent): boolean => isChargeIntent(intent) && intent.operation === 'pix';

/** Whether an intent is that of a deposit, a withdrawal or a rebalance. */
export const isYieldIntent = (intent: Intent): intent is YieldIntent =>
  'operation' in intent && YIELD_OPERATIONS.some((each) => each === intent.operation);

/** Whether an intent is a single step of a payment. */
export const isStepIntent = (intent: Intent): intent is StepIntent =>
  'operation' in intent && (intent.operation === 'register' || intent.operation === 'transaction');

/** Whether an intent is that of a transaction that is only signed. */
export const isSigningIntent = (intent: Intent): intent is SigningIntent =>
  'operation' in intent && intent.operation === 'sign';

/** Whether an intent is that of relayed bytes. */
export const isRelayIntent = (intent: Intent): intent is RelayIntent =>
  'operation' in intent && intent.operation === 'broadcast';

/** Whether the `yield` commands list an operation; the `pay` commands list all others. */
export const isOfYield = (intent: Intent): boolean =>
  isYieldIntent(intent) || isRelayIntent(intent) || (isSigningIntent(intent) && intent.chain === SOLANA);

/** Whether two names mean the same token: the journal has the user's spelling. */
export type IsSameToken = (one: string, other: string) => boolean;

const mayBeSame = (one: string | undefined, other: string | undefined): boolean =>
  one === undefined || other === undefined || isSameText(one, other);

/**
 * Whether two operations may do the same, whatever their amounts: what is unknown may be the same. The target of a
 * rebalance may have been chosen automatically, so a repeat may choose another.
 */
export const maySame = (one: Purpose, other: Purpose, isSameToken: IsSameToken): boolean => {
  if (one.wallet !== other.wallet || !isSameText(one.chain, other.chain)) return false;
  if (!isYieldIntent(one) || !isYieldIntent(other)) return true;
  return (
    one.operation === other.operation &&
    isSameToken(one.asset, other.asset) &&
    mayBeSame(one.provider_out, other.provider_out) &&
    (one.operation === 'rebalance' || mayBeSame(one.provider_in, other.provider_in))
  );
};

/** The wallet that signs for an operation; `undefined` for charges and registrations. */
export const walletOf = (intent: Intent): string | undefined => {
  if ('wallet' in intent) return intent.wallet;
  return 'payer' in intent && !isChargeIntent(intent) ? intent.payer : undefined;
};
