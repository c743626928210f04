import type { Endpoint } from '../../../src/contract/define.ts';
import { ENDPOINTS } from '../../../src/contract/index.ts';
import { type Case, inOne } from './case.ts';
import { KYC_CASES } from './kyc.ts';
import { ORDER_CASES } from './order.ts';
import { PAY_CASES } from './pay.ts';
import { YIELD_CASES } from './yield.ts';

/** Every endpoint, with an example of its input and a key that the sandbox did not make. */
const UNAUTHORIZED: readonly Case[] = ENDPOINTS.map(({ id, method, path, body, example }: Endpoint) =>
  inOne(id, 'unauthorized', 'a key that was never made', ({ call }) => {
    const whole = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(example[name]));
    return call(method, whole, { key: 'sandbox_unknown', body: body && example });
  }),
);

/** Every read of a payment by the id in its path, with an id that was never given. */
const UNKNOWN_PAYMENT: readonly Case[] = ENDPOINTS.filter(
  ({ method, path, errors }) => method === 'GET' && path.startsWith('/payment/{id}') && 'payment_not_found' in errors,
).map(({ id, path }) =>
  inOne(id, 'payment_not_found', 'nobody registered the payment', ({ get }) =>
    get(path.replace('{id}', 'pay_unknown')),
  ),
);

const QUOTE_CASES: readonly Case[] = [
  inOne('quote.market', 'params_mismatch', 'neither a pair nor from and to', ({ get }) => get('/quote/market')),
  inOne('quote.market', 'pair_not_found', 'an asset that no exchange lists', ({ get }) =>
    get('/quote/market?from=NOPE&to=USDT'),
  ),
];

/** Every documented error of every endpoint, once each. */
export const CASES: readonly Case[] = [
  ...UNAUTHORIZED,
  ...UNKNOWN_PAYMENT,
  ...PAY_CASES,
  ...ORDER_CASES,
  ...KYC_CASES,
  ...YIELD_CASES,
  ...QUOTE_CASES,
];
