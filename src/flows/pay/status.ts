import * as z from 'zod';
import type { ExpectedPart, ExpectedPayment } from '../../chain/evm/context.ts';
import { type Client, call, dataAs } from '../../client/call.ts';
import { EXECUTABLE_STATUSES } from '../../contract/pay/shared.ts';
import { status } from '../../contract/pay/status.ts';
import { Failure, type FailureDetails } from '../../core/failure.ts';
import { briefly, digitsOf } from '../../core/json.ts';
import { type NextStep, nextStep, type PayerFacts } from '../../core/next.ts';
import { inSentence } from '../../core/text.ts';
import type { PaymentIntent } from '../../journal/intents.ts';
import { boundIn, type FactName, factsOfPayment, statementOf } from '../../journal/statement.ts';
import { type WaitOptions, waitFor } from '../read-back.ts';
import { isPricedOtherwise } from '../statement.ts';
import type { StatedFacts } from './context.ts';

/**
 * The fields of a payment that its steps need. Other fields are not checked: a wrong one must not make the outcome
 * unknown.
 */
const stateSchema = z.looseObject({
  id: z.string(),
  status: z.string(),
  tid_hash: z.string().nullish(),
  data_error: z.unknown().optional(),
});

/** A payment with these fields; all others pass through. */
export type PaymentState = z.infer<typeof stateSchema>;

/** The state of a payment in an answer about it; `undefined` if id or status is missing. */
export const stateIn = (data: unknown, paymentId: string): PaymentState | undefined => {
  const { data: payment } = stateSchema.safeParse(data);
  return payment?.id === paymentId ? payment : undefined;
};

/** Reads a payment. Throws `unexpected_answer` if id or status is missing. */
export const readPayment = async (client: Client, paymentId: string): Promise<PaymentState> => {
  const envelope = await call(client, status, { id: paymentId });
  const own = stateSchema.refine(({ id }) => id === paymentId);
  return dataAs(own, envelope, `the answer for payment ${paymentId} does not show its state`);
};

/** An unexecuted payment does not change by itself, unless a bank or card issuer must act. */
const canStillMove = ({ status: state, transaction_type: type }: PaymentState): boolean =>
  !EXECUTABLE_STATUSES.includes(state) || (typeof type === 'string' && type !== '' && type !== 'crypto');

/** What a payment shows of its payer. Without a transaction, one of `pay run` pays in the same currency and chain. */
export const payerOf = (payment: PaymentState): PayerFacts => {
  const [from, to, chain] = [payment['from_currency_symbol'], payment['to_currency_symbol'], payment['to_chain']];
  return {
    email: plainText(payment['payer_email']),
    wallet: plainText(payment['payer_wallet']),
    chain: plainText(payment['chain_name']) ?? plainText(chain),
    token: plainText(payment['payer_token_symbol']) ?? (from === to ? plainText(from) : undefined),
  };
};

/** Text of the service that may stand in a command. */
const plainText = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\w[\w@.:+-]{0,254}$/.test(value) ? value : undefined;

/** The next command for a payment; `undefined` if there is none. In `retry` its bytes are outdated. */
export const stepAfter = (payment: PaymentState): NextStep | undefined => {
  const { id, status: state } = payment;
  if (state === 'success' || state === 'error') return undefined;
  if (canStillMove(payment)) return nextStep('pay.status.wait', id);
  const isReady = state === 'registered' && Boolean(payment['unsigned_tx']);
  return isReady ? nextStep('pay.execute', id) : nextStep('pay.transaction', id, payerOf(payment));
};

const notFinal = (payment: PaymentState, paymentId: string): Failure =>
  new Failure('not_final', `payment ${paymentId} is ${inSentence(payment.status)}`, {
    data: payment,
    next: stepAfter({ ...payment, id: paymentId }),
  });

/** A failed charge can be requested again; for crypto the chain decides the outcome. */
const afterError = ({ id, transaction_type: type }: PaymentState): Pick<FailureDetails, 'hint' | 'next'> => {
  const isPix = type === 'pixcrypto' || type === 'fiatcrypto';
  if (!isPix && type !== 'cardcrypto' && type !== 'cardfiat') return { next: nextStep('pay.status', id) };
  return { hint: isPix ? 'A new payment has a new Pix.' : 'Pay again with another card.', next: nextStep('pay.run') };
};

/** The options of a wait; `onState` is called for each change of the status. */
type Wait = Pick<WaitOptions<PaymentState>, 'onState' | 'known' | 'longestPauseMs'>;

/**
 * Polls a payment until it succeeds, with growing pauses. Throws `payment_failed` if it ends in error. Throws
 * `not_final` at the deadline or if nothing changes by itself. With a `known` state the first read may fail too.
 */
export const waitForSuccess = (client: Client, paymentId: string, wait: Wait): Promise<PaymentState> =>
  waitFor<PaymentState>(client, {
    read: () => readPayment(client, paymentId),
    stateOf: ({ status: state }) => state,
    isDone: (payment) => {
      if (payment.status !== 'error') return payment.status === 'success';
      throw new Failure('payment_failed', `payment ${paymentId} ended in error`, {
        data: payment,
        ...afterError(payment),
      });
    },
    isResting: (payment) => wait.known === undefined && !canStillMove(payment),
    notFinal: (payment) => notFinal(payment, paymentId),
    ...wait,
  });

const splitSchema = z.array(z.looseObject({ receiver_wallet: z.string(), receiver_percent: z.unknown().optional() }));

/** The payment fields that its transaction must match, both typed and read. */
const factsSchema = z.looseObject({
  amount_from: z.string(),
  from_currency_symbol: z.string(),
  chain_name: z.string(),
  payer_token_symbol: z.string(),
  payer_wallet: z.string(),
  split_payment_config: splitSchema,
  to_currency_symbol: z.string().optional().catch(undefined),
  to_chain: z.string().optional().catch(undefined),
});

/** The receivers of a payment in the journal; empty if not recorded. */
export const receiversOf = (split: unknown): PaymentIntent['receivers'] =>
  (splitSchema.safeParse(split).data ?? []).map(({ receiver_wallet, receiver_percent }) => ({
    wallet: receiver_wallet,
    percent: digitsOf(receiver_percent) ?? briefly(receiver_percent ?? null),
  }));

/** The facts of a payment in the journal; `undefined` if some are missing. */
export const intentOf = (payment: unknown): PaymentIntent | undefined => {
  const { data: facts } = factsSchema.safeParse(payment);
  return (
    facts && {
      amount: facts.amount_from,
      currency: facts.from_currency_symbol,
      chain: facts.chain_name,
      token: facts.payer_token_symbol,
      receivers: receiversOf(facts.split_payment_config),
      payer: facts.payer_wallet,
      to_currency: facts.to_currency_symbol || undefined,
      to_chain: facts.to_chain || undefined,
    }
  );
};

/** The expected fields for each fact. */
const PARTS: Partial<Readonly<Record<FactName, ExpectedPart>>> = {
  amount: 'amount',
  token: 'token',
  chain: 'chain',
  receivers: 'receivers',
};

/**
 * The expected payment: the user's statement, completed by the service's facts. For a price in another currency the
 * user's limit is compared.
 */
export const expectedOf = (intent: PaymentIntent, { statement, uncovered }: StatedFacts): ExpectedPayment => {
  const { amount, currency, chain, token, receivers, to_currency, to_chain } = intent;
  const money =
    // Both must agree on the limited token, or the limit would apply to nothing.
    isPricedOtherwise(factsOfPayment(intent))
      ? { price: { amount, currency, atMost: boundIn(statement, token) } }
      : { amount };
  const unstated = uncovered.flatMap((name) => PARTS[name] ?? []);
  return {
    chainName: chain,
    tokenSymbol: token,
    ...money,
    receivers,
    toSymbol: to_currency,
    toChain: to_chain,
    unstated,
  };
};

/** All facts as stated by the user's options, for a payment of this command. */
export const statedByOptions = (intent: PaymentIntent, payAtMost: string | undefined): StatedFacts => {
  const facts = factsOfPayment(intent);
  return { facts, statement: statementOf(facts, 'options', payAtMost), uncovered: [] };
};
