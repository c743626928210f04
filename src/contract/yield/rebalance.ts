import * as z from 'zod';
import { defineEndpoint } from '../define.ts';
import { base64Answer, list, loosePositiveDecimal, open, text } from '../fields.ts';
import { atLeastOne, type Fields, havingAll, isPresent, type Rule, worded } from '../rules.ts';
import { EXAMPLE_TRANSACTION, EXAMPLE_WALLET, provider } from './shared.ts';

const LEGS = ['provider_out', 'provider_in'] as const;

/** The problems of legs beside `provider`. A leg beside `provider` must have the same name. */
const withProvider = (input: Fields) =>
  LEGS.filter((leg) => isPresent(input[leg]) && input[leg] !== input['provider']).map((field) => ({
    field,
    message: 'must be the same as provider, or be left out',
  }));

const withoutProvider = (input: Fields) => {
  const missing = LEGS.filter((leg) => !isPresent(input[leg]));
  if (missing.length === LEGS.length) {
    const message = 'provider, or both provider_out and provider_in are required';
    return [{ field: 'provider', message, isMissing: true } as const];
  }
  return missing.map((field) => ({ field, message: 'required with the other leg', isMissing: true }) as const);
};

/**
 * The rule of the providers. Document, PATCH /yield/rebalance: a provider for both legs or one for each; an
 * inconsistent choice is an error.
 */
export const providersOfLegs: Rule = {
  ...worded((name) => `${name('provider')}, or both ${name('provider_out')} and ${name('provider_in')}`),
  // JSON Schema cannot express that a leg beside `provider` has the same name.
  schema: { anyOf: [havingAll(['provider']), havingAll(LEGS)] },
  check: (input) => (isPresent(input['provider']) ? withProvider(input) : withoutProvider(input)),
};

const built = open(
  {
    mode: text('How it is built; single_transaction when it fits one'),
    // not shown: the answer of a rebalance in two transactions.
    transaction: z
      .union([
        base64Answer('One transaction'),
        list(base64Answer('One of several transactions'), 'Several transactions'),
      ])
      .describe('Unsigned Solana transaction as base64')
      .optional(),
  },
  'The unsigned rebalance',
  'UnsignedRebalance',
);

/**
 * Builds an unsigned move from one provider to another. No money moves before it is signed and broadcast.
 * Document: PATCH /yield/rebalance.
 */
export const rebalance = defineEndpoint({
  id: 'yield.rebalance',
  method: 'PATCH',
  path: '/yield/rebalance',
  summary: 'Build an unsigned move between providers',
  effect: 'writes',
  body: {
    chain_name: text('Chain of the strategies, such as solana'),
    // Document: it must parse to a finite number greater than zero.
    amount: loosePositiveDecimal('Amount to move'),
    wallet: text('Wallet of the owner, a Solana public key').optional(),
    signer: text('Another name of wallet').optional(),
    asset: text('Symbol of the token').optional(),
    symbol: text('Another name of asset').optional(),
    token_mint: text('Another name of asset').optional(),
    mint: text('Another name of asset').optional(),
    provider_out: provider('Provider to withdraw from').optional(),
    provider_in: provider('Provider to deposit with').optional(),
    provider: provider('Provider of both legs').optional(),
  },
  rules: [atLeastOne(['wallet', 'signer']), atLeastOne(['asset', 'symbol', 'token_mint', 'mint']), providersOfLegs],
  invalid: 'invalid_parameters',
  success: {
    rebalance_yield_strategy_ok: {
      http: 200,
      data: built,
      example: { mode: 'single_transaction', transaction: EXAMPLE_TRANSACTION },
    },
  },
  unshownFields: true,
  errors: { unauthorized: 401, invalid_parameters: 400, rebalance_transaction_too_large: 413 },
  example: {
    chain_name: 'solana',
    amount: '25',
    wallet: EXAMPLE_WALLET,
    asset: 'USDC',
    provider_out: 'provider_a',
    provider_in: 'provider_b',
  },
});
