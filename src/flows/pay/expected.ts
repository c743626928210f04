import * as z from 'zod';
import type { Expected } from '../../chain/evm/context.ts';
import { briefly, digitsOf } from '../../core/json.ts';
import type { PaymentIntent } from '../../journal/entry.ts';

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

/** What the transaction of a payment is held against. An amount in another currency cannot be compared. */
export const expectedOf = (intent: PaymentIntent): Expected => ({
  chainName: intent.chain,
  tokenSymbol: intent.token,
  amount: intent.currency.toUpperCase() === intent.token.toUpperCase() ? intent.amount : 'unknown',
  receivers: intent.receivers,
  toSymbol: intent.to_currency,
  toChain: intent.to_chain,
});
