import { SOLANA } from '../contract/solana.ts';

/** Who gets a payment, with the share of each in percent as decimal text. */
export type Receivers = readonly { readonly wallet: string; readonly percent: string }[];

/** What a payment is for: enough to review its transaction again, and nothing personal. */
export type PaymentIntent = {
  readonly amount: string;
  readonly currency: string;
  readonly chain: string;
  readonly token: string;
  readonly receivers: Receivers;
  readonly payer: string;
  /** What the receivers are to get, and where. Entries of version 0.1 before them have neither. */
  readonly to_currency?: string | undefined;
  readonly to_chain?: string | undefined;
};

/**
 * A payment that is taken step by step: what was typed of it, for later steps to hold its transaction against. Nothing
 * moves by these steps, so nothing takes them up again.
 */
export type StepIntent =
  | ({ readonly operation: 'register' } & Pick<
      PaymentIntent,
      'amount' | 'currency' | 'receivers' | 'to_currency' | 'to_chain'
    >)
  | ({ readonly operation: 'transaction' } & Pick<PaymentIntent, 'chain' | 'token' | 'payer'>);

/**
 * A payment that others move: its payer's bank by a Pix, or who issued its card. `type` is the transaction type. `payer`
 * stands for the e-mail address, which cannot be read from it.
 */
export type ChargeIntent = {
  readonly operation: 'pix' | 'card';
  readonly type: string;
  readonly to_currency: string;
  readonly payer: string;
} & Pick<PaymentIntent, 'amount' | 'currency' | 'chain' | 'receivers'>;

/** What an operation between a wallet and lending markets is for: enough to review its transactions again. */
export type YieldIntent = {
  readonly operation: 'deposit' | 'withdraw' | 'rebalance';
  readonly amount: string;
  readonly asset: string;
  readonly chain: string;
  readonly wallet: string;
  /** Who pays out: of a withdrawal and a rebalance. */
  readonly provider_out: string | undefined;
  /** Who takes in: of a deposit and a rebalance. */
  readonly provider_in: string | undefined;
};

/** Bytes that were signed elsewhere and are passed on: what they are for is not known. */
export type RelayIntent = { readonly operation: 'broadcast'; readonly chain: string; readonly wallet: string };

/** A transaction that is only signed: what becomes of it is not bursar's affair. */
export type SigningIntent = { readonly operation: 'sign'; readonly chain: string; readonly wallet: string };

/** What an operation is for. */
export type Intent = PaymentIntent | ChargeIntent | StepIntent | YieldIntent | RelayIntent | SigningIntent;

/** Whether an intent is that of a payment, and not of a yield operation. */
export const isPaymentIntent = (intent: Intent): intent is PaymentIntent => !('operation' in intent);

/** Whether an intent is that of a payment by Pix or by card. */
export const isChargeIntent = (intent: Intent): intent is ChargeIntent =>
  'operation' in intent && (intent.operation === 'pix' || intent.operation === 'card');

/** Whether an intent is that of a deposit, a withdrawal or a rebalance. */
export const isYieldIntent = (intent: Intent): intent is YieldIntent =>
  'operation' in intent && ['deposit', 'withdraw', 'rebalance'].includes(intent.operation);

/** Whether an intent is a step of a payment that is taken step by step. */
export const isStepIntent = (intent: Intent): intent is StepIntent =>
  'operation' in intent && (intent.operation === 'register' || intent.operation === 'transaction');

/** Whether an intent is that of a transaction that is only signed. */
export const isSigningIntent = (intent: Intent): intent is SigningIntent =>
  'operation' in intent && intent.operation === 'sign';

/** Whether an intent is that of bytes that are only passed on. */
export const isRelayIntent = (intent: Intent): intent is RelayIntent =>
  'operation' in intent && intent.operation === 'broadcast';

/** Whether the `yield` commands list an operation; the `pay` commands list all others. */
export const isOfYield = (intent: Intent): boolean =>
  isYieldIntent(intent) || isRelayIntent(intent) || (isSigningIntent(intent) && intent.chain === SOLANA);
