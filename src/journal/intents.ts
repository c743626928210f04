import type { ChargeIntent, Intent, PaymentIntent, StepIntent } from './entry.ts';
import type { RelayIntent, YieldIntent } from './yield-entry.ts';

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

/** Whether an intent is that of bytes that are only passed on. */
export const isRelayIntent = (intent: Intent): intent is RelayIntent =>
  'operation' in intent && intent.operation === 'broadcast';
