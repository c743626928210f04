import { type Failure, withDetails } from '../../core/failure.ts';
import { type NextStep, nextStep } from '../../core/next.ts';
import { isChargeIntent, isPaymentIntent } from '../../journal/intents.ts';
import type { OperationState } from '../../journal/operation-state.ts';
import type { FactName, FactValue } from '../../journal/statement.ts';

/** The option of `pay run` for each fact of a payment, in the order of the command. */
const OPTIONS: readonly (readonly [FactName, string])[] = [
  ['amount', '--amount-from'],
  ['currency', '--from-currency-symbol'],
  ['to_currency', '--to-currency-symbol'],
  ['to_chain', '--to-chain'],
  ['chain', '--chain-name'],
  ['token', '--payer-token-symbol'],
  ['receivers', '--split'],
];

const valuesOf = (value: FactValue): readonly string[] =>
  typeof value === 'string' ? [value] : value.map(({ wallet, percent }) => `${wallet}=${percent}`);

/** The records of a payment: its intent, and what the user stated about it. */
export type StatedPayment = Pick<OperationState, 'started' | 'stated'>;

/**
 * The command that makes a payment of the journal once more. A user who pastes a command states its facts. So it has only
 * what the user stated by options, and nothing that a service shows.
 */
export const payAgain = ({ started: { intent, payment_id }, stated }: StatedPayment): NextStep => {
  const options = OPTIONS.flatMap(([name, flag]) => {
    const fact = stated.facts[name];
    if (fact?.from !== 'options') return [];
    return valuesOf(fact.value).flatMap((value) => [flag, value]);
  });
  if (isChargeIntent(intent)) return nextStep('pay.run', [...options, '--transaction-type', intent.type]);
  // The payer of a payment that another command created is the word of the service.
  const isOfKey = isPaymentIntent(intent) && payment_id === undefined && options.length > 0;
  return nextStep('pay.run', [...options, ...(isOfKey ? ['--key', intent.payer] : [])]);
};

/** The failure of a payment, with its facts in a next command that starts a payment. */
export const withPayAgain = (failure: Failure, payment: StatedPayment): Failure =>
  failure.details.next?.id === 'pay.run' ? withDetails(failure, { next: payAgain(payment) }) : failure;
