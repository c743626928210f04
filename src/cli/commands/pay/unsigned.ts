import { deploymentOfService } from '../../../client/service.ts';
import type { Kind } from '../../../contract/chains.ts';
import { EXECUTABLE_STATUSES } from '../../../contract/pay/shared.ts';
import { Failure } from '../../../core/failure.ts';
import { nextStep } from '../../../core/next.ts';
import { inSentence } from '../../../core/text.ts';
import type { StatedFacts } from '../../../flows/pay/context.ts';
import type { UnsignedPayment } from '../../../flows/pay/review.ts';
import { expectedOf, intentOf, type PaymentState, payerOf, readPayment } from '../../../flows/pay/status.ts';
import { isPricedOtherwise } from '../../../flows/statement.ts';
import type { PaymentIntent, Receivers } from '../../../journal/intents.ts';
import { type FactName, factsOfPayment } from '../../../journal/statement.ts';
import type { CommandContext } from '../../command/command.ts';
import { assertWithinBound, type StatedInput, statedPayment } from './stated.ts';

/** The intent of a payment that the service shows. Throws `rejected` for one without a transaction of the payer. */
export const intentOfPayment = (payment: PaymentState): PaymentIntent => {
  const intent = intentOf(payment);
  if (payment['unsigned_tx'] && intent) return intent;
  throw new Failure('rejected', `payment ${payment.id} has no transaction to sign`, {
    hint: `It is ${payment.status}. Nothing was sent now.`,
    next: nextStep('pay.transaction.crypto', payment.id, payerOf(payment)),
  });
};

/** Throws `rejected` for a payment that cannot be executed, before anything is signed. */
export const assertExecutable = ({ id, status }: PaymentState): void => {
  if (EXECUTABLE_STATUSES.includes(status)) return;
  const message = `payment ${id} is ${inSentence(status)}: only a payment in registered or retry can be executed`;
  throw new Failure('rejected', message, {
    hint: 'Nothing was sent now.',
    next: nextStep('pay.status', id),
  });
};

/** A transaction to sign, its stated facts, and the kind of its chain. */
export type UnsignedOfKind = UnsignedPayment & {
  readonly kind: Kind;
  readonly stating: StatedFacts;
  readonly payment_id?: string;
};

/** Reads a payment and its stated facts. Throws as `assertExecutable`, `intentOfPayment` and `statedPayment`. */
export const readStated = async (cli: CommandContext, paymentId: string, typed: StatedInput) => {
  const client = await cli.client();
  const payment = await readPayment(client, paymentId);
  assertExecutable(payment);
  const shown = { payment, intent: intentOfPayment(payment), deployment: deploymentOfService(client.service) };
  return { client, payment, ...(await statedPayment(cli.io, shown, typed)) };
};

/** Reads the transaction of a payment. Throws as `assertExecutable`, `intentOfPayment` and `statedPayment`. */
export const unsignedOfPayment = async (
  cli: CommandContext,
  paymentId: string,
  typed: StatedInput,
): Promise<UnsignedOfKind> => {
  const { client, payment, intent, stating } = await readStated(cli, paymentId, typed);
  const expected = expectedOf(intent, stating);
  return { cryptoTx: payment['unsigned_tx'], expected, stating, kind: client.service.kind, payment_id: payment.id };
};

/** The facts that the bytes of a transaction contain. */
const OF_BYTES = ['amount', 'token', 'chain', 'receivers'] as const;

/** A transaction of a file with the stated facts. Throws `invalid_input` for a maximum below the amount. */
export const unsignedOfFile = (cryptoTx: unknown, kind: Kind, { statement }: StatedInput): UnsignedOfKind => {
  const { amount, currency, token, chain, to_chain, to_currency, receivers } = Object.fromEntries(
    Object.entries(statement.facts).map(([name, { value }]) => [name, value]),
  ) as { [Name in FactName]?: string } & { receivers?: Receivers };
  const intent: PaymentIntent = {
    amount: amount ?? '',
    currency: currency ?? token ?? '',
    token: token ?? currency ?? '',
    chain: chain ?? to_chain ?? '',
    receivers: receivers ?? [],
    payer: '',
    to_currency,
    to_chain,
  };
  const facts = factsOfPayment(intent);
  assertWithinBound(facts, statement.pay_at_most);
  const isBound = statement.pay_at_most !== undefined && isPricedOtherwise(facts);
  const missing = OF_BYTES.filter((name) => facts[name] === undefined || facts[name].length === 0);
  const uncovered = missing.filter((name) => !(isBound && name === 'amount'));
  const stating = { facts: {}, statement, uncovered, by: 'the transaction' } as const;
  const all = expectedOf(intent, stating);
  // The amount in the bytes is always compared with a stated maximum.
  const isCompared = isBound || (statement.pay_at_most !== undefined && missing.includes('amount'));
  const price = {
    amount: amount ?? 'a price that you did not state, in',
    currency: intent.currency,
    atMost: statement.pay_at_most,
  };
  const expected = {
    ...all,
    amount: all.amount || undefined,
    price: isCompared ? price : undefined,
    chainName: intent.chain || undefined,
    tokenSymbol: intent.token || undefined,
    receivers: receivers,
  };
  return { cryptoTx, expected, stating, kind };
};
