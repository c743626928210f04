import { register } from '../../../contract/pay/register.ts';
import { transaction } from '../../../contract/pay/transaction.ts';
import { validate } from '../../../contract/validate.ts';
import { Failure, type FieldError } from '../../../core/failure.ts';
import { intentOf } from '../../../flows/pay/expected.ts';
import type { PayRequest } from '../../../flows/pay/run.ts';
import type { Body } from '../../body.ts';
import { fieldList } from '../../fields.ts';

/** The fields of `pay run`: those of both endpoints, but for the id that the first one answers with. */
export const RUN_FIELDS = [...fieldList(register), ...fieldList(transaction)].filter(
  ({ name }) => name !== 'payment_id',
);

/** Stands for the payment's id before there is one. */
export const PENDING_ID = 'the-payment-id';

/**
 * What is left out is taken from what is there: the payer is the key, its chain is the destination, its token the
 * currency of the payment.
 */
const completed = (input: Body, keyAddress: string | undefined): Body => ({
  ...input,
  chain_name: input['chain_name'] ?? input['to_chain'],
  payer_token_symbol: input['payer_token_symbol'] ?? input['from_currency_symbol'],
  payer_wallet: input['payer_wallet'] ?? keyAddress,
});

const isOfTransaction = (name: string): boolean => Object.hasOwn(transaction.body, name);

const part = (input: Body, isWanted: (name: string) => boolean): Body =>
  Object.fromEntries(Object.entries(input).filter(([name]) => isWanted(name)));

/** Fields that follow from others are not named as missing beside them. */
const FOLLOWS: Readonly<Record<string, string>> = {
  chain_name: 'to_chain',
  payer_token_symbol: 'from_currency_symbol',
  payer_wallet: 'key',
};

const problemsOf = (registering: Body, creating: Body, missing: readonly FieldError[]): readonly FieldError[] => {
  const results = [validate(register, registering), validate(transaction, { ...creating, payment_id: PENDING_ID })];
  const wrong = results.flatMap((result) => (result.ok ? [] : result.problems));
  const all = [...missing, ...wrong.map(({ field, message }) => ({ field, message }))];
  const fields = new Set(all.map(({ field }) => field));
  return all.filter(({ field }) => !fields.has(FOLLOWS[field] ?? ''));
};

/**
 * The two inputs of a payment, checked together: every wrong field of either, and what else is `missing`, is named
 * before anything is sent. Throws `invalid_input`.
 */
export const planPayment = (
  typed: Body,
  keyAddress: string | undefined,
  missing: readonly FieldError[],
): PayRequest => {
  const input = completed(typed, keyAddress);
  const creating = part(input, isOfTransaction);
  const registering = part(input, (name) => !isOfTransaction(name) || Object.hasOwn(register.body, name));
  const errors = problemsOf(registering, creating, missing);
  if (errors.length > 0) {
    throw new Failure('invalid_input', 'nothing was sent: the payment is not complete', { errors });
  }
  const intent = input['transaction_type'] === 'crypto' ? intentOf(input) : undefined;
  if (!intent) {
    throw new Failure('invalid_input', `pay run takes crypto payments, not ${String(input['transaction_type'])}`, {
      next: 'Use pay register and pay transaction for other methods.',
    });
  }
  return { register: registering, transaction: creating, intent };
};
