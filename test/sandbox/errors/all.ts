import type { Endpoint } from '../../../src/contract/define.ts';
import { ENDPOINTS } from '../../../src/contract/index.ts';
import { type Case, inOneSandbox } from './case.ts';
import { KYC_CASES } from './kyc.ts';
import { ORDER_CASES } from './order.ts';
import { PAY_CASES } from './pay.ts';
import { YIELD_CASES } from './yield.ts';

/** Each endpoint with its example input and an unknown API key. */
const UNAUTHORIZED: readonly Case[] = ENDPOINTS.map(({ id, method, path, body, example }: Endpoint) =>
  inOneSandbox(id, 'unauthorized', 'a key that was never made', ({ call }) => {
    const fullPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(example[name]));
    return call(method, fullPath, { key: 'sandbox_unknown', body: body && example });
  }),
);

/** Each endpoint that reads a payment by the id in its path, with an unknown payment id. */
const UNKNOWN_PAYMENT: readonly Case[] = ENDPOINTS.filter(
  ({ method, path, errors }) => method === 'GET' && path.startsWith('/payment/{id}') && 'payment_not_found' in errors,
).map(({ id, path }) =>
  inOneSandbox(id, 'payment_not_found', 'nobody registered the payment', ({ get }) =>
    get(path.replace('{id}', 'pay_unknown')),
  ),
);

const QUOTE_CASES: readonly Case[] = [
  inOneSandbox('quote.market', 'params_mismatch', 'neither a pair nor from and to', ({ get }) => get('/quote/market')),
  inOneSandbox('quote.market', 'pair_not_found', 'an asset that no exchange lists', ({ get }) =>
    get('/quote/market?from=NOPE&to=USDT'),
  ),
];

/** Each documented error of each endpoint, once. */
export const CASES: readonly Case[] = [
  ...UNAUTHORIZED,
  ...UNKNOWN_PAYMENT,
  ...PAY_CASES,
  ...ORDER_CASES,
  ...KYC_CASES,
  ...YIELD_CASES,
  ...QUOTE_CASES,
];
