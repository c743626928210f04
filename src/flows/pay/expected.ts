import * as z from 'zod';
import type { ExpectedPart, ExpectedPayment } from '../../chain/evm/context.ts';
import { briefly, digitsOf } from '../../core/json.ts';
import type { PaymentIntent } from '../../journal/intents.ts';
import { boundIn, type FactName, factsOfPayment, statementOf } from '../../journal/statement.ts';
import { isPricedOtherwise } from '../statement.ts';
import type { StatedFacts } from './context.ts';

const splitSchema = z.array(z.looseObject({ receiver_wallet: z.string(), receiver_percent: z.unknown().optional() }));

/** The parts of a payment that say what its transaction must do; typed ones and read-back ones have them alike. */
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

/** Who gets a payment, as the journal keeps it; nobody where it does not say. */
export const receiversOf = (split: unknown): PaymentIntent['receivers'] =>
  (splitSchema.safeParse(split).data ?? []).map(({ receiver_wallet, receiver_percent }) => ({
    wallet: receiver_wallet,
    percent: digitsOf(receiver_percent) ?? briefly(receiver_percent ?? null),
  }));

/** What a payment is for, as the journal keeps it; `undefined` where it does not say all of it. */
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

/** The parts of what is expected that a fact is. */
const PARTS: Partial<Readonly<Record<FactName, ExpectedPart>>> = {
  amount: 'amount',
  token: 'token',
  chain: 'chain',
  receivers: 'receivers',
};

/**
 * What the transaction of a payment is compared with: the user's statement, and the service's word for what nobody
 * stated. An amount in another currency is a price, and the user's bound is compared.
 */
export const expectedOf = (intent: PaymentIntent, { statement, uncovered }: StatedFacts): ExpectedPayment => {
  const { amount, currency, chain, token, receivers, to_currency, to_chain } = intent;
  const money =
    // As for what a bound covers: what one of the two took for the same and the other did not would be bounded by nothing.
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

/** All facts stated by the user's own options, as of a payment that this command registers. */
export const statedByOptions = (intent: PaymentIntent, payAtMost: string | undefined): StatedFacts => {
  const facts = factsOfPayment(intent);
  return { facts, statement: statementOf(facts, 'options', payAtMost), uncovered: [] };
};
