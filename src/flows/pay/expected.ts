import * as z from 'zod';
import type { ExpectedPart, ExpectedPayment } from '../../chain/evm/context.ts';
import { briefly, digitsOf } from '../../core/json.ts';
import type { PaymentIntent } from '../../journal/intents.ts';
import { boundIn, type FactName, factsOfPayment, statementOf } from '../../journal/statement.ts';
import { isPricedOtherwise } from '../statement.ts';
import type { StatedFacts } from './context.ts';

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
