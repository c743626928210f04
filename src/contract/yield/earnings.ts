import * as z from 'zod';
import { defineEndpoint } from '../define.ts';
import { list, number, open, text } from '../fields.ts';
import { EXAMPLE_WALLET, yieldFields } from './shared.ts';

/** The position of a wallet. Document: Earnings entry. */
const entry = open(
  {
    provider: text('Provider of the position'),
    asset: text('Symbol of the token'),
    wallet: text('Wallet of the owner'),
    chain_name: text('Chain of the position'),
    position_on_protocol: number('Balance read from the protocol'),
    earnings_status: text('ok, or why the position could not be read'),
    // not shown: the details.
    earnings_details: z.unknown().describe('Details, where there are any').optional(),
  },
  'One position',
  'Position',
);

/** Reads the position of a wallet. Document: GET /yield/earnings. */
export const earnings = defineEndpoint({
  id: 'yield.earnings',
  method: 'GET',
  path: '/yield/earnings',
  summary: 'Show the position of a wallet',
  effect: 'reads',
  query: yieldFields,
  invalid: 'params_mismatch',
  success: {
    get_earnings_position: {
      http: 200,
      data: open({ earnings: list(entry, 'One entry a query') }, 'Positions'),
      example: {
        earnings: [
          {
            provider: 'provider_a',
            asset: 'USDC',
            wallet: EXAMPLE_WALLET,
            chain_name: 'solana',
            position_on_protocol: 25.013,
            earnings_status: 'ok',
            earnings_details: null,
          },
        ],
      },
    },
  },
  errors: { unauthorized: 401, params_mismatch: 400 },
  example: { wallet: EXAMPLE_WALLET, asset: 'USDC', provider: 'provider_a', chain_name: 'solana' },
});
