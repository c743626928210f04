import * as z from 'zod';
import { anyText, flag, number, open, segment, text } from '../fields.ts';
import { PROVIDERS } from './providers.ts';

/** A provider in a request: any text that is not empty. */
export const provider = (description: string) => text(`${description}: ${PROVIDERS.join(' or ')}`);

/** The error of a broadcast with a blockhash that is too old. Document: Errors. */
export const BLOCKHASH_EXPIRED = 'solana_blockhash_expired';

/** The path parameter of one token. Document: GET /yield/strategies/{asset_symbol}. */
export const assetSymbol = { asset_symbol: segment('Symbol of the token, such as USDC') };

/** The common fields of deposit and withdraw. Document: POST /yield/deposit, POST /yield/withdraw. */
export const yieldFields = {
  provider: provider('Provider of the strategy'),
  chain_name: text('Chain of the strategy, such as solana'),
  asset: text('Symbol of the token'),
  wallet: text('Wallet of the owner, a Solana public key'),
};

/** The fields of a token. Document: Yield strategy and Rebalance opportunity, token. */
export const tokenFields = { symbol: text('Symbol of the token'), mint: text('Mint of the token') };

const source = open(
  {
    ok: flag('Whether the provider answered'),
    message: anyText('What it said'),
    count: number('How many entries it gave'),
  },
  'One provider',
);

/** The outcome of the request to each provider, by the provider's name. */
export const sources = z
  .record(z.string(), source, 'must be an object')
  .meta({ description: 'Outcome of asking each provider', id: 'Sources' });

/** A Solana public key, for examples. */
export const EXAMPLE_WALLET = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU';

/** The mint of USDC on Solana, for examples. */
export const EXAMPLE_MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

/** Both providers answered, for examples. */
export const EXAMPLE_SOURCES = {
  provider_a: { ok: true, message: 'ok', count: 1 },
  provider_b: { ok: true, message: 'ok', count: 1 },
};

/** The example of a deposit or withdrawal, without its amount. */
export const EXAMPLE_REQUEST = { provider: 'provider_a', chain_name: 'solana', asset: 'USDC', wallet: EXAMPLE_WALLET };

/** An unsigned Solana transaction, for examples. */
export const EXAMPLE_TRANSACTION =
  'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAED6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA4zLa+S+r7Oi2P/ekQAXl/f2a+hWHVrYcWpX5BLO40IEBAgIAAQwCAAAAAQAAAAAAAAA=';
