import type { FailureCode } from '../core/failure.ts';
import { type NextStep, nextStep } from '../core/next.ts';

/** The fields of a call by their names in the service. */
type Input = Readonly<Record<string, unknown>>;

/** The next command after a call with these fields; `undefined` when a needed field is missing. */
export type StepFrom = (input: Input) => NextStep | undefined;

/**
 * One error of the service's document: its failure code, its meaning, advice, and the next command after a call with
 * this error.
 */
export type ErrorEntry = {
  readonly code: FailureCode;
  readonly meaning: string;
  readonly advice: string;
  readonly next: StepFrom;
};

/** One row of the error table. Without `next` there is no next command. */
export const entry = (
  code: FailureCode,
  meaning: string,
  advice: string,
  next: StepFrom = () => undefined,
): ErrorEntry => ({ code, meaning, advice, next });

/** A command with the value of one field of the call; `undefined` for a call without text in this field. */
export const about =
  (field: string, step: (value: string) => NextStep): StepFrom =>
  ({ [field]: value }) =>
    typeof value === 'string' && value !== '' ? step(value) : undefined;

/** A command about the payment of the call. The payment id is `payment_id`, or `id` in a status call. */
export const aboutPayment = (id: 'pay.status' | 'pay.status.wait' | 'pay.transaction'): StepFrom => {
  const step = (value: string) => nextStep(id, value);
  return (input) => about('payment_id', step)(input) ?? about('id', step)(input);
};

/** A KYC command about the e-mail address of the call. */
export const aboutEmail = (id: 'kyc.send_otp' | 'kyc.verify_otp' | 'kyc.prepare'): StepFrom =>
  about('email', (email) => nextStep(id, email));

/**
 * The command that starts KYC for the e-mail address or wallet of the call. A payment has `payer_email` and
 * `payer_wallet`.
 */
export const startKyc: StepFrom = ({ email, wallet, payer_email, payer_wallet }) => {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  const name = { email: text(email ?? payer_email), key: text(wallet ?? payer_wallet) };
  return (name.email ?? name.key) ? nextStep('kyc.start', name) : undefined;
};

/** The command that reads the KYC status of the e-mail address or wallet of the call. */
export const readKyc: StepFrom = ({ email, wallet }) => {
  if (typeof email === 'string') return nextStep('kyc.status', ['--email', email]);
  return typeof wallet === 'string' ? nextStep('kyc.status', ['--wallet', wallet]) : undefined;
};

/** The command that shows the API key in use and its owner. */
export const whoami = (): NextStep => nextStep('whoami');
/** The command that lists the payments of this machine. */
export const listPayments = (): NextStep => nextStep('operation.list', 'pay');
/** The command that lists all orders of the key. */
export const listOrders = (): NextStep => nextStep('order.list.all');
