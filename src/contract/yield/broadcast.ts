import * as z from 'zod';
import { defineEndpoint } from '../define.ts';
import { anyText, base64, list, number, open, text } from '../fields.ts';
import { type Rule, worded } from '../rules.ts';

const ONE_OR_TWO = 'must be a base64 transaction, or a list of one or two';

const MAX = 2;

const signed = z
  .union(
    [
      base64('One signed transaction as base64'),
      // The rule below refuses a third transaction, because its status differs from the status of a missing
      // transaction.
      list(base64('One signed transaction as base64'), 'Two, for a dual rebalance')
        .min(1, ONE_OR_TWO)
        .meta({ maxItems: MAX }),
    ],
    ONE_OR_TWO,
  )
  .describe('Signed transaction as base64; two for a dual rebalance');

/**
 * The rule of at most two transactions. A third one is `invalid_parameters`, not a missing transaction. Document:
 * Limits.
 */
const atMostTwo: Rule = {
  ...worded((name) => `${name('op_signed')}: at most ${MAX} transactions`),
  status: 'invalid_parameters',
  check: ({ op_signed }) =>
    Array.isArray(op_signed) && op_signed.length > MAX ? [{ field: 'op_signed', message: ONE_OR_TWO }] : [],
};

const relayed = open(
  {
    status: number('1 when the transaction succeeded on Solana'),
    transactionHash: anyText('Signature of the transaction, when known').nullish(),
  },
  'The relayed transaction',
  'RelayedTransaction',
);

/** Broadcasts one or two signed transactions. Document: POST /yield/broadcast. */
export const broadcast = defineEndpoint({
  id: 'yield.broadcast',
  method: 'POST',
  path: '/yield/broadcast',
  summary: 'Broadcast a signed yield transaction',
  effect: 'moves_money',
  body: { chain_name: text('Chain of the transaction, such as solana'), op_signed: signed },
  rules: [atMostTwo],
  invalid: 'invalid_parameters',
  invalidField: { op_signed: 'signed_transaction_missing' },
  success: {
    broadcast_operation_yield_strategy_ok: {
      http: 200,
      data: relayed,
      example: {
        status: 1,
        transactionHash: '3gvEzxYG9mYsKjqiB5TkMWrF96xKPQdWzFyrWg4mBHdS3YfNUjVcYJbGPVBTVnJjm2aEwF8jXT5JdzxXwQwSdjmB',
      },
    },
  },
  errors: {
    unauthorized: 401,
    invalid_parameters: 400,
    signed_transaction_missing: 400,
    solana_blockhash_expired: 409,
  },
  example: {
    chain_name: 'solana',
    op_signed:
      'AYY8tvkeOQ/OKK7IR65U+/fO98ssFc5c+WY2ku7mu9MEqmyHuT5x4ICB74xnNzxIPqIBUDA/3smpfET90c9lZAsBAAED6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA4zLa+S+r7Oi2P/ekQAXl/f2a+hWHVrYcWpX5BLO40IEBAgIAAQwCAAAAAQAAAAAAAAA=',
  },
});
