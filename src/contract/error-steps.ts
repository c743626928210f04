import type { FailureCode } from '../core/failure.ts';
import { type NextStep, nextStep } from '../core/next.ts';

/** What a call was made with, by the service's names of its fields. */
type Input = Readonly<Record<string, unknown>>;

/** The next command after a call with these fields; `undefined` where the fields are not enough for one. */
export type StepFrom = (input: Input) => NextStep | undefined;

/**
 * One error of the service's document: its failure, its meaning and advice. `next` is the command that makes progress
 * after a call with these fields, where they are enough for one.
 */
export type ErrorEntry = {
  readonly code: FailureCode;
  readonly meaning: string;
  readonly advice: string;
  readonly next: StepFrom;
};

/** One row of the error table; without `next` no command makes progress by itself. */
export const entry = (
  code: FailureCode,
  meaning: string,
  advice: string,
  next: StepFrom = () => undefined,
): ErrorEntry => ({ code, meaning, advice, next });

/** A command about one field of the call; `undefined` where the call has no text in this field. */
export const about =
  (field: string, step: (value: string) => NextStep): StepFrom =>
  ({ [field]: value }) =>
    typeof value === 'string' && value !== '' ? step(value) : undefined;

/** A command about the payment of the call: its `payment_id`, or its `id` where that is the payment's. */
export const aboutPayment = (id: 'pay.status' | 'pay.status.wait' | 'pay.transaction'): StepFrom => {
  const step = (value: string) => nextStep(id, value);
  return (input) => about('payment_id', step)(input) ?? about('id', step)(input);
};

/** A step of KYC about the e-mail address of the call. */
export const aboutEmail = (id: 'kyc.send_otp' | 'kyc.verify_otp' | 'kyc.prepare'): StepFrom =>
  about('email', (email) => nextStep(id, email));

/** The walk through KYC for the e-mail address or wallet of the call; the payer of a payment is `payer_email` or `payer_wallet`. */
export const startKyc: StepFrom = ({ email, wallet, payer_email, payer_wallet }) => {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  const name = { email: text(email ?? payer_email), key: text(wallet ?? payer_wallet) };
  return (name.email ?? name.key) ? nextStep('kyc.start', name) : undefined;
};

/** Reads the KYC status of the e-mail address or wallet of the call. */
export const readKyc: StepFrom = ({ email, wallet }) => {
  if (typeof email === 'string') return nextStep('kyc.status', ['--email', email]);
  return typeof wallet === 'string' ? nextStep('kyc.status', ['--wallet', wallet]) : undefined;
};

/** Shows which API key is in use, and whose it is. */
export const whoami = (): NextStep => nextStep('whoami');
/** Lists the payments of this machine. */
export const listPayments = (): NextStep => nextStep('operation.list', 'pay');
/** Lists the orders that the key can reach. */
export const listOrders = (): NextStep => nextStep('order.list.all');
